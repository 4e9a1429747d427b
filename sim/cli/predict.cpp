// gridcast predict SCENARIO: what a campaign will cost, as a distribution.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/base/error.hpp"
#include "sim/base/statistics.hpp"
#include "sim/base/text.hpp"
#include "sim/cli/recovery_study.hpp"
#include "sim/cli/report.hpp"
#include "sim/cli/study_arguments.hpp"
#include "sim/cli/study_on.hpp"
#include "sim/cli/terminal.hpp"
#include "sim/cli/verb_files.hpp"
#include "sim/cli/verbs.hpp"
#include "sim/import/recorded_campaign.hpp"
#include "sim/report/data/json.hpp"
#include "sim/report/data/scores_data.hpp"
#include "sim/report/text/layout.hpp"
#include "sim/report/text/study_text.hpp"
#include "sim/scenario/tables.hpp"
#include "sim/study/prediction.hpp"

namespace gridcast::cli {
namespace {

// gridcast predict --gpus 1,2,4: more GPUs a job, or more jobs at a time? The same campaign with so
// many GPUs for each of its jobs, under the pool's own supply: nodes with several free GPUs are
// fewer.

struct GpuQuestion {
  std::filesystem::path scenario;
  std::string strategy;                // empty: the baseline
  std::vector<std::string> overrides;  // "PATH=VALUE"
  std::string counts;                  // "1,2,4"
  StudyArguments study;
};

/// Of one replica.
struct Outcome {
  double makespan = 0, succeeded = 0;
};

/// What a campaign with so many GPUs a job came to.
struct Answer {
  int gpus = 1;
  int jobs = 0;
  study::Summary makespan, gpu_hours, succeeded;    // hours, GPU hours
  std::map<std::uint32_t, Outcome> campaigns = {};  // by the number of the replica
  double gpu_hours_a_success = 0;                   // sum over sum; NaN without a success
  std::size_t none_succeeded = 0;                   // campaigns
  std::size_t soonest = 0, compared = 0;            // campaigns
};

std::vector<int> counts_of(std::string const& text) {
  std::vector<int> counts;
  constexpr int most = 1 << 16;
  for (std::string const& part : split(text, ',')) {
    std::string_view const digits = trim(part);
    int count = 0;
    auto const [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), count);
    bool const good = error == std::errc() && end == digits.data() + digits.size() && count >= 1;
    if (good && count <= most) {
      counts.push_back(count);
      continue;
    }
    throw InputError(Problem{
        {}, fmt::format("--gpus: '{}' is no list of numbers of GPUs", text), "", "Write 1,2,4."});
  }
  return counts;
}

study::Summary scaled(study::StudySample const& sample, std::string_view name, double factor) {
  std::vector<double> values = study::column(sample, name);
  for (double& value : values) value *= factor;
  return study::summarise(std::move(values));
}

/// Where the slots of a log had numbers of GPUs of their own (gpus_per_slot): the question is what
/// if each job asked for so many, so the site's GPUs are shared out anew, those of slots that the
/// log did not see (docs/model.md, A-MORE-SLOTS) as well.
void share_out_gpus(scenario::Scenario& scenario, std::size_t number, int of_slot) {
  scenario::SiteSpec& site = scenario.pool.sites[number];
  if (site.slots == 0) return;
  auto const gpus_of = [of_slot](int slots) {
    return static_cast<int>(std::min(static_cast<double>(slots) * of_slot, scenario::most_slots));
  };
  site.gpus = site.slots = gpus_of(site.slots);
  for (scenario::ParameterDraw& draw : scenario.calibration.draws) {
    auto& slots = draw.sites.at(site.name).slots;
    if (slots) slots = gpus_of(*slots);
  }
}

scenario::Scenario with_gpus(GpuQuestion const& question, int gpus) {
  auto overrides = question.overrides;
  auto const seen = read_runnable_scenario(question.scenario, overrides).pool.sites;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    if (seen[i].gpus_per_slot > 0) {
      overrides.push_back(fmt::format("pool.sites.{}.gpus_per_slot=0", i));
    }
  }
  overrides.push_back(fmt::format("campaign.request.gpus={}", gpus));
  scenario::Scenario scenario = read_runnable_scenario(question.scenario, overrides);
  for (std::size_t i = 0; i < seen.size(); ++i) {
    if (seen[i].gpus_per_slot > 0) share_out_gpus(scenario, i, seen[i].gpus_per_slot);
  }
  if (scenario.campaign.work.catalogue) return scenario;
  bool const scales = is_one_of("gpu_scaling", scenario.calibration.columns);
  throw InputError(
      Problem{{question.scenario.string()},
              "--gpus: how long would the jobs take on more GPUs?",
              scales ? "--gpus asks a profile, and their work is calibrated"
                     : "their work is calibrated, which says nothing of it",
              std::string(scales ? "Ask for one number, which the calibration's gpu_scaling "
                                   "answers: --set campaign.request.gpus=2. Or let"
                                 : "Let") +
                  " campaign.work.profile name a profile of the catalogue or a fitted one "
                  "(gridcast train --fit)."});
}

