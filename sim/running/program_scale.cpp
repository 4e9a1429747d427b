#include "sim/running/program_scale.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace gridcast::running {
namespace {

struct Executions {
  double ended = 0;
  Seconds together;
};

void add(Executions& to, history::RecordedJob const& job) {
  Seconds saved;
  for (history::RecordedAttempt const& attempt : job.attempts) {
    if (!attempt.executed || attempt.open) continue;
    if (attempt.exits() && attempt.useful) {
      ++to.ended;
      to.together += saved + attempt.execution + attempt.teardown;
    }
    saved += saved_by(attempt);
  }
}

}  // namespace

void set_scales(RunningCampaign& campaign, std::vector<std::string> const& programs) {
  std::map<std::string, Executions> of_program;
  Executions all;
  for (std::size_t job = 0; job < campaign.jobs.size(); ++job) {
    add(of_program[programs[job]], campaign.record.jobs[job]);
    add(all, campaign.record.jobs[job]);
  }
  constexpr Seconds shortest(1);  // logs have whole seconds
  if (of_program.size() < 2 || all.together < shortest) return;
  Seconds const mean = all.together / all.ended;
  for (std::size_t job = 0; job < campaign.jobs.size(); ++job) {
    constexpr double prior = 0.25;
    Executions const& own = of_program[programs[job]];
    if (own.ended == 0) continue;
    double const ratio = std::max(own.together, shortest) / (mean * own.ended);
    campaign.jobs[job].scale = std::pow(ratio, own.ended / (own.ended + prior));
  }
}

}  // namespace gridcast::running
