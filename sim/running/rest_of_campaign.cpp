#include "sim/running/rest_of_campaign.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <utility>

#include "sim/base/statistics.hpp"
#include "sim/engine/clock.hpp"

namespace gridcast::running {
namespace {

// Which jobs that have never had a slot are ready to start.
//
// Jobs that are in the queue are ready now. The jobs of a DAG's node that is not submitted yet are
// ready when all jobs of its parents have succeeded. If one of those does not succeed, they are
// never ready.
class StartOrder {
 public:
  explicit StartOrder(RunningCampaign const& campaign)
      : campaign_(campaign), nodes_(campaign.nodes.size()) {
    if (!nodes_.empty()) node_of_.resize(campaign.jobs.size());
    std::vector<bool> comes_later(campaign.jobs.size(), false);
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      CampaignNode const& node = campaign.nodes[n];
      nodes_[n].parents_left = node.parents.size();
      nodes_[n].jobs_left = node.jobs.size();
      for (std::size_t const parent : node.parents) nodes_[parent].children.push_back(n);
      for (std::size_t const job : node.jobs) {
        node_of_[job] = n;
        comes_later[job] = !node.submitted;
      }
    }
    for (std::size_t job = 0; job < campaign.jobs.size(); ++job) {
      if (campaign.jobs[job].stand == Stand::fresh && !comes_later[job]) ready_.push_back(job);
    }
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      if (nodes_[n].parents_left == 0) make_ready(n);
    }
  }

  /// The node of a job that is not its only one.
  std::optional<std::size_t> node_of_several(std::size_t job) const {
    auto const node = node_of_.empty() ? std::nullopt : node_of_[job];
    return node && campaign_.nodes[*node].jobs.size() > 1 ? node : std::nullopt;
  }

  /// True if the jobs of the node are submitted once more.
  bool retries(std::size_t number) {
    Node& node = nodes_[number];
    if (node.tries++ < campaign_.nodes[number].retries) {
      node.jobs_left = campaign_.nodes[number].jobs.size();
      return true;
    }
    node.failed = true;
    return false;
  }

  void over(std::size_t job, bool succeeded) {
    if (node_of_.empty() || !node_of_[job]) return;
    Node& node = nodes_[*node_of_[job]];
    node.failed = node.failed || !succeeded;
    if (--node.jobs_left > 0 || node.failed) return;
    for (std::size_t const child : node.children) {
      if (--nodes_[child].parents_left == 0) make_ready(child);
    }
  }

  /// Those that have become ready since the last call, in the order of their submission.
  std::vector<std::size_t> ready() {
    auto const since = [this](std::size_t job) { return campaign_.jobs[job].since; };
    std::ranges::sort(ready_);
    std::ranges::stable_sort(ready_, {}, since);
    return std::exchange(ready_, {});
  }

 private:
  struct Node {
    std::size_t parents_left = 0, jobs_left = 0;
    int tries = 0;  // from now on that failed
    bool failed = false;
    std::vector<std::size_t> children = {};
  };
  void make_ready(std::size_t node) {
    CampaignNode const& of = campaign_.nodes[node];
    if (!of.submitted) ready_.insert(ready_.end(), of.jobs.begin(), of.jobs.end());
  }

  RunningCampaign const& campaign_;
  std::vector<Node> nodes_;
  std::vector<std::optional<std::size_t>> node_of_;  // by job; empty without nodes
  std::vector<std::size_t> ready_;
};

// Streams of a future that belong to no job.
enum Entity : std::uint32_t { of_starts = 0xffff0001U, of_slots, of_programs };

/// The scales of programs without an ended execution: ln of them is normal with the standard
/// deviation of programs (running_campaign.cpp), so that the oldest execution is no longer than
/// usual.
std::vector<double> unknown_scales(RunningCampaign const& campaign, RandomStreams const& streams) {
  constexpr double sd = 1.4;
  RandomStream stream = streams.stream(Purpose::bootstrap, of_programs);
  std::vector<double> scales;
  for (double const oldest : campaign.unknown_programs) {
    double const below = oldest > 0 ? normal_cdf(std::log(oldest) / sd) : 0;
    scales.push_back(std::exp(sd * normal_quantile(below + (1 - below) * stream.uniform())));
  }
  return scales;
}

