#include "tests/calibration/known_truth.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <sstream>

#include <nlohmann/json.hpp>

#include "sim/base/error.hpp"
#include "sim/base/files.hpp"
#include "sim/base/json_text.hpp"
#include "sim/base/text.hpp"

namespace gridcast::calibration {

namespace {

using Json = nlohmann::json;

// The driver of a test pool looks every 1.2 s: half of that until a hold is seen, and again until
// it is released; and waits 2 s at least.
constexpr double least_release = 2;
constexpr double driver_delay = 1.2;
constexpr double suspension = 6;

Json read_json(std::filesystem::path const& file) {
  Json const json = parse_json(read_text_file(file), {file.string()});
  if (json.is_object()) return json;
  throw InputError({{file.string()}, "this is no JSON object", "", ""});
}

/// WORK EPOCHS MODE SIGMA.
struct Arguments {
  double work = 0, sigma = -1;
};

std::optional<Arguments> arguments(std::filesystem::path const& file) {
  if (!std::filesystem::exists(file)) return std::nullopt;
  for (std::string const& line : split(read_text_file(file), '\n')) {
    auto const equals = line.find('=');
    if (equals == std::string::npos || trim(line.substr(0, equals)) != "arguments") continue;
    std::istringstream words(line.substr(equals + 1));
    Arguments found;
    double epochs = 0;
    std::string mode;
    if (words >> found.work >> epochs >> mode >> found.sigma) return found;
  }
  return std::nullopt;
}

double rate(Json const& hazards, std::string const& site, char const* mean) {
  if (!hazards.contains(site)) return 0;
  double const seconds = hazards[site].value(mean, 0.0);
  return seconds > 0 ? 1 / seconds : 0;
}

void add_site(std::vector<TrueParameter>& truth, std::string const& name, Json const& site,
              Json const& hazards, double mean_speed) {
  auto const add = [&](std::string const& parameter, double value) {
    truth.push_back({parameter + "." + name, value});
  };
  if (site.contains("xfer_median_s")) add("latency_s", site["xfer_median_s"]);
  if (site.contains("link_mb_s")) add("link_capacity_Bps", 1e6 * site["link_mb_s"].get<double>());
  if (site.contains("stream_mb_s")) {
    add("stream_limit_Bps", 1e6 * site["stream_mb_s"].get<double>());
  }
  add("rate_sigma", site.value("xfer_sigma", 0.0));
  add("url_failure", site.value("p_xfer_fail", 0.0));
  add("url_hang", site.value("p_xfer_hang", 0.0));
  add("speed", site.value("speed", 1.0) / mean_speed);
  add("crash", site.value("p_job_crash", 0.0));
  add("evict_per_s", rate(hazards, name, "evict_mean_s"));
  add("disconnect_per_s",
      rate(hazards, name, "disconnect_mean_s") + rate(hazards, name, "shadow_kill_mean_s"));
  add("suspend_per_s", rate(hazards, name, "suspend_mean_s"));
  add("pilot_death_per_s", rate(hazards, name, "glidein_life_mean_s"));
}

// Caches or paths have laws of their own, a calibration one for all: their mean.
void add_outages(std::vector<TrueParameter>& truth, Json const& data) {
  if (!data.contains("p_stall_good")) return;
  double const quiet = data["p_stall_good"], bad = data.value("p_stall_bad", quiet);
  truth.push_back({"stall_when_quiet", quiet});
  Json const periods = data.value("bad", Json::object());
  if (bad == quiet || periods.empty()) return;
  truth.push_back({"stall_when_bad", bad});
  double fraction = 0, duration = 0;
  for (Json const& each : periods) {
    fraction += each.value("frac_bad", 0.0) / static_cast<double>(periods.size());
    duration += each.value("mean_bad_s", 0.0) / static_cast<double>(periods.size());
  }
  truth.push_back({"stall_bad_fraction", fraction});
  truth.push_back({"stall_bad_duration_s", duration});
}

}  // namespace

std::vector<TrueParameter> read_truth(std::filesystem::path const& folder,
                                      std::vector<std::string> const& sites) {
  Json const pool = read_json(folder / "sites.json");
  Json const campaign = read_json(folder / "campaign.json");
  Json const known = pool.value("sites", Json::object());
  Json const hazards = campaign.value("hazards", Json::object());
  double log_speed = 0;
  std::size_t count = 0;
  for (std::string const& site : sites) {
    if (!known.contains(site)) continue;
    log_speed += std::log(known[site].value("speed", 1.0));
    ++count;
  }
  double const mean_speed =
      std::exp(log_speed / static_cast<double>(std::max<std::size_t>(1, count)));
  std::vector<TrueParameter> truth;
  for (std::string const& site : sites) {
    if (known.contains(site)) add_site(truth, site, known[site], hazards, mean_speed);
  }
  add_outages(truth, pool.value("data", Json::object()));
  if (auto const given = arguments(folder / "job.sub")) {
    truth.push_back({"work_s", given->work / mean_speed});
    truth.push_back({"job_sigma", given->sigma});
  }
  if (campaign.contains("release_mean_s")) {
    double const mean = campaign["release_mean_s"].get<double>();
    truth.push_back({"release_delay_mean_s", least_release + mean + driver_delay});
  }
  bool const suspends = std::any_of(hazards.begin(), hazards.end(), [](Json const& site) {
    return site.contains("suspend_mean_s");
  });
  if (suspends) truth.push_back({"suspension_s", suspension});
  return truth;
}

RecoveryTable recover(std::vector<Estimate> const& fitted,
                      std::vector<TrueParameter> const& truth) {
  RecoveryTable table;
  for (TrueParameter const& known : truth) {
    auto const at = std::find_if(fitted.begin(), fitted.end(),
                                 [&](auto const& one) { return one.name == known.name; });
    if (at == fitted.end()) continue;
    Recovery row{*at, known.value, at->events > 0, at->interval90.contains(known.value)};
    table.inside += row.inside ? 1 : 0;
    table.identified += row.identified ? 1 : 0;
    table.identified_inside += row.identified && row.inside ? 1 : 0;
    table.rows.push_back(row);
  }
  return table;
}

}  // namespace gridcast::calibration
