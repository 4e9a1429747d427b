#include "sim/cli/lesson_report.hpp"

#include <fmt/format.h>

#include "sim/cli/run_report.hpp"
#include "sim/cli/study_report.hpp"
#include "sim/report/lesson_text.hpp"
#include "sim/report/prediction_json.hpp"
#include "sim/report/training_page.hpp"

namespace gridcast {

void write_lesson_report(ReportArguments const& arguments, Lesson const& lesson,
                         LessonRun const& run) {
  if (arguments.file.empty()) return;
  StudyArguments of_page;
  of_page.report = arguments;
  of_page.report.kind = "lesson";
  std::string const title = fmt::format("Lesson {}: {}", lesson.number, lesson.title);
  if (run.training) {
    auto const common = report_request(of_page.report);
    auto const& figure = lesson.solution.figure;
    write_report(of_page.report,
                 training_page(*run.training, estimate_training(*run.training),
                               {"lesson", title, lesson.question, common.created_by, common.command,
                                fmt::format("{} = {}.", figure, figure_text(figure, run.figure)),
                                inputs_of("profile", {lesson.file})}));
    return;
  }
  Scenario scenario = *run.scenario;
  scenario.title = title;
  scenario.question = lesson.question;
  Strategy const& strategy = scenario.strategy(run.strategy);
  if (run.played) {
    write_run_report(of_page.report, {scenario, strategy, scenario.study.seed, 0}, *run.played);
    return;
  }
  Prediction prediction = *run.prediction;
  prediction.title = scenario.title;
  prediction.question = scenario.question;
  write_study_report(of_page, scenario, json_text(prediction_json(prediction, {})), strategy,
                     prediction.sample);
}

}  // namespace gridcast
