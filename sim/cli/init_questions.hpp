// The five questions of gridcast init: in which words they are asked, and what answers are good.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "sim/import/calibrated_program.hpp"

namespace gridcast::cli {

/// What is known so far; answers are kept as they were given.
struct InitAnswers {
  std::string title, calibration, jobs, input, work;

  import::CalibratedProgram program;  // what the calibration says of itself
};

struct InitQuestion {
  std::string option;  // "--jobs"
  std::string InitAnswers::*answer;
  std::string help;  // of the option
  std::string fallback;
  /// In words for the terminal; may depend on earlier answers.
  std::function<std::string(InitAnswers const&)> words;
  /// What is wrong with the answer, and what would be right; empty: it is good. May note what it
  /// has found out.
  std::function<std::string(std::string const&, InitAnswers&)> check;
};

/// In the order in which they are asked; `calibration` is the shipped one's file.
std::vector<InitQuestion> init_questions(std::string const& calibration);

}  // namespace gridcast::cli
