#include "sim/history/recorded_jobs.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <queue>
#include <utility>

#include "sim/base/error.hpp"
#include "sim/base/files.hpp"
#include "sim/base/json_fields.hpp"
#include "sim/base/json_text.hpp"
#include "sim/base/statistics.hpp"
#include "sim/history/attempt_stream.hpp"

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
  row.unless_empty("programs", recorded.programs);
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
         job.program <= recorded.programs.size() &&
         std::ranges::all_of(job.attempts, [&](RecordedAttempt const& each) {
           return is_possible(each, recorded);
         });
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
      leave_hold(event, AfterHold::released);
      idle_since_ = event.at;
    } else if (event.kind == EventKind::aborted && held) {
      leave_hold(event, AfterHold::removed);
    } else if (event.kind == EventKind::aborted || (event.kind == EventKind::held && !held)) {
      RecordedAttempt& end = next(event.at);
      end.in_queue = true;
      end.ended_by = event.kind;
      end.reason = event.reason;
      if (event.kind == EventKind::held) begin_hold(event);
    }
  }

  void begin_hold(JobEvent const& event) {
    last().hold = {event.code, event.subcode};
    held_since_ = event.at;
  }

  void leave_hold(JobEvent const& event, AfterHold after) {
    last().after_hold = after;
    last().after_hold_by_rule = event.reason == Reason::policy;
    last().held_for = event.at - *held_since_;
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
    attempt.useful = event.useful || event.kind == EventKind::held;
    attempt.exit_code = event.exit_code;
    bool const of_plugin =
        event.reason == Reason::transfer_failed && event.code == hold_code(event.reason).code;
    if (of_plugin) attempt.subcode = event.subcode;
    attempt.in_bad_time = sums_only_ ? event.kind != EventKind::evicted : stalled;
    open_ = false;
    if (event.kind == EventKind::held) {
      begin_hold(event);
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

struct Change {
  Seconds at;
  int slots;  // 0: an attempt within a second, which logs date as no time; it needs a slot
};

void add_claim(Seconds at, Seconds length, std::vector<Change>& changes) {
  if (length == Seconds()) {
    changes.push_back({at, 0});
  } else {
    changes.push_back({at, 1});
    changes.push_back({at + length, -1});
  }
}

/// The claims of a job as changes of the number of slots in use.
void add_claims(RecordedJob const& job, std::vector<Change>& changes) {
  Seconds at = job.submitted + job.first_wait;
  for (RecordedAttempt const& attempt : job.attempts) {
    at += attempt.wait;
    if (!attempt.in_queue) add_claim(at, attempt.slot_time(), changes);
    at += attempt.slot_time();
    if (attempt.ended_by == EventKind::held) at += attempt.held_for;
  }
}

/// Ends come before starts at one time: a slot serves the next job at once.
std::vector<Seconds> first_times(std::vector<Change> changes) {
  std::ranges::sort(changes, [](Change const& a, Change const& b) {
    return a.at != b.at ? a.at < b.at : a.slots < b.slots;
  });
  std::vector<Seconds> times;
  int slots = 0;
  for (Change const& change : changes) {
    slots += change.slots;
    int const needed = change.slots == 0 ? slots + 1 : slots;
    if (needed > static_cast<int>(times.size())) times.push_back(change.at);
  }
  return times;
}

/// When a job of the list becomes ready for its next attempt, or (job: none) a slot becomes free.
struct Event {
  Seconds at;
  std::size_t order;  // events of one time keep the order in which they were scheduled
  std::size_t job;
  std::size_t attempt = 0;

  bool operator>(Event const& other) const {
    return at != other.at ? at > other.at : order > other.order;
  }
};

constexpr std::size_t no_job = static_cast<std::size_t>(-1);

/// List scheduling of the recorded attempts: jobs that ran before come first.
class ListSchedule {
 public:
  ListSchedule(RecordedJobs const& recorded, std::vector<Seconds> const& first_free, Seconds pause)
      : jobs_(recorded.jobs), pause_(pause) {
    for (Seconds const at : first_free) schedule(at, no_job, 0);
    for (std::size_t job = 0; job < jobs_.size(); ++job) wait_for(job, 0, jobs_[job].submitted);
  }

  /// When the last job began its first attempt.
  Seconds last_start() {
    while (!events_.empty()) {
      Event const event = events_.top();
      events_.pop();
      if (event.job == no_job) {
        ++free_;
      } else {
        (event.attempt > first_attempt(event.job) ? again_ : fresh_).push_back(event);
      }
      dispatch(event.at);
    }
    return last_;
  }

 private:
  std::size_t first_attempt(std::size_t job) const {
    auto const& attempts = jobs_[job].attempts;
    std::size_t first = 0;
    while (first < attempts.size() && attempts[first].in_queue) ++first;
    return first;
  }

  void schedule(Seconds at, std::size_t job, std::size_t attempt) {
    events_.push({at, order_++, job, attempt});
  }

  /// The job waits as recorded, and is held as recorded, before its next attempt in a slot.
  void wait_for(std::size_t job, std::size_t attempt, Seconds at) {
    auto const& attempts = jobs_[job].attempts;
    for (; attempt < attempts.size(); ++attempt) {
      at += attempts[attempt].wait;
      if (!attempts[attempt].in_queue) return schedule(at, job, attempt);
      at += attempts[attempt].held_for;
    }
  }

  void dispatch(Seconds now) {
    while (free_ > 0 && !(again_.empty() && fresh_.empty())) {
      auto& queue = again_.empty() ? fresh_ : again_;
      Event const next = queue.front();
      queue.pop_front();
      --free_;
      RecordedAttempt const& attempt = jobs_[next.job].attempts[next.attempt];
      if (next.attempt == first_attempt(next.job)) last_ = now;
      Seconds const end = now + attempt.slot_time();
      schedule(end + pause_, no_job, 0);
      wait_for(next.job, next.attempt + 1, end + attempt.held_for);
    }
  }

  std::vector<RecordedJob> const& jobs_;
  Seconds pause_;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  std::deque<Event> again_, fresh_;
  std::size_t order_ = 0;
  int free_ = 0;
  Seconds last_;
};

/// When the last job of the record began its first attempt in a slot.
Seconds recorded_last_start(RecordedJobs const& recorded) {
  Seconds last;
  for (RecordedJob const& job : recorded.jobs) {
    Seconds at = job.submitted + job.first_wait;
    for (RecordedAttempt const& attempt : job.attempts) {
      at += attempt.wait;
      if (!attempt.in_queue) {
        last = std::max(last, at);
        break;
      }
      at += attempt.held_for;
    }
  }
  return last;
}

/// The longest time in the queue before an attempt in a slot. A job that takes a slot after its
/// pause has waited at least as long, unless it was submitted meanwhile: no pause is longer.
Seconds longest_wait(RecordedJobs const& recorded) {
  Seconds longest;
  for (RecordedJob const& job : recorded.jobs) {
    Seconds wait = job.first_wait;
    for (RecordedAttempt const& attempt : job.attempts) {
      wait += attempt.wait;
      if (!attempt.in_queue) longest = std::max(longest, std::exchange(wait, Seconds()));
    }
  }
  return longest;
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
  for (std::size_t job = 0; job < readers.size(); ++job) readers[job].finish(ends.of(Id<Job>(job)));
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
    return !contains(hosts, recorded.hosts[attempt.host - 1]);
  };
  return std::ranges::any_of(recorded.jobs, [&](RecordedJob const& job) {
    return std::ranges::any_of(job.attempts, is_other);
  });
}

std::vector<Seconds> first_free_slots(RecordedJobs const& recorded) {
  std::vector<Change> changes;
  for (RecordedJob const& job : recorded.jobs) add_claims(job, changes);
  return first_times(std::move(changes));
}

SlotSupply slot_supply(RecordedJobs const& recorded) {
  std::size_t claims = 0;
  for (RecordedJob const& job : recorded.jobs) {
    for (RecordedAttempt const& attempt : job.attempts) claims += attempt.in_queue ? 0 : 1;
  }
  SlotSupply supply{first_free_slots(recorded), {}};
  if (supply.first_free.empty()) return supply;
  Seconds const last = recorded_last_start(recorded);
  // The last start grows with the pause. Large records need no more than a thousandth of it.
  constexpr std::size_t many_claims = 100'000;
  int const halvings = claims > many_claims ? 10 : 30;
  auto const last_start = [&](Seconds pause) {
    return ListSchedule(recorded, supply.first_free, pause).last_start();
  };
  Seconds low, high = std::max(Seconds(1), longest_wait(recorded));
  // Jobs that are submitted long after the others find free slots: no pause explains their wait.
  if (last_start(high) == last_start({})) return supply;
  for (int i = 0; i < halvings; ++i) {
    Seconds const middle = (low + high) / 2;
    (last_start(middle) < last ? low : high) = middle;
  }
  supply.pause = low;
  return supply;
}

}  // namespace gridcast::history
