#include "sim/cli/open_stream.hpp"

#include <chrono>
#include <iostream>
#include <optional>

#include "sim/cli/verb_files.hpp"
#include "sim/report/data/answer_json.hpp"
#include "sim/serve/scratch.hpp"
#include "sim/study/growing.hpp"

namespace gridcast::cli {
namespace {

/// Often enough for the eye, and seldom enough that telling costs little beside playing.
constexpr auto between_parts = std::chrono::milliseconds(400);

void tell_answer(study::Prediction const& prediction, report::AnswerPart which) {
  auto const json = report::answer_json(prediction, which);
  std::cout << json.dump(-1, ' ', false, report::Json::error_handler_t::replace) << std::endl;
}

}  // namespace

int stream_answers(std::filesystem::path const& file, StreamArguments const& arguments) {
  auto const scenario = read_runnable_scenario(file, arguments.overrides);
  auto const& strategy = chosen_strategy(scenario, arguments.strategy);
  auto options = study_options(arguments.study, scenario.study);
  std::optional<serve::Scratch> scratch;
  if (options.resume.empty()) options.resume = scratch.emplace().file("study");
  auto const prediction = study::predict_growing(
      scenario, strategy, options, between_parts,
      [](auto const& grown) { tell_answer(grown, report::AnswerPart::growing); });
  tell_answer(prediction, report::AnswerPart::last);
  return end_of_study({prediction.interrupted, failed_runs(prediction), prediction.trouble},
                      prediction.scenario, prediction.seed);
}

}  // namespace gridcast::cli
