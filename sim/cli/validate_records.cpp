#include "sim/cli/validate_records.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include <fmt/format.h>

#include "calibration/calibrate.hpp"
#include "calibration/file/calibration_file.hpp"
#include "calibration/held_out.hpp"
#include "sim/base/error.hpp"
#include "sim/base/files.hpp"
#include "sim/base/tell.hpp"
#include "sim/cli/pages.hpp"

namespace gridcast::cli {
namespace {

namespace fs = std::filesystem;

/// The records that the calibration was made of, where they are here.
std::vector<KnownCampaign> calibrated_records(fs::path const& calibration,
                                              ScoreArguments const& arguments) {
  std::vector<fs::path> logs;
  if (!arguments.last.empty()) {
    return {known_campaign(read_validation_record(arguments.last, arguments.records).logged)};
  }
  for (auto const& input : calibration::read_calibration_document(calibration).inputs) {
    fs::path const file = find_input(input, calibration);
    if (file.empty()) return {};
    logs.push_back(file);
  }
  if (logs.empty()) return {};
  auto const files = import::sort_by_kind(logs);
  if (files.logs.empty()) return {};
  return {known_campaign(import::open_campaign({.logs = files.logs}).history)};
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

/// Plays the plan and answers, or begins a study; `of`: what it is named after. The exit code.
int play_and_tell(OnArguments const& on, ScorePlan const& plan, std::string const& of,
                  ScoreArguments const& arguments) {
  if (!on.system.empty()) return begin_scores(on, study_arguments(arguments), plan, of);
  return tell_scores(scored(plan, play(plan, arguments)), plan.facts, plan.conformal, arguments);
}

/// Puts the record's forecast from the calibration into the plan; its number there.
std::size_t add_forecast(ScorePlan& plan, ValidationRecord const& record,
                         fs::path const& calibration, ScoreArguments const& arguments,
                         fs::path const& folder, Notes& notes, std::string const& site = "") {
  std::size_t const number = plan.forecasts.size();
  auto const made =
      forecast_scenario(record, calibration, arguments.records, folder / std::to_string(number));
  notes.tell_new(made.notes);
  plan.forecasts.push_back(planned(made, record, site));
  return number;
}

ScorePlan plan_against(fs::path const& calibration, std::vector<ValidationRecord> const& records,
                       ScoreArguments const& arguments, fs::path const& folder) {
  auto const known = calibrated_records(calibration, arguments);
  ScorePlan plan{{"against", calibration.string(), arguments.replicas, arguments.seed}};
  Notes notes;
  for (ValidationRecord const& record : records) {
    auto const number = add_forecast(plan, record, calibration, arguments, folder, notes);
    plan.scores.push_back(
        planned_score(record, calibration.stem().string(), known, {number}, arguments.records));
  }
  return plan;
}

}  // namespace

int score_against(OnArguments const& on, fs::path const& calibration,
                  ScoreArguments const& arguments) {
  auto const records = read_records(arguments.against, arguments.records);
  auto inputs = files_of(records);
  inputs.push_back(calibration);
  prepare_outputs(arguments, std::move(inputs));
  ScratchFolder const scratch;
  auto const plan = plan_against(calibration, records, arguments, scratch.path());
  return play_and_tell(on, plan, calibration.string(), arguments);
}

// gridcast validate RECORD... --leave-one campaign|site|part

namespace {

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
  fitting.outputs_unlisted = record.outputs_unlisted;
  fitting.between_campaigns = between_campaigns;
  return calibration::calibrate_from_logs(history, fitting);
}

/// The calibration file and its pool, in the folder, as `gridcast calibrate` writes them. `sites`: of
/// the pool, which is known before a forecast.
fs::path write_calibration(ValidationRecord const& record, calibration::LogCalibration calibrated,
                           std::vector<calibration::SiteFacts> const& sites,
                           fs::path const& folder) {
  fs::create_directories(folder);
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

/// In the order in which they took place, where that is known.
std::vector<std::size_t> by_date(std::vector<ValidationRecord> const& records) {
  std::vector<std::size_t> order(records.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return records[a].history.start_unix.value_or(0) < records[b].history.start_unix.value_or(0);
  });
  return order;
}

void leave_campaigns(ScorePlan& plan, std::vector<ValidationRecord> const& records,
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
  Notes notes;
  for (std::size_t target = 0; target < records.size(); ++target) {
    std::vector<KnownCampaign> known;
    std::vector<std::size_t> rest;
    for (std::size_t const source : by_date(records)) {
      if (source == target) continue;
      auto const number =
          add_forecast(plan, records[target], calibrations[source], arguments, folder, notes);
      known.push_back(known_campaign(records[source].logged));
      rest.push_back(number);
      if (arguments.from != "each") continue;
      plan.scores.push_back(planned_score(records[target], records[source].name, {known.back()},
                                          {number}, arguments.records));
    }
    if (arguments.from == "each") continue;
    plan.scores.push_back(
        planned_score(records[target], "the others", known, rest, arguments.records));
  }
}

void leave_parts(ScorePlan& plan, std::vector<ValidationRecord> const& records,
                 ScoreArguments const& arguments, fs::path const& folder) {
  Notes notes;
  for (ValidationRecord const& record : records) {
    auto const parts = calibration::parts_of(record.history);
    auto const logged = calibration::parts_of(record.logged);
    auto const sites = fit_record(record, record.history, arguments).sites;
    auto const file = write_calibration(record, fit_record(record, parts.first, arguments), sites,
                                        folder / fmt::format("from-{}", plan.forecasts.size()));
    ValidationRecord later = record;
    later.history = parts.later;
    later.logged = logged.later;
    auto const number = add_forecast(plan, later, file, arguments, folder, notes);
    plan.scores.push_back(planned_score(later, "its first part", {known_campaign(logged.first)},
                                        {number}, arguments.records));
  }
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
void leave_site(ScorePlan& plan, ValidationRecord const& record, std::string const& site,
                ScoreArguments const& arguments, fs::path const& folder, Notes& notes) {
  auto fit =
      fit_record(record, calibration::without_site(record.history, site), arguments, same_campaign);
  auto const sites = fit_record(record, record.history, arguments).sites;
  calibration::add_unseen_site(fit.fit.draws, site,
                               RandomStreams(arguments.seed, 0).stream(Purpose::bootstrap, 2));
  auto const file = write_calibration(record, std::move(fit), sites,
                                      folder / fmt::format("from-{}", plan.forecasts.size()));
  ValidationRecord there = record;
  there.logged = only_site(record.logged, site);
  // The campaign is submitted as all of it was.
  auto const number = add_forecast(plan, record, file, arguments, folder, notes, site);
  KnownCampaign elsewhere = known_campaign(calibration::without_site(record.logged, site));
  elsewhere.jobs *= slots_but(sites, site) / slots_at(sites, site);
  there.name = fmt::format("{} at {}", record.name, site);
  plan.scores.push_back(
      planned_score(there, "the other sites", {elsewhere}, {number}, arguments.records));
}

void leave_sites(ScorePlan& plan, std::vector<ValidationRecord> const& records,
                 ScoreArguments const& arguments, fs::path const& folder) {
  Notes notes;
  for (ValidationRecord const& record : records) {
    for (std::string const& site : record.history.sites) {
      if (record.history.sites.size() < 2) {
        tell(fmt::format("{}: one site, so that none can be left out\n", record.name));
      } else if (executions_at(record.history, site) < least_attempts) {
        tell(fmt::format("{} at {}: fewer than {} executions, so that none are forecast\n",
                         record.name, site, least_attempts));
      } else {
        leave_site(plan, record, site, arguments, folder, notes);
      }
    }
  }
}

}  // namespace

int score_left_out(OnArguments const& on, std::vector<fs::path> const& places,
                   ScoreArguments const& arguments) {
  auto const records = read_records(places, arguments.records);
  prepare_outputs(arguments, files_of(records));
  ScratchFolder const scratch;
  ScorePlan plan{{arguments.leave_one, "", arguments.replicas, arguments.seed}};
  plan.conformal = arguments.leave_one == "campaign" && arguments.from == "rest";
  plan.without_clock = arguments.leave_one != "campaign";
  auto const add = arguments.leave_one == "campaign" ? leave_campaigns
                   : arguments.leave_one == "site"   ? leave_sites
                                                     : leave_parts;
  add(plan, records, arguments, scratch.path());
  return play_and_tell(on, plan, "leave-one-" + arguments.leave_one, arguments);
}

}  // namespace gridcast::cli