Answer answer_with(GpuQuestion const& question, scenario::Scenario const& scenario, int gpus) {
  scenario::Strategy const& strategy = chosen_strategy(scenario, question.strategy);
  auto const prediction =
      with_progress(question.study, study_options(question.study, scenario.study),
                    [&](auto const& study) { return study::predict(scenario, strategy, study); });
  constexpr double hour = 3600;
  auto const& sample = prediction.sample;
  Answer answer{gpus, prediction.jobs, scaled(sample, "makespan_s", 1 / hour),
                scaled(sample, "wallclock_s", gpus / hour), scaled(sample, "succeeded", 1)};
  auto const makespan = study::column(sample, "makespan_s");
  auto const succeeded = study::column(sample, "succeeded");
  for (std::size_t i = 0; i < sample.size(); ++i) {
    answer.campaigns[sample.replicas[i]] = {makespan[i], succeeded[i]};
    answer.none_succeeded += succeeded[i] == 0 ? 1 : 0;
  }
  auto const n = static_cast<double>(sample.size());
  answer.gpu_hours_a_success = answer.gpu_hours.mean * n / (answer.succeeded.mean * n);
  if (answer.succeeded.mean == 0) answer.gpu_hours_a_success = study::not_known;
  return answer;
}

/// In each campaign that all have: who is done first of those under whom at least 90 % as many jobs
/// succeed as under the best. Replicas of one number have the same world and luck.
void count_soonest(std::vector<Answer>& answers) {
  for (auto const& [replica, ignored] : answers.front().campaigns) {
    std::vector<Outcome> outcomes;
    for (Answer const& answer : answers) {
      auto const found = answer.campaigns.find(replica);
      if (found != answer.campaigns.end()) outcomes.push_back(found->second);
    }
    if (outcomes.size() < answers.size()) continue;
    double most = 0;
    for (Outcome const& each : outcomes) most = std::max(most, each.succeeded);
    std::size_t first = answers.size();
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
      bool const enough = most > 0 && outcomes[i].succeeded >= study::as_many * most;
      bool const known = !std::isnan(outcomes[i].makespan);
      if (!enough || !known) continue;
      if (first == answers.size() || outcomes[i].makespan < outcomes[first].makespan) first = i;
    }
    for (Answer& answer : answers) ++answer.compared;
    if (first < answers.size()) ++answers[first].soonest;
  }
}

std::string short_number(double value) {
  return value < 1000 ? fmt::format("{:.3g}", value) : fmt::format("{:.0f}", value);
}

std::string range_text(study::Summary const& of) {
  if (of.n == 0) return "-";
  return fmt::format("{} ({} to {})", short_number(of.p50), short_number(of.p05),
                     short_number(of.p95));
}

std::string gpus_text(int gpus) { return counted(gpus, "GPU") + " a job"; }

/// Decided where the one that is first most often is so in more than half of the campaigns for
/// sure.
std::string soonest_sentence(std::vector<Answer> const& answers) {
  auto const best = std::max_element(answers.begin(), answers.end(),
                                     [](auto& a, auto& b) { return a.soonest < b.soonest; });
  if (best->soonest == 0) return "No campaign is told to be done sooner than another.\n";
  bool const decided = proportion_interval(best->soonest, best->compared).low > 0.5;
  return fmt::format("{}: {} {} done soonest in {} of {} campaigns{}.\n",
                     decided ? "Soonest" : "Undecided", gpus_text(best->gpus),
                     best->gpus == 1 ? "is" : "are", best->soonest, best->compared,
                     decided ? "" : ", which is no majority for sure");
}

