#include "calibration/validation.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <initializer_list>
#include <limits>
#include <map>
#include <set>
#include <sstream>
#include <string_view>

#include <nlohmann/json.hpp>
#include <yaml-cpp/yaml.h>

#include "calibration/fits/delay_fit.hpp"
#include "calibration/records/attempt_record.hpp"
#include "calibration/records/table_records.hpp"
#include "sim/base/error.hpp"
#include "sim/base/files.hpp"
#include "sim/base/json_text.hpp"
#include "sim/base/random.hpp"
#include "sim/base/statistics.hpp"
#include "sim/base/text.hpp"
#include "sim/engine/replica.hpp"
#include "sim/scenario/calibration.hpp"
#include "sim/scenario/yaml/document.hpp"

namespace gridcast::calibration {

namespace {

constexpr std::size_t most_draws = 200;

/// Evenly chosen, so that each draw stands for as many.
std::vector<DistributionMixture> some_draws(
    scenario::Calibration const& calibration,
    std::function<DistributionMixture(scenario::ParameterDraw const&)> const& of) {
  std::vector<DistributionMixture> draws;
  std::size_t const all = calibration.draws.size();
  std::size_t const n = std::min(all, most_draws);
  for (std::size_t i = 0; i < n; ++i) draws.push_back(of(calibration.draws[i * all / n]));
  return draws;
}

/// factor x X + offset.
Distribution moved(Distribution distribution, double factor, double offset) {
  distribution.scale *= factor;
  distribution.shift = factor * distribution.shift + offset;
  return distribution;
}

void add(std::vector<FittedProcess>& all, FittedProcess process) {
  if (process.data.empty()) return;
  std::sort(process.data.begin(), process.data.end());
  all.push_back(std::move(process));
}

bool known(scenario::Calibration const& calibration, std::string const& site) {
  return std::find(calibration.sites.begin(), calibration.sites.end(), site) !=
         calibration.sites.end();
}

// Of the median job at a site: work / speed, and the noise of jobs and executions together.
DistributionMixture log_execution(scenario::ParameterDraw const& draw, std::string const& site) {
  double const typical = draw.work.value() / draw.sites.at(site).speed;
  auto const around = [&](double center, double job_sigma) {
    double const sigma = std::hypot(job_sigma, draw.execution_sigma);
    return Distribution{Family::lognormal, std::max(sigma, 1e-6), typical * std::exp(center), 0};
  };
  std::vector<DistributionMixture::Part> kinds;
  for (scenario::WorkKind const& kind : draw.work_kinds) {
    if (kind.share <= 0) continue;
    kinds.push_back(
        {around(draw.job_sigma * kind.center, draw.job_sigma * kind.sigma), kind.share});
  }
  if (kinds.empty()) return around(0, draw.job_sigma);
  return DistributionMixture(std::move(kinds));
}

/// From the first attempt's start of computing to its end, where nothing came in between.
bool undisturbed(AttemptRecord const& attempt) {
  return attempt.number == 1 && attempt.executing && attempt.exit && attempt.useful &&
         attempt.end_kind == history::EventKind::terminated && attempt.suspensions_begun == 0 &&
         attempt.disconnections.empty();
}

void add_log_executions(std::vector<FittedProcess>& all, history::JobHistory const& history,
                        AttemptRecords const& records, scenario::Calibration const& calibration) {
  std::map<std::string, FittedProcess> by_site;
  for (AttemptRecord const& attempt : records.attempts) {
    if (!undisturbed(attempt) || !attempt.site.valid()) continue;
    std::string const& site = history.sites[attempt.site.index()];
    if (!known(calibration, site)) continue;
    Seconds time = *attempt.exit - *attempt.executing;
    for (Seconds const& store : attempt.stores) time -= store;
    by_site[site].data.push_back(time.value());
  }
  for (auto& [site, process] : by_site) {
    process.name = "execution at " + site;
    process.draws = some_draws(calibration, [&, &name = site](scenario::ParameterDraw const& draw) {
      return log_execution(draw, name);
    });
    add(all, std::move(process));
  }
}

/// What was seen of a delay, with its distribution in the draws.
void add_delay(std::vector<FittedProcess>& all, std::string name, std::vector<Delay> const& delays,
               scenario::Calibration const& calibration,
               Distribution scenario::ParameterDraw::*distribution) {
  FittedProcess process{std::move(name), {}, 0, {}};
  for (Delay const& delay : delays) {
    if (delay.censored) {
      ++process.censored;
    } else {
      process.data.push_back(delay.seconds);
    }
  }
  process.draws = some_draws(calibration, [&](auto& draw) { return draw.*distribution; });
  add(all, std::move(process));
}

using Json = nlohmann::json;

// Who drives a test pool looks every 1.2 s: half of that until a hold is seen, and again until it
// is released; and waits 2 s at least.
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

std::vector<FittedProcess> table_processes(history::JobTable const& table,
                                           scenario::Calibration const& calibration, int epochs) {
  std::vector<FittedProcess> all;
  TableRecords const records = make_table_records(table, calibration.sites, Bytes());
  for (auto const& site : calibration.sites) {
    FittedProcess process{"execution at " + site, {}, 0, {}};
    for (ExecutionRecord const& execution : records.executions) {
      if (execution.site != site) continue;
      if (execution.censored()) {
        ++process.censored;
      } else {
        process.data.push_back(execution.seconds);
      }
    }
    process.draws = some_draws(calibration, [&](scenario::ParameterDraw const& draw) {
      scenario::SiteParameters const& here = draw.sites.at(site);
      return moved(here.epoch, epochs, here.unpack.value());
    });
    add(all, std::move(process));
  }
  FittedProcess overhead{"claimed, but neither transferring nor executing", {}, 0, {}};
  for (JobRecord const& job : records.jobs) {
    if (job.overhead) overhead.data.push_back(*job.overhead);
  }
  overhead.draws = some_draws(calibration, [](auto& draw) { return draw.teardown; });
  add(all, std::move(overhead));
  return all;
}

std::vector<FittedProcess> log_processes(history::JobHistory const& history,
                                         scenario::Calibration const& calibration) {
  std::vector<FittedProcess> all;
  AttemptRecords const records = make_attempt_records(history);
  add_log_executions(all, history, records, calibration);
  auto const add = [&](char const* name, std::vector<Delay> const& delays,
                       Distribution scenario::ParameterDraw::*distribution) {
    add_delay(all, name, delays, calibration, distribution);
  };
  add("exit to slot free", teardowns(records), &scenario::ParameterDraw::teardown);
  add("storing a checkpoint", checkpoints(records), &scenario::ParameterDraw::checkpoint);
  add("disconnected to found again", reconnections(records),
      &scenario::ParameterDraw::reconnect_delay);
  add("held to released", release_delays(records), &scenario::ParameterDraw::release_delay);
  return all;
}

std::vector<Estimate> read_parameters(std::filesystem::path const& calibration) {
  std::string const text = read_text_file(calibration);
  std::vector<Estimate> parameters;
  try {
    YAML::Node const root = scenario::parse_yaml(scenario::split_rows(text).text_without).root;
    if (!root.IsMap() || !root["parameters"] || !root["parameters"].IsMap()) {
      throw InputError({{calibration.string()},
                        "there are no 'parameters'",
                        "this is no calibration file",
                        "Give one that calibrate has written."});
    }
    for (auto const& entry : root["parameters"]) {
      YAML::Node const& line = entry.second;
      parameters.push_back(
          {.name = entry.first.as<std::string>(),
           .estimate = line["estimate"].as<double>(),
           .interval90 = {line["interval90"][0].as<double>(), line["interval90"][1].as<double>()},
           .events = line["events"].as<std::size_t>()});
    }
  } catch (YAML::Exception const& error) {
    throw InputError({{calibration.string(), error.mark.line + 1, error.mark.column + 1},
                      "the parameters cannot be read",
                      error.msg,
                      ""});
  }
  return parameters;
}

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

namespace {

enum Case { none, inside, above_truth, below_truth };

using Row = std::vector<double>;

constexpr std::size_t missing = std::numeric_limits<std::size_t>::max();

std::size_t place_of(std::vector<std::string> const& columns, std::string const& name) {
  auto const found = std::find(columns.begin(), columns.end(), name);
  return found == columns.end() ? missing : static_cast<std::size_t>(found - columns.begin());
}

/// What of a distribution is recovered: its parameters mean another thing in each family.
enum class Of { column, median, width };

/// A column that is a number, or a number that the columns of a distribution give.
struct Quantity {
  std::string name;
  std::string column;  // whose line tells the events: itself, or the distribution's scale
  Of of = Of::column;
};

/// The columns of one distribution, by that of its scale ("epoch_scale_s.SITE").
struct Law {
  std::string stem, site;  // "epoch", ".SITE"; empty: of no distribution

