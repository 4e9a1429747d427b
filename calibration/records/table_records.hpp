// A job table as flat observations of each process, with censoring marked, and its counts, with
// events distinguished from the jobs that they hit. A process that something else cut short (a
// kill, an eviction) is an observation of "at least this long", and is never dropped: without the
// killed executions a heavy tail looks short.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/base/units.hpp"
#include "sim/history/job_table.hpp"

namespace gridcast::calibration {

/// Mean cost of a stall, seconds: 3,600 s of silence until it is noticed, and U(0, 300) s to the
/// starter's next look (docs/model.md, "Stalls").
inline constexpr double mean_stall_cost = 3750;

enum class ExecutionEnd { completed, killed_at_limit, evicted };

/// One execution that trained: it ended (an observation) or was cut short (censored).
struct ExecutionRecord {
  history::JobName job;
  std::string site;
  double seconds = 0;
  ExecutionEnd end = ExecutionEnd::completed;

  bool censored() const { return end != ExecutionEnd::completed; }
};

/// Why an execution left no result: its site's network was down when the archive had been unpacked,
/// or the archive did not unpack.
enum class WrongOutputCause { network_down, corrupt_input };

struct WrongOutputRecord {
  history::JobName job;
  std::string site;
  double seconds = 0;
  WrongOutputCause cause = WrongOutputCause::corrupt_input;
};

/// The course of one job until its data are in place.
struct JobRecord {
  history::JobName job;
  history::Outcome outcome = history::Outcome::success;
  std::string first_site;  // empty if not known
  std::string last_site;
  std::vector<std::string> evicted_at;
  std::vector<std::string> retried_at;    // sites that share the retried time, equally
  bool got_data = false;                  // its last transfer succeeded
  std::optional<double> last_transfer;    // its duration, where the table has it
  std::optional<double> retried_seconds;  // total - last: all that came before it
  std::optional<double> overhead;         // slot busy - execution - last transfer
  int stalls = 0;
  int holds_released = 0;
  int evictions = 0;
};

struct TableRecords {
  std::vector<std::string> sites;  // the pool's, in its order, then others that the table names
  std::vector<ExecutionRecord> executions;
  std::vector<WrongOutputRecord> wrong_outputs;
  std::vector<JobRecord> jobs;  // in the order of the table
  Bytes input_size;
};

/// Time distinguishes wrong outputs: a job that ran for less than one reading of the input at 1
/// GB/s cannot have unpacked it (corrupt); a job that ran longer lost the network afterwards.
/// Eviction k happened at the k-th site of the row (the last one, if the row names fewer); retried
/// time is shared equally over the sites before the last; executions before the final one were at
/// the sites before the last.
TableRecords make_table_records(history::JobTable const& table,
                                std::vector<std::string> const& pool_sites, Bytes input_size);

/// Failures that come as one event and hit several jobs.
struct ShockCounts {
  int events = 0;
  int hits = 0;
};

struct EventCounts {
  int jobs = 0;
  int attempts = 0;  // transfer attempts, without those that a 404 shock hit
  int stalls = 0;
  int holds_released = 0;
  int held_transfer = 0;         // held for a failed transfer (not 404) and never released
  int held_other_decisions = 0;  // held for good for another reason; one shock is one decision
  int single_404 = 0;
  int executed_jobs = 0;
  int executions = 0;
  int corrupt = 0;
  double corrupt_seconds = 0;  // that they ran, in all
  ShockCounts not_found;
  ShockCounts network_down;
};

/// 404 shock: two or more jobs of one cluster held by 404, each at most three numbers after the one
/// before, as starts that were retried come between. Network down: the same of wrong outputs by
/// network at one site.
EventCounts count_events(TableRecords const& records);

}  // namespace gridcast::calibration
