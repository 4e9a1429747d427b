#include "sim/import/table/attempt_retries.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <utility>

#include <fmt/format.h>

namespace gridcast::import {
namespace {

using history::Reason;

/// Jobs that name one another, in whatever order.
class Families {
 public:
  explicit Families(std::size_t jobs) : above_(jobs) {
    std::iota(above_.begin(), above_.end(), std::uint32_t{0});
  }

  std::uint32_t of(std::uint32_t job) {
    while (above_[job] != job) job = above_[job] = above_[above_[job]];
    return job;
  }
  void unite(std::uint32_t a, std::uint32_t b) {
    a = of(a);
    b = of(b);
    above_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<std::uint32_t> above_;
};

/// When an attempt took its slot, or else when its job came into the queue.
Seconds begin_of_attempt(AttemptRow const& row) {
  for (auto const& at : {row.matched, row.queued, row.transfer_started, row.started, row.submitted,
                         row.ended, row.removed}) {
    if (at) return *at;
  }
  return Seconds();
}

bool was_in_slot(AttemptRow const& row) {
  return row.matched || row.queued || row.transfer_started || row.started;
}

/// A row that another attempt of its job follows.
void let_go_on(AttemptRow& row) {
  if (row.outcome == AttemptOutcome::failed) row.outcome = AttemptOutcome::requeued;
  if (row.outcome != AttemptOutcome::removed) return;
  if (was_in_slot(row)) {
    row.outcome = AttemptOutcome::evicted;
    row.code = 0;
    return;
  }
  row.outcome = AttemptOutcome::waiting;
  row.reason = Reason::none;
  row.ended.reset();
  row.removed.reset();
}

class RetryJoiner {
 public:
  explicit RetryJoiner(AttemptTable& table) : table_(table), families_(table.jobs.size()) {}

  void join() {
    for (AttemptRow const& row : table_.rows) {
      if (row.retry_of) families_.unite(row.job, *row.retry_of);
    }
    std::map<std::uint32_t, std::vector<std::size_t>> families;
    for (std::size_t i = 0; i < table_.rows.size(); ++i) {
      families[families_.of(table_.rows[i].job)].push_back(i);
    }
    for (auto& [family, rows] : families) {
      if (rows.size() > 1) join_family(std::move(rows));
    }
    tell();
  }

 private:
  /// A job: the row of its last attempt so far, the number that this one tells, how many there are.
  struct Chain {
    std::size_t last = 0;
    std::uint32_t told = 0;
    std::uint32_t attempts = 1;
  };

  void join_family(std::vector<std::size_t> rows) {
    std::stable_sort(rows.begin(), rows.end(), [&](std::size_t a, std::size_t b) {
      return begin_of_attempt(table_.rows[a]) < begin_of_attempt(table_.rows[b]);
    });
    std::multimap<Seconds, Chain> ended;  // those that another attempt can follow
    bool first = true;
    for (std::size_t const i : rows) {
      AttemptRow& row = table_.rows[i];
      Chain chain{i, row.attempt};
      if (auto const before = retried_by(row, ended); before != ended.end()) {
        AttemptRow& last = table_.rows[before->second.last];
        chain.attempts = before->second.attempts + 1;
        if (last.job != row.job) ++joined_;
        row.job = last.job;
        last.attempt = before->second.attempts;
        row.attempt = chain.attempts;
        let_go_on(last);
        ended.erase(before);
      } else if (!first && row.retry_of && *row.retry_of != row.job) {
        ++not_joined_;
      }
      first = false;
      bool const followed = row.ended && row.outcome != AttemptOutcome::succeeded;
      if (followed) ended.emplace(*row.ended, chain);
    }
  }

  /// The attempt that ended last of those that this one can be the next of.
  std::multimap<Seconds, Chain>::iterator retried_by(AttemptRow const& row,
                                                     std::multimap<Seconds, Chain>& ended) {
    constexpr int most_looks = 16;  // of a family of thousands, those that ended just before
    auto at = ended.upper_bound(begin_of_attempt(row));
    for (int looks = 0; at != ended.begin() && looks < most_looks; ++looks) {
      --at;
      Chain const& chain = at->second;
      bool const numbered = row.attempt > 0 && chain.told > 0;
      bool const taken_out = table_.rows[chain.last].outcome == AttemptOutcome::removed;
      if (!numbered || row.attempt > chain.told || taken_out) return at;
    }
    return ended.end();
  }

  void tell() {
    if (joined_ > 0) {
      table_.report.remarks.push_back(fmt::format(
          "{}, joined with what was retried as further attempts of one job",
          joined_ == 1 ? "1 row is a retry" : fmt::format("{} rows are retries", joined_)));
    }
    if (not_joined_ > 0) {
      table_.report.remarks.push_back(fmt::format(
          "{}, as it had not failed by then or has no lower attempt number: {} of {} own",
          not_joined_ == 1
              ? "1 row names a job that it cannot have retried"
              : fmt::format("{} rows name a job that they cannot have retried", not_joined_),
          not_joined_ == 1 ? "a job" : "jobs", not_joined_ == 1 ? "its" : "their"));
    }
  }

  AttemptTable& table_;
  Families families_;
  std::size_t joined_ = 0, not_joined_ = 0;
};

}  // namespace

void join_retries(AttemptTable& table) {
  bool const any = std::any_of(table.rows.begin(), table.rows.end(),
                               [](AttemptRow const& row) { return row.retry_of.has_value(); });
  if (any) RetryJoiner(table).join();
}

}  // namespace gridcast::import
