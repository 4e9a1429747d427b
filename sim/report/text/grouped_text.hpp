// A ledger by user, site, host, exit or program, for a person.
#pragma once

#include <cstddef>
#include <string>

#include "sim/ledger/ledger.hpp"
#include "sim/report/text/characters.hpp"

namespace gridcast::report {

/// A row a group, that which lost most slot time first; at most so many, and how many more.
/// `by`: the kind of the groups, as "host".
std::string grouped_text(ledger::Ledger const& grouped, std::string const& by, std::size_t most,
                         Screen const& screen);

}  // namespace gridcast::report
