// The text of a first scenario, with comments on the lines to change.
#pragma once

#include <optional>
#include <string>

#include "sim/base/units.hpp"
#include "sim/scenario/campaign.hpp"

namespace gridcast::report {

struct FirstScenario {
  std::string title;
  std::string schema, pool, calibration;  // files, from the scenario's folder; schema may be empty
  std::string profile;                    // the calibrated workload
  bool from_event_log = false;            // of the calibration; then work is a multiple of its work
  int jobs = 100;
  int gpus = 1;                       // of each
  std::string input;                  // size of each job's input as it was written; empty: none
  std::optional<Seconds> limit = {};  // of an execution; none: the pool's
  std::string work;                   // epochs of a job; with event logs the multiple
  double scale = 1;                   // of the work; not with event logs
  std::string work_words = {};        // on the work, in place of the usual comment
  std::optional<scenario::Campaign> repeated = {};  // of the log: its jobs once more
};

std::string first_scenario_text(FirstScenario const& scenario);

}  // namespace gridcast::report
