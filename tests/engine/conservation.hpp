// Laws of each replica of any grid: every job's events in an order that makes sense,
// slots used by one job at a time, and the figures of the resources equal to those of the history.
#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sim/ledger/ledger.hpp"
#include "sim/scenario/campaign.hpp"
#include "tests/engine/events.hpp"
#include "tests/engine/quiet_grid.hpp"

namespace gridcast::test {

/// One job's events, one after the other.
class JobWalk {
 public:
  /// `again`: it may be submitted anew after its end, with its node.
  explicit JobWalk(bool again) : again_(again) {}

  std::string const& text() const { return text_; }

  void add(history::JobEvent const& event) {
    using enum history::EventKind;
    if (is_first_) {
      expect(event.kind == submitted, "a job is not submitted first");
      is_first_ = false;
      return;
    }
    if (interlude(event.kind)) return;
    if (in_attempt_ && history::ends_attempt(event.kind)) {
      expect(event.site == site_, "an attempt ends at another site");
      expect(event.kind != reconnect_failed || disconnected_, "a connection is lost twice");
      in_attempt_ = suspended_ = disconnected_ = false;
    } else {
      bool const over = last_ == terminated || last_ == aborted;
      bool const begins_again = again_ && over && event.kind == submitted;
      expect(begins_again || followers(last_).contains(event.kind),
             "event " + std::to_string(int(event.kind)) + " follows " + std::to_string(int(last_)));
      expect(!disconnected_, "the access point cannot know");
      bool const of_starter = event.kind == transfer_input_finished || event.kind == executing;
      expect(!suspended_ || of_starter, "a suspended job computes");
    }
    if (event.kind == matched) {
      in_attempt_ = true;
      site_ = event.site;
    }
    last_ = event.kind;
  }

  void end() {
    using enum history::EventKind;
    expect(!in_attempt_, "a job runs at the end");
    expect(last_ == terminated || last_ == held || last_ == aborted || last_ == submitted,
           "a job has no end");
  }

 private:
  /// The events of a job's attempt that may follow each event; its end may follow anything within
  /// it.
  static std::set<history::EventKind> followers(history::EventKind kind) {
    using enum history::EventKind;
    switch (kind) {
      case submitted:
      case evicted:
      case shadow_exception:
      case requeued:
      case reconnect_failed:
      case released:
        return {matched, held, aborted};
      case matched:
        return {transfer_input_started};
      case transfer_input_started:
        return {transfer_input_finished};
      case transfer_input_finished:
        return {executing};
      case executing:
      case checkpointed:
        return {transfer_output_started};
      case transfer_output_started:
        return {checkpointed, transfer_output_finished};
      case transfer_output_finished:
        return {terminated, requeued, held};
      case held:
        return {released, aborted};
      default:
        return {};
    }
  }

  // Suspensions and disconnections lie within attempts, one at a time.
  bool interlude(history::EventKind kind) {
    using enum history::EventKind;
    bool* const state = kind == suspended || kind == unsuspended      ? &suspended_
                        : kind == disconnected || kind == reconnected ? &disconnected_
                                                                      : nullptr;
    if (!state) return false;
    bool const begins = kind == suspended || kind == disconnected;
    expect(in_attempt_ && *state != begins, "an interlude out of place");
    *state = begins;
    return true;
  }
  void expect(bool holds, std::string const& what) {
    if (!holds) text_ += what + "\n";
  }