/// Since the submission of the oldest job that is there. A DAG's node that has just been submitted
/// is no trouble as long as it takes no longer than the nodes before it.
Seconds longest_stay(RunningCampaign const& campaign) {
  Seconds stay;
  for (std::size_t i = 0; i < campaign.jobs.size(); ++i) {
    RunningJob const& job = campaign.jobs[i];
    if (job.stand == Stand::over && !campaign.of_dag) continue;
    Seconds const until = job.stand == Stand::over ? job.since : campaign.now;
    stay = std::max(stay, until - campaign.record.jobs[i].submitted);
  }
  return stay;
}

/// The first starts of one future, one after the other.
class FirstStarts {
 public:
  /// `ends`: of the jobs that have slots now, after now.
  FirstStarts(CampaignLaws const& laws, std::vector<Seconds> ends, std::size_t jobs, double factor,
              RandomStreams const& streams) {
    if (laws.slots.full()) {
      slots_.emplace(laws.slots, std::move(ends), streams.stream(Purpose::bootstrap, of_slots));
      return;
    }
    times_ = laws.starts.draw(jobs, streams.stream(Purpose::bootstrap, of_starts));
    for (Seconds& time : times_) time = time * factor;
  }

  /// The start of a job that is ready at this time after now, not earlier than earlier jobs.
  Seconds next(Seconds ready) {
    if (slots_) return std::max(slots_->next_start(), ready);
    Seconds const before = number_ > 0 ? times_[number_ - 1] : Seconds();
    if (ready > before + pause_) pause_ = ready - before;
    return times_[number_++] + pause_;
  }
  void give_back(Seconds at) {
    if (slots_) slots_->give_back(at);
  }

 private:
  std::optional<SlotQueue> slots_;
  std::vector<Seconds> times_;
  std::size_t number_ = 0;
  Seconds pause_;  // in all, in which no job was ready
};

/// After now; nothing for a job that has left the queue by then.
std::optional<Seconds> copy_start(RunningCampaign const& campaign, Rules const& rules,
                                  std::size_t job, JobRest const& rest) {
  if (!rules.second_copy_after) return std::nullopt;
  Seconds const due = campaign.record.jobs[job].submitted + *rules.second_copy_after;
  Seconds const start = std::max(Seconds(), due - campaign.now);
  bool const stays = rest.end == RecordedEnd::held || rest.end == RecordedEnd::unfinished;
  if (!stays && rest.at <= campaign.now + start) return std::nullopt;
  return start;
}

RunningJob copy_of(RunningJob const& job, Seconds now) {
  return {.stand = Stand::idle, .since = now, .gpus = job.gpus, .scale = job.scale};
}

/// The job and its copy together. The one that is not needed any more is removed; so is the copy of
/// a job that the owner removes.
JobRest first_success(JobRest const& job, JobRest const& copy, Seconds now, Seconds copied_at) {
  bool const is_copy =
      copy.end == RecordedEnd::succeeded && (job.end != RecordedEnd::succeeded || copy.at < job.at);
  JobRest first = is_copy ? copy : job;
  bool const ends_both = first.end == RecordedEnd::succeeded || first.end == RecordedEnd::removed;
  auto const share = [&](JobRest const& each, Seconds from) {
    bool const cut = ends_both && each.at > first.at;
    return cut ? std::max(0.0, (first.at - from) / (each.at - from)) : 1.0;
  };
  double const of_job = share(job, now), of_copy = share(copy, copied_at);
  first.slot_time = job.slot_time * of_job + copy.slot_time * of_copy;
  first.gpu_seconds = job.gpu_seconds * of_job + copy.gpu_seconds * of_copy;
  return first;
}

// One future on SimGrid's clock, which is zero now. The walk of a job is drawn when the job is
// ready; its end is an event that gives back the slot and lets the next nodes of a DAG start.
class Future {
 public:
  explicit Future(FutureView const& view)
      : view_(view),
        campaign_(view.campaign),
        scales_(unknown_scales(campaign_, view.streams)),
        order_(campaign_),
        starts_(view.evidence, ends_in_slots(), campaign_.count(Stand::fresh), view.laws.factor,
                view.streams) {}

  std::vector<JobRest> run() {
    for (std::size_t const node : failed_) fail(node);
    start_ready();
    clock_.run();
    return std::move(rest_);
  }

 private:
  /// Of the jobs that have slots, after now. The ends of jobs that are over are known.
  std::vector<Seconds> ends_in_slots() {
    std::vector<Seconds> ends;
    rest_.resize(campaign_.jobs.size());
    walks_.resize(rest_.size());
    for (std::size_t job = 0; job < rest_.size(); ++job) {
      RunningJob const& state = campaign_.jobs[job];
      if (state.stand == Stand::fresh) continue;
      if (state.stand == Stand::over) {
        rest_[job] = {state.end, state.since};
        auto const node = order_.node_of_several(job);
        if (node && has_failed(rest_[job]) && !state.replaced) failed_.insert(*node);
        order_.over(job, state.end == RecordedEnd::succeeded);
        continue;
      }
      rest_[job] = rest_of_job(view_, known(job), job);
      add_copy(job);
      ends.push_back(rest_[job].at - campaign_.now);
      end(job);
    }
    return ends;
  }

