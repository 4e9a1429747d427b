#include "sim/running/running_forecast.hpp"

#include <algorithm>
#include <cmath>

#include "sim/base/statistics.hpp"
#include "sim/ledger/black_holes.hpp"

namespace gridcast::running {
namespace {

constexpr std::size_t most_delaying = 5;

/// A campaign with an intervention, and how its futures are drawn.
struct Variant {
  RunningCampaign campaign;
  CampaignLaws laws;
  FutureOptions options;
};

struct PastFigures {
  Seconds slot_time;
  double gpu_seconds = 0;
};

PastFigures past_figures(RunningCampaign const& campaign) {
  PastFigures past;
  for (std::size_t job = 0; job < campaign.jobs.size(); ++job) {
    for (RecordedAttempt const& attempt : campaign.record.jobs[job].attempts) {
      past.slot_time += attempt.slot_time();
      double const gpus = attempt.gpus > 0 ? campaign.record.names.gpus_in_slot(attempt.gpus)
                                           : campaign.jobs[job].gpus;
      past.gpu_seconds += attempt.slot_time().value() * gpus;
    }
  }
  return past;
}

/// The numbers of jobs by their end, in the order of RecordedEnd.
constexpr std::size_t FutureFigures::*jobs_by_end[] = {
    &FutureFigures::succeeded, &FutureFigures::wrong_output, &FutureFigures::held,
    &FutureFigures::removed, &FutureFigures::unfinished};

/// A try of a node that DAGMan has repeated is no job of its own.
FutureFigures figures_of(std::vector<JobRest> const& rest, RunningCampaign const& campaign,
                         PastFigures const& past, std::size_t wanted) {
  FutureFigures figures;
  figures.slot_time = past.slot_time;
  double gpu_seconds = past.gpu_seconds;
  std::vector<Seconds> successes;
  for (std::size_t i = 0; i < rest.size(); ++i) {
    JobRest const& job = rest[i];
    bool const counts = i >= campaign.jobs.size() || !campaign.jobs[i].replaced;
    if (counts) ++(figures.*jobs_by_end[static_cast<std::size_t>(job.end)]);
    figures.end = std::max(figures.end, job.at);
    figures.slot_time += job.slot_time;
    gpu_seconds += job.gpu_seconds;
    if (job.end == RecordedEnd::succeeded) successes.push_back(job.at);
  }
  figures.gpu_hours = gpu_seconds / hours(1).value();
  figures.wanted_at = Seconds(infinity);
  if (wanted > 0 && successes.size() >= wanted) {
    auto const nth = successes.begin() + static_cast<std::ptrdiff_t>(wanted - 1);
    std::nth_element(successes.begin(), nth, successes.end());
    figures.wanted_at = *nth;
  }
  return figures;
}

/// The last job of a future, and by how much it is later than the one before.
struct LastJob {
  std::size_t job = 0;
  Seconds delay;
};

std::optional<LastJob> last_job(RunningCampaign const& campaign, std::vector<JobRest> const& rest) {
  std::optional<std::size_t> last;
  Seconds before = campaign.now;
  for (std::size_t i = 0; i < rest.size(); ++i) {
    if (campaign.jobs[i].stand == Stand::over || rest[i].at <= campaign.now) continue;
    if (!last || rest[i].at > rest[*last].at) {
      if (last) before = std::max(before, rest[*last].at);
      last = i;
    } else {
      before = std::max(before, rest[i].at);
    }
  }
  if (!last) return std::nullopt;
  return LastJob{*last, rest[*last].at - before};
}

class Delays {
 public:
  explicit Delays(std::size_t jobs) : jobs_(jobs) {}

  void add(std::optional<LastJob> const& last) {
    ++futures_;
    if (!last) return;
    DelayingJob& job = jobs_[last->job];
    job.last += 1;
    job.delay += last->delay;
  }

  std::vector<DelayingJob> most_frequent() {
    std::vector<DelayingJob> often;
    for (std::size_t i = 0; i < jobs_.size(); ++i) {
      if (jobs_[i].last == 0) continue;
      often.push_back({i, jobs_[i].last / count(futures_), jobs_[i].delay / jobs_[i].last});
    }
    std::ranges::stable_sort(often, std::greater<>(), &DelayingJob::last);
    often.resize(std::min(often.size(), most_delaying));
    return often;
  }