  Law(std::vector<std::string> const& columns, std::string const& of_scale) {
    std::string const scale = "_scale_s";
    auto const at = of_scale.find(scale);
    if (at == std::string::npos) return;
    stem = of_scale.substr(0, at);
    site = of_scale.substr(at + scale.size());
    if (place_of(columns, column("_family")) == missing) stem.clear();
  }

  std::string column(std::string const& of) const { return stem + of + site; }

  Distribution in(std::vector<std::string> const& columns, Row const& row) const {
    auto const value = [&](std::string const& of, double otherwise) {
      std::size_t const place = place_of(columns, column(of));
      return place == missing ? otherwise : row[place];
    };
    return {static_cast<Family>(static_cast<int>(value("_family", 0))), value("_shape", 1),
            value("_scale_s", 0), value("_shift_s", 0)};
  }
};

// Indices of choices have no interval.
std::vector<Quantity> quantities_of(std::vector<std::string> const& columns) {
  std::vector<Quantity> quantities;
  std::set<std::string> of_laws;
  for (std::string const& column : columns) {
    Law const law(columns, column);
    if (law.stem.empty()) continue;
    for (char const* const of : {"_family", "_shape", "_scale_s", "_shift_s"}) {
      of_laws.insert(law.column(of));
    }
    quantities.push_back({law.column("_median_s"), column, Of::median});
    quantities.push_back({law.column("_p95_over_p5"), column, Of::width});
  }
  for (std::string const& column : columns) {
    bool const choice = column.starts_with("outage_");
    if (!choice && !of_laws.contains(column)) quantities.push_back({column, column});
  }
  return quantities;
}

/// NaN where there is no such column.
double value_of(Quantity const& quantity, std::vector<std::string> const& columns, Row const& row) {
  std::size_t const place = place_of(columns, quantity.column);
  if (place == missing) return std::numeric_limits<double>::quiet_NaN();
  if (quantity.of == Of::column) return row[place];
  Distribution const law = Law(columns, quantity.column).in(columns, row);
  return quantity.of == Of::median ? law.quantile(0.5) : law.quantile(0.95) / law.quantile(0.05);
}

std::vector<double> draws_of(Quantity const& quantity, DrawTable const& draws) {
  std::vector<double> values;
  for (Row const& row : draws.rows) values.push_back(value_of(quantity, draws.columns, row));
  return values;
}

/// Whether the parameter does anything in the campaign that is the truth; of what does not, no
/// event can tell. Where nothing is out of order there are no bad periods, dead connections have no
/// rate, slow ones do not stop, and a shock that lasts for a time has no number of hits.
bool acts(std::string const& name, scenario::ParameterDraw const& truth) {
  constexpr std::string_view slots = "slots.";
  auto const is_one_of = [&](std::initializer_list<std::string_view> names) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  scenario::OutageParameters const& outages = truth.outages;
  bool const none = outages.scope == scenario::OutageScope::none;
  if (is_one_of({"stall_bad_fraction", "stall_bad_duration_s", "stall_when_bad", "luck_holds_s"})) {
    return !none;
  }
  bool const slow = outages.kind == scenario::OutageKind::slow;
  if (name == "slow_fraction") return !none && slow;
  if (is_one_of({"slow_before_stall", "slow_duration_s"})) return !none && !slow;
  if (name == "not_found_mean_hits") return truth.not_found.lasts <= Seconds();
  if (name == "network_down_mean_hits") return truth.network_down.lasts <= Seconds();
  // The pool may say how many there are.
  if (name.starts_with(slots)) {
    return truth.sites.at(name.substr(slots.size())).slots.has_value();
  }
  return true;
}

Case held(Fit const& fit, Quantity const& quantity, std::vector<double> const& draws,
          double truth) {
  auto const found =
      std::find_if(fit.estimates.begin(), fit.estimates.end(),
                   [&](Estimate const& line) { return line.name == quantity.column; });
  if (found == fit.estimates.end() || found->events == 0 || !std::isfinite(truth)) return none;
  Interval interval = found->interval90;
  if (quantity.of != Of::column) interval = {quantile(draws, 0.05), quantile(draws, 0.95)};
  if (truth < interval.low) return above_truth;
  return truth > interval.high ? below_truth : inside;
}

/// Where the truth stands in the draws; NaN without them.
double rank_in(std::vector<double> const& draws, double truth) {
  if (draws.empty() || std::isnan(draws.front())) return std::numeric_limits<double>::quiet_NaN();
  return rank_of(truth, draws).middle();
}

/// A quantity's place in a record: what became of it, and its rank.
constexpr std::size_t numbers_a_quantity = 2;

/// Campaign `number` of the scenario's baseline in that row of its calibration: two numbers per
/// quantity.
study::Record recover_campaign(scenario::Scenario const& scenario, FitOfCampaign const& fit,
                               std::uint64_t seed, std::uint32_t number) {
  scenario::Calibration const& calibration = scenario.calibration;
  std::size_t const row = number % calibration.draws.size();
  RandomStreams const streams(seed, number);
  Fit const fitted =
      fit(engine::simulate(scenario.pool, scenario.campaign, scenario.strategy(scenario.baseline),
                           calibration.draws[row], streams)
              .history);
  study::Record record;
  for (Quantity const& quantity : quantities_of(calibration.columns)) {
    double const truth = value_of(quantity, calibration.columns, calibration.rows[row]);
    auto const draws = draws_of(quantity, fitted.draws);
    record.push_back(
        acts(quantity.name, calibration.draws[row]) ? held(fitted, quantity, draws, truth) : none);
    record.push_back(rank_in(draws, truth));
  }
  return record;
}

/// Summary of all campaigns that were simulated.
RecoveryStudy recovery_of(scenario::Calibration const& calibration,
                          study::PoolResult const& played) {
  RecoveryStudy study;
  study.campaigns = played.records.size();
  study.failed = played.failed.size();
  if (study.failed > 0) study.why_failed = played.failed.front().why;
  study.interrupted = played.interrupted;
  auto const quantities = quantities_of(calibration.columns);
  for (std::size_t q = 0; q < quantities.size(); ++q) {
    RecoveredParameter parameter{quantities[q].name};
    for (auto const& [campaign, record] : played.records) {
      auto const found = static_cast<Case>(static_cast<int>(record[numbers_a_quantity * q]));
      parameter.cases += found != none;
      parameter.inside += found == inside;
      parameter.below += found == above_truth;
      if (found != none) parameter.ranks.push_back(record[numbers_a_quantity * q + 1]);
    }
    if (parameter.cases > 0) study.parameters.push_back(std::move(parameter));
  }
  return study;
}

}  // namespace

// P(D > d) = 2 sum over k of (-1)^(k-1) exp(-2 k^2 x^2), x = (sqrt(n) + 0.12 + 0.11 / sqrt(n)) d.
double uniform_ranks_p_value(std::vector<double> const& ranks) {
  std::vector<double> sorted = ranks;
  std::erase_if(sorted, [](double rank) { return std::isnan(rank); });
  if (sorted.empty()) return 1;
  std::sort(sorted.begin(), sorted.end());
  auto const n = static_cast<double>(sorted.size());
  double distance = 0;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    auto const before = static_cast<double>(i);
    distance = std::max({distance, sorted[i] - before / n, (before + 1) / n - sorted[i]});
  }
  double const x = (std::sqrt(n) + 0.12 + 0.11 / std::sqrt(n)) * distance;
  double sum = 0;
  for (int k = 1; k <= 100; ++k) {
    sum += (k % 2 == 1 ? 2 : -2) * std::exp(-2.0 * k * k * x * x);
  }
  return std::clamp(sum, 0.0, 1.0);
}

RecoveryStudy recover_simulated(scenario::Scenario const& scenario, FitOfCampaign const& fit,
                                RecoveryOptions const& options) {
  auto const task = [&](std::uint32_t i) {
    return recover_campaign(scenario, fit, options.seed, i);
  };
  return recovery_of(scenario.calibration, study::run_replicas(options.campaigns, options.processes,
                                                               task, options.progress));
}

}  // namespace gridcast::calibration
