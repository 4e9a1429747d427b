// Hosts that let job after job fail, as gridcast.black-holes/1.
#pragma once

#include "sim/ledger/black_holes.hpp"
#include "sim/report/data/json.hpp"

namespace gridcast::report {

Json black_holes_json(ledger::BlackHoles const& found);

}  // namespace gridcast::report
