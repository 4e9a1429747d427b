// Seconds before the first epoch, by site. They show only where a job ended right after unpacking,
// because the site's network was down; sites without such a job borrow.
#pragma once

#include <cstddef>
#include <vector>

#include "calibration/record.hpp"
#include "sim/base/random.hpp"

namespace gridcast::calibration {

struct SiteUnpack {
  std::size_t events = 0;  // jobs that ended right after unpacking; 0: borrowed
  double estimate = 0;
  std::vector<double> draws;
};

struct UnpackFit {
  std::vector<SiteUnpack> sites;  // as records.sites
  bool measured_somewhere = false;
};

/// Measured: lognormal around the mean, with the relative scatter of the site's executions (or of
/// the values themselves, if larger); not divided by their number, for neighbours are one event on
/// one node. Borrowed: the measured sites' geometric mean with a factor of two either way (90 %);
/// with none measured, input size / 140 MB/s (137 GB in 977 s at PDX-Coeus-CE1 in 2024) with a
/// factor of three. Draws stay below half the site's shortest completed execution.
UnpackFit fit_unpack(Records const& records, std::size_t n_draws, RandomStreams const& streams);

}  // namespace gridcast::calibration
