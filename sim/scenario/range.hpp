// Values that are not known, or differ, between two ends: a factor, log-uniform between them with
// one draw a replica, and a time.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sim/base/units.hpp"

namespace gridcast::scenario {

struct FactorRange {
  double least = 1, most = 1;
  bool operator==(FactorRange const&) const = default;
  /// Quantile; u in (0, 1).
  double at(double u) const;
};

/// "2" or "0.5..4", the smaller one first. Empty for what is not of that form, or is no positive
/// number.
std::optional<FactorRange> parse_factor_range(std::string_view text);
std::string to_text(FactorRange const& range);

struct TimeRange {
  Seconds least, most;
  bool operator==(TimeRange const&) const = default;
};

}  // namespace gridcast::scenario
