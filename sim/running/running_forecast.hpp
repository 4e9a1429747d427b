// The forecast of a running campaign: many possible rests (rest_of_campaign.hpp), their figures for
// the whole campaign, the jobs that delay it, and the effect of intervening now.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/history/job_history.hpp"
#include "sim/running/chosen_changes.hpp"
#include "sim/running/rest_of_campaign.hpp"
#include "sim/running/running_campaign.hpp"

namespace gridcast::running {

struct ForecastOptions {
  std::size_t futures = 0;  // 0: as many as a campaign of this size affords in a few seconds
  std::uint64_t seed = 1;
  double wanted = 0.9;  // share of the jobs that are to succeed
  Seconds horizon = days(366);
  bool interventions = true;
  std::optional<ChosenChanges> chosen = {};  // an intervention of the owner's choice
};

/// The figures of a whole campaign, past and future. Times are on the clock of the campaign.
struct FutureFigures {
  Seconds end;        // of the last job; held jobs that stay held end with their hold
  Seconds wanted_at;  // infinite if too few jobs succeed
  std::size_t succeeded = 0, wrong_output = 0, held = 0, removed = 0, unfinished = 0;
  Seconds slot_time;
  double gpu_hours = 0;
};

/// A job that is often the last one.
struct DelayingJob {
  std::size_t job = 0;
  double last = 0;  // share of the futures in which it is the last
  Seconds delay;    // of the end of the campaign in those, on average
};

enum class Intervention : std::uint8_t {
  release,      // all held jobs now
  resubmit,     // the jobs that delay the campaign start again
  avoid_host,   // jobs leave the host, and none goes there
  time_limit,   // executions that are longer are ended and repeated
  start_limit,  // the same for the time in a slot before the execution
  chosen,       // those of the owner's choice, together
};

/// Differences to the same futures without the intervention, in the order of the futures.
struct Effect {
  Intervention intervention = Intervention::release;
  std::size_t jobs = 0;   // that it concerns now
  std::string host = {};  // of avoid_host
  Seconds limit = {};     // of time_limit and start_limit
  std::vector<double> end_s = {}, succeeded = {}, gpu_hours = {};
};

struct RunningForecast {
  std::size_t wanted = 0;  // jobs
  std::vector<FutureFigures> futures;
  std::vector<DelayingJob> delaying;  // at most five, the most frequent first
  std::vector<Effect> effects;
  std::optional<Seconds> usual_execution =
      {};  // half of those that ended took no longer, at scale 1
};

/// `history`: the one of the campaign.
RunningForecast forecast_running(RunningCampaign const& campaign,
                                 history::JobHistory const& history,
                                 ForecastOptions const& options);

/// The share of the futures in which the wanted jobs have succeeded at this time.
double met_by(RunningForecast const& forecast, Seconds deadline);

}  // namespace gridcast::running
