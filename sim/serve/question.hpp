// A question of the page, as it comes in JSON, the command line that answers it, and answers. Every
// part of it is checked before it reaches a command line: scenarios lie in the folder that the
// server was started in, values belong to controls that were offered (sim/scenario/controls.hpp),
// and each goes as one argument, through no shell.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/json_fields.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/study/comparison.hpp"
#include "sim/study/prediction.hpp"

namespace gridcast::serve {

/// The most replicas of a question.
inline constexpr std::size_t most_replicas = 10'000;

/// Jobs without a scenario of their own: a submit file or a DAG, and records of such jobs.
struct OpenedWork {
  std::string name;                       // on the page: "job.sub"
  std::filesystem::path scenario;         // that is made from them, and goes with the page
  std::vector<std::string> words;         // on a command line: {"job.sub", "campaign.log"}
  std::vector<std::string> assumed = {};  // about the jobs, as sentences
};

/// The folders in which scenarios may lie.
struct Shelf {
  std::filesystem::path folder;                // that the server was started in
  std::vector<std::filesystem::path> opened;   // named on the command line: wherever they are
  std::filesystem::path lessons;               // those that come with the program
  std::vector<std::string> running = {};       // a campaign that has not ended: its work and logs
  std::vector<std::string> running_logs = {};  // the logs alone
  std::optional<OpenedWork> work = {};

  /// Its name on a command line. InputError if it is missing, or not one of these.
  std::string scenario(std::string const& name) const;
  /// The scenarios in the folder and the next three below, by name; at most two hundred. Lessons
  /// are not among them.
  std::vector<std::string> scenarios() const;
};

/// A scenario with values put over it.
struct Question {
  std::string scenario, strategy;
  std::vector<std::string> work = {};       // the words for the scenario where people read them
  std::vector<std::string> overrides = {};  // "PATH=VALUE"
  std::size_t replicas = 0;                 // 0: the scenario's
  std::uint64_t seed = 0;
  bool compares = false;  // all strategies, instead of one

  /// --strategy=..., --set ...
  std::vector<std::string> settings() const;
};

/// The object that a page posts. InputError for other JSON, and for NaN, which JSON has not.
Json question_json(std::string const& text);

/// InputError with all that is wrong with it.
Question read_question(Json const& json, Shelf const& shelf);

/// The command whose output is the answer as it grows (question.hpp), without its --resume.
std::vector<std::string> stream_command(Question const& question);

/// The controls that change nothing beside the values of a question, with the reasons:
/// gridcast.reasons/1. InputError.
Json reasons_answer(Json const& json, Shelf const& shelf);

/// The command that makes a report page of a question:
///   {kind: run | predict | compare, replica (of a run), and the fields of a question}
/// InputError.
std::vector<std::string> page_command(Json const& json, Shelf const& shelf);

/// The settings: gridcast.controls/1. `strategy`: empty for the baseline.
Json controls_answer(Shelf const& shelf, std::string const& scenario, std::string const& strategy);

/// The page's action on a lesson, as the command line of `gridcast lesson`:
///   {do: run | page | check | solution, number, answer, guess, name, strategy, set: [{path,
///   value}]}
/// Values are of keys and columns that this lesson names, and of the controls of its scenario;
/// never of keys that name files. A page is of a run. InputError.
std::vector<std::string> lesson_command(Json const& json, Shelf const& shelf);

/// The page's question about the rest of the running campaign, as the command line of `gridcast
/// forecast --running`: {changes: ["release", "limit:6 h", ...]}. InputError.
std::vector<std::string> running_command(Json const& json, Shelf const& shelf);
/// The command whose report page shows the running campaign so far.
std::vector<std::string> running_page_command(Shelf const& shelf);

// The answers to a page, as JSON that grows.
//   gridcast.answer/1      one strategy: its figures, and their values in each replica, by which
//                          two answers are compared campaign by campaign. The last one has the
//                          text that `gridcast forecast --json` prints.
//   gridcast.strategies/1  all strategies of a scenario by rank, with the choice in the words of
//                          `gridcast compare`
// The makespan is the time until the wanted jobs have succeeded, as in every verdict (choice.hpp).
// It is "never" in a replica in which they never do, and null if the replica has no dates. Where
// prices are stated, there is the cost; where the goal is a deadline, how likely it is met.
enum class AnswerPart { growing, last };

Json answer_json(study::Prediction const& prediction, scenario::Scenario const& scenario,
                 AnswerPart part);
Json strategies_json(study::Comparison const& comparison, AnswerPart part);

}  // namespace gridcast::serve
