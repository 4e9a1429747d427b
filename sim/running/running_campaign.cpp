#include "sim/running/running_campaign.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "sim/base/error.hpp"

namespace gridcast::running {
namespace {

/// The events of a job that name a slot, in order.
struct SlotSeen {
  Seconds at;
  std::uint32_t slot;
};

std::vector<std::vector<SlotSeen>> slots_seen(history::JobHistory const& history) {
  std::vector<std::vector<SlotSeen>> seen(history.jobs.size());
  if (history.slots.empty()) return seen;
  for (history::JobEvent const& event : history.events) {
    if (event.slot != 0) seen[event.job.index()].push_back({event.at, event.slot});
  }
  return seen;
}

/// Walks through a job's attempts, each from its begin to its end on the clock of the campaign.
void each_attempt(RecordedJob const& job, auto const& use) {
  Seconds at = job.submitted + job.first_wait;
  for (RecordedAttempt const& attempt : job.attempts) {
    at += attempt.wait;
    Seconds const end = at + attempt.slot_time();
    use(attempt, at, end);
    at = end + attempt.held_for;
  }
}

std::vector<AttemptPlace> places_of(history::JobHistory const& history, RecordedJob const& job,
                                    std::vector<SlotSeen> const& seen) {
  std::vector<AttemptPlace> places;
  auto next = seen.begin();
  each_attempt(job, [&](RecordedAttempt const& attempt, Seconds begin, Seconds end) {
    constexpr Seconds rounding(0.5);  // sums of steps
    while (next != seen.end() && next->at < begin - rounding) ++next;
    bool const here = !attempt.in_queue && next != seen.end() && next->at <= end + rounding;
    places.push_back({here ? history::machine_of(history, next->slot) : std::string(), begin, end});
    while (next != seen.end() && next->at < end - rounding) ++next;
  });
  return places;
}

bool repeated(RecordedAttempt const& attempt) {
  return attempt.executed && !attempt.open && !attempt.exits() &&
         attempt.ended_by != EventKind::aborted;
}

void stand_after(RunningJob& job, RecordedAttempt const& last, Seconds begin, Seconds end) {
  if (job.end != RecordedEnd::unfinished && job.end != RecordedEnd::held) {
    job.stand = Stand::over;
    job.since = end + last.held_for;
  } else if (last.open) {
    job.stand = last.executed ? Stand::executing : Stand::starting;
    job.since = last.executed ? begin + last.lead + last.transfer + last.setup : begin;
  } else {
    bool const held = last.ended_by == EventKind::held && last.after_hold == AfterHold::stays;
    job.stand = held ? Stand::held : Stand::idle;
    job.since = end + last.held_for;
  }
}

RunningJob running_job(history::RecordedJobs const& record, RecordedJob const& recorded,
                       std::vector<AttemptPlace> const& places) {
  RunningJob job{.since = recorded.submitted,
                 .end = recorded.end(),
                 .gpus = static_cast<double>(record.names.gpus_in_slot(0))};
  each_attempt(recorded, [&](RecordedAttempt const& attempt, Seconds begin, Seconds end) {
    if (!attempt.open && !attempt.in_queue) ++job.attempts;
    if (attempt.executed && attempt.fails()) ++job.failures;
    if (repeated(attempt)) {
      ++job.repeats;
      job.saved += attempt.saved();
    }
    bool const held = attempt.ended_by == EventKind::held;
    job.last = {.kind = attempt.ended_by,
                .reason = attempt.reason,
                .code = attempt.hold.code,
                .subcode = attempt.hold.subcode};
    job.holds_in_queue = attempt.in_queue && held ? job.holds_in_queue + 1 : 0;
    if (attempt.gpus > 0) job.gpus = record.names.gpus_in_slot(attempt.gpus);
    stand_after(job, attempt, begin, end);
  });
  if (!places.empty()) job.host = places.back().host;
  return job;
}

}  // namespace

std::string_view name(Stand stand) {
  constexpr char const* names[] = {"fresh", "starting", "executing", "idle", "held", "over"};
  return names[static_cast<std::size_t>(stand)];
}

std::size_t RunningCampaign::count(Stand stand) const {
  return static_cast<std::size_t>(std::ranges::count_if(
      jobs, [&](RunningJob const& job) { return job.stand == stand && !job.replaced; }));
}

std::size_t RunningCampaign::count(RecordedEnd end) const {
  return static_cast<std::size_t>(std::ranges::count_if(
      jobs, [&](RunningJob const& job) { return job.end == end && !job.replaced; }));
}

std::size_t RunningCampaign::count() const {
  return jobs.size() -
         static_cast<std::size_t>(std::ranges::count(jobs, true, &RunningJob::replaced));
}

namespace {

RunningCampaign without_scales(history::JobHistory const& history, std::size_t more) {
  if (!history.dated || history.retries_opaque) {
    refuse({}, "the record has no dates", "a table of jobs contains sums only",
           "Give the job event log of the running campaign.");
  }
  RunningCampaign campaign{history::read_attempts(history)};
  campaign.now = history.end();
  campaign.start_unix = history.start_unix;
  campaign.local_ahead_s = history.local_ahead_s;
  auto const seen = slots_seen(history);
  for (std::size_t job = 0; job < campaign.record.jobs.size(); ++job) {
    RecordedJob const& recorded = campaign.record.jobs[job];
    campaign.places.push_back(places_of(history, recorded, seen[job]));
    campaign.jobs.push_back(running_job(campaign.record, recorded, campaign.places.back()));
  }
  for (std::size_t i = 0; i < more; ++i) {
    campaign.record.jobs.push_back({.submitted = campaign.now});
    campaign.places.emplace_back();
    campaign.jobs.push_back({.since = campaign.now,
                             .gpus = static_cast<double>(campaign.record.names.gpus_in_slot(0))});
  }
  return campaign;
}

/// By job; of jobs to come there are no names.
std::vector<std::string> programs_of(history::JobHistory const& history, std::size_t jobs) {
  std::vector<std::string> programs(jobs);
  for (std::size_t job = 0; job < jobs; ++job) programs[job] = history::program_of(history, job);
  return programs;
}

struct SubmittedNode {
  std::vector<std::size_t> jobs = {};     // of its latest cluster
  std::set<std::uint32_t> clusters = {};  // one for each try
};

std::map<std::string, SubmittedNode> submitted_nodes(history::JobHistory const& history) {
  std::map<std::string, SubmittedNode> found;
  for (std::size_t job = 0; job < history.labels.size(); ++job) {
    if (history.labels[job].node.empty()) continue;
    auto& [jobs, clusters] = found[history.labels[job].node];
    auto const cluster = history.jobs[job].cluster;
    clusters.insert(cluster);
    if (!jobs.empty() && history.jobs[jobs.front()].cluster > cluster) continue;
    if (!jobs.empty() && history.jobs[jobs.front()].cluster < cluster) jobs.clear();
    jobs.push_back(job);
  }
  return found;
}

/// A try of a node that failed is over with its cluster: all jobs of the next try run anew.
void mark_replaced(RunningCampaign& campaign, history::JobHistory const& history) {
  auto const latest = submitted_nodes(history);
  std::set<std::uint32_t> failed;  // clusters; others of a node's name are of another DAG
  for (std::size_t job = 0; job < history.labels.size(); ++job) {
    bool const succeeded = campaign.jobs[job].end == RecordedEnd::succeeded;
    if (!succeeded) failed.insert(history.jobs[job].cluster);
  }
  for (std::size_t job = 0; job < history.labels.size(); ++job) {
    std::string const& node = history.labels[job].node;
    if (node.empty()) continue;
    auto const newest = history.jobs[latest.at(node).jobs.front()].cluster;
    RunningJob& state = campaign.jobs[job];
    auto const cluster = history.jobs[job].cluster;
    state.replaced = state.stand == Stand::over && cluster < newest && failed.contains(cluster);
    // A result of one of its jobs is of no use.
    bool const succeeded = state.end == RecordedEnd::succeeded;
    if (state.replaced && succeeded) state.end = RecordedEnd::wrong_output;
  }
}

void add_parents(std::vector<PlannedNode> const& plan,
                 std::map<std::string, std::size_t> const& number_of,
                 std::vector<CampaignNode>& nodes) {
  for (std::size_t n = 0; n < plan.size(); ++n) {
    for (std::string const& parent : plan[n].after) {
      if (auto const* found = find_in(number_of, parent)) nodes[n].parents.push_back(*found);
    }
  }
}

void set_retries(RunningJob& job, int left) {
  job.retries = std::max(0, left);
  bool const failed = job.stand == Stand::over && job.end != RecordedEnd::succeeded;
  if (!failed || job.retries == 0) return;
  --job.retries;
  job.stand = Stand::idle;
  job.end = RecordedEnd::unfinished;
  job.repeats = 0;
  job.saved = Seconds();
}

bool names_gpus(RecordedJob const& job) {
  return std::ranges::any_of(job.attempts,
                             [](RecordedAttempt const& attempt) { return attempt.gpus > 0; });
}

// How long the executions of each program take, relative to those of all programs of a campaign. A
// DAG prepares, trains and merges: one law of lengths serves all, in units of each job's program.
//
// If d executions of a program ended with a result and took s on average, while all such
// executions took m,
//
//   scale = (s / m)^(d / (d + k)),   k = 0.25
//
// the mean of ln scale if ln s of a program has the sd 1.4 and ln of its executions 0.7.
// A program without such an execution has an unknown scale, which each future draws. The jobs of a
// campaign of one program have the scale 1.

struct Executions {
  double ended = 0;
  Seconds together;
};

void add_executions(Executions& to, RecordedJob const& job) {
  Seconds saved;
  for (RecordedAttempt const& attempt : job.attempts) {
    if (!attempt.executed || attempt.open) continue;
    if (attempt.exits() && attempt.useful) {
      ++to.ended;
      to.together += saved + attempt.execution + attempt.teardown;
    }
    saved += attempt.saved();
  }
}

/// Sets the scale of each job. `programs`: by job.
void set_scales(RunningCampaign& campaign, std::vector<std::string> const& programs) {
  std::map<std::string, Executions> of_program;
  Executions all;
  for (std::size_t job = 0; job < campaign.jobs.size(); ++job) {
    add_executions(of_program[programs[job]], campaign.record.jobs[job]);
    add_executions(all, campaign.record.jobs[job]);
  }
  constexpr Seconds shortest(1);  // logs have whole seconds
  std::map<std::string, std::size_t> unknown;
  if (of_program.size() < 2 || all.together < shortest) return;
  Seconds const mean = all.together / all.ended;
  for (std::size_t job = 0; job < campaign.jobs.size(); ++job) {
    constexpr double prior = 0.25;
    Executions const& own = of_program[programs[job]];
    if (own.ended == 0) {
      RunningJob& state = campaign.jobs[job];
      auto const [place, is_new] = unknown.try_emplace(programs[job], unknown.size());
      if (is_new) campaign.unknown_programs.push_back(0);
      state.unknown_program = place->second;
      bool const executes = state.stand == Stand::executing;
      double const age = executes ? (state.saved + campaign.now - state.since) / mean : 0;
      double& oldest = campaign.unknown_programs[place->second];
      oldest = std::max(oldest, age);
      continue;
    }
    double const ratio = std::max(own.together, shortest) / (mean * own.ended);
    campaign.jobs[job].scale = std::pow(ratio, own.ended / (own.ended + prior));
  }
}

}  // namespace

RunningCampaign running_campaign(history::JobHistory const& history, std::size_t more) {
  RunningCampaign campaign = without_scales(history, more);
  campaign.of_dag =
      std::ranges::any_of(history.labels, [](auto const& labels) { return !labels.node.empty(); });
  mark_replaced(campaign, history);
  set_scales(campaign, programs_of(history, campaign.jobs.size()));
  return campaign;
}

RunningCampaign running_dag(history::JobHistory const& history,
                            std::vector<PlannedNode> const& plan) {
  auto known = submitted_nodes(history);
  std::map<std::string, std::size_t> number_of;
  std::vector<CampaignNode> nodes;
  std::size_t next = history.jobs.size();
  for (PlannedNode const& planned : plan) {
    number_of[planned.name] = nodes.size();
    nodes.push_back({planned.name, known[planned.name].jobs});
    CampaignNode& node = nodes.back();
    node.submitted = !node.jobs.empty();
    for (std::size_t i = 0; !node.submitted && i < planned.jobs; ++i) node.jobs.push_back(next++);
  }
  add_parents(plan, number_of, nodes);
  RunningCampaign campaign = without_scales(history, next - history.jobs.size());
  campaign.nodes = std::move(nodes);
  campaign.of_dag = true;
  mark_replaced(campaign, history);
  auto programs = programs_of(history, campaign.jobs.size());
  for (std::size_t job = 0; job < history.labels.size(); ++job) {
    std::string const& node = history.labels[job].node;
    if (number_of.contains(node)) programs[job] = plan[number_of[node]].program;
  }
  for (std::size_t n = 0; n < plan.size(); ++n) {
    auto const& jobs = campaign.nodes[n].jobs;
    for (std::size_t const job : jobs) {
      programs[job] = plan[n].program;
      if (!names_gpus(campaign.record.jobs[job])) campaign.jobs[job].gpus = plan[n].gpus;
    }
    auto const tries = static_cast<int>(known[plan[n].name].clusters.size());
    int const left = plan[n].retries - std::max(0, tries - 1);
    if (jobs.size() > 1) campaign.nodes[n].retries = std::max(0, left);
    if (jobs.size() == 1 && plan[n].retries > 0) set_retries(campaign.jobs[jobs.front()], left);
  }
  set_scales(campaign, programs);
  return campaign;
}

}  // namespace gridcast::running