  bool again_;
  bool is_first_ = true, in_attempt_ = false, suspended_ = false, disconnected_ = false;
  history::EventKind last_ = history::EventKind::submitted;
  Id<history::Site> site_;
  std::string text_;
};

class Violations {
 public:
  Violations(Grid const& grid, engine::Replica const& replica)
      : grid_(grid), history_(replica.history), audit_(replica.audit) {
    check_order();
    if (scenario::has_nodes(grid_.campaign)) check_nodes();
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

  void check_order() {
    expect(std::is_sorted(history_.events.begin(), history_.events.end(),
                          [](auto& a, auto& b) { return a.at < b.at; }),
           "events are not in order of time");
    for (auto const& indices : history::events_by_job(history_)) {
      JobWalk walk(scenario::has_nodes(grid_.campaign));
      for (std::uint32_t const i : indices) walk.add(history_.events[i]);
      walk.end();
      text_ += walk.text();
    }
  }

  // A node of several jobs gets no slot from its first failure until it is submitted again.
  void check_nodes() {
    std::vector<std::size_t> node_of;
    for (std::size_t i = 0; i < grid_.campaign.submit.size(); ++i) {
      node_of.insert(node_of.end(), static_cast<std::size_t>(grid_.campaign.submit[i].jobs), i);
    }
    std::vector<bool> failed(grid_.campaign.submit.size());
    for (history::JobEvent const& event : history_.events) {
      using enum history::EventKind;
      std::size_t const node = node_of[event.job.index()];
      if (grid_.campaign.submit[node].jobs == 1) continue;
      bool const useless = event.kind == terminated && !event.useful;
      if (useless || event.kind == aborted) failed[node] = true;
      if (event.kind == submitted) failed[node] = false;
      expect(event.kind != matched || !failed[node], "a job of a node that failed gets a slot");
    }
  }

  // A slot is another job's only after its own has left it, or has lost contact with it.
  void check_slots() {
    std::map<std::pair<std::size_t, std::uint32_t>, std::size_t> in_use;
    std::map<std::size_t, bool> out_of_contact;
    for (history::JobEvent const& event : history_.events) {
      if (!event.site.valid()) continue;
      scenario::SiteSpec const& site = grid_.pool.sites[event.site.index()];
      expect(event.slot < static_cast<std::uint32_t>(std::max(site.gpus, site.slots)),
             "a slot that is not there");
      std::pair const slot{event.site.index(), event.slot};
      auto const user = in_use.find(slot);
      std::size_t const job = event.job.index();
      if (event.kind == history::EventKind::disconnected) out_of_contact[job] = true;
      if (event.kind == history::EventKind::reconnected) out_of_contact[job] = false;
      if (event.kind == history::EventKind::matched) {
        expect(user == in_use.end() || out_of_contact[user->second], "two jobs in one slot");
        out_of_contact[job] = false;
        in_use[slot] = job;
      } else if (history::ends_attempt(event.kind) && user != in_use.end() && user->second == job) {
        in_use.erase(user);
      }
    }
    expect(in_use.empty(), "a slot in use at the end");
  }

  // Each second of a slot in one line; each job with one outcome.
  void check_ledger() {
    ledger::LedgerLines const total = ledger::account(history_).total;
    Seconds const claimed = audit_.slot_busy + audit_.dead_leases;
    expect(std::abs((claimed - total.wallclock()).value()) <= 1e-9 * claimed.value() + 1e-6,
           "slots were busy for " + std::to_string(claimed.value()) + " s, the ledger has " +
               std::to_string(total.wallclock().value()));
    expect(same((audit_.slot_busy + audit_.slot_idle).value(), audit_.slot_life.value()),
           "busy + idle is not the slots' life");
    expect(audit_.slot_idle.value() >= -1e-6, "slots were busier than they lived");
    expect(total.jobs == history_.jobs.size(), "the ledger has lost jobs");
    expect(total.succeeded + total.wrong_output + total.held + total.removed + total.unfinished ==
               total.jobs,
           "a job without an outcome");
  }

  void check_bytes() {
    double const size = grid_.campaign.input_size().value();
    auto const number = [this](history::EventKind kind) {
      return static_cast<double>(count(history_, kind));
    };
    double const finished = number(history::EventKind::transfer_input_finished);
    double const started = number(history::EventKind::transfer_input_started);
    double const delivered = audit_.bytes_delivered.value();
    expect(delivered >= size * finished * (1 - 1e-9), "finished transfers lack bytes");
    constexpr double most_tries = 3;
    bool const asks_next =
        grid_.strategy.transfer.on_stall == scenario::OnStall::next_cache && !direct();
    expect(delivered <= size * started * (asks_next ? most_tries : 1) * (1 + 1e-9),
           "bytes from nowhere");
    if (dead_at_once()) {
      double const stalled = number(history::EventKind::shadow_exception);
      expect(delivered <= size * (started - stalled) * (1 + 1e-9), "bytes of what was dead");
    }
    check_origin(size, delivered);
  }

  // A transfer that ends in an exception has brought nothing.
  bool dead_at_once() const {
    scenario::OutageParameters const& outages = grid_.draw.outages;
    for (auto const& [name, site] : grid_.draw.sites) {
      if (site.url_failure > 0) return false;
    }
    return outages.kind == scenario::OutageKind::dead && outages.slow_before_stall == 0 &&
           outages.pause == 0 && grid_.campaign.input.size() == 1 && !direct() &&
           grid_.strategy.transfer.on_stall == scenario::OnStall::requeue &&
           grid_.strategy.transfer.stall_timer != scenario::StallTimer::whole_transfer;
  }

  // A cache that is large enough fetches each file once; direct reads come from the origin all.
  void check_origin(double size, double delivered) {
    double const from_origin = audit_.bytes_from_origin.value();
    if (grid_.strategy.transfer.protocol == scenario::Protocol::osdf) {
      auto const caches = static_cast<double>(grid_.pool.caches.size());
      expect(from_origin <= caches * size * (1 + 1e-9), "a cache has fetched the input twice");
      if (grid_.campaign.input.size() == 1) {
        double const fills = std::round(from_origin / size);
        expect(same(from_origin, fills * size), "a cache has fetched part of the input");
        expect(fills <= static_cast<double>(audit_.cache_misses), "a fill that nobody asked for");
      }
    } else {
      expect(same(from_origin, direct() ? delivered : 0), "the origin sent something else");
    }
  }

  bool direct() const { return grid_.strategy.transfer.protocol == scenario::Protocol::http; }

  Grid const& grid_;
  history::JobHistory const& history_;
  engine::ReplicaAudit const& audit_;
  std::string text_;
};

/// The problems of the replica, a line each; empty: none.
inline std::string violations(Grid const& grid, engine::Replica const& replica) {
  return Violations(grid, replica).text();
}

}  // namespace gridcast::test
