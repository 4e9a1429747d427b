// Bytes and GPU hours of a ledger as JSON and back, each where it is told:
//   "gpu_hours": {"all": hours, "sites": {NAME: hours}}
//   "bytes": {"sites": {NAME: {"received", "sent"}},
//             "caches": {NAME: {"received", "tries", "arrived", "given_up", "failed"}}}
#pragma once

#include "sim/report/data/json.hpp"
#include "sim/report/data/result.hpp"

namespace gridcast::report {

void put_traffic(Json& json, ResultLedger const& ledger);
void read_traffic(JsonReader const& json, ResultLedger& ledger);

}  // namespace gridcast::report
