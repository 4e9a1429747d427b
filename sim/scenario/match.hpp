// Which sites a request matches, and what stands against it at the others.
#pragma once

#include <string>

#include "sim/scenario/campaign.hpp"
#include "sim/scenario/pool.hpp"

namespace gridcast {

/// "disk 500 GB, 350 TB wanted; ..." or, where it matches, nothing.
std::string against_match(SiteSpec const& site, Request const& request);

}  // namespace gridcast
