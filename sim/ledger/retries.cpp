#include "sim/ledger/retries.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "sim/base/units.hpp"

namespace gridcast::ledger {

namespace {

using history::EventKind;

/// One attempt of a row.
struct Try {
  enum class Outcome { succeeded, failed, unknown } outcome = Outcome::unknown;
  Seconds begin, end;
  Id<history::Site> site{};
  std::string host{};
  history::Ending ending{};
};

bool is_success(history::JobEvent const& event) {
  return event.kind == EventKind::terminated && event.useful;
}

/// The attempts of one job, in order.
std::vector<Try> tries_of(history::JobHistory const& history,
                          std::vector<std::uint32_t> const& events) {
  std::vector<Try> tries;
  bool on = false;
  for (std::uint32_t const index : events) {
    history::JobEvent const& event = history.events[index];
    bool const ends = history::ends_attempt(event.kind);
    if (!on && (event.kind == EventKind::matched || event.kind == EventKind::executing)) {
      tries.push_back({.begin = event.at, .end = event.at});
      on = true;
    }
    if (!on) continue;
    Try& one = tries.back();
    if (event.site.valid()) {
      one.site = event.site;
      one.host = host_name(history, event.slot);
    }
    if (!ends) continue;
    one.end = event.at;
    one.ending = history::ending_of(event);
    one.outcome = is_success(event)                  ? Try::Outcome::succeeded
                  : event.kind == EventKind::aborted ? Try::Outcome::unknown
                                                     : Try::Outcome::failed;
    on = false;
  }
  return tries;
}

/// A job's life in the record, with its attempts.
struct Life {
  std::string node;  // its label, if any
  Seconds submitted, left;
  bool gone = false;  // from the queue where the record ends; else it may be tried again
  std::vector<Try> tries;
};

bool leaves_queue(history::JobEvent const& event) {
  return event.kind == EventKind::terminated || event.kind == EventKind::aborted;
}

std::vector<Life> lives_of(history::JobHistory const& history) {
  std::vector<Life> lives;
  auto const jobs = history::events_by_job(history);
  for (std::size_t job = 0; job < jobs.size(); ++job) {
    if (jobs[job].empty()) continue;
    lives.push_back({.node = job < history.labels.size() ? history.labels[job].node : "",
                     .submitted = history.events[jobs[job].front()].at,
                     .left = history.events[jobs[job].back()].at,
                     .gone = leaves_queue(history.events[jobs[job].back()]),
                     .tries = tries_of(history, jobs[job])});
  }
  std::stable_sort(lives.begin(), lives.end(),
                   [](Life const& a, Life const& b) { return a.submitted < b.submitted; });
  return lives;
}

/// Whether DAGMan may have submitted the one as a retry of the other, which it does when that has
/// left without a success. Jobs of one name that are in the queue together are of several DAGs, or
/// are called alike as a batch system lets them be.
bool may_retry(Life const& later, Life const& earlier) {
  bool const succeeded =
      !earlier.tries.empty() && earlier.tries.back().outcome == Try::Outcome::succeeded;
  return !succeeded && later.submitted >= earlier.left;
}

/// Attempts of a DAG node in one row, of other jobs in a row each.
std::vector<Life> rows_of(history::JobHistory const& history) {
  std::map<std::string, std::vector<std::size_t>> of_node;
  std::vector<Life> rows;
  for (Life& life : lives_of(history)) {
    auto* const named = life.node.empty() ? nullptr : &of_node[life.node];
    auto const retried =
        named ? std::find_if(named->rbegin(), named->rend(),
                             [&](std::size_t row) { return may_retry(life, rows[row]); })
              : decltype(named->rbegin())();
    if (!named || retried == named->rend()) {
      if (named) named->push_back(rows.size());
      rows.push_back(std::move(life));
      continue;
    }
    Life& row = rows[*retried];
    row.left = life.left;
    row.gone = life.gone;
    std::move(life.tries.begin(), life.tries.end(), std::back_inserter(row.tries));
  }
  return rows;
}

RetryWait wait_between(Try const& failed, Try const& next) {
  Seconds const wait = next.begin - failed.end;
  if (wait <= minutes(10)) return RetryWait::minutes;
  if (wait <= hours(1)) return RetryWait::hour;
  return wait <= hours(6) ? RetryWait::hours : RetryWait::longer;
}

void add_next(RetryCause& cause, Try const& failed, Try const& next, std::size_t number) {
  bool const success = next.outcome == Try::Outcome::succeeded;
  cause.next.add(success);
  cause.by_number[std::min(number, retry_numbers) - 1].add(success);
  cause.by_wait[static_cast<std::size_t>(wait_between(failed, next))].add(success);
  if (failed.site.valid() && next.site.valid()) {
    (failed.site == next.site ? cause.same_site : cause.other_site).add(success);
  }
  if (!failed.host.empty() && !next.host.empty()) {
    bool const same = failed.site == next.site && failed.host == next.host;
    (same ? cause.same_host : cause.other_host).add(success);
  }
}

class Counting {
 public:
  void add_row(Life const& life) {
    std::vector<Try> const& row = life.tries;
    std::set<std::size_t> struck;
    std::size_t number = 0;
    for (std::size_t i = 0; i < row.size(); ++i) {
      ++number;
      Try const& one = row[i];
      if (one.outcome != Try::Outcome::failed) continue;
      std::size_t const cause = cause_of(one.ending);
      struck.insert(cause);
      bool const followed = i + 1 < row.size() && row[i + 1].outcome != Try::Outcome::unknown;
      for (RetryCause* const each : {&retries_.causes[cause], &retries_.all}) {
        ++each->failures;
        if (followed) {
          add_next(*each, one, row[i + 1], number);
        } else {
          ++each->not_tried;
        }
      }
    }
    if (struck.empty()) return;
    bool const fixed = row.back().outcome == Try::Outcome::succeeded;
    bool const open = !fixed && (!life.gone || row.back().outcome == Try::Outcome::unknown);
    for (std::size_t const cause : struck) add_job(retries_.causes[cause], fixed, open);
    add_job(retries_.all, fixed, open);
  }

