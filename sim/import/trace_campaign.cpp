#include "sim/import/trace_campaign.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>

#include <fmt/format.h>

#include "sim/scenario/tables.hpp"

namespace gridcast::import {
namespace {

constexpr std::string_view site = "trace";

// A match is at once: to skip negotiation cycles takes a delay, of no length that shows.
constexpr double no_delay_s = 1e-6;

// Nothing goes wrong, and all but the work and the input takes no time.
std::string calibration_text(TraceCampaign const& campaign) {
  std::vector<std::pair<std::string, double>> parameters = {
      {"work_s", 1},
      {"match_delay_scale_s", no_delay_s},
      {fmt::format("slots.{}", site), campaign.slots},
      {fmt::format("pilot_death_per_s.{}", site), 0},
      {fmt::format("speed.{}", site), 1}};
  if (campaign.input && campaign.rate > BytesPerSecond()) {
    parameters.emplace_back(fmt::format("stream_limit_Bps.{}", site), campaign.rate.value());
  }
  return "# Of a trace, not fitted: nothing fails, and a work of 1 s makes the `scale` of each "
         "submission\n# its run time in seconds.\n" +
         scenario::made_up_calibration("trace", parameters);
}

std::string pool_text(TraceCampaign const& campaign) {
  Seconds longest{};
  for (TraceJob const& job : campaign.jobs) longest = std::max(longest, job.runtime);
  scenario::PoolEntries pool;
  scenario::SiteEntry& only = pool.entries.emplace_back();
  only.name = site;
  only.slots = campaign.slots;
  pool.access_point.max_execution = days(std::ceil(longest / hours(24)) + 1);
  scenario::YamlLayout layout;
  layout.shape = [](std::string_view path) {
    return path == "sites" ? scenario::YamlShape::lines : scenario::YamlShape::line;
  };
  layout.text = scenario::plain_name;
  layout.time = scenario::time_in_largest;
  return "# One site that runs as many jobs at a time; no limit that a job of the trace meets.\n" +
         scenario::pool_table().text(pool, layout);
}

std::vector<scenario::Submission> submissions(std::vector<TraceJob> const& jobs) {
  std::vector<scenario::Submission> all;
  bool const any_waits =
      std::ranges::any_of(jobs, [](TraceJob const& job) { return !job.after.empty(); });
  for (TraceJob const& job : jobs) {
    double const scale = job.runtime.value();
    scenario::Submission submission{any_waits ? Seconds() : job.at, 1, scale};
    submission.slots = job.slots;
    if (any_waits) {
      submission.name = job.name;
      submission.after = job.after;
      all.push_back(std::move(submission));
    } else if (!all.empty() && all.back().at == job.at && all.back().scale == scale &&
               all.back().slots == job.slots) {
      ++all.back().jobs;
    } else {
      all.push_back(std::move(submission));
    }
  }
  return all;
}

}  // namespace

std::vector<std::string> summary(std::vector<TraceNote> const& notes, std::size_t most) {
  struct Kind {
    std::string places;
    std::size_t times = 0;
  };
  std::vector<std::string> order;
  std::map<std::string, Kind> kinds;
  for (TraceNote const& note : notes) {
    Kind& kind = kinds[note.why];
    if (kind.times++ == 0) order.push_back(note.why);
    if (most > 0 && kind.times > most) continue;
    Problem place;
    place.where = note.where;
    place.what = note.what;
    kind.places += fmt::format("\n  {}", place.to_text());
  }
  std::vector<std::string> lines;
  for (auto const& why : order) {
    Kind const& kind = kinds[why];
    std::string const more =
        most > 0 && kind.times > most ? fmt::format("\n  and {} more", kind.times - most) : "";
    lines.push_back(fmt::format("{} {}, {}:{}{}", kind.times, kind.times == 1 ? "row" : "rows", why,
                                kind.places, more));
  }
  return lines;
}

int most_at_once(std::vector<TraceJob> const& jobs) {
  std::vector<std::pair<Seconds, int>> steps;  // at equal times ends come first
  for (TraceJob const& job : jobs) {
    steps.emplace_back(job.at, job.slots);
    steps.emplace_back(job.at + job.runtime, -job.slots);
  }
  std::ranges::sort(steps);
  int now = 0, most = 0;
  for (auto const& step : steps) most = std::max(most, now += step.second);
  return most;
}

std::vector<std::pair<std::string, std::string>> trace_scenario(TraceCampaign campaign) {
  std::ranges::stable_sort(campaign.jobs, {}, &TraceJob::at);
  scenario::ScenarioText text;
  text.comments = campaign.comments;
  text.title = campaign.title;
  text.pool = "pool.yaml";
  text.calibration = "calibration.yaml";
  text.campaign.submit = submissions(campaign.jobs);
  text.campaign.request.gpus = 0;
  if (campaign.input) text.campaign.input = {{"osdf:///trace/input", *campaign.input}};
  text.campaign.work.profile = "trace";
  text.strategy.name = "as-traced";
  text.strategy_note = "Nothing goes wrong in a trace: decisions about failures have no effect";
  text.replicas = 1;
  return {{"scenario.yaml", scenario::scenario_yaml(text)},
          {"pool.yaml", pool_text(campaign)},
          {"calibration.yaml", calibration_text(campaign)}};
}

}  // namespace gridcast::import
