// What can be turned in a lesson.
#pragma once

#include <string>
#include <vector>

#include "sim/scenario/lesson.hpp"

namespace gridcast::scenario {

/// Paths of `--set` that the lesson names as what to change, or that its solution changes, each once.
std::vector<std::string> knobs_of(Lesson const& lesson);

/// What the lesson itself has there, as its files write it; empty where they leave it open.
std::string premise_of(Lesson const& lesson, std::string const& knob);

}  // namespace gridcast::scenario
