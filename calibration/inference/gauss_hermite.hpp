// Averages over a standard normal variable: Gauss-Hermite quadrature with nine points (Abramowitz &
// Stegun 25.10, scaled).
#pragma once

#include <array>

namespace gridcast::calibration {

inline constexpr std::array<double, 9> normal_nodes = {
    -4.512745863399783, -3.205429002856470, -2.076847978677830, -1.023255663789133, 0.0,
    1.023255663789133,  2.076847978677830,  3.205429002856470,  4.512745863399783};
inline constexpr std::array<double, 9> normal_weights = {
    2.234584400774658e-5, 2.789141321231769e-3, 4.991640676521787e-2,
    2.440975028949394e-1, 4.063492063492063e-1, 2.440975028949394e-1,
    4.991640676521787e-2, 2.789141321231769e-3, 2.234584400774658e-5};

}  // namespace gridcast::calibration
