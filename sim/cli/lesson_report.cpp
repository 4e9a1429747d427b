#include "sim/cli/lesson_report.hpp"

#include <fmt/format.h>

#include "sim/base/error.hpp"
#include "sim/cli/run_report.hpp"
#include "sim/cli/study_report.hpp"
#include "sim/report/prediction_json.hpp"

namespace gridcast {

void prepare_lesson_report(ReportArguments const& arguments, Lesson const& lesson, bool force) {
  if (arguments.file.empty()) return;
  if (lesson.is_profile) {
    throw InputError(Problem{{},
                             fmt::format("--report: lesson {} has no page", lesson.number),
                             "it is of one training job, which has no events",
                             "Leave the option out."});
  }
  prepare_report(arguments, force);
}

void write_lesson_report(ReportArguments const& arguments, Lesson const& lesson,
                         LessonRun const& run) {
  if (arguments.file.empty()) return;
  StudyArguments of_page;
  of_page.report = arguments;
  of_page.report.kind = "lesson";
  Scenario scenario = *run.scenario;
  scenario.title = fmt::format("Lesson {}: {}", lesson.number, lesson.title);
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