  Retries finish() {
    std::stable_sort(
        retries_.causes.begin(), retries_.causes.end(),
        [](RetryCause const& a, RetryCause const& b) { return a.failures > b.failures; });
    return std::move(retries_);
  }

 private:
  static void add_job(RetryCause& cause, bool fixed, bool open) {
    ++cause.jobs;
    cause.fixed += fixed ? 1 : 0;
    cause.open += open ? 1 : 0;
  }

  std::size_t cause_of(history::Ending const& ending) {
    for (std::size_t i = 0; i < retries_.causes.size(); ++i) {
      if (retries_.causes[i].ending == ending) return i;
    }
    retries_.causes.push_back({.ending = ending});
    return retries_.causes.size() - 1;
  }

  Retries retries_;
};

double log_choose(double n, double k) {
  return std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1);
}

}  // namespace

double Retried::share() const {
  if (tried == 0) return std::numeric_limits<double>::quiet_NaN();
  return static_cast<double>(succeeded) / static_cast<double>(tried);
}

double p_of_difference(Retried const& a, Retried const& b) {
  if (a.tried == 0 || b.tried == 0) return 1;
  auto const n = static_cast<double>(a.tried), m = static_cast<double>(b.tried);
  auto const hits = static_cast<double>(a.succeeded + b.succeeded);
  auto const log_p = [&](double k) {
    return log_choose(n, k) + log_choose(m, hits - k) - log_choose(n + m, hits);
  };
  constexpr double rounding = 1e-7;
  double const seen = log_p(static_cast<double>(a.succeeded));
  double p = 0;
  for (double k = std::max(0., hits - m); k <= std::min(n, hits); k += 1) {
    if (log_p(k) <= seen + rounding) p += std::exp(log_p(k));
  }
  return std::min(1., p);
}

std::string_view words(RetryWait wait) {
  constexpr std::array<std::string_view, retry_wait_count> texts = {"up to 10 min", "10 min to 1 h",
                                                                    "1 h to 6 h", "over 6 h"};
  return texts[static_cast<std::size_t>(wait)];
}

std::string_view name(RetryWait wait) {
  constexpr std::array<std::string_view, retry_wait_count> names = {"minutes", "hour", "hours",
                                                                    "longer"};
  return names[static_cast<std::size_t>(wait)];
}

Retries count_retries(history::JobHistory const& history) {
  Counting counting;
  for (Life const& row : rows_of(history)) counting.add_row(row);
  Retries retries = counting.finish();
  retries.batch_system = history.batch_system;
  return retries;
}

}  // namespace gridcast::ledger
