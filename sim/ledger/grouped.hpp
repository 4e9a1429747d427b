// A ledger by something else than sites: each second, and each job with its outcome, counts for one
// group, so that the groups add up to the whole.
//   site, host       where the second was spent; a job and its outcome at its last one
//   user, program    whose job it is; its executable, else its DAG node without its number
//   exit             how the job ended: "exit 1", "signal 9", "held: out of resources"
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/history/job_history.hpp"
#include "sim/ledger/ledger.hpp"

namespace gridcast::ledger {

enum class Grouping { site, host, user, exit, program };

/// "user", "site", ...; none for another word.
std::optional<Grouping> grouping_named(std::string_view name);
/// In the order of the help.
std::vector<std::string> grouping_names();

/// With the groups in place of sites. A job that was at no site or host is in the group "". Hosts,
/// users and programs that the record does not name are in one group, "".
Ledger account_by(history::JobHistory const& history, Grouping by);

}  // namespace gridcast::ledger
