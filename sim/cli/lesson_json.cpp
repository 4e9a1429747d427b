#include "sim/cli/lesson_json.hpp"

#include <algorithm>
#include <string>

#include "sim/cli/verb_files.hpp"
#include "sim/report/data/result_json.hpp"
#include "sim/report/text/lesson_text.hpp"
#include "sim/report/text/train_text.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/training/estimate.hpp"

namespace gridcast::cli {

std::vector<scenario::Lesson> lessons_in(std::filesystem::path const& folder) {
  return scenario::read_lessons(folder.empty() ? shipped_scenario().parent_path() / "teaching"
                                               : folder);
}

std::filesystem::path hardware_file() {
  return shipped_scenario().parent_path() / "profiles" / "hardware.yaml";
}

std::vector<std::string> strategies_of(scenario::Lesson const& lesson) {
  std::vector<std::string> names;
  if (lesson.is_profile) return names;
  auto const scenario = scenario::read_scenario(lesson.file);
  for (auto const& each : scenario.strategies) names.push_back(each.name);
  std::stable_partition(names.begin(), names.end(),
                        [&](auto const& name) { return name == scenario.baseline; });
  return names;
}

report::Json lessons_json(std::vector<scenario::Lesson> const& lessons) {
  report::Json list = report::Json::array();
  for (scenario::Lesson const& lesson : lessons) {
    report::Json choices = report::Json::array();
    for (scenario::LessonChoice const& each : lesson.choices) {
      choices.push_back({{"name", each.name}, {"text", each.text}});
    }
    report::Json knobs = report::Json::array();
    for (scenario::LessonKnob const& knob : scenario::knobs_of(lesson)) {
      knobs.push_back({{"path", knob.path},
                       {"words", knob.words},
                       {"premise", scenario::premise_of(lesson, knob.path)}});
    }
    list.push_back({{"lesson", lesson.number},
                    {"title", lesson.title},
                    {"goal", lesson.goal},
                    {"question", lesson.question},
                    {"choices", std::move(choices)},
                    {"look_at", lesson.look_at},
                    {"change", lesson.change},
                    {"knobs", std::move(knobs)},
                    {"strategies", strategies_of(lesson)}});
  }
  return {{"schema", "gridcast.lessons/1"}, {"lessons", std::move(list)}};
}

report::Json lesson_run_json(scenario::Lesson const& lesson, study::LessonRun const& run) {
  report::Json json = {{"schema", "gridcast.lesson_run/1"},
                       {"lesson", lesson.number},
                       {"figure", lesson.solution.figure},
                       {"words", report::figure_words(lesson.solution.figure)},
                       {"unit", report::figure_unit(lesson.solution.figure)},
                       {"value", report::json_number(run.figure)}};
  if (run.played) {
    json["result"] = report::result_json(report::result_of(ledger::account(run.played->history)));
  }
  if (run.prediction) json["result"] = report::result_json(report::result_of(*run.prediction));
  if (run.training) {
    json["result"] =
        report::training_json(*run.training, training::estimate_training(*run.training));
  }
  return json;
}

}  // namespace gridcast::cli
