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
//             .varies = {{"evict_per_s", PooledAs::rate}},
//             .count_part = total_in_part<count_evictions_of>};
//   }
#pragma once

#include <vector>

#include "calibration/inference/campaign_spread.hpp"
#include "calibration/processes/evidence.hpp"
#include "sim/scenario/draw_columns.hpp"

/// Names for the descriptions of columns.
namespace gridcast::calibration::words_of_columns {
using namespace scenario;
using enum scenario::Allowed;
using Draw = scenario::ParameterDraw;
using Site = scenario::SiteParameters;
}  // namespace gridcast::calibration::words_of_columns

namespace gridcast::calibration {

struct Process {
  scenario::Process described;

  /// Adds the process's columns that event logs give; null: a fit of several processes has them
  /// (calibrate.cpp), or logs show nothing of it.
  void (*fit_log)(LogEvidence const& evidence, Fit& fit) = nullptr;
  /// Adds those that job tables give.
  void (*fit_table)(TableEvidence const& evidence, Fit& fit) = nullptr;
  /// The columns that differ between campaigns.
  std::vector<CampaignKind> varies = {};
  /// Their counts in a part of a record, in the same order; null: they differ by the prior alone.
  std::vector<SiteCount> (*count_part)(LogEvidence const& whole, LogEvidence const& part) = nullptr;
};

Process slots();
Process pilot_deaths();
Process transfer_holds();
Process failed_urls();
Process missing_namespaces();
Process site_outages();
Process corrupt_inputs();
Process releases();
Process direct_downloads();
Process delays();
Process transfer_rates();
Process cold_caches();
Process transfer_outages();
Process pauses();
Process executions();
Process limits();
Process crashes();
Process evictions();
Process lost_contacts();
Process suspensions();
Process removals();

/// In the order of a calibration's columns.
std::vector<Process> const& all_processes();

}  // namespace gridcast::calibration
