#include "calibration/records/table_records.hpp"

#include <algorithm>

namespace gridcast::calibration {

namespace {

/// An execution that ran for less cannot have read the input, let alone unpacked it.
constexpr BytesPerSecond fastest_reading(1e9);

/// Its last transfer brought the data into place: there was an execution to wait for or to lose.
bool got_data(history::Outcome outcome) {
  return outcome == history::Outcome::success || outcome == history::Outcome::wrong_output ||
         outcome == history::Outcome::held_duration;
}

std::optional<double> last_transfer(history::JobRow const& row) {
  if (!got_data(row.outcome)) return std::nullopt;
  bool const retried = row.stalls + row.holds_released + row.evictions > 0;
  std::optional<Seconds> const last =
      row.transfer_last || retried ? row.transfer_last : row.transfer_total;
  if (!last) return std::nullopt;
  return last->value();
}

std::optional<double> retried_seconds(history::JobRow const& row) {
  std::optional<double> const last = last_transfer(row);
  if (!last || !row.transfer_total) return std::nullopt;
  return row.transfer_total->value() - *last;
}

std::optional<double> overhead(history::JobRow const& row) {
  std::optional<double> const last = last_transfer(row);
  if (!last || row.execute.empty() || row.slot_busy.size() != row.execute.size()) {
    return std::nullopt;
  }
  double const rest = row.slot_busy.back().value() - row.execute.back().value() - *last;
  if (rest < 0) return std::nullopt;
  return rest;
}

/// Site of the i-th of k attempts that the row distinguishes, counted from the last.
std::string site_of(history::JobRow const& row, std::size_t i, std::size_t k) {
  if (row.sites.empty()) return {};
  std::size_t const from_end = std::min(k - i, row.sites.size());
  return row.sites[row.sites.size() - from_end];
}

std::vector<std::string> eviction_sites(history::JobRow const& row) {
  std::vector<std::string> at;
  if (row.sites.empty()) return at;
  for (std::size_t k = 0; k < static_cast<std::size_t>(row.evictions); ++k) {
    at.push_back(row.sites[std::min(k, row.sites.size() - 1)]);
  }
  return at;
}

JobRecord job_record(history::JobRow const& row) {
  JobRecord job;
  job.job = row.name;
  job.outcome = row.outcome;
  job.first_site = row.sites.empty() ? std::string() : row.sites.front();
  job.last_site = row.last_site();
  job.evicted_at = eviction_sites(row);
  job.retried_at = row.sites;
  if (job.retried_at.size() > 1) job.retried_at.pop_back();
  job.got_data = got_data(row.outcome);
  job.last_transfer = last_transfer(row);
  job.retried_seconds = retried_seconds(row);
  job.overhead = overhead(row);
  job.stalls = row.stalls;
  job.holds_released = row.holds_released;
  job.evictions = row.evictions;
  return job;
}

ExecutionEnd execution_end(history::Outcome outcome, bool final) {
  if (final && outcome == history::Outcome::success) return ExecutionEnd::completed;
  if (final && outcome == history::Outcome::held_duration) return ExecutionEnd::killed_at_limit;
  return ExecutionEnd::evicted;
}

void add_executions(TableRecords& records, history::JobRow const& row) {
  for (std::size_t i = 0; i < row.execute.size(); ++i) {
    std::string const site = site_of(row, i, row.execute.size());
    double const seconds = row.execute[i].value();
    bool const final = i + 1 == row.execute.size();
    if (final && row.outcome == history::Outcome::wrong_output) {
      bool const unpacked = seconds >= (records.input_size / fastest_reading).value();
      records.wrong_outputs.push_back(
          {row.name, site, seconds,
           unpacked ? WrongOutputCause::network_down : WrongOutputCause::corrupt_input});
    } else {
      records.executions.push_back({row.name, site, seconds, execution_end(row.outcome, final)});
    }
  }
}

void add_site(std::vector<std::string>& sites, std::string const& site) {
  if (!contains(sites, site)) sites.push_back(site);
}

constexpr std::uint32_t neighbourhood = 3;

void count_not_found(TableRecords const& records, EventCounts& counts) {
  std::vector<history::JobName> held;
  for (JobRecord const& job : records.jobs) {
    if (job.outcome == history::Outcome::held_404) held.push_back(job.job);
  }
  std::ranges::sort(held);
  for (std::size_t i = 0; i < held.size();) {
    std::size_t end = i + 1;
    while (end < held.size() && held[end].cluster == held[i].cluster &&
           held[end].proc - held[end - 1].proc <= neighbourhood) {
      ++end;
    }
    if (end - i == 1) {
      ++counts.single_404;
    } else {
      ++counts.not_found.events;
      counts.not_found.hits += static_cast<int>(end - i);
    }
    i = end;
  }
}

void count_wrong_outputs(TableRecords const& records, EventCounts& counts) {
  std::vector<WrongOutputRecord> down;
  for (WrongOutputRecord const& job : records.wrong_outputs) {
    if (job.cause == WrongOutputCause::network_down) {
      down.push_back(job);
    } else {
      ++counts.corrupt;
      counts.corrupt_seconds += job.seconds;
    }
  }
  std::ranges::sort(down, [](auto const& a, auto const& b) {
    return a.site != b.site ? a.site < b.site : a.job < b.job;
  });
  for (std::size_t i = 0; i < down.size(); ++i) {
    ++counts.network_down.hits;
    bool const same_event = i > 0 && down[i].site == down[i - 1].site &&
                            down[i].job.cluster == down[i - 1].job.cluster &&
                            down[i].job.proc - down[i - 1].job.proc <= neighbourhood;
    if (!same_event) ++counts.network_down.events;
  }
}

void count_job(JobRecord const& job, EventCounts& counts) {
  int const failed = job.stalls + job.holds_released;
  ++counts.jobs;
  counts.stalls += job.stalls;
  counts.holds_released += job.holds_released;
  counts.attempts += failed;
  if (job.got_data) {
    counts.attempts += job.evictions + 1;
    counts.executions += job.evictions + 1;
    ++counts.executed_jobs;
  }
  if (job.outcome == history::Outcome::held_transfer) ++counts.held_transfer;
  if (job.outcome == history::Outcome::held_duration) ++counts.held_other_decisions;
}

}  // namespace

TableRecords make_table_records(history::JobTable const& table,
                                std::vector<std::string> const& pool_sites, Bytes input_size) {
  TableRecords records;
  records.input_size = input_size;
  records.sites = pool_sites;
  for (history::JobRow const& row : table.rows) {
    for (std::string const& site : row.sites) add_site(records.sites, site);
    records.jobs.push_back(job_record(row));
    add_executions(records, row);
  }
  return records;
}

EventCounts count_events(TableRecords const& records) {
  EventCounts counts;
  for (JobRecord const& job : records.jobs) count_job(job, counts);
  count_not_found(records, counts);
  count_wrong_outputs(records, counts);
  counts.attempts += counts.held_transfer + counts.single_404;
  counts.held_other_decisions += counts.not_found.events + counts.single_404;
  return counts;
}

}  // namespace gridcast::calibration
