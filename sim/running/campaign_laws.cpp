#include "sim/running/campaign_laws.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "sim/base/statistics.hpp"

namespace gridcast::running {
namespace {

double bounded(double p) {
  constexpr double least = 1e-6;
  return std::clamp(p, least, 1 - least);
}

double log_beta(double a, double b) { return std::lgamma(a) + std::lgamma(b) - std::lgamma(a + b); }

EndingOdds odds_at(double logit_mean, double log_size) {
  double const mean = inverse_logit(logit_mean), size = std::exp(log_size);
  return {mean * size, (1 - mean) * size};
}

constexpr double prior_events = 2, prior_exposure = 1, least_alpha = 1.5;
constexpr std::size_t least_in_tail = 5, tail_part = 6;
constexpr Seconds shortest_length(1);  // logs have whole seconds; a logarithm needs a length

constexpr std::size_t blocks = 4, least_in_block = 2;
constexpr double expected_change = 0.9, most_change = 1.5;

/// Of the logarithms of their mean lengths. Logs have whole seconds.
double variance_of_blocks(std::vector<EndedExecution> const& executions) {
  constexpr double least = 1;
  std::array<double, blocks> logs{};
  for (std::size_t block = 0; block < blocks; ++block) {
    std::size_t const begin = block * executions.size() / blocks;
    std::size_t const end = (block + 1) * executions.size() / blocks;
    double sum = 0;
    for (std::size_t i = begin; i < end; ++i) sum += executions[i].length.value();
    logs[block] = std::log(std::max(least, sum / count(end - begin)));
  }
  double const middle = mean(logs);
  auto const squares = sum_of<double>(logs, [&](double const log) { return square(log - middle); });
  return squares / (blocks - 1);
}

constexpr double jobs_of_earlier = 10;  // as evidence, all together

bool ends_job(RecordedAttempt const& attempt) {
  return attempt.exits() || attempt.ended_by == EventKind::aborted;
}

Seconds before_execution(RecordedAttempt const& attempt) {
  return attempt.lead + attempt.transfer + attempt.setup;
}

Seconds execution(RecordedAttempt const& attempt) { return attempt.execution + attempt.teardown; }

/// The steps of a record, by the law that they are evidence of.
struct Evidence {
  std::vector<SeenStep> before, last, repeated, wait, hold;
  std::vector<SeenStep> interruptions;
  bool saves = false;  // executions save their work
  std::vector<AttemptRef> attempts;
  std::vector<JobRepeats> repeats;
  std::vector<FirstWait> waits;
  std::optional<std::size_t> limit = {};  // retries of a program that fails
};

/// A program that fails at the limit of its retries has failed as before, and its job is over.
bool ends_job(Evidence const& evidence, RecordedAttempt const& attempt) {
  return ends_job(attempt) && !(evidence.limit && attempt.fails());
}

/// `saved`: by the executions before. `scale`: of its program.
void add_attempt(Evidence& evidence, RecordedAttempt const& attempt, Seconds saved, double scale,
                 double weight, std::uint32_t of) {
  bool const over = !attempt.open || attempt.executed;
  evidence.before.push_back({before_execution(attempt), over, weight, of});
  if (!attempt.executed || attempt.open) return;
  if (ends_job(evidence, attempt)) {
    bool const useful = attempt.exits() && attempt.useful;
    evidence.last.push_back(
        {(saved + execution(attempt)) / scale, true, weight, of, false, useful});
    evidence.interruptions.push_back({execution(attempt) / scale, false, weight});
  } else {
    evidence.repeated.push_back({execution(attempt) / scale, true, weight, of});
    evidence.interruptions.push_back(evidence.repeated.back());
  }
}

/// `so_far`: of a hold that continues.
void add_hold(Evidence& evidence, RecordedAttempt const& attempt, Seconds so_far, double weight,
              std::uint32_t of) {
  if (attempt.ended_by != EventKind::held) return;
  bool const stays = attempt.after_hold == AfterHold::stays;
  evidence.hold.push_back({stays ? so_far : attempt.held_for, !stays, weight, of});
}

/// Newer attempts are better evidence: the weight falls from 1 to e^-2 with the share of the
/// attempts that began later. By their ends, long executions would outweigh short ones that began
/// with them.
class Newer {
 public:
  explicit Newer(RunningCampaign const& campaign) {
    for (auto const& job : campaign.places) {
      for (AttemptPlace const& attempt : job) begins_.push_back(attempt.begin);
    }
    std::ranges::sort(begins_);
  }

