// What holds in each replica, whatever the grid: every job's events in an order that makes sense,
// slots used by one job at a time, and the figures of the resources equal to those of the history.
#pragma once

#include <cmath>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sim/ledger/ledger.hpp"
#include "tests/engine/events.hpp"
#include "tests/engine/quiet_grid.hpp"

namespace gridcast::test {

class Violations {
 public:
  Violations(Grid const& grid, engine::Replica const& replica)
      : grid_(grid), history_(replica.history), audit_(replica.audit) {
    check_order();
    check_slots();
    check_ledger();
    check_bytes();
  }

  std::string text() const { return text_; }

 private:
  void expect(bool holds, std::string const& what) {
    if (!holds) text_ += what + "\n";
  }
  static bool same(double a, double b) { return std::abs(a - b) <= 1e-9 * (std::abs(a) + 1); }

  // What may follow a job's last event; `submitted` may only come first.
  static std::set<history::EventKind> followers(history::EventKind kind) {
    using enum history::EventKind;
    switch (kind) {
      case submitted:
        return {matched, held};
      case matched:
        return {transfer_input_started};
      case transfer_input_started:
        return {transfer_input_finished, shadow_exception, held, evicted};
      case transfer_input_finished:
        return {executing};
      case executing:
        return {transfer_output_started, held, evicted};
      case transfer_output_started:
        return {transfer_output_finished, evicted};
      case transfer_output_finished:
        return {terminated};
      case shadow_exception:
        return {matched, held, aborted};
      case evicted:
      case released:
        return {matched, aborted};
      case held:
        return {released};
      default:
        return {};
    }
  }

  void check_order() {
    expect(std::is_sorted(history_.events.begin(), history_.events.end(),
                          [](auto& a, auto& b) { return a.at < b.at; }),
           "events are not in order of time");
    for (auto const& indices : history::events_by_job(history_)) {
      expect(!indices.empty() && history_.events[indices[0]].kind == history::EventKind::submitted,
             "a job is not submitted");
      for (std::size_t i = 1; i < indices.size(); ++i) {
        history::EventKind const before = history_.events[indices[i - 1]].kind;
        history::EventKind const kind = history_.events[indices[i]].kind;
        expect(followers(before).contains(kind),
               "event " + std::to_string(int(kind)) + " follows " + std::to_string(int(before)));
      }
    }
  }

  void check_slots() {
    std::map<std::pair<std::size_t, std::uint32_t>, std::size_t> in_use;
    for (history::JobEvent const& event : history_.events) {
      if (!event.site.valid()) continue;
      std::pair const slot{event.site.index(), event.slot};
      bool const ends = event.kind == history::EventKind::terminated ||
                        event.kind == history::EventKind::evicted ||
                        event.kind == history::EventKind::shadow_exception ||
                        event.kind == history::EventKind::held;
      if (event.kind == history::EventKind::matched) {
        expect(in_use.emplace(slot, event.job.index()).second, "two jobs in one slot");
      } else if (auto const user = in_use.find(slot); user != in_use.end()) {
        expect(user->second == event.job.index(), "an event of a job in another's slot");
        if (ends) in_use.erase(user);
      } else {
        expect(event.kind == history::EventKind::held, "an event in a slot that is not claimed");
      }
      auto const& site = grid_.draw.sites.at(grid_.pool.sites[event.site.index()].name);
      expect(event.slot < static_cast<std::uint32_t>(site.gpus), "a slot that is not there");
    }
    expect(in_use.empty(), "a slot in use at the end");
  }

  // Each second of a slot in one line; each job with one outcome.
  void check_ledger() {
    ledger::LedgerLines const total = ledger::account(history_).total;
    expect(same(audit_.slot_busy.value(), total.wallclock().value()),
           "slots were busy for " + std::to_string(audit_.slot_busy.value()) +
               " s, the ledger has " + std::to_string(total.wallclock().value()));
    expect(same((audit_.slot_busy + audit_.slot_idle).value(), audit_.slot_life.value()),
           "busy + idle is not the slots' life");
    expect(audit_.slot_idle.value() >= -1e-6, "slots were busier than they lived");
    expect(total.jobs == history_.jobs.size(), "the ledger has lost jobs");
    expect(total.succeeded + total.wrong_output + total.held + total.removed == total.jobs,
           "a job without an outcome");
  }

  void check_bytes() {
    double const size = grid_.campaign.input_size().value();
    double const finished =
        static_cast<double>(count(history_, history::EventKind::transfer_input_finished));
    double const delivered = audit_.bytes_delivered.value();
    expect(delivered >= size * finished * (1 - 1e-9), "finished transfers lack bytes");
    // Of attempts that did not finish, the evicted ones and those that trickle bring some.
    if (grid_.draw.stall.slow_before_stall == 0 && !direct()) {
      double const partial = static_cast<double>(evicted_transfers());
      expect(delivered <= size * (finished + partial) * (1 + 1e-9), "bytes from nowhere");
    }
    check_origin(size, delivered);
  }

  // A cache that is large enough fetches the input once; direct reads come from the origin all.
  void check_origin(double size, double delivered) {
    double const from_origin = audit_.bytes_from_origin.value();
    if (grid_.strategy.transfer.protocol == scenario::Protocol::osdf) {
      double const fills = std::round(from_origin / size);
      expect(same(from_origin, fills * size), "a cache has fetched part of the input");
      expect(fills <= static_cast<double>(
                          std::min<std::uint64_t>(grid_.pool.caches.size(), audit_.cache_misses)),
             "a cache has fetched the input twice");
    } else {
      expect(same(from_origin, direct() ? delivered : 0), "the origin sent something else");
    }
  }

  bool direct() const { return grid_.strategy.transfer.protocol == scenario::Protocol::http; }

  std::size_t evicted_transfers() const {
    std::size_t n = 0;
    for (auto const& indices : history::events_by_job(history_)) {
      for (std::size_t i = 1; i < indices.size(); ++i) {
        n += history_.events[indices[i]].kind == history::EventKind::evicted &&
             history_.events[indices[i - 1]].kind == history::EventKind::transfer_input_started;
      }
    }
    return n;
  }

  Grid const& grid_;
  history::JobHistory const& history_;
  engine::ReplicaAudit const& audit_;
  std::string text_;
};

/// What is wrong with the replica, a line each; empty: nothing.
inline std::string violations(Grid const& grid, engine::Replica const& replica) {
  return Violations(grid, replica).text();
}

}  // namespace gridcast::test