std::string cheapest_sentence(std::vector<Answer> const& answers) {
  Answer const* cheapest = nullptr;
  for (Answer const& answer : answers) {
    if (std::isnan(answer.gpu_hours_a_success)) continue;
    bool const less =
        cheapest == nullptr || answer.gpu_hours_a_success < cheapest->gpu_hours_a_success;
    if (less) cheapest = &answer;
  }
  if (cheapest == nullptr) return "No job succeeded.\n";
  return fmt::format("Fewest GPU hours for each job that succeeds: {} ({}).\n",
                     gpus_text(cheapest->gpus), short_number(cheapest->gpu_hours_a_success));
}

std::string text_of(std::vector<Answer> const& answers) {
  using report::Align;
  report::TextTable table({{"GPUs a job", Align::right},
                           {"makespan, h (90 %)", Align::right},
                           {"GPU hours (90 %)", Align::right},
                           {"GPU hours a success", Align::right},
                           {"jobs done", Align::right},
                           {"soonest in", Align::right}});
  std::string none;
  for (Answer const& answer : answers) {
    table.add_row(
        {fmt::format("{}", answer.gpus), range_text(answer.makespan), range_text(answer.gpu_hours),
         std::isnan(answer.gpu_hours_a_success) ? "-" : short_number(answer.gpu_hours_a_success),
         fmt::format("{:.3g} of {}", answer.succeeded.p50, answer.jobs),
         count_and_percent(answer.soonest, answer.compared)});
    if (answer.none_succeeded == 0) continue;
    none += fmt::format("With {} no job succeeds in {} campaigns.\n", gpus_text(answer.gpus),
                        count_and_percent(answer.none_succeeded, answer.campaigns.size()));
  }
  return table.str(screen()) + "\n" +
         report::fitted(soonest_sentence(answers) + cheapest_sentence(answers) + none, screen());
}

report::Json summary_json(study::Summary const& of) {
  if (of.n == 0) return nullptr;
  return {{"p05", report::json_number(of.p05)},
          {"p50", report::json_number(of.p50)},
          {"p95", report::json_number(of.p95)}};
}

std::string json_of(std::vector<Answer> const& answers) {
  report::Json rows = report::Json::array();
  for (Answer const& answer : answers) {
    rows.push_back({{"gpus", answer.gpus},
                    {"jobs", answer.jobs},
                    {"makespan_h", summary_json(answer.makespan)},
                    {"gpu_hours", summary_json(answer.gpu_hours)},
                    {"gpu_hours_per_success", report::json_number(answer.gpu_hours_a_success)},
                    {"succeeded", summary_json(answer.succeeded)},
                    {"none_succeeded", answer.none_succeeded},
                    {"soonest", answer.soonest},
                    {"compared", answer.compared}});
  }
  return report::json_text({{"schema", "gridcast.gpus/1"}, {"rows", std::move(rows)}});
}

/// Exit code.
int answer_gpu_question(GpuQuestion const& question) {
  std::vector<std::pair<int, scenario::Scenario>> scenarios;
  for (int const gpus : counts_of(question.counts)) {
    scenarios.emplace_back(gpus, with_gpus(question, gpus));
  }
  std::vector<Answer> answers;
  for (auto const& [gpus, scenario] : scenarios) {
    answers.push_back(answer_with(question, scenario, gpus));
  }
  count_soonest(answers);
  print_results(question.study.json ? json_of(answers) : text_of(answers));
  return exit_code::done;
}

struct PredictOptions {
  std::filesystem::path scenario;
  std::string strategy;                        // empty: the baseline
  std::vector<std::filesystem::path> against;  // a campaign that took place
  RecordArguments record = {};
  StudyArguments study;
  OnArguments on = {};
  std::vector<std::string> overrides = {};  // "PATH=VALUE"
  std::string gpus = {};                    // "1,2,4": of a job, one campaign each
  std::filesystem::path conformal = {};     // corrections of the intervals; empty: none
};

/// What --on takes to be asked elsewhere; of the several campaigns of --gpus it cannot.
int begin_prediction(PredictOptions const& options) {
  if (!options.gpus.empty()) {
    throw InputError(Problem{{},
                             "--gpus cannot be asked with --on",
                             "it is several studies, one for each number",
                             "Ask for one: --set campaign.request.gpus=N."});
  }
  scenario::Scenario const scenario = read_runnable_scenario(options.scenario, options.overrides);
  observed_campaign(options.against, options.record);
  return begin_study(
      options.on, options.study,
      {study::StudyKind::prediction, scenario, chosen_strategy(scenario, options.strategy).name,
       options.against, options.record});
}

