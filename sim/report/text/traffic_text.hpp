// What was moved for a campaign's jobs, for a reader: a row a site, and a row a cache.
#pragma once

#include <string>

#include "sim/ledger/traffic.hpp"
#include "sim/report/text/layout.hpp"

namespace gridcast::report {

/// Empty where the record does not say it.
std::string traffic_text(ledger::Traffic const& traffic, Screen const& screen = endless_screen());

}  // namespace gridcast::report
