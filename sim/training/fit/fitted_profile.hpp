// Fits as profiles that `gridcast profile` and scenarios can name: the values of one joint draw,
// the one whose predictions are nearest to the middle of all, a machine or store of its own with
// the links that were found, and a sample of the draws, by which estimates get their intervals
// (sim/training/estimate.hpp).
#pragma once

#include <string>

#include "sim/scenario/profile.hpp"
#include "sim/training/fit/storage_fit.hpp"
#include "sim/training/fit/training_fit.hpp"

namespace gridcast::training {

/// The profile of one family; the others give the factors between GPU models. `from`: the table.
scenario::Profile fitted_profile(TrainingFit const& fit, std::size_t family,
                                 std::string const& from);

/// A profile of the workload with the store in it.
scenario::Profile fitted_profile(StorageFit const& fit, scenario::Profile const& base,
                                 std::string const& from);

}  // namespace gridcast::training
