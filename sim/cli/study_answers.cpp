#include "sim/cli/study_answers.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "sim/base/files.hpp"
#include "sim/base/tell.hpp"
#include "sim/cli/pages.hpp"
#include "sim/cli/recovery_study.hpp"
#include "sim/cli/score_plan.hpp"
#include "sim/cli/table_calibration.hpp"
#include "sim/cli/verb_files.hpp"
#include "sim/import/recorded_campaign.hpp"
#include "sim/report/data/scores_data.hpp"
#include "sim/report/text/study_text.hpp"
#include "sim/study/record_comparison.hpp"

namespace gridcast::cli {
namespace {

namespace fs = std::filesystem;

/// The shards as jobs: a row for each that has a result.
std::string attempts_table(study::StudyFolder const& folder,
                           std::vector<study::ShardResult> const& results) {
  std::string text = "job,name,submitted,matched,started,ended,outcome,site,host\n";
  for (std::size_t i = 0; i < results.size(); ++i) {
    auto const& [shard, record, records, failed] = results[i];
    auto const ended = static_cast<double>(record.started) + record.took.value();
    text += fmt::format("{},{},{},{},{},{:.3f},succeeded,{},{}\n", i,
                        folder.job_name() + "." + study::name(shard), folder.study().begun,
                        record.started, record.started, ended, record.host, record.host);
  }
  return text;
}

void tell_missing(study::StudyFolder const& folder, study::FoundShards const& found) {
  if (found.missing.empty()) return;
  tell(fmt::format(
      "{} of {} shards have no result yet{}. gridcast study status {} says where they are; "
      "gridcast study resume plays what is missing.\n",
      found.missing.size(), found.all.size(),
      found.damaged.empty() ? "" : fmt::format(" ({} are damaged)", found.damaged.size()),
      folder.typed()));
}

std::string network_name(engine::NetworkModel model) {
  if (model == engine::NetworkModel::fast) return "fast";
  return model == engine::NetworkModel::maxmin ? "maxmin" : "auto";
}

/// Of a part of a study it is not said that it is done.
int code_of_part(int code, bool is_partial) {
  return code == exit_code::interrupted && is_partial ? exit_code::incomplete : code;
}

/// What the answer is made from, and what that is a copy of.
std::vector<fs::path> inputs_of_answer(study::StudyFolder const& folder,
                                       study::FrozenScenario const& frozen) {
  auto const& study = folder.study();
  std::vector<fs::path> inputs = files_of(frozen.scenario);
  inputs.emplace_back(study.question.scenario);
  for (auto const& file : study.question.records) inputs.emplace_back(file);
  for (auto const& file : study.record_files) inputs.push_back(study.folder / file);
  return inputs;
}

int gather_comparison(study::StudyFolder& folder, study::FrozenScenario const& frozen,
                      study::FoundShards const& found, StudyArguments const& arguments) {
  prepare_comparison(arguments, inputs_of_answer(folder, frozen));
  bool const knew = folder.second().has_value();
  auto const comparison = study::gathered_comparison(folder, frozen, found);
  int const code = answer(arguments, frozen.scenario, comparison);
  tell_missing(folder, found);
  if (!knew && folder.second()) {
    tell(fmt::format(
        "All replicas are there. How many jobs a test run needs is told by campaigns with fewer "
        "jobs, which are to be played too: gridcast study resume {}\n",
        folder.typed()));
  }
  return code_of_part(code, comparison.interrupted);
}

int gather_prediction(study::StudyFolder const& folder, study::FrozenScenario const& frozen,
                      study::FoundShards const& found, StudyArguments const& arguments) {
  auto const& study = folder.study();
  std::vector<fs::path> records;
  for (auto const& file : study.record_files) records.push_back(study.folder / file);
  RecordArguments reading{study.question.columns, study.question.prefix};
  if (!study.columns_file.empty()) reading.columns = (study.folder / study.columns_file).string();
  auto const observed = observed_campaign(records, reading);
  prepare_prediction(arguments, inputs_of_answer(folder, frozen));
  auto const prediction = study::gathered_prediction(folder, frozen, found);
  int const code =
      answer(arguments, frozen.scenario, frozen.strategies.front(), prediction, observed);
  tell_missing(folder, found);
  return code_of_part(code, prediction.interrupted);
}

}  // namespace

void prepare_comparison(StudyArguments const& arguments, std::vector<fs::path> const& inputs) {
  prepare_study(arguments, inputs,
                {"metrics.csv", "differences.csv", "probability_best.csv", "explanations.csv",
                 "regrets.csv", "observations.csv", "replicas.csv"});
}

void prepare_prediction(StudyArguments const& arguments, std::vector<fs::path> const& inputs) {
  prepare_study(arguments, inputs,
                {"metrics.csv", "replicas.csv", "against.csv", "executions.csv"});
}

std::optional<history::JobHistory> observed_campaign(std::vector<fs::path> const& files,
                                                     RecordArguments const& record) {
  if (files.empty()) return std::nullopt;
  auto const sorted = import::sort_by_kind(files, record.options());
  auto campaign = import::open_campaign(sorted);
  tell(sorted.logs.empty() ? campaign.ads_report : campaign.log_report);
  tell(campaign.table_report);
  return std::move(campaign.history);
}

int answer(StudyArguments const& arguments, scenario::Scenario const& scenario,
           study::Comparison const& comparison) {
  auto result = report::result_of(comparison);
  result.deadline = deadline_of(arguments.report);
  tell_study(arguments, result, report::comparison_text);
  write_study_report(arguments, scenario, result, scenario.strategy(scenario.baseline));
  return end_of_study({comparison.interrupted, comparison.failed, comparison.trouble},
                      comparison.scenario, comparison.seed);
}

int answer(StudyArguments const& arguments, scenario::Scenario const& scenario,
           scenario::Strategy const& strategy, study::Prediction const& prediction,
           std::optional<history::JobHistory> const& observed,
           std::vector<study::ConformalFactor> const& correction) {
  auto result = report::result_of(
      prediction, observed ? std::optional(study::compare_with_record(prediction.sample, *observed))
                           : std::nullopt);
  result.deadline = deadline_of(arguments.report);
  report::correct(result, correction);
  result.critical_path = typical_critical_path(arguments, scenario, strategy, prediction.sample);
  tell_study(arguments, result, report::prediction_text);
  tell_horizon(prediction.sample, horizon_of(arguments.horizon));
  write_study_report(arguments, scenario, result, strategy);
  return end_of_study({prediction.interrupted, failed_runs(prediction), prediction.trouble},
                      prediction.scenario, prediction.seed);
}

study::FoundShards find_results(study::StudyFolder const& folder,
                                study::FrozenScenario const& frozen) {
  bool const is_recovery = folder.study().question.kind == study::StudyKind::recovery;
  return folder.find(study::Reading::whole, is_recovery
                                                ? possible_recovery(frozen.scenario)
                                                : study::possible_record(folder.study(), frozen));
}

int gather_study(study::StudyFolder& folder, StudyArguments const& arguments) {
  auto const frozen = study::open_frozen(folder.study());
  StudyArguments own = arguments;
  auto const& question = folder.study().question;
  own.horizon = fmt::format("{} s", question.horizon.value());
  own.network = network_name(question.network);
  own.seed = question.seed;
  own.replicas = question.replicas;
  auto const found = find_results(folder, frozen);
  write_file(folder.path() / "attempts.csv", attempts_table(folder, found.results));
  if (question.kind == study::StudyKind::comparison) {
    return gather_comparison(folder, frozen, found, own);
  }
  if (question.kind == study::StudyKind::prediction) {
    return gather_prediction(folder, frozen, found, own);
  }
  int const code = question.kind == study::StudyKind::scores ? gather_scores(folder, found, own)
                   : question.kind == study::StudyKind::calibration
                       ? gather_calibration(folder, own)
                       : gather_recovery(folder, frozen, found, own);
  tell_missing(folder, found);
  return code;
}

}  // namespace gridcast::cli
