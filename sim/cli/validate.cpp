// gridcast validate: how good a calibration is. With --against RECORD..., and with records and
// --leave-one WHAT, forecasts of campaigns that took place, from what had been seen before, are
// scored; with --truth DIR it is held against the parameters that a test pool was run with; with
// --recover N SCENARIO against those of simulated campaigns.
#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "calibration/calibrate.hpp"
#include "calibration/file/calibration_file.hpp"
#include "calibration/held_out.hpp"
#include "calibration/validation.hpp"
#include "sim/base/error.hpp"
#include "sim/base/files.hpp"
#include "sim/cli/recovery_study.hpp"
#include "sim/cli/report.hpp"
#include "sim/cli/score_plan.hpp"
#include "sim/cli/scratch_folder.hpp"
#include "sim/cli/study_on.hpp"
#include "sim/cli/terminal.hpp"
#include "sim/cli/verbs.hpp"
#include "sim/report/page/calibration_page.hpp"
#include "sim/report/text/layout.hpp"

namespace gridcast::cli {
namespace {

namespace fs = std::filesystem;

/// Says why there is no guess to score against.
std::vector<KnownCampaign> no_guess(std::string const& why) {
  tell(why +
       ", so that no plain guess is made of it and skill over one is '-'. --last RECORD names a "
       "campaign to guess from.\n");
  return {};
}

/// The records that the calibration was made of, where they are here.
std::vector<KnownCampaign> calibrated_records(fs::path const& calibration,
                                              ScoreArguments const& arguments) {
  std::vector<fs::path> logs;
  if (!arguments.last.empty()) {
    return {known_campaign(read_validation_record(arguments.last, arguments.records).logged)};
  }
  for (auto const& input : scenario::read_calibration_file(calibration).inputs) {
    fs::path const file = find_input(input, calibration);
    if (file.empty()) {
      return no_guess(fmt::format(
          "{}: its record {} is not here with the SHA-256 that it names (gone, changed, or read "
          "from a pipe)",
          calibration.string(), input.file));
    }
    logs.push_back(file);
  }
  if (logs.empty()) return no_guess(calibration.string() + " names no record");
  auto const files = import::sort_by_kind(logs);
  if (files.logs.empty()) return no_guess(calibration.string() + ": its record has no event log");
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
int play_and_tell(OnArguments const& on, ScorePlan const& plan,
                  std::vector<fs::path> const& records, std::string const& of,
                  ScoreArguments const& arguments) {
  if (!on.system.empty()) return begin_scores(on, study_arguments(arguments), plan, records, of);
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

/// Each record of --against forecast from the calibration. The exit code.
int score_against(OnArguments const& on, fs::path const& calibration,
                  ScoreArguments const& arguments) {
  auto const records = read_records(arguments.against, arguments.records);
  auto inputs = files_of(records);
  inputs.push_back(calibration);
  prepare_outputs(arguments, std::move(inputs));
  ScratchFolder const scratch("validate");
  auto const plan = plan_against(calibration, records, arguments, scratch.path());
  return play_and_tell(on, plan, files_of(records), calibration.string(), arguments);
}

// gridcast validate RECORD... --leave-one campaign|site|part

constexpr std::size_t draws = 200;
/// Of a left-out site or part, fewer attempts than this say nothing.
constexpr std::size_t least_attempts = 5;

/// Sites of one campaign have had the same weeks and the same owner.
constexpr double same_campaign = 0;

/// Of a part of a campaign whose pool is taken as all of it shows it.
calibration::LogCalibrationOptions in_known_pool(std::optional<double> between_campaigns = {}) {
  calibration::LogCalibrationOptions fitting;
  fitting.between_campaigns = between_campaigns;
  fitting.slots_there = calibration::SlotsThere::as_seen;
  return fitting;
}

calibration::LogCalibration fit_record(ValidationRecord const& record,
                                       history::JobHistory const& history,
                                       ScoreArguments const& arguments,
                                       calibration::LogCalibrationOptions fitting = {}) {
  fitting.draws = draws;
  fitting.seed = arguments.seed;
  fitting.url_sizes = url_sizes(record);
  fitting.url_names = input_urls(record);
  fitting.outputs_unlisted = record.outputs_unlisted;
  return fit_of(record.files.logs,
                [&] { return calibration::calibrate_from_logs(history, fitting); });
}

/// The calibration file and its pool, in the folder, as `gridcast calibrate` writes them. `sites`:
/// of the pool, which is known before a forecast.
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
      calibration::pool_yaml(sites, document.command, {.max_execution = calibrated.max_execution},
                             {}, calibrated.fill_rate);
  document.pool_sha256 = sha256(pool_text);
  calibration::CampaignFacts facts;
  facts.jobs = calibrated.jobs;
  facts.attempts = calibrated.attempts;
  facts.epochs = calibrated.epochs;
  facts.input_sizes = calibrated.urls.sizes;
  facts.input_urls = input_urls(record);
  facts.plugin_lifetime = calibrated.plugin_lifetime;
  facts.cool_down = calibrated.cool_down;
  facts.job_lease = record.job_lease.value_or(Seconds());
  if (!record.executable.empty()) facts.ran = {{record.executable, record.program_arguments}};
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
    auto const file =
        write_calibration(record, fit_record(record, parts.first, arguments, in_known_pool()),
                          sites, folder / fmt::format("from-{}", plan.forecasts.size()));
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
  auto fit = fit_record(record, calibration::without_site(record.history, site), arguments,
                        in_known_pool(same_campaign));
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

/// As --leave-one says. The exit code.
int score_left_out(OnArguments const& on, std::vector<fs::path> const& places,
                   ScoreArguments const& arguments) {
  auto const records = read_records(places, arguments.records);
  prepare_outputs(arguments, files_of(records));
  ScratchFolder const scratch("validate");
  ScorePlan plan{{arguments.leave_one, "", arguments.replicas, arguments.seed}};
  plan.conformal = arguments.leave_one == "campaign" && arguments.from == "rest";
  plan.without_clock = arguments.leave_one != "campaign";
  auto const add = arguments.leave_one == "campaign" ? leave_campaigns
                   : arguments.leave_one == "site"   ? leave_sites
                                                     : leave_parts;
  add(plan, records, arguments, scratch.path());
  return play_and_tell(on, plan, files_of(records), "leave-one-" + arguments.leave_one, arguments);
}

struct ValidateOptions {
  std::vector<std::filesystem::path> files;
  std::filesystem::path truth;
  std::uint32_t recover = 0;
  std::string evidence = "log";
  ScoreArguments scores = {};  // with the seed and the processes of all
  OnArguments on = {};
};

std::vector<std::string> sites_of(std::vector<calibration::Estimate> const& fitted) {
  constexpr std::string_view prefix = "slots.";
  std::vector<std::string> sites;
  for (calibration::Estimate const& one : fitted) {
    if (one.name.starts_with(prefix)) sites.push_back(one.name.substr(prefix.size()));
  }
  return sites;
}

void write_validation_report(ValidateOptions const& options,
                             calibration::RecoveryTable const& table) {
  if (options.scores.report.file.empty()) return;
  auto const common = report_request(options.scores.report);
  report::ValidationRequest request;
  request.title = options.files.front().filename().string();
  request.created_by = common.created_by;
  request.command = common.command;
  for (calibration::Recovery const& row : table.rows) {
    report::ParameterLine line;
    line.name = row.fitted.name;
    line.estimate = row.fitted.estimate;
    line.interval90 = row.fitted.interval90;
    line.events = row.identified ? row.fitted.events : 0;
    request.parameters.push_back({std::move(line), row.truth, row.inside});
  }
  request.calibration = calibration_page(scenario::read_calibration(options.files.front()));
  request.inputs = inputs_of("calibration", {options.files.front()});
  for (auto const* name : {"sites.json", "campaign.json", "job.sub"}) {
    for (auto& input : inputs_of("truth", {options.truth / name})) request.inputs.push_back(input);
  }
  write_report(options.scores.report, report::validation_page(request));
}

/// What --recover shares with the verbs that play studies.
StudyArguments study_arguments(ValidateOptions const& options) {
  auto arguments = study_arguments(options.scores);
  arguments.replicas = options.recover;
  return arguments;
}

int compare_with_truth(ValidateOptions const& options) {
  VerbFiles files(if_there(options.scores.force));
  files.reads({options.files.front(), options.truth / "sites.json", options.truth / "campaign.json",
               options.truth / "job.sub"});
  prepare_report(options.scores.report, files);
  files.prepare();
  auto const fitted = calibration::read_parameters(options.files.front());
  calibration::RecoveryTable const table =
      calibration::recover(fitted, calibration::read_truth(options.truth, sites_of(fitted)));
  report::TextTable text({{"parameter"},
                          {"truth", report::Align::right},
                          {"estimate", report::Align::right},
                          {"90 % interval", report::Align::right},
                          {"events", report::Align::right},
                          {"inside"}});
  for (calibration::Recovery const& row : table.rows) {
    text.add_row(
        {row.fitted.name, fmt::format("{:.4g}", row.truth),
         fmt::format("{:.4g}", row.fitted.estimate),
         fmt::format("{:.4g} to {:.4g}", row.fitted.interval90.low, row.fitted.interval90.high),
         std::to_string(row.fitted.events),
         !row.identified ? (row.inside ? "yes, no event" : "NO, no event")
                         : (row.inside ? "yes" : "NO")});
  }
  print_results(text.str() + "\nTrue values inside their 90 % intervals: " +
                count_and_percent(table.identified_inside, table.identified) +
                " of the parameters that the log has events of, " +
                count_and_percent(table.inside, table.rows.size()) + " of all\n");
  write_validation_report(options, table);
  return exit_code::done;
}

/// Each holds a calibration against something else: one is asked at a time.
void require_one_question(ValidateOptions const& options) {
  std::vector<std::string> asked;
  if (!options.scores.against.empty()) asked.emplace_back("--against");
  if (!options.scores.leave_one.empty()) asked.emplace_back("--leave-one");
  if (!options.truth.empty()) asked.emplace_back("--truth");
  if (options.recover > 0) asked.emplace_back("--recover");
  if (asked.size() < 2) return;
  throw InputError(Problem{{},
                           fmt::format("{} cannot be given together", fmt::join(asked, " and ")),
                           "each is a question of its own",
                           "Leave all but one out."});
}

int run_validate(ValidateOptions const& options) {
  require_one_question(options);
  bool const plays =
      options.recover > 0 || !options.scores.leave_one.empty() || !options.scores.against.empty();
  if (!options.on.system.empty() && !plays) {
    throw InputError({{},
                      "--on without --recover, --against or --leave-one",
                      "there is nothing to play",
                      "Leave out --on, or say what is forecast."});
  }
  if (!options.scores.leave_one.empty()) {
    return score_left_out(options.on, options.files, options.scores);
  }
  if (options.files.size() > 1) {
    throw InputError({{},
                      "more than one FILE",
                      "several records are for --leave-one or behind --against",
                      "Name one calibration, or one scenario."});
  }
  if (options.recover > 0) {
    auto const scenario = scenario::read_scenario(options.files.front());
    return recover_parameters(options.on, study_arguments(options), scenario, options.evidence);
  }
  if (!options.scores.against.empty()) {
    return score_against(options.on, options.files.front(), options.scores);
  }
  if (!options.truth.empty()) return compare_with_truth(options);
  throw InputError({{},
                    "none of --against, --leave-one, --truth and --recover",
                    "a calibration is held against something",
                    "Give --against RECORD..., --leave-one campaign with records, --truth DIR, or "
                    "--recover N with a scenario."});
}

}  // namespace

void add_validate(Verb& program) {
  auto options = std::make_shared<ValidateOptions>();
  Verb verb = program.verb(
      "validate",
      "How good a calibration's forecasts are: on campaigns not seen, against the truth of a test "
      "pool, or of simulated campaigns");
  verb.positional("FILE", &options->files,
                  "Calibration file; with --recover, scenario; with --leave-one, records")
      .required();
  verb.option("--truth", &options->truth,
              "Folder with sites.json, campaign.json and job.sub of the pool", "DIR");
  verb.option(
          "--recover", &options->recover,
          "Simulate N campaigns of the scenario, each in a row of its calibration, and fit each",
          "N")
      .whole_number(1, 1'000'000);
  verb.option("--evidence", &options->evidence,
              "What is fitted of a simulated campaign: its log, its log and its ads, or a table of "
              "its jobs",
              "KIND")
      .one_of({"log", "ads", "table"});
  add_score_options(verb, options->scores);
  add_report_option(verb, options->scores.report);
  add_on_options(verb, options->on);
  verb.flag("--force", options->scores.force, "Replace what is already there");
  verb.footer(
      "Examples:\n"
      "  gridcast validate c1.yaml --against calibration/data/htcondor-pool/c4-retry \\\n"
      "    --work-word 1\n"
      "  gridcast validate --truth calibration/data/htcondor-pool/c1-sweep c1.yaml\n"
      "  gridcast validate --recover 40 --evidence table --on slurm scenarios/osg-imagenet.yaml");
  verb.runs([options] { return run_validate(*options); });
}

}  // namespace gridcast::cli
