#include "sim/cli/lesson_report.hpp"

#include <fmt/format.h>

#include "sim/cli/run_report.hpp"
#include "sim/cli/study_report.hpp"
#include "sim/report/data/prediction_json.hpp"
#include "sim/report/page/training_page.hpp"
#include "sim/report/text/lesson_text.hpp"

namespace gridcast::cli {

void write_lesson_report(ReportArguments const& arguments, scenario::Lesson const& lesson,
                         study::LessonRun const& run) {
  if (arguments.file.empty()) return;
  StudyArguments of_page;
  of_page.report = arguments;
  of_page.report.kind = "lesson";
  std::string const title = fmt::format("Lesson {}: {}", lesson.number, lesson.title);
  if (run.training) {
    auto const common = report_request(of_page.report);
    auto const& figure = lesson.solution.figure;
    write_report(of_page.report,
                 report::training_page(
                     *run.training, training::estimate_training(*run.training),
                     {"lesson", title, lesson.question, common.created_by, common.command,
                      fmt::format("{} = {}.", figure, report::figure_text(figure, run.figure)),
                      inputs_of("profile", {lesson.file})}));
    return;
  }
  scenario::Scenario scenario = *run.scenario;
  scenario.title = title;
  scenario.question = lesson.question;
  scenario::Strategy const& strategy = scenario.strategy(run.strategy);
  if (run.played) {
    write_run_report(of_page.report, {scenario, strategy, scenario.study.seed, 0}, *run.played);
    return;
  }
  study::Prediction prediction = *run.prediction;
  prediction.title = scenario.title;
  prediction.question = scenario.question;
  write_study_report(of_page, scenario, report::json_text(report::prediction_json(prediction, {})),
                     strategy, prediction.sample);
}

}  // namespace gridcast::cli
