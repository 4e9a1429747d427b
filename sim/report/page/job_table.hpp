// A row a job: how it ended, where, how often it was tried, and what its time went to.
#pragma once

#include "sim/report/data/result.hpp"
#include "sim/report/page/document.hpp"

namespace gridcast::report {

/// Of a ledger with its jobs. `linked`: the page has a Gantt chart that job names jump to.
ReportPart job_table_section(ResultLedger const& ledger, bool linked);

}  // namespace gridcast::report
