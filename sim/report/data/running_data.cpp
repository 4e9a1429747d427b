#include "sim/report/data/running_data.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <utility>

#include <fmt/format.h>

#include "sim/base/error.hpp"
#include "sim/base/statistics.hpp"
#include "sim/base/text.hpp"
#include "sim/report/text/reason_words.hpp"

namespace gridcast::report {
namespace {

using running::RunningCampaign;
using running::RunningForecast;
using running::RunningJob;
using running::Stand;

/// Without interpolation: a quantile between a time and never is one of the two.
Range90 range_of(std::vector<double> values) {
  if (values.empty()) return {};
  std::sort(values.begin(), values.end());
  auto const at = [&values](double p) {
    return values[static_cast<std::size_t>(std::lround(p * count(values.size() - 1)))];
  };
  Range90 range{at(0.05), at(0.5), at(0.95)};
  for (int percent = 5; percent < 100; percent += 5) range.quantiles.push_back(at(percent / 100.0));
  return range;
}

Range90 range_over(RunningForecast const& forecast, auto const& figure) {
  std::vector<double> values;
  for (auto const& future : forecast.futures) values.push_back(figure(future));
  return range_of(std::move(values));
}

std::string ended_text(running::RunningJob const& job) {
  if (job.repeats == 0) return "";
  return fmt::format(", after {}", counted(job.repeats, "execution") + " without a result");
}

std::string why_text(RunningCampaign const& campaign, RunningJob const& job) {
  std::string const since = to_text(campaign.now - job.since);
  std::string const where = job.host.empty() ? "" : " on " + job.host;
  switch (job.stand) {
    case Stand::fresh:
      return "has waited for its first slot for " + since;
    case Stand::starting:
      return "has had a slot for " + since + " without executing" + where;
    case Stand::executing:
      return "has executed for " + since + where + ended_text(job);
    case Stand::idle:
      return "has been in the queue again for " + since + ended_text(job);
    case Stand::held: {
      std::string const what = words_of(job.last).what;
      return "has been held for " + since + (what.empty() ? "" : ": " + what);
    }
    case Stand::over:
      break;
  }
  throw InternalError("a job that delays a campaign is not over");
}

std::string what_text(running::Effect const& effect) {
  switch (effect.intervention) {
    case running::Intervention::release:
      return "release " + counted(effect.jobs, "held job");
    case running::Intervention::resubmit:
      return "resubmit " + counted(effect.jobs, "stuck job");
    case running::Intervention::avoid_host:
      return "avoid host " + effect.host;
    case running::Intervention::time_limit:
      return "limit executions to " + to_text(effect.limit);
  }
  throw InternalError("an intervention has a name");
}

Json range_json(Range90 const& range) {
  auto const number = [](double x) { return std::isfinite(x) ? json_number(x) : Json(); };
  Json quantiles = Json::array();
  for (double const x : range.quantiles) quantiles.push_back(number(x));
  return {{"p05", number(range.low)},
          {"p50", number(range.middle)},
          {"p95", number(range.high)},
          {"quantiles", std::move(quantiles)}};
}

Json jobs_json(RunningResult const& result) {
  return {{"all", result.jobs},        {"over", result.over}, {"succeeded", result.succeeded},
          {"running", result.running}, {"idle", result.idle}, {"not_started", result.fresh},
          {"held", result.held}};
}

Json delaying_json(RunningResult const& result) {
  Json jobs = Json::array();
  for (DelayWords const& job : result.delaying) {
    jobs.push_back({{"job", job.job},
                    {"last_probability", json_number(job.last)},
                    {"delay_s", json_number(job.delay.value())},
                    {"why", job.why}});
  }
  return jobs;
}

Json effects_json(RunningResult const& result) {
  Json effects = Json::array();
  for (EffectWords const& effect : result.effects) {
    effects.push_back({{"what", effect.what},
                       {"end_s", range_json(effect.end_s)},
                       {"succeeded", range_json(effect.succeeded)},
                       {"gpu_hours", range_json(effect.gpu_hours)}});
  }
  return effects;
}

}  // namespace

RunningResult running_result(RunningCampaign const& campaign, history::JobHistory const& history,
                             RunningForecast const& forecast, std::optional<Seconds> deadline) {
  using running::FutureFigures;
  RunningResult result;
  result.jobs = campaign.jobs.size();
  result.over = campaign.count(Stand::over);
  result.succeeded = campaign.count(history::RecordedEnd::succeeded);
  result.running = campaign.count(Stand::executing) + campaign.count(Stand::starting);
  result.idle = campaign.count(Stand::idle);
  result.fresh = campaign.count(Stand::fresh);
  result.held = campaign.count(Stand::held);
  result.wanted = forecast.wanted;
  result.futures = forecast.futures.size();
  result.now = campaign.now;
  result.start_unix = campaign.start_unix;
  auto const range = [&](auto const& figure) { return range_over(forecast, figure); };
  result.wanted_at_s = range([](FutureFigures const& f) { return f.wanted_at.value(); });
  result.end_s = range([](FutureFigures const& f) { return f.end.value(); });
  result.final_successes = range([](FutureFigures const& f) { return count(f.succeeded); });
  result.wrong_output = range([](FutureFigures const& f) { return count(f.wrong_output); });
  result.final_held = range([](FutureFigures const& f) { return count(f.held); });
  result.removed = range([](FutureFigures const& f) { return count(f.removed); });
  result.slot_time_s = range([](FutureFigures const& f) { return f.slot_time.value(); });
  result.gpu_hours = range([](FutureFigures const& f) { return f.gpu_hours; });
  result.deadline = deadline;
  if (deadline) result.met = running::met_by(forecast, *deadline);
  for (running::DelayingJob const& job : forecast.delaying) {
    bool const named = job.job < history.jobs.size();  // a job to come has no name
    result.delaying.push_back(
        {named ? history::name_of_job(history, Id<history::Job>(job.job)) : "a job to come",
         why_text(campaign, campaign.jobs[job.job]), job.last, job.delay});
  }
  for (running::Effect const& effect : forecast.effects) {
    result.effects.push_back({what_text(effect), range_of(effect.end_s), range_of(effect.succeeded),
                              range_of(effect.gpu_hours)});
  }
  return result;
}

Json running_json(RunningResult const& result) {
  Json json = {{"schema", "gridcast.running/1"},
               {"now_s", json_number(result.now.value())},
               {"now", date_text(result.start_unix, result.now)},
               {"jobs", jobs_json(result)},
               {"wanted", result.wanted},
               {"futures", result.futures},
               {"metrics",
                {{"makespan_s", range_json(result.end_s)},
                 {"wanted_at_s", range_json(result.wanted_at_s)},
                 {"succeeded", range_json(result.final_successes)},
                 {"wrong_output", range_json(result.wrong_output)},
                 {"held", range_json(result.final_held)},
                 {"removed", range_json(result.removed)},
                 {"wallclock_s", range_json(result.slot_time_s)},
                 {"gpu_hours", range_json(result.gpu_hours)}}},
               {"delaying", delaying_json(result)},
               {"interventions", effects_json(result)}};
  if (result.deadline) {
    json["deadline"] = {{"at_s", json_number(result.deadline->value())},
                        {"probability", json_number(result.met)}};
  }
  return json;
}

std::string date_text(std::optional<std::int64_t> start_unix, Seconds at) {
  if (!start_unix || !std::isfinite(at.value())) return "";
  auto const unix_s = static_cast<std::time_t>(*start_unix + std::llround(at.value()));
  std::tm date{};
  if (gmtime_r(&unix_s, &date) == nullptr) return "";
  return fmt::format("{:04}-{:02}-{:02} {:02}:{:02}", date.tm_year + 1900, date.tm_mon + 1,
                     date.tm_mday, date.tm_hour, date.tm_min);
}

}  // namespace gridcast::report
