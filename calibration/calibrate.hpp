// From records of a campaign to a calibration: every fit, in order. Job tables have sums and no
// dates, so some of their fits go through the simulator and need the pool. Event logs (and ads)
// show the pool, and all of their fits are likelihoods.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "calibration/file/calibration_file.hpp"
#include "calibration/fits/estimate.hpp"
#include "calibration/fits/slot_fit.hpp"
#include "calibration/fits/transfer_fit.hpp"
#include "calibration/records/attempt_record.hpp"
#include "calibration/records/pilot_records.hpp"
#include "calibration/records/places.hpp"
#include "calibration/records/programs.hpp"
#include "calibration/records/waits.hpp"
#include "calibration/simulated/simulated_fit.hpp"

namespace gridcast::calibration {

struct TableCalibrationRequest {
  std::vector<std::filesystem::path> tables;
  std::filesystem::path pool;
  std::string profile = "resnet50-imagenet";
  int epochs = 5;                   // not in the table
  Bytes input_size = Bytes(137e9);  // not in the table
  std::uint64_t seed = 1;
  std::string command;  // for the file's header
  std::string version;
  StallFitOptions simulated = {};
};

/// The fits to a table's rows; `run_all` runs their simulations. Ignores the request's files.
/// InputError for a table without a successful transfer, or with too little to fit. Passes on the
/// exceptions of `run_all`.
Fit fit_table(history::JobTable const& table, scenario::Pool const& pool,
              TableCalibrationRequest const& request, RunRound const& run_all);

/// InputError for bad tables or pool, a table without a success, or one with too little to fit.
/// Passes on the exceptions of `run_all`.
CalibrationDocument calibrate_from_tables(TableCalibrationRequest const& request,
                                          RunRound const& run_all);

struct LogCalibrationOptions {
  std::size_t draws = 400;
  /// Beyond 1,000 sites draws are fewer in proportion, down to this: numbers in all the draws of so
  /// many sites would fill the memory.
  std::size_t least_draws = 50;
  std::uint64_t seed = 1;
  std::vector<Bytes> url_sizes = {};        // from the submit file; empty: from the ads
  std::vector<std::string> url_names = {};  // from the ads or the submit file
  Bytes received = {};  // input bytes of a job; without sizes of URLs, all of them together
  std::optional<bool> outputs_unlisted = std::nullopt;  // from submit file or ads; none: unknown
  CacheLists caches = {};                               // stated caches of each site, in order
  std::optional<Seconds> stall_timer = std::nullopt;    // stated time after which it acts
  std::optional<Seconds> job_lease = std::nullopt;      // of the jobs' ads or events
  /// Clusters of each recorded campaign; empty: all jobs are of one.
  std::vector<std::set<std::uint32_t>> campaigns = {};
  /// Stated spread between campaigns: sd of the logarithm of each kind of event's rate, and of
  /// people's delay, in the draws alone. Without it, inference/campaign_spread.hpp.
  std::optional<double> between_campaigns = std::nullopt;
  /// A pool given by name has the sites of the logs; a pool made from the logs has an entry for
  /// each GPU model of a site.
  enum class Sites { as_named, by_gpu } sites = Sites::by_gpu;
  SlotsThere slots_there = SlotsThere::at_least_seen;
};

struct LogCalibration {
  Fit fit;
  std::size_t draws = 0;  // that were taken
  std::vector<SiteFacts> sites;
  Seconds max_execution;     // after which jobs were held (code 47), or longer than any execution
  CampaignFacts facts = {};  // without URLs and programs, which the record knows
};

/// The sites of a record as in its calibration, without any fit.
std::vector<SiteFacts> recorded_sites(history::JobHistory const& recorded,
                                      LogCalibrationOptions const& options);

/// Draws for a record with so many sites.
std::size_t draws_of(std::size_t sites, LogCalibrationOptions const& options);

/// The columns that event logs give (sim/scenario/calibration.hpp), for each GPU model of a site.
/// InputError if no job executed.
LogCalibration calibrate_from_logs(history::JobHistory const& recorded,
                                   LogCalibrationOptions const& options);

}  // namespace gridcast::calibration
