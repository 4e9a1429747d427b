// Dated histories to a calibration file: all fits of attempts, holds and gaps, and joint draws.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "calibration/attempt_record.hpp"
#include "calibration/estimate.hpp"
#include "calibration/pool_from_log.hpp"
#include "calibration/url_fit.hpp"

namespace gridcast::calibration {

struct DatedOptions {
  std::size_t draws = 400;
  std::uint64_t seed = 1;
  int urls = 0;                       // of each job, where no ad tells; 0: from the ads, else one
  std::vector<Bytes> url_sizes = {};  // as the submit file tells them; empty: as above
  /// What one log cannot show: how the next campaign differs. Sd of the logarithm of people's delay
  /// and of the odds of a crash, in the draws alone.
  double between_campaigns = 0.25;
};

struct DatedCalibration {
  Fit fit;
  std::vector<SlotCount> slots;
  UrlInput urls;
  int epochs = 1;
  std::size_t jobs = 0, attempts = 0;
  Seconds plugin_lifetime;  // longest hang, zero if none
};

/// The columns of dated worlds (sim/scenario/calibration.hpp). InputError if nothing executed.
DatedCalibration calibrate_dated(history::JobHistory const& history, DatedOptions const& options);

}  // namespace gridcast::calibration
