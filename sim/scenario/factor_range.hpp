// A factor that may not be known: log-uniform between its ends, one draw a replica.
#pragma once

#include <optional>
#include <string>
#include <string_view>

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

}  // namespace gridcast::scenario
