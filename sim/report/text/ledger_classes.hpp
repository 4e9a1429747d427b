// What jobs were doing (time classes), as a person reads it: in all, by site, by job.
#pragma once

#include <string>

#include "sim/ledger/ledger.hpp"
#include "sim/report/text/screen.hpp"

namespace gridcast::report {

/// In all and by site; empty where the source has no dates.
std::string classes_text(ledger::Ledger const& ledger, Screen const& screen = endless_screen());

/// A row a job: how it stands, where, its attempts, its time in each class that any job knew.
std::string jobs_text(ledger::Ledger const& ledger, Screen const& screen = endless_screen());

}  // namespace gridcast::report
