// How long a job trains: execution = unpack + epochs x time an epoch, with one time an epoch for
// each execution. What it leaves out: epochs of one execution that differ from each other.
//
// Unpacking shows only where a job ended right after it (the site's network was down); elsewhere it
// is borrowed, with a factor of two either way. The time an epoch is fitted at each site that has
// at least five completed executions (censored_fit); a site with fewer takes the shape from one of
// the others at random and its median from the spread between sites and what little it has itself.
#pragma once

#include <cstddef>

#include "calibration/estimate.hpp"
#include "calibration/record.hpp"
#include "sim/base/random.hpp"

namespace gridcast::calibration {

/// Columns unpack_s, epoch_family, epoch_shape, epoch_scale_s, epoch_shift_s of every site.
/// InputError with fewer than five completed executions in all.
Fit execution_fit(Records const& records, int epochs, std::size_t n_draws,
                  RandomStreams const& streams);

}  // namespace gridcast::calibration
