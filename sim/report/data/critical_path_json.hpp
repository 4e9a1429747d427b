// The critical path of a result as JSON, "critical_path", and back: its steps in the order of time, each
// with seconds since the campaign's first submission.
#pragma once

#include "sim/report/data/json.hpp"
#include "sim/report/data/result.hpp"

namespace gridcast::report {

/// Nothing where there is none.
void put_critical_path(Json& json, Result const& result);
void read_critical_path(JsonReader const& json, Result& result);

}  // namespace gridcast::report
