// What a lesson's runs give: one figure each.
//
// A scenario of one replica is played once; figures are then those of a record
// (sim/study/record.hpp) and
//   finish_s:USER          when the last job of that user ended
//   transfer_s:JOB         the input transfer with which the job got its data, such as
//                          transfer_s:1.8
//   attempts_per_success   attempts / jobs that succeeded
// Of several replicas a figure is its mean; `precision:FIGURE` is half the 95 % interval of the
// mean, relative to it. A profile gives time_s, epoch_s, efficiency and speedup.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/scenario/catalogue.hpp"
#include "sim/scenario/lesson.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/study/prediction.hpp"
#include "sim/training/estimate.hpp"

namespace gridcast::study {

/// What was run, and the figure.
struct LessonRun {
  std::optional<scenario::Scenario> scenario;
  std::string strategy;
  std::optional<engine::Replica> played;
  std::optional<Prediction> prediction;
  std::optional<training::TrainingSetup> training;
  double figure = 0;
};

struct LessonRunOptions {
  std::vector<std::string> overrides = {};
  std::string strategy = {};            // empty: the baseline
  std::filesystem::path hardware = {};  // the catalogue that profiles refer to
  unsigned processes = 1;
  bool trace = false;  // of caches and links, for a page
};

/// InputError if the figure is not one of the run's.
LessonRun run_lesson(scenario::Lesson const& lesson, LessonRunOptions const& options);

struct SolvedRun {
  scenario::SolutionRun run;
  double figure = 0;
};

struct SolvedLesson {
  std::vector<SolvedRun> runs;
  std::string answer;  // as it follows from them; empty if none is within the bound
};

/// Runs the solution. `overrides`: of all its runs, below their own.
SolvedLesson solve_lesson(scenario::Lesson const& lesson, std::filesystem::path const& hardware,
                          unsigned processes, std::vector<std::string> const& overrides = {});

/// The answer that the runs give by the lesson's rule.
std::string answer_of(scenario::Lesson const& lesson, std::vector<SolvedRun> const& runs);

}  // namespace gridcast::study
