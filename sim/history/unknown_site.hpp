// The site of a record that names none. Logs of HTCondor 7 and 8 contain an address alone, and
// tables may lack a column of sites. Pools, forecasts and fits need a site all the same.
#pragma once

#include <string_view>

#include "sim/history/job_history.hpp"
#include "sim/history/job_table.hpp"

namespace gridcast::history {

inline constexpr std::string_view unknown_site = "(unknown)";

/// True if no event is at a site, or all with a site are at the unknown one.
bool names_no_site(JobHistory const& history);

/// Puts the attempts of a record that names no site at the unknown site.
void name_unknown_site(JobHistory& history);
void name_unknown_site(JobTable& table);

}  // namespace gridcast::history
