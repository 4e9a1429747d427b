#include "sim/history/recorded_jobs.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>

#include "sim/base/error.hpp"
#include "sim/base/files.hpp"
#include "sim/base/json_fields.hpp"
#include "sim/base/json_text.hpp"
#include "sim/base/statistics.hpp"
#include "sim/history/attempt_stream.hpp"
#include "sim/history/job_history.hpp"

namespace gridcast::history {
namespace {

constexpr char schema[] = "gridcast.jobs/1";
constexpr char remedy[] = "Run `gridcast calibrate` again.";

void add_fields(auto& row, auto& recorded) {
  row("sites", recorded.names.sites);
  row.list("gpus", recorded.names.gpus, [](auto& gpu, auto& share) {
    gpu("model", share.model);
    gpu("count", share.count);
    gpu("usual", share.usual);
  });
  row("gpus_per_job", recorded.names.gpus_per_job);
  row.unless_empty("retries_opaque", recorded.names.retries_opaque);
  row.unless_empty("hosts", recorded.hosts);
  row("usual_wait_s", recorded.usual_wait);
  row("jobs", recorded.jobs);
}

bool is_time(Seconds time) { return std::isfinite(time.value()) && time >= Seconds(); }

bool is_possible(RecordedAttempt const& attempt, RecordedJobs const& recorded) {
  bool possible = is_time(attempt.wait) && is_time(attempt.held_for) && is_time(attempt.computed);
  for (Seconds const time :
       {attempt.lead, attempt.transfer, attempt.setup, attempt.execution, attempt.teardown}) {
    possible = possible && is_time(time);
  }
  for (RecordedMoment const& moment : attempt.during) {
    possible = possible && std::isfinite(moment.at.value()) &&
               moment.step <= RecordedStep::teardown &&
               moment.kind <= EventKind::transfer_output_queued;
  }
  bool const at_site = attempt.site.valid() && attempt.site.index() < recorded.names.sites.size();
  return possible && attempt.host <= recorded.hosts.size() && (at_site || attempt.in_queue) &&
         attempt.gpus <= recorded.names.gpus.size() &&
         attempt.ended_by <= EventKind::transfer_output_queued &&
         static_cast<std::size_t>(attempt.reason) < reason_count &&
         attempt.after_hold <= AfterHold::removed;
}

bool is_possible(RecordedJob const& job, RecordedJobs const& recorded) {
  return is_time(job.submitted) && is_time(job.first_wait) &&
         std::all_of(job.attempts.begin(), job.attempts.end(),
                     [&](RecordedAttempt const& each) { return is_possible(each, recorded); });
}

// Follows one job through its events.
class AttemptReader {
 public:
  AttemptReader(RecordedJob& job, bool sums_only) : job_(job), sums_only_(sums_only) {}

  void add(AttemptStep const& step) {
    JobEvent const& event = step.event;
    bool const known_by_its_end = event.kind == EventKind::terminated && !step.in_attempt();
    if (step.begins != Sign::none || known_by_its_end) begin(event);
    if (open_) {
      go_on(step);
    } else {
      wait(event);
    }
  }

  /// The record ends at this time; running attempts have no end in it.
  void finish(Seconds at) {
    if (!open_ || sums_only_) return;
    close({.at = at, .kind = EventKind::shadow_exception});
    last().open = true;
  }

 private:
  RecordedAttempt& last() { return job_.attempts.back(); }

  RecordedAttempt& next(Seconds at) {
    if (job_.attempts.empty() && submitted_)
      job_.first_wait = std::max(Seconds(), at - job_.submitted);
    RecordedAttempt& attempt = job_.attempts.emplace_back();
    if (idle_since_) attempt.wait = std::max(Seconds(), at - *idle_since_);
    return attempt;
  }

  void submit(Seconds at) {
    if (!submitted_) job_.submitted = at;
    submitted_ = true;
  }

