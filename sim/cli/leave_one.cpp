// gridcast validate RECORD... --leave-one campaign|site|part
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include <fmt/format.h>

#include "calibration/calibrate.hpp"
#include "calibration/held_out.hpp"
#include "sim/base/error.hpp"
#include "sim/base/files.hpp"
#include "sim/base/tell.hpp"
#include "sim/cli/validate_records.hpp"

namespace gridcast::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t draws = 200;
/// Of a left-out site or part, fewer attempts than this say nothing.
constexpr std::size_t least_attempts = 5;

/// Sites of one campaign have had the same weeks and the same owner.
constexpr double same_campaign = 0;

calibration::LogCalibration fit_record(ValidationRecord const& record,
                                       history::JobHistory const& history,
                                       ScoreArguments const& arguments,
                                       std::optional<double> between_campaigns = std::nullopt) {
  calibration::LogCalibrationOptions fitting;
  fitting.draws = draws;
  fitting.seed = arguments.seed;
  fitting.url_sizes = url_sizes(record);
  fitting.between_campaigns = between_campaigns;
  return calibration::calibrate_from_logs(history, fitting);
}

/// The calibration file and its pool, in the folder, as `gridcast calibrate` writes them. `sites`: of
/// the pool, which is known before a forecast.
fs::path write_calibration(ValidationRecord const& record, calibration::LogCalibration calibrated,
                           std::vector<calibration::SiteFacts> const& sites,
                           fs::path const& folder) {
  fs::path const file = folder / (record.name + ".calibration.yaml");
  fs::path const pool = folder / (record.name + ".pool.yaml");
  calibration::CalibrationDocument document;
  document.profile = "campaign";
  document.command = "gridcast validate";
  document.pool_file = pool.filename().string();
  std::string const pool_text =
      calibration::pool_yaml(sites, document.command, {.max_execution = calibrated.max_execution});
  document.pool_sha256 = sha256(pool_text);
  calibration::CampaignFacts facts;
  facts.jobs = calibrated.jobs;
  facts.attempts = calibrated.attempts;
  facts.epochs = calibrated.epochs;
  facts.input_sizes = calibrated.urls.sizes;
  facts.input_urls = input_urls(record);
  facts.plugin_lifetime = calibrated.plugin_lifetime;
  facts.job_lease = record.job_lease.value_or(Seconds());
  facts.executable = record.executable;
  facts.arguments = record.program_arguments;
  document.campaign = std::move(facts);
  document.fit = std::move(calibrated.fit);
  write_file(pool, pool_text);
  write_file(file, calibration::calibration_yaml(document));
  return file;
}

/// What was told once is not told again.
class Notes {
 public:
  void tell_new(std::vector<std::string> const& notes) {
    for (std::string const& note : notes) {
      if (told_.insert(note).second) tell(note + "\n");
    }
  }

 private:
  std::set<std::string> told_;
};

/// The replicas of several forecasts as one, as many of each, draw by draw.
study::BalancedForecast mixed(std::vector<study::BalancedForecast const*> const& parts) {
  study::BalancedForecast all;
  all.sample.names = parts.front()->sample.names;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    auto const& part = *parts[i];
    std::size_t const rows = part.sample.size() / replicas_a_draw;
    for (std::size_t row = 0; row < rows; ++row) {
      if (row % parts.size() != i) continue;
      for (std::size_t k = 0; k < replicas_a_draw; ++k) {
        all.sample.replicas.push_back(static_cast<std::uint32_t>(all.sample.records.size()));
        all.sample.records.push_back(part.sample.records[row * replicas_a_draw + k]);
      }
    }
    all.failed.insert(all.failed.end(), part.failed.begin(), part.failed.end());
    all.interrupted = all.interrupted || part.interrupted;
  }
  return all;
}

/// In the order in which they took place, where that is known.
std::vector<std::size_t> by_date(std::vector<ValidationRecord> const& records) {
  std::vector<std::size_t> order(records.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return records[a].history.start_unix.value_or(0) < records[b].history.start_unix.value_or(0);
  });
  return order;
}

Scored leave_campaigns(std::vector<ValidationRecord> const& records,
                       ScoreArguments const& arguments, fs::path const& folder) {
  if (records.size() < 2) {
    throw InputError(Problem{{},
                             "--leave-one campaign needs two campaigns at least",
                             "one is forecast from the others",
                             "Name several records."});
  }
  std::vector<fs::path> calibrations;
  for (ValidationRecord const& record : records) {
    auto fit = fit_record(record, record.history, arguments);
    auto const sites = fit.sites;
    calibrations.push_back(write_calibration(record, std::move(fit), sites, folder));
  }
  Scored all;
  Notes notes;
  for (std::size_t target = 0; target < records.size(); ++target) {
    std::map<std::size_t, study::BalancedForecast> forecasts;
    std::vector<KnownCampaign> known;
    std::vector<study::BalancedForecast const*> rest;
    ForecastScenario made = {};
    for (std::size_t const source : by_date(records)) {
      if (source == target) continue;
      made = forecast_scenario(records[target], calibrations[source], arguments.records, folder);
      notes.tell_new(made.notes);
      ToForecast const of{records[target], made.scenario, records[source].name};
      auto const& forecast = forecasts[source] = play(of, arguments);
      known.push_back(known_campaign(records[source].logged));
      rest.push_back(&forecast);
      if (arguments.from == "each") {
        add_scored(all, of, forecast, {known.back()}, arguments.records);
      }
      if (forecast.interrupted) return all;
    }
    if (arguments.from == "each") continue;
    add_scored(all, {records[target], made.scenario, "the others"}, mixed(rest), known,
               arguments.records);
  }
  return all;
}

