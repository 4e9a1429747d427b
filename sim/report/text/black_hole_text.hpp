// Hosts that let job after job fail, for a person: their cost, and how to avoid them.
#pragma once

#include <string>

#include "sim/ledger/black_holes.hpp"
#include "sim/report/text/characters.hpp"

namespace gridcast::report {

std::string black_holes_text(ledger::BlackHoles const& found, Screen const& screen);

}  // namespace gridcast::report