void refuse_conformal_elsewhere(PredictOptions const& options) {
  if (options.conformal.empty() || (options.on.system.empty() && options.gpus.empty())) return;
  throw InputError(Problem{{},
                           "--conformal cannot be asked with --on or --gpus",
                           "it corrects the figures of a prediction that is made here",
                           "Leave one of them out."});
}

int run_predict(PredictOptions const& options) {
  refuse_conformal_elsewhere(options);
  if (!options.on.system.empty()) return begin_prediction(options);
  if (!options.gpus.empty()) {
    return answer_gpu_question(
        {options.scenario, options.strategy, options.overrides, options.gpus, options.study});
  }
  scenario::Scenario const scenario = read_runnable_scenario(options.scenario, options.overrides);
  scenario::Strategy const& strategy = chosen_strategy(scenario, options.strategy);
  auto const observed = observed_campaign(options.against, options.record);
  std::vector<std::filesystem::path> inputs = files_of(scenario);
  inputs.insert(inputs.end(), options.against.begin(), options.against.end());
  inputs.emplace_back(options.record.columns);
  std::vector<study::ConformalFactor> correction;
  if (!options.conformal.empty()) {
    correction = report::read_conformal(options.conformal);
    inputs.push_back(options.conformal);
  }
  prepare_prediction(options.study, inputs);
  auto const prediction =
      with_progress(options.study, study_options(options.study, scenario.study),
                    [&](auto const& study) { return study::predict(scenario, strategy, study); });
  return answer(options.study, scenario, strategy, prediction, observed, correction);
}

}  // namespace

void add_predict(Verb& program) {
  auto options = std::make_shared<PredictOptions>();
  Verb verb = program.verb("predict", "What a campaign will cost, with its uncertainty");
  verb.positional("SCENARIO", &options->scenario, "Scenario file (YAML)").required();
  add_strategy_option(verb, options->strategy);
  verb.option("--gpus", &options->gpus,
              "More GPUs a job, or more jobs at a time? Makespan and GPU hours with each of\n"
              "these numbers (1,2,4), of a campaign whose work is a profile",
              "LIST");
  verb.option("--against", &options->against,
              "A campaign that took place, to hold the prediction against: job event logs\n"
              "and ads, tables of attempts, or job tables",
              "FILE");
  add_record_options(verb, options->record);
  verb.option("--conformal", &options->conformal,
              "conformal.csv of gridcast validate --leave-one campaign --csv: corrects 90 % "
              "intervals by campaigns that took place",
              "FILE");
  add_set_option(verb, options->overrides);
  add_study_options(verb, options->study);
  add_on_options(verb, options->on);
  verb.footer(
      "Examples:\n"
      "  gridcast predict scenarios/osg-imagenet.yaml\n"
      "  gridcast predict scenarios/osg-imagenet.yaml -n 200 --json \\\n"
      "    --against calibration/data/osg-imagenet/imagenet-5epoch-100jobs.csv\n"
      "  gridcast predict c4.yaml --against c4-retry.log");
  verb.runs([options] { return run_predict(*options); });
}

// gridcast compare SCENARIO: all its strategies with the same luck, side by side; and gridcast
// replay FILE...: the campaign that a record shows played once more, as it was or under another
// strategy.

namespace {

struct CompareOptions {
  std::filesystem::path scenario;
  StudyArguments study;
  OnArguments on = {};
  std::vector<std::string> overrides = {};  // "PATH=VALUE"
};

int run_compare(CompareOptions const& options) {
  scenario::Scenario const scenario = read_runnable_scenario(options.scenario, options.overrides);
  if (!options.on.system.empty()) {
    return begin_study(options.on, options.study, {study::StudyKind::comparison, scenario});
  }
  prepare_comparison(options.study, files_of(scenario));
  auto const comparison =
      with_progress(options.study, study_options(options.study, scenario.study),
                    [&](auto const& study) { return study::compare(scenario, study); });
  return answer(options.study, scenario, comparison);
}

}  // namespace

