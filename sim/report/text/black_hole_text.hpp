// Hosts that let job after job fail: their cost, and how to avoid them; for a person, and as
// gridcast.black-holes/1.
#pragma once

#include <string>

#include "sim/ledger/black_holes.hpp"
#include "sim/report/data/json.hpp"
#include "sim/report/text/characters.hpp"

namespace gridcast::report {

std::string black_holes_text(ledger::BlackHoles const& found, Screen const& screen);

Json black_holes_json(ledger::BlackHoles const& found);

}  // namespace gridcast::report
