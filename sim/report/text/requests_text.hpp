// Requested and used resources of jobs: for a person, with GB as HTCondor counts them (1024 MB),
// and as gridcast.requests/1 in bytes, seconds, CPUs and GPUs.
#pragma once

#include <string>

#include "sim/base/json_fields.hpp"
#include "sim/ledger/requests.hpp"
#include "sim/report/text/layout.hpp"

namespace gridcast::report {

/// At most twelve lines, of the program with most jobs.
std::string brief_requests(ledger::Requests const& found, Screen const& screen);

/// All programs, all possible requests, all jobs that hung.
std::string requests_text(ledger::Requests const& found, Screen const& screen);

Json requests_json(ledger::Requests const& found);

}  // namespace gridcast::report
