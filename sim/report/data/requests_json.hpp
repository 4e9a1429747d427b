// Requested and used resources of jobs, as gridcast.requests/1. Bytes, seconds, CPUs, GPUs.
#pragma once

#include "sim/ledger/requests.hpp"
#include "sim/report/data/json.hpp"

namespace gridcast::report {

Json requests_json(ledger::Requests const& found);

}  // namespace gridcast::report