  /// A job, with the scale of its program in this future.
  RunningJob known(std::size_t job) const {
    RunningJob of = campaign_.jobs[job];
    if (of.unknown_program) of.scale = scales_[*of.unknown_program];
    return of;
  }

  void start_ready() {
    for (std::size_t const job : order_.ready()) {
      rest_[job] = rest_of_job(view_, known(job), job, starts_.next(clock_.now()));
      add_copy(job);
      starts_.give_back(rest_[job].at - campaign_.now);
      end(job);
    }
  }

  engine::Process end(std::size_t job) {
    std::uint32_t const walk = walks_[job].number;
    co_await clock_.sleep_until(std::min(rest_[job].at - campaign_.now, view_.options.horizon));
    if (walk != walks_[job].number) co_return;  // DAGMan has removed the job
    auto const node = order_.node_of_several(job);
    if (node && has_failed(rest_[job])) {
      fail(*node);
    } else {
      order_.over(job, rest_[job].end == RecordedEnd::succeeded);
    }
    start_ready();
  }

  static bool has_failed(JobRest const& rest) {
    return rest.end == RecordedEnd::wrong_output || rest.end == RecordedEnd::removed;
  }

  /// The first job that fails ends the others of its node. All of them are submitted again if the
  /// node has retries left.
  void fail(std::size_t node) {
    bool const again = order_.retries(node);
    for (std::size_t const job : campaign_.nodes[node].jobs) {
      cut(job);
      if (again) run_again(job);
    }
  }

  void cut(std::size_t job) {
    ++walks_[job].number;
    JobRest& rest = rest_[job];
    Seconds const now = campaign_.now + clock_.now(), begin = campaign_.now + walks_[job].begin;
    if (rest.at <= now) return;
    double const share = (now - begin) / (rest.at - begin);
    rest = {RecordedEnd::removed, now, rest.slot_time * share, rest.gpu_seconds * share};
  }

  void run_again(std::size_t job) {
    JobRest const before = rest_[job];
    walks_[job].begin = clock_.now();
    std::size_t const number = job + (walks_[job].number + 2) * rest_.size();
    rest_[job] = rest_of_job(view_, copy_of(known(job), campaign_.now), number, clock_.now());
    rest_[job].slot_time += before.slot_time;
    rest_[job].gpu_seconds += before.gpu_seconds;
    end(job);
  }

  void add_copy(std::size_t job) {
    auto const start = copy_start(campaign_, view_.options.rules, job, rest_[job]);
    if (!start) return;
    auto const copy =
        rest_of_job(view_, copy_of(known(job), campaign_.now), job + rest_.size(), *start);
    rest_[job] = first_success(rest_[job], copy, campaign_.now, campaign_.now + *start);
  }

  FutureView const& view_;
  RunningCampaign const& campaign_;
  std::vector<double> scales_;  // of unknown programs
  StartOrder order_;
  std::vector<JobRest> rest_;
  struct Walk {
    std::uint32_t number = 0;  // of the job's, that DAGMan submitted again
    Seconds begin = {};        // after now
  };
  std::vector<Walk> walks_;       // by job
  std::set<std::size_t> failed_;  // nodes of several jobs
  engine::Clock clock_;
  FirstStarts starts_;  // made of the others
};

}  // namespace

SharedDraws shared_draws(std::uint64_t seed, std::uint32_t future) {
  constexpr std::uint32_t of_shifts = 0xffff0010U;
  EvenPoint point(RandomStreams(seed, 0).stream(Purpose::bootstrap, of_shifts), future);
  SharedDraws draws;
  for (double* const draw : {&draws.factor, &draws.rescue, &draws.removal, &draws.release}) {
    *draw = point.next();
  }
  return draws;
}

std::vector<JobRest> rest_of_campaign(RunningCampaign const& campaign, CampaignLaws const& laws,
                                      FutureOptions const& options, RandomStreams const& streams) {
  FutureView const view{campaign, laws, options, streams,
                        future_laws(laws, longest_stay(campaign), options.shared, streams)};
  return Future(view).run();
}

}  // namespace gridcast::running
