// The settings of a strategy that a search may change: one row for each, with its bounds, the party
// that can change it, and the settings that it depends on.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/optimize/search_space.hpp"
#include "sim/scenario/scenario.hpp"

namespace gridcast::optimize {

/// The party that changes a setting. An owner can bring a transfer plugin of their own
/// (`transfer_plugins`), so the client's settings are in both hands.
enum class Party { owner, access_point, site, anyone };
inline constexpr std::array<std::string_view, 4> party_names = {"owner", "access-point", "site",
                                                                "anyone"};

/// How a value is written.
enum class Unit { time, number, word };

struct Knob {
  std::string key;  // of the scenario, below the strategy's name: "transfer.stall_timeout"
  std::vector<Party> parties;
  Scale scale = Scale::logarithmic;
  Unit unit = Unit::time;
  double low = 0, high = 1, usual = 0;
  bool can_be_off = false;
  std::vector<std::string> words = {};  // of a choice, by its number
  std::function<std::optional<double>(scenario::Strategy const&)> get = {};
  std::function<void(scenario::Strategy&, std::optional<double>)> set = {};
  /// True if it has an effect with the other settings; empty: always.
  std::function<bool(scenario::Strategy const&)> applies = {};
  /// The key of a setting whose changes are also tried together with changes of this one.
  std::string with = {};
  /// True if the scenario offers it under the current strategy; empty: always.
  std::function<bool(scenario::Scenario const&, scenario::Strategy const&)> offered = {};
};

/// "20 min", "5", "next_cache", "off".
std::string value_text(Knob const& knob, std::optional<double> value);

/// The knobs that the party controls and that can change the scenario's result.
std::vector<Knob> knobs_of(scenario::Scenario const& scenario, scenario::Strategy const& current,
                           Party party);

}  // namespace gridcast::optimize
