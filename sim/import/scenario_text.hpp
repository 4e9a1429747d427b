// A scenario file's text for what was imported. Only what differs from the defaults is written, so
// that one can read it, and change it.
#pragma once

#include <string>
#include <vector>

#include "sim/scenario/campaign.hpp"
#include "sim/scenario/strategy.hpp"

namespace gridcast::import {

struct ScenarioText {
  std::vector<std::string> comments;  // a line each, above all
  std::string title;
  std::string pool, calibration;  // from the scenario's folder
  scenario::Campaign campaign;
  scenario::Strategy strategy;
  std::string strategy_note = "As the submit file has it";
  int replicas = 1000;
};

std::string scenario_yaml(ScenarioText const& scenario);

}  // namespace gridcast::import
