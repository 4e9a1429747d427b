// Why jobs lost their slots or were held, as a table: how often, how many jobs, what it cost, and
// what to do about it.
#pragma once

#include <string>

#include "sim/ledger/ledger.hpp"
#include "sim/report/text/screen.hpp"

namespace gridcast::report {

/// Empty if nothing ended but well, or where the source has no dates.
std::string reasons_text(ledger::Ledger const& ledger, Screen const& screen = endless_screen());

}  // namespace gridcast::report