 private:
  std::vector<DelayingJob> jobs_;
  std::size_t futures_ = 0;
};

void start_again(RunningCampaign& campaign, std::size_t job) {
  RunningJob& state = campaign.jobs[job];
  state.stand = Stand::idle;
  state.since = campaign.now;
}

/// The length that most steps of this state that ended did not exceed, at scale 1.
std::optional<Seconds> almost_all(CampaignLaws const& laws, Stand stand) {
  constexpr double most = 0.95;
  return (stand == Stand::executing ? laws.last : laws.before_execution).ended_quantile(most);
}

/// Programs differ in the length of their executions.
double scale_of(RunningJob const& job, Stand stand) {
  return stand == Stand::executing ? job.scale : 1;
}

/// Jobs that an owner would submit again: they repeated executions, or have executed, or have had a
/// slot before that, for longer than almost all.
std::vector<std::size_t> stuck_jobs(RunningCampaign const& campaign, CampaignLaws const& laws) {
  constexpr std::size_t many_repeats = 3;
  std::vector<std::size_t> stuck;
  for (std::size_t i = 0; i < campaign.jobs.size(); ++i) {
    RunningJob const& job = campaign.jobs[i];
    if (job.stand == Stand::over || job.stand == Stand::fresh) continue;
    bool const in_slot = job.stand == Stand::executing || job.stand == Stand::starting;
    auto const usual = in_slot ? almost_all(laws, job.stand) : std::nullopt;
    bool const late = usual && campaign.now - job.since > *usual * (1.5 * scale_of(job, job.stand));
    bool const in_vain = job.repeats >= many_repeats && job.saved == Seconds();
    if (late || in_vain) stuck.push_back(i);
  }
  return stuck;
}

class Interventions {
 public:
  Interventions(Variant const& as_is, history::JobHistory const& history)
      : as_is_(as_is), history_(history) {}

  /// `use(effect, variant)` for the chosen changes, and for each intervention that has something to
  /// act on.
  void each(std::optional<ChosenChanges> const& chosen, auto const& use) const {
    if (chosen) choose(*chosen, use);
    Variant released = as_is_, again = as_is_;
    auto const held = release(released.campaign), stuck = resubmit(again.campaign);
    if (held > 0) use(Effect{Intervention::release, held}, released);
    if (stuck > 0) use(Effect{Intervention::resubmit, stuck}, again);
    avoid_black_hole(use);
    limit(Intervention::time_limit, Stand::executing, &Rules::longest_execution, use);
    limit(Intervention::start_limit, Stand::starting, &Rules::longest_start, use);
  }

 private:
  /// The number of jobs that it concerns, here and below.
  std::size_t release(RunningCampaign& campaign) const {
    std::size_t const held = campaign.count(Stand::held);
    for (std::size_t i = 0; i < campaign.jobs.size(); ++i) {
      if (campaign.jobs[i].stand == Stand::held) start_again(campaign, i);
    }
    return held;
  }

  std::size_t resubmit(RunningCampaign& campaign) const {
    auto const stuck = stuck_jobs(as_is_.campaign, as_is_.laws);
    for (std::size_t const job : stuck) {
      start_again(campaign, job);
      campaign.jobs[job].repeats = 0;
      campaign.jobs[job].saved = Seconds();
    }
    return stuck.size();
  }

  std::size_t avoid(std::vector<std::string> const& hosts, Variant& variant) const {
    variant.laws = campaign_laws(as_is_.campaign, hosts);
    std::size_t jobs = 0;
    for (std::size_t i = 0; i < as_is_.campaign.jobs.size(); ++i) {
      RunningJob const& job = as_is_.campaign.jobs[i];
      bool const there = job.stand == Stand::executing || job.stand == Stand::starting;
      if (!there || !contains(hosts, job.host)) continue;
      ++jobs;
      start_again(variant.campaign, i);
    }
    return jobs;
  }

  void choose(ChosenChanges const& changes, auto const& use) const {
    Variant changed = as_is_;
    Effect effect{Intervention::chosen};
    if (changes.release) effect.jobs += release(changed.campaign);
    if (changes.resubmit) effect.jobs += resubmit(changed.campaign);
    if (!changes.hosts.empty()) effect.jobs += avoid(changes.hosts, changed);
    changed.options.rules = changes.rules;
    use(effect, changed);
  }