  void begin(JobEvent const& event) {
    if (open_) close({.at = event.at, .kind = EventKind::shadow_exception});
    submit(event.at);
    next(event.at).stores = sums_only_;
    last().host = event.slot;
    open_ = true;
    fetches_ = false;
    output_since_.reset();
    within_output_.clear();
    start_ = event.at;
  }

  // Events of a job that is idle or held.
  void wait(JobEvent const& event) {
    bool const held = held_since_.has_value();
    if (event.kind == EventKind::submitted) {
      submit(event.at);
    } else if (event.kind == EventKind::released && held) {
      leave_hold(event.at, AfterHold::released);
      idle_since_ = event.at;
    } else if (event.kind == EventKind::aborted && held) {
      leave_hold(event.at, AfterHold::removed);
    } else if (event.kind == EventKind::aborted || (event.kind == EventKind::held && !held)) {
      RecordedAttempt& end = next(event.at);
      end.in_queue = true;
      end.ended_by = event.kind;
      end.reason = event.reason;
      if (event.kind == EventKind::held) held_since_ = event.at;
    }
  }

  void leave_hold(Seconds at, AfterHold after) {
    last().after_hold = after;
    last().held_for = at - *held_since_;
    held_since_.reset();
  }

  void go_on(AttemptStep const& step) {
    JobEvent const& event = step.event;
    if (event.site.valid()) last().site = event.site;
    if (event.slot > 0) last().host = event.slot;
    if (event.gpus > 0) last().gpus = event.gpus;
    switch (event.kind) {
      case EventKind::transfer_input_started:
        if (!fetches_) last().lead = event.at - start_;
        if (!fetches_) start_ = event.at;
        fetches_ = true;
        break;
      case EventKind::transfer_input_finished:
        arrive(event.at);
        break;
      case EventKind::executing:
        arrive(event.at);
        last().setup = event.at - start_;
        execute(event.at);
        break;
      default:
        if (ends_attempt(event.kind)) return close(event);
        if (step.begins == Sign::execution) execute(event.at);
        happen(step);
    }
  }

  void execute(Seconds at) {
    last().transferred = last().executed = true;
    start_ = at;
  }

  void arrive(Seconds at) {
    if (last().transferred) return;
    (fetches_ ? last().transfer : last().lead) = at - start_;
    last().transferred = true;
    start_ = at;
  }

  RecordedStep present() const {
    RecordedAttempt const& attempt = job_.attempts.back();
    if (attempt.executed) return RecordedStep::execution;
    if (attempt.transferred) return RecordedStep::setup;
    return fetches_ ? RecordedStep::transfer : RecordedStep::lead;
  }

  // Within a step.
  void happen(AttemptStep const& step) {
    using enum EventKind;
    Seconds const since = step.event.at - start_;
    bool const executed = last().executed;
    if (executed && step.begins_output()) {
      go_on_executing();
      output_since_ = since;
    } else if (executed && step.event.kind == checkpointed) {
      go_on_executing();
      last().during.push_back({RecordedStep::execution, since, checkpointed});
    } else if (is_one_of(step.event.kind, {suspended, unsuspended, disconnected, reconnected})) {
      auto& moments = output_since_ ? within_output_ : last().during;
      moments.push_back({present(), since, step.event.kind});
    }
  }

  // The output transfer, if one is on, was not the last.
  void go_on_executing() {
    if (!output_since_) return;
    auto& during = last().during;
    during.push_back({RecordedStep::execution, *output_since_, EventKind::transfer_output_started});
    during.insert(during.end(), within_output_.begin(), within_output_.end());
    output_since_.reset();
    within_output_.clear();
  }

  // Events after the program's end.
  void tear_down(RecordedAttempt& attempt) {
    for (RecordedMoment const& moment : within_output_) {
      attempt.during.push_back(
          {RecordedStep::teardown, moment.at - attempt.execution, moment.kind});
    }
    within_output_.clear();
  }

