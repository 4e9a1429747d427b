// The prior of fits that are not to know the published systems.
#pragma once

#include "sim/training/fit/training_fit.hpp"

namespace gridcast::training {

/// Hardly anything is known: some per cent each, as two families would show it.
inline ScalingPrior vague_scaling() {
  constexpr double some = 0.03, noise = 0.02, families = 2;
  return {{0, some, some, some}, {0, some, some, some}, noise, families};
}

}  // namespace gridcast::training
