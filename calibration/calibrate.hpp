// From records of a campaign to a calibration: every fit, in order. From job tables, which keep
// sums and no dates, some of it goes through the simulator and needs the pool; from event logs (and
// ads) all of it is likelihoods, and the log shows the pool.
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
  int epochs = 5;                   // the table does not say
  Bytes input_size = Bytes(137e9);  // nor this
  std::uint64_t seed = 1;
  std::string command;  // for the file's header
  std::string version;
  StallFitOptions simulated = {};
};

/// What is fitted to a table's rows, its simulations by `play`; of the request, all but the files.
/// InputError for a table without a transfer that arrived, or with too little to fit; and what
/// `play` throws.
Fit fit_table(history::JobTable const& table, scenario::Pool const& pool,
              TableCalibrationRequest const& request, PlayRound const& play);

/// InputError for bad tables or pool, a table without a success, or one with too little to fit; and
/// what `play` throws.
CalibrationDocument calibrate_from_tables(TableCalibrationRequest const& request,
                                          PlayRound const& play);

struct LogCalibrationOptions {
  std::size_t draws = 400;
  std::uint64_t seed = 1;
  int urls = 0;                       // of each job, where no ad tells; 0: from the ads, else one
  std::vector<Bytes> url_sizes = {};  // as the submit file tells them; empty: as above
  std::vector<std::string> url_names = {};  // as ads or the submit file have them
  Bytes received = {};  // with its input, by a job, where nothing tells of URLs: of the one for all
  std::optional<bool> outputs_unlisted = std::nullopt;  // by submit file or ads; none: not known
  CacheLists caches = {};  // which caches each site asks, in order, as stated
  std::optional<Seconds> stall_timer = std::nullopt;  // when it acts, as stated
  /// Clusters of each recorded campaign; empty: all jobs are of one.
  std::vector<std::set<std::uint32_t>> campaigns = {};
  /// How the next campaign differs, as stated: sd of the logarithm of each kind of event's rate,
  /// and of people's delay, in the draws alone. Else inference/campaign_spread.hpp.
  std::optional<double> between_campaigns = std::nullopt;
  /// A pool that was named has sites as the logs name them; one that is read off them has an entry
  /// for each GPU model of a site.
  enum class Sites { as_named, by_gpu } sites = Sites::by_gpu;
  SlotsThere slots_there = SlotsThere::at_least_seen;
};

struct LogCalibration {
  Fit fit;
  std::vector<SiteFacts> sites;
  Seconds max_execution;  // after which executions were held (code 47), or that none lasted
  Programs programs;
  UrlInput urls;
  int epochs = 1;
  std::size_t jobs = 0, attempts = 0;
  Seconds plugin_lifetime;  // longest hang, zero if none
  std::optional<CoolDown> cool_down = {};
  std::optional<BytesPerSecond> fill_rate = {};  // of a cache's fetch of a file that it lacks
};

/// The sites of a record as its calibration has them. Costs no fit.
std::vector<SiteFacts> recorded_sites(history::JobHistory const& recorded,
                                      LogCalibrationOptions const& options);

/// The columns of event logs (sim/scenario/calibration.hpp), of sites by GPU model. InputError if
/// nothing executed.
LogCalibration calibrate_from_logs(history::JobHistory const& recorded,
                                   LogCalibrationOptions const& options);

}  // namespace gridcast::calibration