  // It ended without a 001: all since its input was there is its teardown.
  static void end_unexecuted(RecordedAttempt& attempt) {
    for (RecordedMoment& moment : attempt.during) {
      if (moment.step == RecordedStep::setup) moment.step = RecordedStep::teardown;
    }
  }

  void close(JobEvent const& event) {
    RecordedAttempt& attempt = last();
    Seconds const left = event.at - start_;
    if (attempt.executed) {
      attempt.stores = attempt.stores || output_since_;
      attempt.execution = output_since_.value_or(left);
      attempt.teardown = left - attempt.execution;
      tear_down(attempt);
    } else if (!attempt.transferred) {
      attempt.fetches = fetches_ || sums_only_;
      (attempt.fetches ? attempt.transfer : attempt.lead) = left;
      attempt.transferred = event.kind == EventKind::terminated;
    } else if (event.kind == EventKind::terminated) {
      attempt.teardown = left;
      end_unexecuted(attempt);
    } else {
      attempt.setup = left;
    }
    attempt.computed = event.executed;
    bool const stalled = ended_by_stall_timer(event);
    attempt.ended_by = stalled ? EventKind::shadow_exception : event.kind;
    attempt.reason = event.reason;
    attempt.useful = event.useful;
    bool const of_plugin =
        event.reason == Reason::transfer_failed && event.code == hold_code(event.reason).code;
    if (of_plugin) attempt.subcode = event.subcode;
    attempt.in_bad_time = sums_only_ ? event.kind != EventKind::evicted : stalled;
    open_ = false;
    if (event.kind == EventKind::held) {
      held_since_ = event.at;
    } else {
      idle_since_ = event.at;
    }
  }

