// Records: what a job table says of each process, laid flat, with censoring marked. A process that
// something else cut short (a kill, an eviction) is an observation of "at least this long", and is
// never dropped: without the killed executions a heavy tail looks short.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/units.hpp"
#include "sim/history/job_table.hpp"

namespace gridcast::calibration {

enum class ExecutionEnd { completed, killed_at_limit, evicted };

/// One execution that trained: it ended (an observation) or was cut short (censored).
struct ExecutionRecord {
  history::JobName job;
  std::string site;
  double seconds = 0;
  ExecutionEnd end = ExecutionEnd::completed;

  bool censored() const { return end != ExecutionEnd::completed; }
};

/// An execution that left no result: the site's network was gone once the archive was unpacked, or
/// the archive did not unpack.
struct WrongOutputRecord {
  history::JobName job;
  std::string site;
  double seconds = 0;
  bool network = false;  // else corrupt input
};

/// What happened to one job on its way to data in place.
struct JobRecord {
  history::JobName job;
  history::Outcome outcome = history::Outcome::success;
  std::string first_site;  // empty if not known
  std::string last_site;
  std::vector<std::string> evicted_at;
  std::vector<std::string> retried_at;    // sites that share the retried time, equally
  bool got_data = false;                  // its last transfer succeeded
  std::optional<double> last_transfer;    // how long that took, where the table tells
  std::optional<double> retried_seconds;  // total - last: all that came before it
  std::optional<double> overhead;         // slot busy - execution - last transfer
  int stalls = 0;
  int holds_released = 0;
  int evictions = 0;
};

struct Records {
  std::vector<std::string> sites;  // the pool's, in its order, then others that the table names
  std::vector<ExecutionRecord> executions;
  std::vector<WrongOutputRecord> wrong_outputs;
  std::vector<JobRecord> jobs;  // in the order of the table
  Bytes input_size;
};

/// Wrong outputs are told apart by time: who ran for less than it takes to read the input once at
/// 1 GB/s cannot have unpacked it (corrupt); who ran longer lost the network afterwards. Eviction k
/// happened at the k-th site of the row (the last one, if the row names fewer); retried time is
/// shared equally over the sites before the last; executions before the final one were at the sites
/// before the last.
Records make_records(history::JobTable const& table, std::vector<std::string> const& pool_sites,
                     Bytes input_size);

}  // namespace gridcast::calibration
