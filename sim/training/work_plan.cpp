#include "sim/training/work_plan.hpp"

#include <cmath>

namespace gridcast::training {

double scale_odds(double p, double factor) { return p * factor / (1 - p + p * factor); }

std::vector<Stretch> plan_execution(WorkView const& view, Luck const& luck) {
  scenario::EventLogParameters const& draw = view.draw;
  double const noise = std::exp(draw.job_sigma * luck.job + draw.execution_sigma * luck.execution);
  double const scale = view.work.scale * view.job_scale * noise;
  Seconds const all =
      view.training > Seconds(0) ? view.training * scale : draw.work * (scale / view.site.speed);
  int const epochs = view.work.epochs;
  Seconds const epoch = all / epochs;
  bool const crashes = luck.crash < scale_odds(view.site.crash, view.crash_odds);
  Seconds const remains = epoch * (epochs - view.epochs_stored);
  Seconds left = crashes ? remains * luck.crash_at : remains;

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
    plan.push_back({Stretch::End::done, epoch * (epochs - stored), epochs});
  }
  return plan;
}

}  // namespace gridcast::training
