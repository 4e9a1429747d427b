// Keys that change nothing beside the present values of other keys: a form disables them and gives
// the reason. The rules are those of sim/strategy/decisions.cpp. A test simulates each disabled key
// with another value.
#pragma once

#include <string>
#include <string_view>

#include "sim/scenario/scenario.hpp"

namespace gridcast::scenario {

/// Why a key of the strategy ("transfer.stall_timeout") has no effect; empty if it has one.
std::string why_no_effect(Scenario const& scenario, Strategy const& strategy, std::string_view key);

/// The same of a key of the campaign ("work.batch").
std::string why_no_effect(Campaign const& campaign, std::string_view key);

}  // namespace gridcast::scenario