  void avoid_black_hole(auto const& use) const {
    auto const holes = ledger::find_black_holes(history_);
    if (holes.hosts.empty()) return;
    Variant changed = as_is_;
    Effect effect{Intervention::avoid_host, 0, holes.hosts.front().host};
    effect.jobs = avoid({effect.host}, changed);
    use(effect, changed);
  }

  /// Twice as long as almost all steps of this state that ended, if one takes longer now.
  void limit(Intervention intervention, Stand stand, std::optional<Seconds> Rules::*rule,
             auto const& use) const {
    auto const usual = almost_all(as_is_.laws, stand);
    if (!usual || *usual <= Seconds()) return;
    Variant changed = as_is_;
    double scale = 0;  // a limit is for all jobs
    for (RunningJob const& job : as_is_.campaign.jobs) {
      if (job.stand != Stand::over) scale = std::max(scale, scale_of(job, stand));
    }
    Effect effect{intervention, 0, {}, *usual * (2 * scale)};
    changed.options.rules.*rule = effect.limit;
    for (RunningJob const& job : as_is_.campaign.jobs) {
      bool const is_in = job.stand == stand;
      effect.jobs += is_in && as_is_.campaign.now - job.since > effect.limit ? 1 : 0;
    }
    if (effect.jobs > 0) use(effect, changed);
  }

  Variant const& as_is_;
  history::JobHistory const& history_;
};

std::size_t affordable_futures(RunningCampaign const& campaign) {
  constexpr std::size_t jobs_in_all = 600'000, fewest = 60, most = 400;
  std::size_t const left = campaign.jobs.size() - campaign.count(Stand::over);
  return std::clamp(jobs_in_all / std::max<std::size_t>(1, left), fewest, most);
}

std::vector<JobRest> future(Variant const& of, std::uint64_t seed, std::size_t number) {
  auto const replica = static_cast<std::uint32_t>(number);
  FutureOptions options = of.options;
  options.shared = shared_draws(seed, replica);
  return rest_of_campaign(of.campaign, of.laws, options, RandomStreams(seed, replica));
}

}  // namespace

RunningForecast forecast_running(RunningCampaign const& campaign,
                                 history::JobHistory const& history,
                                 ForecastOptions const& options) {
  RunningForecast forecast;
  double const share = options.wanted * count(campaign.count());
  constexpr double rounding = 1e-9;
  forecast.wanted = static_cast<std::size_t>(std::ceil(share - rounding));
  std::size_t const futures = options.futures > 0 ? options.futures : affordable_futures(campaign);
  Variant const as_is{campaign, campaign_laws(campaign), {.horizon = options.horizon}};
  constexpr double half = 0.5;
  forecast.usual_execution = as_is.laws.last.ended_quantile(half);
  PastFigures const past = past_figures(campaign);
  Delays delays(campaign.jobs.size());
  for (std::size_t i = 0; i < futures; ++i) {
    auto const rest = future(as_is, options.seed, i);
    delays.add(last_job(campaign, rest));
    forecast.futures.push_back(figures_of(rest, campaign, past, forecast.wanted));
  }
  forecast.delaying = delays.most_frequent();
  if (!options.interventions) return forecast;
  auto const compare = [&](Effect effect, Variant const& changed) {
    for (std::size_t i = 0; i < futures; ++i) {
      auto const figures =
          figures_of(future(changed, options.seed, i), campaign, past, forecast.wanted);
      FutureFigures const& before = forecast.futures[i];
      effect.end_s.push_back((figures.end - before.end).value());
      effect.succeeded.push_back(count(figures.succeeded) - count(before.succeeded));
      effect.gpu_hours.push_back(figures.gpu_hours - before.gpu_hours);
    }
    forecast.effects.push_back(std::move(effect));
  };
  Interventions(as_is, history).each(options.chosen, compare);
  return forecast;
}

double met_by(RunningForecast const& forecast, Seconds deadline) {
  if (forecast.futures.empty()) return 0;
  auto const met = std::ranges::count_if(
      forecast.futures, [&](FutureFigures const& future) { return future.wanted_at <= deadline; });
  return static_cast<double>(met) / count(forecast.futures.size());
}

}  // namespace gridcast::running
