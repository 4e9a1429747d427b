// A process of the model, described in one file of this folder: its name and meaning, its columns
// in a calibration, its fit to event logs and to job tables, and its variation between campaigns.
// The calibration, the reader of calibration files, the schema, --without and the ablation iterate
// over the list of processes (list.cpp). The engine simulates a process from its columns, and
// docs/model/NAME.md describes it.
//
// An example, evictions.cpp:
//   Process evictions() {
//     return {.described = {.name = "evictions",
//                           .meaning = "the site or its owner reclaims a slot",
//                           .site_columns = {{"evict_per_s", Allowed::not_negative, ...}},
//                           .zero_is_off = {"evict_per_s", ...}},
//             .fit_log = fit_evictions,
//             .variation = variation_of_evictions};
//   }
#pragma once

#include <vector>

#include "calibration/inference/campaign_spread.hpp"
#include "calibration/processes/log_evidence.hpp"
#include "calibration/processes/table_evidence.hpp"
#include "sim/scenario/processes.hpp"

namespace gridcast::calibration {

struct Process {
  scenario::Process described;

  /// Adds the process's columns that event logs give; null: a fit of several processes has them
  /// (calibrate.cpp), or logs show nothing of it.
  void (*fit_log)(LogEvidence const& evidence, Fit& fit) = nullptr;
  /// Adds those that job tables give.
  void (*fit_table)(TableEvidence const& evidence, Fit& fit) = nullptr;
  /// The columns that differ between campaigns, with the counts of the parts of a record; null:
  /// none does.
  std::vector<CampaignKind> (*variation)(LogEvidence const& whole,
                                         std::vector<LogEvidence> const& parts) = nullptr;
};

/// In the order of a calibration's columns.
std::vector<Process> const& all_processes();

}  // namespace gridcast::calibration