void add_compare(Verb& program) {
  auto options = std::make_shared<CompareOptions>();
  Verb verb = program.verb("compare", "Which strategy does better, and how sure that is");
  verb.positional("SCENARIO", &options->scenario, "Scenario file (YAML)").required();
  add_set_option(verb, options->overrides);
  add_study_options(verb, options->study);
  add_on_options(verb, options->on);
  verb.footer(
      "Examples:\n"
      "  gridcast compare scenarios/osg-imagenet.yaml\n"
      "  gridcast compare scenarios/osg-imagenet.yaml -n 100 --seed 7 --csv tables\n"
      "  gridcast compare scenarios/osg-imagenet.yaml -n 100000 --on slurm");
  verb.runs([options] { return run_compare(*options); });
}

namespace {

struct ReplayOptions {
  std::vector<std::filesystem::path> files;
  std::filesystem::path scenario;  // empty: the shipped one
  std::string strategy;            // empty: the scenario's baseline
  RecordArguments record = {};
  StudyArguments study;
};

constexpr std::uint32_t default_replicas = 200;

/// Where the strategy differs from the one of the record, and which of that a replay cannot show.
void tell_differences(scenario::Strategy const& strategy, scenario::Strategy const& recorded) {
  auto const differences = scenario::strategy_table().differences(recorded, strategy);
  if (differences.empty()) return;
  std::vector<std::string> keys;
  for (scenario::Difference const& each : differences) keys.push_back(each.path);
  tell(fmt::format("{} differs from {}, the strategy of the record, in {}\n", strategy.name,
                   recorded.name, fmt::join(keys, ", ")));
  for (scenario::Difference const& each : differences) {
    if (each.key->not_replayed.empty()) continue;
    tell(
        fmt::format("{}: what {} changes is not in its figures, but in those of gridcast compare\n",
                    each.key->not_replayed, each.path));
  }
}

int run_replay(ReplayOptions const& options) {
  auto const record =
      import::open_campaign(import::sort_by_kind(options.files, options.record.options()));
  tell(record.log_report + record.table_report);
  scenario::Scenario const scenario =
      scenario::read_scenario(options.scenario.empty() ? shipped_scenario() : options.scenario);
  tell_notes(scenario);
  scenario::Strategy const& strategy = chosen_strategy(scenario, options.strategy);
  tell_differences(strategy, scenario.strategy(scenario.baseline));
  std::vector<std::filesystem::path> inputs = files_of(scenario);
  inputs.insert(inputs.end(), options.files.begin(), options.files.end());
  inputs.emplace_back(options.record.columns);
  prepare_study(options.study, inputs,
                {"metrics.csv", "replicas.csv", "against.csv", "executions.csv"});
  auto study = study_options(options.study, scenario.study);
  study.replicas = options.study.replicas.value_or(default_replicas);
  auto const replay = with_progress(options.study, study, [&](auto const& played) {
    return study::replay_study(record.history, scenario, strategy, played);
  });
  auto result =
      report::replay_result(replay, study::compare_with_replayed(replay.sample, record.history));
  result.source = "replay";
  tell_study(options.study, result, report::replay_text);
  if (!options.study.report.file.empty()) {
    report::ReportRequest request = report_request(options.study.report);
    request.inputs = inputs_of(scenario);
    request.calibration = calibration_page(scenario.calibration);
    for (auto& input : inputs_of("record", options.files)) request.inputs.push_back(input);
    request.campaign =
        report::one_campaign("the record", record.history, ledger::account(record.history));
    request.campaign->words = record.words;
    request.results.push_back(result);
    write_report(options.study.report, request);
  }
  return end_of_study({replay.interrupted, failed_runs(replay), replay.trouble}, "", replay.seed);
}

}  // namespace

void add_replay(Verb& program) {
  auto options = std::make_shared<ReplayOptions>();
  Verb verb =
      program.verb("replay", "A recorded campaign once more, as it was or under another strategy");
  verb.positional("FILE", &options->files,
                  "Event logs, ads, tables of attempts or job tables (CSV), taken as one campaign")
      .required();
  add_record_options(verb, options->record);
  add_strategy_option(verb, options->strategy);
  verb.option("--scenario", &options->scenario,
              "Scenario whose strategies and calibration to use (default: the shipped one)",
              "FILE");
  add_study_options(verb, options->study);
  verb.footer(
      "Examples:\n"
      "  gridcast replay calibration/data/osg-imagenet/imagenet-5epoch-100jobs.csv\n"
      "  gridcast replay calibration/data/osg-imagenet/imagenet-5epoch-100jobs.csv \\\n"
      "    --strategy stall-timeout-5min");
  verb.runs([options] { return run_replay(*options); });
}

}  // namespace gridcast::cli