  RecordedJob& job_;
  bool sums_only_;
  bool submitted_ = false;
  bool open_ = false;                          // an attempt is on
  bool fetches_ = false;                       // its input transfer has begun
  Seconds start_;                              // of its present step
  std::optional<Seconds> output_since_;        // since the execution began
  std::vector<RecordedMoment> within_output_;  // likewise
  std::optional<Seconds> idle_since_, held_since_;
};

Seconds usual_wait(std::vector<RecordedJob> const& jobs) {
  std::vector<double> waits;
  for (RecordedJob const& job : jobs) {
    for (std::size_t i = 1; i < job.attempts.size(); ++i) {
      waits.push_back(job.attempts[i].wait.value());
    }
  }
  return waits.empty() ? Seconds() : Seconds(median(std::move(waits)));
}

/// From slots, which the attempts have until now, to the machines that they are on.
void name_hosts(JobHistory const& history, RecordedJobs& recorded) {
  std::map<std::string, std::uint32_t> known;
  std::map<std::uint32_t, std::uint32_t> of_slot = {{0, 0}};
  for (RecordedJob& job : recorded.jobs) {
    for (RecordedAttempt& attempt : job.attempts) {
      auto const [slot, is_new] = of_slot.emplace(attempt.host, 0);
      if (is_new && attempt.host < history.slots.size()) {
        std::string const host = machine_of(history, attempt.host);
        auto const number = static_cast<std::uint32_t>(recorded.hosts.size() + 1);
        auto const [found, is_new_host] = known.emplace(host, host.empty() ? 0 : number);
        if (is_new_host && !host.empty()) recorded.hosts.push_back(host);
        slot->second = found->second;
      }
      attempt.host = slot->second;
    }
  }
}

}  // namespace

std::string recorded_jobs_text(RecordedJobs const& recorded) {
  Json json = Json::object();
  JsonWriter row(json);
  row("schema", std::string(schema));
  add_fields(row, recorded);
  return json.dump() + "\n";
}

RecordedJobs read_recorded_jobs(std::filesystem::path const& file) {
  std::string const name = file.string();
  Json const json = parse_json<Json>(read_text_file(file),
                                     {name, "it holds the recorded jobs of a calibration", remedy});
  std::vector<Problem> problems;
  JsonReader row(json, name, problems);
  if (row.at("schema").value<std::string>() != schema) {
    refuse({name}, "these are no recorded jobs", "their schema is not " + std::string(schema),
           remedy);
  }
  RecordedJobs recorded;
  add_fields(row, recorded);
  recorded.names.dated = false;
  for (std::size_t i = 0; i < recorded.jobs.size() && problems.empty(); ++i) {
    if (is_possible(recorded.jobs[i], recorded)) continue;
    add_problem(problems, {name}, "jobs[" + std::to_string(i) + "] has an impossible value",
                "times are not negative, and sites and kinds are those of the file", remedy);
  }
  if (recorded.jobs.empty() && problems.empty()) {
    add_problem(problems, {name}, "there are no jobs", "", remedy);
  }
  if (!problems.empty()) throw InputError(std::move(problems));
  return recorded;
}

Seconds RecordedAttempt::length_of(RecordedStep step) const {
  constexpr Seconds RecordedAttempt::*steps[] = {
      &RecordedAttempt::lead, &RecordedAttempt::transfer, &RecordedAttempt::setup,
      &RecordedAttempt::execution, &RecordedAttempt::teardown};
  return this->*steps[static_cast<std::size_t>(step)];
}

RecordedEnd RecordedJob::end() const {
  if (attempts.empty()) return RecordedEnd::unfinished;
  RecordedAttempt const& last = attempts.back();
  if (last.exits()) return last.useful ? RecordedEnd::succeeded : RecordedEnd::wrong_output;
  if (last.ended_by == EventKind::aborted) return RecordedEnd::removed;
  if (last.ended_by != EventKind::held) return RecordedEnd::unfinished;
  if (last.after_hold == AfterHold::stays) return RecordedEnd::held;
  return last.after_hold == AfterHold::removed ? RecordedEnd::removed : RecordedEnd::unfinished;
}

RecordedJobs read_attempts(JobHistory const& history) {
  RecordedJobs recorded;
  recorded.names.jobs = history.jobs;
  recorded.names.sites = history.sites;
  recorded.names.gpus = history.gpus;
  recorded.names.gpus_per_job = history.gpus_per_job;
  recorded.names.retries_opaque = history.retries_opaque;
  recorded.names.dated = false;
  recorded.jobs.resize(history.jobs.size());
  for (std::size_t job = 0; job < history.jobs.size(); ++job) {
    recorded.jobs[job].cluster = history.jobs[job].cluster;
  }
  std::vector<AttemptReader> readers;
  readers.reserve(recorded.jobs.size());
  for (RecordedJob& job : recorded.jobs) readers.emplace_back(job, history.retries_opaque);
  each_step(history.events,
            [&readers](AttemptStep const& step) { readers[step.event.job.index()].add(step); });
  bool nowhere = false;
  RecordEnds const ends(history);
  for (std::size_t job = 0; job < readers.size(); ++job) {
    readers[job].finish(ends.of(Id<Job>(job)));
  }
  for (RecordedJob& job : recorded.jobs) {
    for (RecordedAttempt& attempt : job.attempts) {
      if (attempt.site.valid() || attempt.in_queue) continue;
      attempt.site = Id<Site>(history.sites.size());
      nowhere = true;
    }
  }
  if (nowhere) recorded.names.sites.push_back("site not recorded");
  name_hosts(history, recorded);
  recorded.usual_wait = usual_wait(recorded.jobs);
  return recorded;
}

bool has_other_hosts(RecordedJobs const& recorded, std::vector<std::string> const& hosts) {
  auto const is_other = [&](RecordedAttempt const& attempt) {
    if (attempt.in_queue || attempt.open) return false;
    if (attempt.host == 0) return true;
    return std::find(hosts.begin(), hosts.end(), recorded.hosts[attempt.host - 1]) == hosts.end();
  };
  return std::any_of(recorded.jobs.begin(), recorded.jobs.end(), [&](RecordedJob const& job) {
    return std::any_of(job.attempts.begin(), job.attempts.end(), is_other);
  });
}

}  // namespace gridcast::history
