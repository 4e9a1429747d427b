// The figure of each run of a lesson.
//
// A scenario of one replica is simulated once. Its figures are those of a record
// (sim/study/record.hpp) and
//   finish_s:USER          the end of that user's last job
//   transfer_s:JOB         the successful input transfer of the job, such as transfer_s:1.8
//   attempts_per_success   attempts / jobs that succeeded
// With several replicas a figure is its mean, and `precision:FIGURE` is half the 95 % interval of
// the mean, relative to it. A profile has time_s, epoch_s, efficiency and speedup.
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

/// A run and its figure.
struct LessonRun {
  std::optional<scenario::Scenario> scenario;
  std::string strategy;
  std::optional<engine::Replica> simulated;
  std::optional<Prediction> prediction;
  std::optional<training::TrainingSetup> training;
  double figure = 0;
};

struct LessonRunOptions {
  std::vector<std::string> overrides = {};
  std::string strategy = {};            // empty: the baseline
  std::filesystem::path hardware = {};  // the catalogue that profiles refer to
  unsigned processes = 1;
};

/// InputError if the run does not have the figure.
LessonRun run_lesson(scenario::Lesson const& lesson, LessonRunOptions const& options);

struct SolvedRun {
  scenario::SolutionRun run;
  double figure = 0;
};

struct SolvedLesson {
  std::vector<SolvedRun> runs;
  std::string answer;  // that follows from them; empty if none is within the bound
};

/// Runs the solution. `overrides` apply to all its runs, before their own.
SolvedLesson solve_lesson(scenario::Lesson const& lesson, std::filesystem::path const& hardware,
                          unsigned processes, std::vector<std::string> const& overrides = {});

/// The answer that the runs give by the lesson's rule.
std::string answer_of(scenario::Lesson const& lesson, std::vector<SolvedRun> const& runs);

}  // namespace gridcast::study