  double weight(Seconds begin) const {
    if (begins_.empty()) return 1;
    auto const later = begins_.end() - std::ranges::upper_bound(begins_, begin);
    return std::exp(-2 * static_cast<double>(later) / count(begins_.size()));
  }

 private:
  std::vector<Seconds> begins_;
};

/// The attempts of a job, as far as `counts(attempt)`. The executions among them that were
/// repeated.
std::size_t add_job(Evidence& evidence, std::size_t number, RecordedJob const& job, double scale,
                    Seconds so_far, auto const& weight, auto const& counts) {
  std::size_t repeats = 0;
  Seconds saved;
  for (std::size_t i = 0; i < job.attempts.size(); ++i) {
    RecordedAttempt const& attempt = job.attempts[i];
    auto const of = static_cast<std::uint32_t>(evidence.attempts.size());
    evidence.attempts.push_back(
        {static_cast<std::uint32_t>(number), static_cast<std::uint32_t>(i)});
    if (i > 0) evidence.wait.push_back({attempt.wait, true, weight(i), of});
    add_hold(evidence, attempt, so_far, 1, of);
    if (attempt.in_queue) continue;
    if (counts(i)) add_attempt(evidence, attempt, saved, scale, weight(i), of);
    bool const last = ends_job(evidence, attempt);
    if (!attempt.executed || attempt.open || last) continue;
    saved += attempt.saved();
    evidence.saves = evidence.saves || saved > Seconds();
    if (counts(i)) ++repeats;
  }
  return repeats;
}

/// The jobs of the earlier campaign, with the weight of ten. Its odds of repetition always count.
/// The lengths of its steps belong to its own work and trouble, so they stand for those of this
/// campaign only as long as none has ended here.
void add_earlier(Evidence& evidence, RunningCampaign const& campaign) {
  if (campaign.earlier.empty()) return;
  double const weight = std::min(1.0, jobs_of_earlier / count(campaign.earlier.size()));
  Evidence earlier;
  earlier.attempts = std::move(evidence.attempts);
  std::size_t number = campaign.jobs.size();
  for (RecordedJob const& job : campaign.earlier) {
    auto const repeats = add_job(
        earlier, number++, job, 1, Seconds(), [&](std::size_t) { return weight; },
        [](std::size_t) { return true; });
    auto const end = job.end();
    bool const over = end != RecordedEnd::unfinished && end != RecordedEnd::held;
    evidence.repeats.push_back({repeats, over, weight});
  }
  evidence.attempts = std::move(earlier.attempts);
  auto const add = [weight](std::vector<SeenStep> const& from, std::vector<SeenStep>& to) {
    if (std::ranges::any_of(to, [](SeenStep const& step) { return step.ended; })) return;
    for (SeenStep step : from) {
      step.weight = weight;
      step.earlier = true;
      to.push_back(step);
    }
  };
  add(earlier.before, evidence.before);
  add(earlier.last, evidence.last);
  add(earlier.repeated, evidence.repeated);
  add(earlier.interruptions, evidence.interruptions);
  evidence.saves = evidence.saves || earlier.saves;
  add(earlier.wait, evidence.wait);
  add(earlier.hold, evidence.hold);
}

/// As many requeued failures as each job has whose last execution failed, if no job has more.
std::optional<std::size_t> limit_of_retries(RunningCampaign const& campaign) {
  std::optional<std::size_t> limit;
  for (RunningJob const& job : campaign.jobs) {
    bool const ended = job.stand == Stand::over && job.end == RecordedEnd::wrong_output;
    if (!ended || job.replaced || job.failures == 0) continue;
    if (limit && *limit + 1 != job.failures) return std::nullopt;
    limit = job.failures - 1;
  }
  if (limit == std::size_t{0}) return std::nullopt;
  bool const exceeded = std::ranges::any_of(
      campaign.jobs, [&](RunningJob const& job) { return limit && job.failures > *limit + 1; });
  return exceeded ? std::nullopt : limit;
}

/// The job's last execution failed as those before it did.
bool fails_at_limit(RecordedJob const& job, std::optional<std::size_t> const& limit) {
  return limit && !job.attempts.empty() && job.attempts.back().fails();
}

/// By job: DAGMan removed it when another job of its node failed. That is no end of its own.
std::vector<bool> removed_with_node(RunningCampaign const& campaign) {
  std::vector<bool> with_node(campaign.jobs.size(), false);
  auto const is_removed = [&](std::size_t job) {
    return campaign.jobs[job].end == RecordedEnd::removed;
  };
  for (std::size_t job = 0; job < with_node.size(); ++job) {
    with_node[job] = campaign.jobs[job].replaced && is_removed(job);
  }
  for (CampaignNode const& node : campaign.nodes) {
    for (std::size_t const job : node.jobs) {
      with_node[job] = with_node[job] || (node.jobs.size() > 1 && is_removed(job));
    }
  }
  return with_node;
}

Evidence evidence_of(RunningCampaign const& campaign, std::vector<std::string> const& without) {
  Evidence evidence;
  auto const with_node = removed_with_node(campaign);
  evidence.limit = limit_of_retries(campaign);
  Newer const newer(campaign);
  for (std::size_t j = 0; j < campaign.jobs.size(); ++j) {
    RunningJob const& job = campaign.jobs[j];
    RecordedJob recorded = campaign.record.jobs[j];
    auto const& places = campaign.places[j];
    if (with_node[j] && !recorded.attempts.empty()) {
      RecordedAttempt& cut = recorded.attempts.back();
      cut.open = true;
      if (cut.executed) evidence.last.push_back({execution(cut) / job.scale, false, 1});
    }
    auto const repeats = add_job(
        evidence, j, recorded, job.scale, campaign.now - job.since,
        [&](std::size_t i) { return newer.weight(places[i].begin); },
        [&](std::size_t i) { return !contains(without, places[i].host); });
    if (job.stand == Stand::idle) evidence.wait.push_back({campaign.now - job.since, false});
    double const weight = places.empty() ? 1 : newer.weight(places.back().begin);
    bool const over =
        job.stand == Stand::over && !with_node[j] && !fails_at_limit(recorded, evidence.limit);
    evidence.repeats.push_back({repeats, over, weight});
    bool const waits = job.stand == Stand::fresh;
    evidence.waits.push_back({recorded.submitted, recorded.submitted + recorded.first_wait, waits});
  }
  add_earlier(evidence, campaign);
  return evidence;
}

/// `saves`: executions save their work, and only all of a job's work shows the pace.
std::vector<EndedExecution> ended_executions(RunningCampaign const& campaign, bool saves) {
  std::vector<EndedExecution> ended;
  for (std::size_t j = 0; j < campaign.jobs.size(); ++j) {
    auto const& attempts = campaign.record.jobs[j].attempts;
    Seconds saved;
    for (std::size_t i = 0; i < attempts.size(); ++i) {
      // The length of a program that failed is not that of its work.
      if (!attempts[i].executed || attempts[i].open || attempts[i].fails()) continue;
      if (saves && !ends_job(attempts[i])) {
        saved += attempts[i].saved();
        continue;
      }
      Seconds const scaled = (saved + execution(attempts[i])) / campaign.jobs[j].scale;
      ended.push_back({campaign.places[j][i].end, scaled});
    }
  }
  return ended;
}

bool is_held_by_policy(RecordedAttempt const& attempt) {
  return attempt.ended_by == EventKind::held && attempt.reason == history::Reason::policy &&
         attempt.executed && !attempt.in_queue;
}

/// The policy held its jobs after equal times in a slot, as far as access points look at it.
bool policy_limits_time(RunningCampaign const& campaign) {
  constexpr std::size_t least = 3;
  constexpr double tolerance = 0.1;
  std::vector<double> times;
  for (RecordedJob const& job : campaign.record.jobs) {
    for (RecordedAttempt const& attempt : job.attempts) {
      if (is_held_by_policy(attempt)) times.push_back(attempt.slot_time().value());
    }
  }
  if (times.size() < least) return false;
  auto const [shortest, longest] = std::ranges::minmax(times);
  return longest - shortest <= tolerance * longest;
}

Limits limits_of(RunningCampaign const& campaign) {
  Limits limits{.by_policy = policy_limits_time(campaign)};
  double again = 0, succeeded = 0;  // runs of jobs that a limit held before
  for (RecordedJob const& job : campaign.record.jobs) {
    auto const holds = std::ranges::count_if(
        job.attempts, [&](RecordedAttempt const& attempt) { return limits.held(attempt); });
    if (holds > 0 && job.succeeded()) ++succeeded;
    if (holds > 1) ++limits.held_again;
    again += std::max(0.0, static_cast<double>(holds) - 1);
  }
  if (succeeded > 0) limits.again = again / (again + succeeded);
  return limits;
}

/// Its execution continues, and its program has a known scale.
bool shows_length(RunningJob const& job) {
  return job.stand == Stand::executing && !job.unknown_program;
}

ShareOfRepeats share_of_repeats(Evidence const& evidence, RunningCampaign const& campaign,
                                EndingOdds const& odds) {
  std::vector<ShareOfRepeats::Execution> executions;
  double const chance = 1 - odds.mean(0);
  auto const add = [&executions](std::vector<SeenStep> const& steps, double repeated) {
    for (SeenStep const& step : steps) {
      executions.push_back({step.length, repeated, step.earlier ? step.weight : 1});
    }
  };
  add(evidence.last, 0);
  add(evidence.repeated, 1);
  for (RunningJob const& job : campaign.jobs) {
    if (!shows_length(job)) continue;
    Seconds const age = (job.saved + campaign.now - job.since) / job.scale;
    executions.push_back({age, 1 - odds.mean(job.repeats)});
  }
  return ShareOfRepeats(std::move(executions), chance);
}

/// Executions that continue are evidence of both laws, by the probability that they are the last.
void add_running(Evidence& evidence, RunningCampaign const& campaign, EndingOdds const& odds,
                 ShareOfRepeats const& repeats) {
  Newer const newer(campaign);
  for (std::size_t j = 0; j < campaign.jobs.size(); ++j) {
    RunningJob const& job = campaign.jobs[j];
    if (!shows_length(job)) continue;
    double const weight =
        campaign.places[j].empty() ? 1 : newer.weight(campaign.places[j].back().begin);
    Seconds const age = (campaign.now - job.since) / job.scale, saved = job.saved / job.scale;
    double const share = repeats.of(saved + age, 1 - odds.mean(job.repeats));
    evidence.last.push_back({saved + age, false, weight * (1 - share)});
    evidence.repeated.push_back({age, false, weight * share});
    evidence.interruptions.push_back({age, false, weight});
  }
}

/// The same for the odds of repetition: an execution that has outlived the failures of others is
/// likely to end its job.
void add_running_ends(Evidence& evidence, RunningCampaign const& campaign) {
  EndingOdds const odds = EndingOddsPosterior(evidence.repeats).middle();
  ShareOfRepeats const repeats = share_of_repeats(evidence, campaign, odds);
  for (std::size_t j = 0; j < campaign.jobs.size(); ++j) {
    RunningJob const& job = campaign.jobs[j];
    if (!shows_length(job)) continue;
    Seconds const age = (job.saved + campaign.now - job.since) / job.scale;
    JobRepeats& own = evidence.repeats[j];
    JobRepeats ends = own;
    double const share = repeats.of(age, 1 - odds.mean(job.repeats));
    ends.ended = true;
    ends.weight *= 1 - share;
    own.weight *= share;
    evidence.repeats.push_back(ends);
  }
}

}  // namespace

ShareOfRepeats::ShareOfRepeats(std::vector<Execution> executions, double usual)
    : executions_(std::move(executions)), repeated_(executions_.size()), usual_(bounded(usual)) {
  std::ranges::sort(executions_, {}, &Execution::length);
  double sum = 0, all = 0;
  for (std::size_t i = executions_.size(); i-- > 0;) {
    Execution const& execution = executions_[i];
    sum += execution.weight * execution.repeated;
    repeated_[i] = sum / (all += execution.weight);
  }
}

double ShareOfRepeats::of(Seconds age, double q) const {
  auto const first = std::ranges::lower_bound(executions_, age, {}, &Execution::length);
  auto const at = static_cast<std::size_t>(first - executions_.begin());
  double const share = first == executions_.end() ? usual_ : repeated_[at];
  return inverse_logit(logit(bounded(share)) + logit(bounded(q)) - logit(usual_));
}

double EndingOdds::draw(std::size_t repeats, RandomStream& stream) const {
  constexpr double least = 1e-9;  // a probability of zero never ends
  return std::max(least, beta_quantile(stream.uniform(), a, b + static_cast<double>(repeats)));
}

EndingOddsPosterior::EndingOddsPosterior(std::vector<JobRepeats> const& jobs) {
  std::map<std::pair<std::size_t, bool>, double> counts;
  for (JobRepeats const& job : jobs) counts[{job.repeats, job.ended}] += job.weight;
  constexpr int means = 43, sizes = 18;
  constexpr double most_logit = 7, usual_logit = 3, usual_sd = 2;
  double const least_size = std::log(1.0), most_size = std::log(500.0);
  for (int i = 0; i < means; ++i) {
    for (int j = 0; j < sizes; ++j) {
      double const logit_mean = most_logit * (2.0 * i / (means - 1) - 1);
      double const log_size = least_size + (most_size - least_size) * j / (sizes - 1);
      EndingOdds const odds = odds_at(logit_mean, log_size);
      double log_likelihood = -square((logit_mean - usual_logit) / usual_sd) / 2;
      for (auto const& [job, count] : counts) {
        auto const& [repeats, ended] = job;
        log_likelihood +=
            count * (log_beta(odds.a + (ended ? 1 : 0), odds.b + static_cast<double>(repeats)) -
                     log_beta(odds.a, odds.b));
      }
      points_.push_back({logit_mean, log_size, log_likelihood});
    }
  }
  to_probabilities(points_, &Point::share);
}

EndingOdds EndingOddsPosterior::draw(RandomStream stream) const {
  Point const& point = points_[pick(points_, &Point::share, stream.uniform())];
  return odds_at(point.logit_mean, point.log_size);
}

EndingOdds EndingOddsPosterior::middle() const {
  double logit_mean = 0, log_size = 0;
  for (Point const& point : points_) {
    logit_mean += point.share * point.logit_mean;
    log_size += point.share * point.log_size;
  }
  return odds_at(logit_mean, log_size);
}

StepLaw::StepLaw(std::vector<SeenStep> seen, Seconds usual, OtherSteps others)
    : seen_(std::move(seen)), usual_(usual), others_(others) {
  std::ranges::stable_sort(seen_, [](SeenStep const& a, SeenStep const& b) {
    return a.length != b.length ? a.length < b.length : a.ended && !b.ended;
  });
  for (std::size_t i = 0; i < seen_.size(); ++i) {
    if (seen_[i].ended) ends_.push_back(static_cast<std::uint32_t>(i));
  }
  for (SeenStep const& step : seen_) {
    bool const twice = !ends_.empty() && step.length > 2 * seen_[ends_.back()].length;
    outlasted_ = outlasted_ || (twice && !step.ended);
  }
  add_up();
  fit_tail();
  posterior_ = std::make_shared<LongStepsPosterior const>(seen_);
  long_steps_ = posterior_->draw(0.5);
}

void StepLaw::add_up() {
  double lasted = 0;
  std::vector<double> at_risk(seen_.size());
  for (std::size_t i = seen_.size(); i-- > 0;) at_risk[i] = lasted += seen_[i].weight;
  hazard_.clear();
  double hazard = 0;
  for (std::uint32_t const i : ends_) {
    if (at_risk[i] > 0) hazard += seen_[i].weight / at_risk[i];
    hazard_.push_back(hazard);
  }
}

Seconds StepLaw::tail_threshold() const {
  if (!ends_.empty()) {
    std::size_t const above =
        std::min(ends_.size() - 1, std::max(least_in_tail, ends_.size() / tail_part));
    return seen_[ends_[ends_.size() - 1 - above]].length;
  }
  std::vector<double> lengths;
  for (SeenStep const& step : seen_) lengths.push_back(step.length.value());
  return lengths.empty() ? usual_ : Seconds(median(std::move(lengths)));
}

void StepLaw::fit_tail() {
  Seconds const above = std::max(shortest_length, tail_threshold());
  tail_from_ = std::max(shortest_length, ends_.empty() ? above : seen_[ends_.back()].length);
  for (SeenStep const& step : seen_) {
    if (step.length <= above) continue;
    tail_exposure_ += step.weight * std::log(step.length / above);
    if (step.ended) tail_events_ += step.weight;
  }
}

StepLaw StepLaw::redrawn(RandomStream stream) const {
  StepLaw law = *this;
  for (SeenStep& step : law.seen_) step.weight *= stream.bootstrap_weight();
  law.add_up();
  double const alpha = gamma_quantile(stream.uniform(), prior_events + tail_events_,
                                      1 / (prior_exposure + tail_exposure_));
  law.beyond_ = std::pow(stream.uniform(), -1 / std::max(least_alpha, alpha));
  law.long_steps_ = posterior_->draw(stream.uniform());
  return law;
}

double StepLaw::hazard_before(Seconds age) const {
  auto const first =
      std::ranges::lower_bound(ends_, age, {}, [this](std::uint32_t i) { return seen_[i].length; });
  return first == ends_.begin() ? 0 : hazard_[static_cast<std::size_t>(first - ends_.begin()) - 1];
}

StepLaw::Drawn StepLaw::draw(Seconds age, RandomStream& stream) const {
  double const target = hazard_before(age) + stream.exponential();
  double const u = stream.uniform();
  double const all = hazard_.empty() ? 0 : hazard_.back();
  if (target <= all) {
    auto const at = std::ranges::lower_bound(hazard_, target) - hazard_.begin();
    SeenStep const& step = seen_[ends_[static_cast<std::size_t>(at)]];
    return {std::max(step.length, age), step.of, true};
  }
  Seconds const from = std::max(tail_from_, age);
  if (ends_.empty()) return {from * (1 + (beyond_ - 1) * u), {}, true};
  bool const usual = stream.chance(long_steps_.share_of_usual(from));
  Seconds const length =
      usual ? long_steps_.length_beyond(from, u) : from * (1 + (beyond_ - 1) * u);
  if (!usual && others_ == OtherSteps::never_end) return {from, {}, false, true};
  // It ends as one did that took half as long as the longest one, or longer: an execution that
  // failed in its first minute is no example. If any step lasted twice as long, there is none.
  Seconds const longest = seen_[ends_.back()].length, half = longest / 2;
  if (outlasted_ || age > 2 * longest) return {length, {}, usual};
  auto const first = std::ranges::lower_bound(ends_, half, {},
                                              [this](std::uint32_t i) { return seen_[i].length; });
  auto const some = static_cast<double>(ends_.end() - first);
  return {length, seen_[*(first + static_cast<std::ptrdiff_t>(stream.uniform() * some))].of, usual};
}

std::optional<Seconds> StepLaw::ended_quantile(double p) const {
  bool const all_earlier =
      std::ranges::all_of(ends_, [this](std::uint32_t i) { return seen_[i].earlier; });
  std::vector<double> lengths;
  for (std::uint32_t const i : ends_) {
    bool const counts = seen_[i].useful && (all_earlier || !seen_[i].earlier);
    if (counts) lengths.push_back(seen_[i].length.value());
  }
  if (lengths.empty()) return std::nullopt;
  return Seconds(quantile(std::move(lengths), p));
}

double pace_change(std::vector<EndedExecution> executions) {
  if (executions.size() < blocks * least_in_block) return expected_change;
  std::ranges::sort(executions, {}, &EndedExecution::end);
  constexpr double freedom = blocks - 1;
  double const variance =
      (square(expected_change) + freedom * variance_of_blocks(executions)) / (1 + freedom);
  return std::min(most_change, std::sqrt(variance));
}

bool Limits::held(history::Ending const& ending) const {
  using enum history::Reason;
  bool const by_rule = by_policy && ending.reason == policy;
  return ending.kind == EventKind::held &&
         (by_rule ||
          history::is_one_of(ending.reason, {out_of_resources, execution_too_long, job_too_long}));
}

CampaignLaws campaign_laws(RunningCampaign const& campaign,
                           std::vector<std::string> const& without) {
  Evidence evidence = evidence_of(campaign, without);
  auto const limit = evidence.limit;
  add_running_ends(evidence, campaign);
  EndingOddsPosterior ending(evidence.repeats);
  ShareOfRepeats repeats = share_of_repeats(evidence, campaign, ending.middle());
  add_running(evidence, campaign, ending.middle(), repeats);
  return {
      StepLaw(std::move(evidence.before), minutes(1)),
      StepLaw(std::move(evidence.last)),
      StepLaw(std::move(evidence.repeated)),
      std::move(repeats),
      StepLaw(std::move(evidence.wait), minutes(5)),
      StepLaw(std::move(evidence.hold), days(1), OtherSteps::never_end),
      std::move(ending),
      StartLaw(evidence.waits, campaign.now),
      slot_use(campaign),
      limits_of(campaign),
      limit,
      pace_change(ended_executions(campaign, evidence.saves)),
      std::move(evidence.attempts),
      evidence.saves ? std::optional<StepLaw>(std::move(evidence.interruptions)) : std::nullopt};
}

}  // namespace gridcast::running
