#include "sim/import/trace_campaign.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string_view>

#include <fmt/format.h>

#include "sim/base/distribution.hpp"
#include "sim/scenario/tables.hpp"

namespace gridcast::import {
namespace {

constexpr std::string_view site = "trace";

// So short that it does not show, as a distribution has to be above 0.
constexpr double no_time_s = 1e-6;
constexpr double url_reference_bytes = 1e9;

// Nothing goes wrong; all but the work and the input takes no time.
constexpr std::array<std::pair<std::string_view, double>, 10> draw_values = {
    {{"url_exponent", 1},
     {"url_failed_after", 0.5},
     {"work_s", 1},
     {"job_sigma", 0},
     {"execution_sigma", 0},
     {"release", 0},
     {"most_holds", 1},
     {"suspension_s", 0},
     {"pilot_replacement_s", 0},
     {"url_reference_B", url_reference_bytes}}};

constexpr std::array<std::pair<std::string_view, double>, 10> site_values = {
    {{"url_sigma", 0},
     {"url_failure", 0},
     {"url_hang", 0},
     {"speed", 1},
     {"crash", 0},
     {"evict_per_s", 0},
     {"disconnect_per_s", 0},
     {"reconnect", 1},
     {"suspend_per_s", 0},
     {"pilot_death_per_s", 0}}};

std::string calibration_text(TraceCampaign const& campaign) {
  std::vector<std::pair<std::string, double>> parameters;
  auto const add = [&parameters](std::string name, double value) {
    parameters.emplace_back(std::move(name), value);
  };
  bool const has_input = campaign.input && campaign.rate > BytesPerSecond(0);
  add(fmt::format("slots.{}", site), campaign.slots);
  add(fmt::format("url_median_s.{}", site),
      has_input ? url_reference_bytes / campaign.rate.value() : no_time_s);
  for (auto const& [name, value] : site_values) add(fmt::format("{}.{}", name, site), value);
  for (auto const& [name, value] : draw_values) add(std::string(name), value);
  for (char const* delay : {"match_delay", "setup", "teardown", "checkpoint", "requeue_delay",
                            "release_delay", "reconnect_delay"}) {
    add(fmt::format("{}_family", delay), static_cast<double>(Family::exponential));
    add(fmt::format("{}_shape", delay), 1);
    add(fmt::format("{}_scale_s", delay), no_time_s);
    add(fmt::format("{}_shift_s", delay), 0);
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
  pool.access_point.shadow_start_interval = Seconds();
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
  for (TraceJob const& job : jobs) {
    double const scale = job.runtime.value();
    if (!all.empty() && all.back().at == job.at && all.back().scale == scale) {
      ++all.back().jobs;
    } else {
      all.push_back({job.at, 1, scale});
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
    steps.emplace_back(job.at, 1);
    steps.emplace_back(job.at + job.runtime, -1);
  }
  std::sort(steps.begin(), steps.end());
  int now = 0, most = 0;
  for (auto const& step : steps) most = std::max(most, now += step.second);
  return most;
}

std::vector<std::pair<std::string, std::string>> trace_scenario(TraceCampaign campaign) {
  std::stable_sort(campaign.jobs.begin(), campaign.jobs.end(),
                   [](TraceJob const& a, TraceJob const& b) { return a.at < b.at; });
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
  text.strategy_note =
      "Nothing goes wrong in a trace: what is decided about failures has no effect";
  text.replicas = 1;
  return {{"scenario.yaml", scenario::scenario_yaml(text)},
          {"pool.yaml", pool_text(campaign)},
          {"calibration.yaml", calibration_text(campaign)}};
}

}  // namespace gridcast::import
