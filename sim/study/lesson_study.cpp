#include "sim/study/lesson_study.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sim/base/text.hpp"
#include "sim/ledger/metrics.hpp"
#include "sim/scenario/profile.hpp"

namespace gridcast::study {
namespace {

constexpr std::string_view finish_of_quantity = "finish_s:";
constexpr std::string_view transfer_of = "transfer_s:";
constexpr std::string_view precision_of = "precision:";

[[noreturn]] void no_such_figure(scenario::Lesson const& lesson,
                                 std::vector<std::string> const& known) {
  std::string const& figure = lesson.solution.figure;
  refuse({lesson.file.string()},
         fmt::format("lesson.solution.figure: the runs have no '{}'", figure), "",
         suggestion(figure, known));
}

double finish(history::JobHistory const& history, ledger::Ledger const& ledger,
              std::string_view user) {
  double end = NAN;
  for (std::size_t j = 0; j < history.users.size(); ++j) {
    if (history.users[j] != user || !ledger.jobs[j].ended_at) continue;
    end = std::fmax(end, ledger.jobs[j].ended_at->value());
  }
  return end;
}

double transfer(history::JobHistory const& history, ledger::Ledger const& ledger,
                std::string_view job) {
  for (std::size_t j = 0; j < history.jobs.size(); ++j) {
    if (to_text(history.jobs[j]) != job || !ledger.jobs[j].last_transfer) continue;
    return ledger.jobs[j].last_transfer->value();
  }
  return NAN;
}

double figure_of_run(scenario::Lesson const& lesson, history::JobHistory const& history) {
  std::string_view const name = lesson.solution.figure;
  ledger::Ledger const ledger = ledger::account(history);
  if (name.starts_with(finish_of_quantity))
    return finish(history, ledger, name.substr(finish_of_quantity.size()));
  if (name.starts_with(transfer_of)) {
    return transfer(history, ledger, name.substr(transfer_of.size()));
  }
  if (name == "attempts_per_success") {
    return static_cast<double>(ledger.total.attempts) / static_cast<double>(ledger.total.succeeded);
  }
  for (ledger::MetricValue const& metric : ledger::metrics(ledger, ledger::MetricScope::replica)) {
    if (metric.name == name && metric.available) return metric.value;
  }
  no_such_figure(lesson, ledger::metric_names(ledger::MetricScope::replica));
}

double figure_of_study(scenario::Lesson const& lesson, Prediction const& prediction) {
  std::string name = lesson.solution.figure;
  bool const precision = name.starts_with(precision_of);
  if (precision) name.erase(0, precision_of.size());
  auto const known = ledger::metric_names(ledger::MetricScope::replica);
  if (!contains(known, name)) no_such_figure(lesson, known);
  Summary const summary = summarise(prediction.sample, name);
  if (!precision) return summary.mean;
  return (summary.mean_ci95.high - summary.mean_ci95.low) / 2 / summary.mean;
}

double figure_of_training(scenario::Lesson const& lesson, training::TrainingSetup const& setup) {
  std::string const& name = lesson.solution.figure;
  training::TrainingEstimate const estimate = training::estimate_training(setup);
  if (name == "time_s") return estimate.total.value();
  if (name == "epoch_s") return estimate.epoch.value();
  if (name == "efficiency") return estimate.efficiency;
  if (name == "speedup") return estimate.efficiency * setup.gpus;
  no_such_figure(lesson, {"time_s", "epoch_s", "efficiency", "speedup"});
}

void run_all(scenario::Lesson const& lesson, LessonRunOptions const& options, LessonRun& run) {
  run.scenario = scenario::read_scenario(lesson.file, options.overrides);
  scenario::Scenario const& scenario = *run.scenario;
  scenario::Strategy const& strategy =
      scenario.strategy(options.strategy.empty() ? scenario.baseline : options.strategy);
  run.strategy = strategy.name;
  if (scenario.study.replicas == 1) {
    run.simulated = simulate_replica(scenario, strategy, scenario.study.seed, 0);
    run.figure = figure_of_run(lesson, run.simulated->history);
    return;
  }
  StudyOptions study;
  study.replicas = static_cast<std::size_t>(scenario.study.replicas);
  study.seed = scenario.study.seed;
  study.processes = options.processes;
  run.prediction = predict(scenario, strategy, study);
  run.figure = figure_of_study(lesson, *run.prediction);
}

}  // namespace

LessonRun run_lesson(scenario::Lesson const& lesson, LessonRunOptions const& options) {
  LessonRun run;
  if (!lesson.is_profile) {
    run_all(lesson, options, run);
    return run;
  }
  run.training = training::training_setup(scenario::read_profile(lesson.file, options.overrides),
                                          scenario::read_hardware(options.hardware), {});
  run.figure = figure_of_training(lesson, *run.training);
  return run;
}

SolvedLesson solve_lesson(scenario::Lesson const& lesson, std::filesystem::path const& hardware,
                          unsigned processes, std::vector<std::string> const& overrides) {
  SolvedLesson solved;
  for (scenario::SolutionRun const& run : lesson.solution.runs) {
    auto all = overrides;
    all.insert(all.end(), run.overrides.begin(), run.overrides.end());
    LessonRunOptions const options{all, run.strategy, hardware, processes};
    solved.runs.push_back({run, run_lesson(lesson, options).figure});
  }
  solved.answer = answer_of(lesson, solved.runs);
  return solved;
}

std::string answer_of(scenario::Lesson const& lesson, std::vector<SolvedRun> const& runs) {
  auto const less = [](SolvedRun const& a, SolvedRun const& b) { return a.figure < b.figure; };
  switch (lesson.solution.rule) {
    case scenario::AnswerRule::value:
      return scenario::answer_text(lesson, runs.front().figure);
    case scenario::AnswerRule::least:
      return std::ranges::min_element(runs, less)->run.answer;
    case scenario::AnswerRule::most:
      return std::ranges::max_element(runs, less)->run.answer;
    case scenario::AnswerRule::first_within:
      break;
  }
  auto const found = std::ranges::find_if(
      runs, [&](SolvedRun const& each) { return each.figure <= lesson.solution.bound; });
  return found == runs.end() ? "" : found->run.answer;
}

}  // namespace gridcast::study