/// What is told of the clock of a campaign of which only some jobs or sites are looked at.
constexpr std::string_view of_whole_campaign[] = {"makespan_s", "makespan_95_s"};

void drop_clock(Scored& scored) {
  for (auto& record : scored.records) {
    std::erase_if(record.figures, [](study::ScoredFigure const& figure) {
      return std::find(std::begin(of_whole_campaign), std::end(of_whole_campaign), figure.figure) !=
             std::end(of_whole_campaign);
    });
  }
}

Scored leave_parts(std::vector<ValidationRecord> const& records, ScoreArguments const& arguments,
                   fs::path const& folder) {
  Scored all;
  Notes notes;
  for (ValidationRecord const& record : records) {
    auto const parts = calibration::parts_of(record.history);
    auto const logged = calibration::parts_of(record.logged);
    auto const sites = fit_record(record, record.history, arguments).sites;
    auto const file =
        write_calibration(record, fit_record(record, parts.first, arguments), sites, folder);
    ValidationRecord later = record;
    later.history = parts.later;
    later.logged = logged.later;
    auto const made = forecast_scenario(later, file, arguments.records, folder);
    notes.tell_new(made.notes);
    ToForecast const of{later, made.scenario, "its first part"};
    add_scored(all, of, play(of, arguments), {known_campaign(logged.first)}, arguments.records);
    if (all.interrupted) break;
  }
  drop_clock(all);
  return all;
}

/// A history in which all that happened elsewhere is forgotten: its figures are the site's.
history::JobHistory only_site(history::JobHistory const& history, std::string const& site) {
  history::JobHistory only = history;
  for (std::string const& other : history.sites) {
    if (other != site) only = calibration::without_site(only, other);
  }
  return only;
}

std::size_t executions_at(history::JobHistory const& history, std::string const& site) {
  return static_cast<std::size_t>(
      std::count_if(history.events.begin(), history.events.end(), [&](auto const& event) {
        return event.kind == history::EventKind::executing && event.site.valid() &&
               history.sites[event.site.index()] == site;
      }));
}

double slots_at(std::vector<calibration::SiteFacts> const& sites, std::string const& site) {
  double sum = 0;
  for (auto const& each : sites) sum += each.count.site == site ? each.count.slots : 0;
  return std::max(sum, 1.0);
}

double slots_but(std::vector<calibration::SiteFacts> const& sites, std::string const& site) {
  double sum = 0;
  for (auto const& each : sites) sum += each.count.site == site ? 0 : each.count.slots;
  return std::max(sum, 1.0);
}

/// Everything at the site, forecast from the others: it is in the pool with its slots, and its
/// parameters are drawn from the spread between sites. The guess: what the other sites had, for as
/// many slots.
void leave_site(ValidationRecord const& record, std::string const& site,
                ScoreArguments const& arguments, fs::path const& folder, Notes& notes,
                Scored& all) {
  auto fit =
      fit_record(record, calibration::without_site(record.history, site), arguments, same_campaign);
  auto const sites = fit_record(record, record.history, arguments).sites;
  calibration::add_unseen_site(fit.fit.draws, site,
                               RandomStreams(arguments.seed, 0).stream(Purpose::bootstrap, 2));
  auto const file = write_calibration(record, std::move(fit), sites, folder);
  auto const made = forecast_scenario(record, file, arguments.records, folder);
  notes.tell_new(made.notes);
  ValidationRecord there = record;
  there.name = fmt::format("{} at {}", record.name, site);
  there.logged = only_site(record.logged, site);
  ToForecast const of{there, made.scenario, "the other sites"};
  auto const forecast = play(
      of, arguments, [&](history::JobHistory const& logged) { return only_site(logged, site); });
  KnownCampaign elsewhere = known_campaign(calibration::without_site(record.logged, site));
  elsewhere.jobs *= slots_but(sites, site) / slots_at(sites, site);
  add_scored(all, of, forecast, {elsewhere}, arguments.records);
}

Scored leave_sites(std::vector<ValidationRecord> const& records, ScoreArguments const& arguments,
                   fs::path const& folder) {
  Scored all;
  Notes notes;
  for (ValidationRecord const& record : records) {
    for (std::string const& site : record.history.sites) {
      if (record.history.sites.size() < 2) {
        tell(fmt::format("{}: one site, so that none can be left out\n", record.name));
      } else if (executions_at(record.history, site) < least_attempts) {
        tell(fmt::format("{} at {}: fewer than {} executions, so that none are forecast\n",
                         record.name, site, least_attempts));
      } else {
        leave_site(record, site, arguments, folder, notes, all);
      }
      if (all.interrupted) return all;
    }
  }
  drop_clock(all);
  return all;
}

}  // namespace

int score_left_out(std::vector<fs::path> const& places, ScoreArguments const& arguments) {
  auto const records = read_records(places, arguments.records);
  prepare_outputs(arguments, files_of(records));
  ScratchFolder const scratch;
  Scored const scored =
      arguments.leave_one == "campaign" ? leave_campaigns(records, arguments, scratch.path())
      : arguments.leave_one == "site"   ? leave_sites(records, arguments, scratch.path())
                                        : leave_parts(records, arguments, scratch.path());
  return tell_scores(scored, {arguments.leave_one, "", arguments.replicas, arguments.seed},
                     arguments);
}

}  // namespace gridcast::cli
