// A result in its JSON form (--json) as tables for a person: what --details prints where a verb has
// no tables of its own. Names are those of the JSON, so both forms can be compared.
#pragma once

#include <string>

#include "sim/base/json_fields.hpp"
#include "sim/report/text/layout.hpp"

namespace gridcast::report {

/// The members of the object in a list, then a table for each object and for each list of objects
/// in it. Units follow from the names: times end in _s, sizes in bytes. A pair of numbers is a
/// range; null is "-".
std::string json_tables(Json const& object, Screen const& screen);

}  // namespace gridcast::report
