// Sites that one of two records knows, for the program of the other. What a job of the one program
// takes there follows from what one of the other takes, by the ratio to a site that both know, with
// a standard deviation of 0.6 of its logarithm: four tastes of programs for GPU models, of 0.3 each
// (docs/calibration.md, "GPUs, programs and limits"). What else the record does not tell of the
// site is that of a site that both know, another one in each row.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "calibration/both/paired_draws.hpp"
#include "sim/base/random.hpp"

namespace gridcast::calibration {

/// Of a site: the table's program.
inline constexpr std::array columns_of_program = {"unpack_s", "epoch_family", "epoch_shape",
                                                  "epoch_scale_s", "epoch_shift_s"};

/// A site that only the table knows: its own columns, and the log's of a site of `shared`.
void add_site_of_table(PairedDraws& draws, std::string const& site,
                       std::vector<std::string> const& shared, RandomStreams const& streams);

/// The table's program at a site that only the log knows.
void add_program_at(PairedDraws& draws, std::string const& site,
                    std::vector<std::string> const& shared, RandomStreams const& streams);

}  // namespace gridcast::calibration
