// Hosts that strategies avoid (match.avoid_hosts).
#pragma once

#include "sim/scenario/scenario.hpp"
#include "sim/scenario/yaml/document.hpp"

namespace gridcast::scenario {

/// Adds a problem for each host that the record does not name, and for each strategy that leaves
/// the campaign no host.
void check_avoided_hosts(YamlDocument& document, Scenario const& scenario);

}  // namespace gridcast::scenario
