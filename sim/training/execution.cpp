#include "sim/training/execution.hpp"

#include <algorithm>
#include <cmath>

#include "sim/base/distribution.hpp"
#include "sim/training/checkpoint.hpp"

namespace gridcast::training {

namespace {

/// Rounding must not turn a checkpoint that is due now into one that is past or to come.
constexpr double slack = 1e-9;

double lognormal(double sigma, double u) {
  return sigma > 0 ? std::exp(sigma * normal_quantile(u)) : 1;
}

double scale_of_job(WorkView const& view, Luck const& luck) {
  return view.work.scale * view.job_scale * lognormal(view.draw.job_sigma, luck.job);
}

/// Work a second, with the job's number of GPUs.
double speed_of(WorkView const& view) {
  int const measured = view.site.gpus_of_speed;
  if (measured <= 0 || view.gpus <= 0 || view.gpus == measured) return view.site.speed;
  return view.site.speed *
         std::pow(static_cast<double>(view.gpus) / measured, view.draw.gpu_scaling);
}

/// All of the job's work at the site, in this execution.
Seconds all_work(WorkView const& view, Luck const& luck) {
  double const scale = scale_of_job(view, luck);
  if (view.draw.work > Seconds()) {
    return view.draw.work *
           (scale * lognormal(view.draw.execution_sigma, luck.execution) / speed_of(view));
  }
  return Seconds(view.site.epoch.quantile(luck.execution)) * (view.work.epochs * scale);
}

}  // namespace

double TrainingWork::checkpoints(Seconds done) const {
  if (interval <= Seconds(0)) return 0;
  return std::max(0., 1 + std::floor((done - first) / interval + slack));
}

Seconds TrainingWork::execution(Seconds done) const {
  double const saves = checkpoints(work) - checkpoints(done);
  return once + (work - done) + save * saves + at_end;
}

Seconds TrainingWork::saved_work(Seconds done, Seconds elapsed) const {
  Seconds const trained = elapsed - once;
  if (trained <= Seconds(0) || interval <= Seconds(0)) return done;
  // The next checkpoint may be nearer than a whole interval.
  Seconds const next = first + interval * checkpoints(done) - done;
  if (trained + Seconds(slack) < next + written) return done;
  double const more = std::floor((trained - next - written) / (interval + save) + slack);
  return std::min(work, done + next + interval * more);
}

TrainingWork training_work(TrainingSetup const& setup) {
  TrainingEstimate const estimate = estimate_training(setup);
  TimeParts const& parts = estimate.parts;
  scenario::CheckpointSpec const& checkpoint = setup.profile.checkpoint;
  TrainingWork work;
  work.once = parts.start + parts.staging + parts.warm_up;
  if (setup.profile.reader.when == scenario::ReadWhen::job_start) work.once += parts.reading;
  work.work = estimate.total - work.once - parts.saving;
  if (estimate.saves == 0) return work;
  SavePlan const& plan = estimate.plan;
  work.interval = plan.interval;
  work.first = checkpoint.first_epoch > 0
                   ? work.work * (1. * checkpoint.first_epoch / setup.profile.train.epochs)
                   : plan.interval;
  double const regular = work.checkpoints(work.work);
  Seconds const each = work.written = estimate.save;
  work.save = checkpoint.mode == scenario::SaveMode::wait
                  ? each
                  : std::max(Seconds(0), each - work.interval);
  work.at_end = std::max(Seconds(0), parts.saving - work.save * regular);
  return work;
}

namespace {

/// What hangs outlives any campaign.
constexpr Seconds without_end = days(10 * 365);

double crash_share(scenario::ParameterDraw const& draw, double quantile) {
  if (draw.crash_at_a == 1 && draw.crash_at_b == 1) return quantile;
  return beta_quantile(quantile, draw.crash_at_a, draw.crash_at_b);
}

}  // namespace

double scale_odds(double p, double factor) { return p * factor / (1 - p + p * factor); }

double slower_by_luck(WorkView const& view, Luck const& luck) {
  double const scale = scale_of_job(view, luck);
  if (view.draw.work > Seconds()) {
    return scale * lognormal(view.draw.execution_sigma, luck.execution);
  }
  return scale * view.site.epoch.quantile(luck.execution) / view.site.epoch.quantile(0.5);
}

std::vector<Stretch> plan_execution(WorkView const& view, Luck const& luck) {
  int const epochs = view.work.epochs;
  Seconds const epoch = all_work(view, luck) / epochs;
  bool const crashes = luck.crash < scale_odds(view.site.crash, view.crash_odds);
  Seconds const remains = epoch * (epochs - view.epochs_stored);
  Seconds left = crashes ? remains * crash_share(view.draw, luck.crash_at) : remains;
  bool const hangs = !crashes && luck.hang < view.site.hang;

  std::vector<Stretch> plan;
  int stored = view.epochs_stored;
  int const every = view.checkpoint_every;
  while (every > 0 && stored + every < epochs && epoch * every <= left) {
    stored += every;
    left -= epoch * every;
    plan.push_back({Stretch::End::checkpoint, epoch * every, stored});
  }
  if (crashes) {
    plan.push_back({Stretch::End::crash, left, stored});
  } else {
    plan.push_back({Stretch::End::done, hangs ? without_end : epoch * (epochs - stored), epochs});
  }
  plan.front().time += view.site.unpack;
  return plan;
}

}  // namespace gridcast::training
