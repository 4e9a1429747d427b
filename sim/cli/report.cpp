// --report FILE.html of the verbs that have a result; and gridcast export html RESULT.json... -o
// FILE.html, the page of results that verbs printed with --json.
#include "sim/cli/report.hpp"

#include <fstream>
#include <iostream>
#include <sstream>
#include <utility>

#include <fmt/format.h>

#include "gridcast_version.hpp"
#include "sim/base/error.hpp"
#include "sim/base/files.hpp"
#include "sim/base/text.hpp"
#include "sim/cli/input_kind.hpp"
#include "sim/cli/study_arguments.hpp"
#include "sim/import/recorded_campaign.hpp"
#include "sim/report/data/result_json.hpp"
#include "sim/report/page/document.hpp"
#include "sim/study/critical_path.hpp"
#include "sim/study/sample.hpp"

namespace gridcast::cli {
namespace {

std::string page_template() { return needed_page("report.html", "--report needs the report page"); }

/// A page of a lesson's run is a student's, and the group `lesson` of its file has the answer.
std::string without_lesson(std::string const& yaml) {
  std::string kept;
  bool within = false;
  std::istringstream lines(yaml);
  for (std::string line; std::getline(lines, line);) {
    bool const begins_group = !line.empty() && line.front() != ' ' && line.front() != '#';
    if (begins_group) within = line.starts_with("lesson:");
    if (!within) kept += line + "\n";
  }
  return kept;
}

struct ReportOptions {
  std::vector<fs::path> results;
  ReportArguments report;
  bool force = false;
};

/// All results. InputError with the problems of each.
std::vector<report::Result> read_all(std::vector<fs::path> const& files) {
  std::vector<report::Result> results;
  std::vector<Problem> problems;
  for (auto const& file : files) {
    collect(problems, [&] { results.push_back(report::read_result(file)); });
  }
  if (!problems.empty()) throw InputError(std::move(problems));
  return results;
}

/// Files that are no JSON object: the reader of results explains the mistakes of those that are.
std::vector<fs::path> other_forms(std::vector<fs::path> files) {
  std::erase_if(files, [](auto const& file) {
    return import::is_read_once(file) || (std::ifstream(file) >> std::ws).peek() == '{';
  });
  return files;
}

void run_report(ReportOptions const& options) {
  refuse_other_kinds(other_forms(options.results), "export html", "what a verb printed with --json",
                     {InputKind::result});
  ReportArguments to = options.report;
  if (to.file.empty()) to.file = options.results.front().filename().replace_extension(".html");
  VerbFiles files(if_there(options.force));
  files.reads(options.results);
  prepare_report(to, files);
  files.prepare();
  report::ReportRequest request = report_request(to);
  request.results = read_all(options.results);
  request.inputs = inputs_of("result", options.results);
  write_report(to, std::move(request));
  std::cout << printable(to.file.string()) << "\n";
}

/// The page of a larger campaign only has the baseline's events, to stay small enough to share.
constexpr std::size_t most_events_for_all = 20'000;

report::OneCampaign simulated_campaign(ChosenCampaign const& usual, std::string const& what,
                                       engine::ReplicaOptions const& options) {
  auto simulated =
      study::simulate_replica(usual.scenario, usual.strategy, usual.seed, usual.replica, options);
  auto accounts = ledger::account(simulated.history);
  return report::one_campaign(what, std::move(simulated.history), std::move(accounts));
}

/// The typical replica under the requested strategy, and the replica with the same random numbers
/// under the other strategies of the page.
void add_campaigns(report::ReportRequest& request, ChosenCampaign const& usual,
                   engine::ReplicaOptions const& options) {
  auto const strategies = report::drawn_strategies(request.results);
  request.campaign =
      simulated_campaign(usual, words_for(usual) + " (the typical campaign)", options);
  if (strategies.size() < 2 || request.campaign->history.events.size() > most_events_for_all) {
    return;
  }
  std::string const origin = fmt::format("campaign {} of seed {} (typical of {})", usual.replica,
                                         usual.seed, usual.strategy.name);
  request.campaign->what = origin;
  request.campaign->strategy = usual.strategy.name;
  for (auto const& each : strategies) {
    if (each.strategy->name == usual.strategy.name) continue;
    auto const& strategy = usual.scenario.strategy(each.strategy->name);
    auto other =
        simulated_campaign({usual.scenario, strategy, usual.seed, usual.replica}, origin, options);
    if (other.history.events.size() > most_events_for_all) continue;
    other.strategy = strategy.name;
    request.others.push_back(std::move(other));
  }
}

}  // namespace

std::string needed_page(std::string const& name, std::string const& who_needs_it) {
  if (auto page = report::page_file(name)) return *page;
  refuse({}, who_needs_it + ", which is not beside this gridcast",
         fmt::format(
             "it is page/{0} of the build, or share/gridcast/{0} of an installation; a program "
             "that was copied alone has none, nor has one that was built without Node.js and npm",
             name),
         "Copy the folder too, or install (cmake --install), or apt-get install nodejs npm and "
         "build again. All else works without.");
}

std::optional<Seconds> deadline_of(ReportArguments const& arguments) {
  if (arguments.deadline.empty()) return std::nullopt;
  auto const time = parse_seconds(arguments.deadline);
  if (time && *time > Seconds()) return time;
  refuse({}, fmt::format("--deadline: '{}' is no time", arguments.deadline),
         "a deadline counts from the first submission", "Write it as '3 d' or '36 h'.");
}

void add_report_option(Verb& verb, ReportArguments& arguments) {
  verb.option("--report", &arguments.file, "Write a report page: one HTML file, opens offline",
              "FILE");
}

void add_deadline_option(Verb& verb, ReportArguments& arguments) {
  verb.option("--deadline", &arguments.deadline,
              "How likely it is that as many jobs as are wanted have succeeded by then, as '3 d'",
              "TIME");
}

void prepare_report(ReportArguments const& arguments, VerbFiles& files) {
  deadline_of(arguments);
  if (arguments.file.empty()) return;
  page_template();
  files.writes(arguments.file);
}

report::ReportRequest report_request(ReportArguments const& arguments) {
  report::ReportRequest request;
  request.kind = arguments.kind;
  request.created_by = version_text();
  request.command = own_command_line();
  request.deadline = deadline_of(arguments);
  return request;
}

std::vector<report::InputFileFact> inputs_of(scenario::Scenario const& scenario) {
  std::string const text = read_text_file(scenario.file);
  std::vector<report::InputFileFact> inputs = {
      {"scenario", scenario.file.string(), sha256(text), without_lesson(text)}};
  std::string const of_pool = read_text_file(scenario.pool_path);
  inputs.push_back({"pool", scenario.pool_path.string(), sha256(of_pool), of_pool});
  inputs.push_back({"calibration", scenario.calibration.file, scenario.calibration.sha256, ""});
  return inputs;
}

std::vector<report::InputFileFact> inputs_of(std::string const& what,
                                             std::vector<fs::path> const& files) {
  std::vector<report::InputFileFact> inputs;
  for (auto const& file : files) {
    if (!is_ordinary_file(file)) continue;
    inputs.push_back({what, file.string(), sha256_of_file(file), ""});
  }
  return inputs;
}

void write_report(ReportArguments const& arguments, report::ReportRequest request) {
  write_file(arguments.file,
             report::html_report(report::report_page(std::move(request)), page_template()));
}

void add_report(Verb& exports) {
  auto options = std::make_shared<ReportOptions>();
  Verb verb = exports.verb("html", "A page of results: one HTML file that opens offline");
  verb.positional("RESULT", &options->results,
                  "Output of forecast, compare or ledger with --json; several of\n"
                  "one scenario are shown side by side, others one after another")
      .required();
  verb.option("-o,--out", &options->report.file,
              "The page (default: the first result's name, with .html)", "FILE");
  add_deadline_option(verb, options->report);
  verb.flag("--force", options->force, "Replace a page that is already there");
  verb.footer(
      "  gridcast compare scenarios/osg-imagenet.yaml --json > result.json\n"
      "  gridcast export html result.json -o report.html");
  verb.runs([options] { return run_report(*options); });
}

fs::path find_input(scenario::CalibrationInput const& input, fs::path const& calibration) {
  std::vector<fs::path> places = {input.file};
  std::error_code ignored;
  for (auto folder = fs::absolute(calibration, ignored).parent_path();;
       folder = folder.parent_path()) {
    places.push_back(folder / input.file);
    places.push_back(folder / fs::path(input.file).filename());
    if (!folder.has_relative_path()) break;
  }
  for (auto const& place : places) {
    auto const found = inputs_of("", {place});
    if (!found.empty() && found.front().sha256 == input.sha256) return place;
  }
  return {};
}

report::Result result_of(ChosenCampaign const& campaign, ledger::Ledger const& ledger,
                         bool with_jobs) {
  report::Result result = report::result_of(ledger, with_jobs);
  result.source = result.scenario = campaign.scenario.file.string();
  result.version = version_number;
  result.scenario_sha256 = campaign.scenario.sha256;
  result.calibration_sha256 = campaign.scenario.calibration.sha256;
  result.title = campaign.scenario.title;
  result.question = campaign.scenario.question;
  result.strategy = campaign.strategy.name;
  result.seed = campaign.seed;
  result.replica = campaign.replica;
  return result;
}

void write_run_report(ReportArguments const& arguments, ChosenCampaign const& campaign,
                      engine::Replica const& simulated) {
  if (arguments.file.empty()) return;
  report::ReportRequest request = report_request(arguments);
  auto accounts = ledger::account(simulated.history);
  report::Result result = result_of(campaign, accounts, true);
  result.critical_path = study::critical_path(campaign.scenario.campaign, simulated.history);
  request.inputs = inputs_of(campaign.scenario);
  request.gaps = campaign.scenario.calibration.record.not_identified.size();
  request.campaign =
      report::one_campaign(words_for(campaign), simulated.history, std::move(accounts));
  request.results.push_back(std::move(result));
  write_report(arguments, std::move(request));
}

std::string words_for(ChosenCampaign const& campaign) {
  return fmt::format("campaign {} of seed {}, strategy {}", campaign.replica, campaign.seed,
                     campaign.strategy.name);
}

void write_study_report(StudyArguments const& arguments, scenario::Scenario const& scenario,
                        report::Result result, scenario::Strategy const& strategy,
                        MadeFrom made_from) {
  if (arguments.report.file.empty()) return;
  report::ReportRequest request = report_request(arguments.report);
  result.source = made_from.kept ? scenario.file.string() : result.scenario;
  request.inputs = std::move(made_from.files);
  for (report::InputFileFact& input : inputs_of(scenario)) {
    if (!made_from.kept) input.file = fs::path(input.file).filename().string();
    request.inputs.push_back(std::move(input));
  }
  request.gaps = scenario.calibration.record.not_identified.size();
  request.results.push_back(std::move(result));
  auto const& sample = baseline(request.results.front())->sample;
  if (sample.size() > 0) {
    auto const options = study_options(arguments, scenario.study);
    add_campaigns(request, {scenario, strategy, options.seed, study::medoid_replica(sample)},
                  options.simulation);
  }
  write_report(arguments.report, std::move(request));
}

}  // namespace gridcast::cli
