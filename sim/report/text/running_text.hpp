// The forecast of a running campaign, summed up: in twelve lines, with all figures, in one line,
// and as JSON.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/json_fields.hpp"
#include "sim/base/units.hpp"
#include "sim/report/text/layout.hpp"
#include "sim/running/running_campaign.hpp"
#include "sim/running/running_forecast.hpp"

namespace gridcast::report {

/// Median and central 90 %. Times that are never reached are infinite.
struct Range90 {
  double low = 0, middle = 0, high = 0;
  std::vector<double> quantiles = {};  // at 5, 10, ..., 95 %

  static void fields(auto& row, auto& range) {
    row.rounded("p05", range.low);
    row.rounded("p50", range.middle);
    row.rounded("p95", range.high);
    row.rounded("quantiles", range.quantiles);
  }
};

/// A job that delays the campaign, and why, in words.
struct DelayWords {
  std::string job, why;
  double last = 0;     // share of the futures in which it is the last
  Seconds delay = {};  // on average in those

  static void fields(auto& row, auto& delaying) {
    row("job", delaying.job);
    row.rounded("last_probability", delaying.last);
    row.rounded("delay_s", delaying.delay);
    row("why", delaying.why);
  }
};

struct EffectWords {
  std::string what;                     // "release 3 held jobs"
  Range90 end_s, succeeded, gpu_hours;  // differences

  static void fields(auto& row, auto& effect) {
    row("what", effect.what);
    row("end_s", effect.end_s);
    row("succeeded", effect.succeeded);
    row("gpu_hours", effect.gpu_hours);
  }
};

struct RunningResult {
  std::size_t jobs = 0, over = 0, succeeded = 0, running = 0, idle = 0, fresh = 0, held = 0;
  std::size_t wanted = 0, futures = 0;
  bool guessed = false;                         // no execution has ended, and none is known before
  std::size_t of_unknown_programs = 0;          // jobs whose programs have no ended execution
  Seconds now;                                  // since the first submission
  std::optional<std::int64_t> start_unix = {};  // the first submission, by the log's own dates
  double wanted_probability = 0;                // that so many jobs ever succeed
  Range90 wanted_at_s, end_s, final_successes, wrong_output, final_held, removed;
  Range90 wanted_if_s;  // wanted_at_s of the futures in which it is finite
  Range90 slot_time_s, gpu_hours;
  bool without_gpus = false;             // the record has none; slots count as one GPU then
  std::optional<Seconds> deadline = {};  // since the first submission
  double met = 0;                        // probability
  std::vector<std::string> hosts = {};   // that run jobs now
  std::vector<DelayWords> delaying = {};
  std::vector<EffectWords> effects = {};
};

RunningResult running_result(running::RunningCampaign const& campaign,
                             history::JobHistory const& history,
                             running::RunningForecast const& forecast,
                             std::optional<Seconds> deadline);

/// Renews the present numbers of jobs in each state.
void count_jobs(RunningResult& result, running::RunningCampaign const& campaign);

Json running_json(RunningResult const& result);

/// At most twelve lines at 80 columns.
std::string brief_running(RunningResult const& result, Screen const& screen);
/// The same, and all figures with their ranges.
std::string running_text(RunningResult const& result, Screen const& screen);
/// "62 of 100 jobs over, 24 running, 3 held; 90 succeed by 2026-11-28 14:05".
std::string running_line(RunningResult const& result);

}  // namespace gridcast::report
