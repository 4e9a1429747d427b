// Why retries work, for a person: a line a cause, and what the next attempt's luck hung on.
#pragma once

#include <string>

#include "sim/ledger/retries.hpp"
#include "sim/report/text/characters.hpp"

namespace gridcast::report {

std::string retries_text(ledger::Retries const& retries, Screen const& screen);

}  // namespace gridcast::report
