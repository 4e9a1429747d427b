// Where the time went: slot time by line of the ledger (they add up to all of it), by site, and
// what was observed beside what was predicted. Of studies the means: they add up, medians do not.
#pragma once

#include <vector>

#include "sim/report/data/result.hpp"
#include "sim/report/page/document.hpp"

namespace gridcast::report {

ReportPart waterfall_section(std::vector<Result> const& results);

}  // namespace gridcast::report
