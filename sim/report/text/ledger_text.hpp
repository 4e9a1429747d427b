// A ledger as a person reads it: where the hours went, by outcome and by site.
#pragma once

#include <string>

#include "sim/ledger/metrics.hpp"
#include "sim/report/text/screen.hpp"

namespace gridcast::report {

/// The site's name; "(no site)" for jobs that never met one.
std::string site_label(std::string const& name);

std::string ledger_text(ledger::Ledger const& ledger, Screen const& screen = endless_screen());

/// The same, and of dated sources what jobs were doing and why they lost their slots.
std::string whole_ledger_text(ledger::Ledger const& ledger,
                              Screen const& screen = endless_screen());

}  // namespace gridcast::report
