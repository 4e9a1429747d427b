// Each second of a slot is in exactly one line, whatever happens to the jobs.
#include <algorithm>

#include "sim/base/random.hpp"
#include "sim/history/attempts.hpp"
#include "sim/history/job_table.hpp"
#include "sim/ledger/metrics.hpp"
#include "tests/condor/random_history.hpp"
#include "tests/test.hpp"

namespace gridcast::ledger {
namespace {

enum class Dated { yes, no };

// Any walk that HTCondor's states allow, in whole seconds, and the slot time that it takes. Not
// dated: without facts that only logs have (requeues, checkpoints, lost contact).
class RandomCampaign {
 public:
  explicit RandomCampaign(std::uint32_t number, Dated dated = Dated::yes)
      : random_(number, Purpose::test, 0, 0), dated_(dated == Dated::yes) {
    history_.sites = {"A", "B", "C"};
    std::uint32_t const jobs = 1 + random_.below(6);
    for (std::uint32_t j = 0; j < jobs; ++j) {
      history_.jobs.push_back({1, j});
      event_ = history::JobEvent();
      event_.job = Id<history::Job>(j);
      walk();
    }
    std::stable_sort(
        history_.events.begin(), history_.events.end(),
        [](history::JobEvent const& a, history::JobEvent const& b) { return a.at < b.at; });
    for (Seconds since : open_claims_) slot_time_ += history_.events.back().at - since;
  }

  history::JobHistory const& history() const { return history_; }
  Seconds slot_time() const { return slot_time_; }

 private:
  void add(history::EventKind kind, history::Reason reason = history::Reason::none) {
    event_.at += Seconds(random_.below(500));
    event_.kind = kind;
    event_.reason = reason;
    event_.useful = random_.chance(0.8);
    history_.events.push_back(event_);
  }

  void walk() {
    add(history::EventKind::submitted);
    bool alive = true;
    for (std::uint32_t claims = random_.below(6); alive && claims > 0; --claims) {
      if (random_.chance(0.1)) {
        add(history::EventKind::held, history::Reason::policy);
        add(history::EventKind::released, history::Reason::manual);
      }
      alive = claim();
    }
    if (alive && random_.chance(0.3)) add(history::EventKind::aborted, history::Reason::manual);
  }

  // One claim, up to a random step; whether the job lives on.
  bool claim() {
    using enum history::EventKind;
    event_.site = Id<history::Site>(random_.below(3));
    add(matched);
    Seconds const since = event_.at;
    auto const steps = random_.below(7);
    static constexpr history::EventKind order[] = {transfer_input_started, transfer_input_finished,
                                                   executing, transfer_output_started,
                                                   transfer_output_finished};
    for (std::uint32_t s = 0; s < std::min(steps, 5U); ++s) {
      add(order[s]);
      if (order[s] == executing && dated_) execute();
    }
    bool const lives = end_claim(steps, since);
    event_.site = Id<history::Site>();
    return lives;
  }

  // Events that may happen while the program runs, and leave it running.
  void execute() {
    using enum history::EventKind;
    for (std::uint32_t n = random_.below(4); n > 0; --n) {
      switch (random_.below(3)) {
        case 0:
          add(suspended);
          add(unsuspended);
          break;
        case 1:
          add(disconnected);
          add(reconnected);
          break;
        default:
          add(transfer_output_started);
          add(checkpointed);
      }
    }
  }

  bool end_claim(std::uint32_t steps, Seconds since) {
    using enum history::EventKind;
    if (steps == 6) {
      add(terminated);
    } else if (random_.chance(0.05)) {
      open_claims_.push_back(since);
      return false;
    } else if (random_.chance(0.3)) {
      add(evicted, history::Reason::pilot_ended);
    } else if (dated_ && random_.chance(0.2)) {
      add(requeued, history::Reason::exit_code);
    } else if (random_.chance(0.5)) {
      add(shadow_exception, history::Reason::transfer_stalled);
    } else if (random_.chance(0.1)) {
      add(aborted, history::Reason::manual);
    } else {
      add(held, history::Reason::transfer_failed);
    }
    slot_time_ += event_.at - since;
    if (event_.kind == held && random_.chance(0.7)) {
      add(released, history::Reason::manual);
      return true;
    }
    return event_.kind == evicted || event_.kind == requeued || event_.kind == shadow_exception;
  }

  RandomStream random_;
  bool dated_;
  history::JobHistory history_;
  history::JobEvent event_;
  Seconds slot_time_;
  std::vector<Seconds> open_claims_;  // still running when the record ends
};

std::size_t count(history::JobHistory const& history, history::EventKind kind) {
  return static_cast<std::size_t>(
      std::count_if(history.events.begin(), history.events.end(),
                    [&](history::JobEvent const& event) { return event.kind == kind; }));
}

// Any order of events at all, in slots and out of them: what a reader might make of a bad log.
history::JobHistory random_events(std::uint32_t number) {
  RandomStream random(number, Purpose::test, 1, 0);
  history::JobHistory history;
  history.sites = {"A", "B"};
  for (std::uint32_t j = 0; j < 3; ++j) history.jobs.push_back({1, j});
  Seconds at;
  for (std::uint32_t n = random.below(60); n > 0; --n) {
    history::JobEvent event;
    at += Seconds(random.below(100));
    event.at = at;
    event.job = Id<history::Job>(random.below(3));
    constexpr auto kinds =
        static_cast<std::uint32_t>(history::EventKind::transfer_output_queued) + 1;
    event.kind = static_cast<history::EventKind>(random.below(kinds));
    event.site = Id<history::Site>(random.below(2));
    event.useful = random.chance(0.5);
    event.code = static_cast<std::int16_t>(random.chance(0.3) ? 12 + random.below(2) : 0);
    history.events.push_back(event);
  }
  return history;
}

void require_classes_complete(history::JobHistory const& history, Ledger const& ledger) {
  TimeClasses sum;
  auto const by_job = history::events_by_job(history);
  for (std::size_t j = 0; j < history.jobs.size(); ++j) {
    Seconds const life = by_job[j].empty()
                             ? Seconds()
                             : *ledger.jobs[j].ended_at - history.events[by_job[j].front()].at;
    REQUIRE(ledger.jobs[j].classes.total() == life);
    for (auto c : all_time_classes()) REQUIRE(ledger.jobs[j].classes[c] >= Seconds());
    sum += ledger.jobs[j].classes;
  }
  TimeClasses at_sites;
  for (auto const& [site, classes] : ledger.site_classes) at_sites += classes;
  Seconds held;
  for (auto const& row : ledger.endings) held += row.held;
  for (auto c : all_time_classes()) {
    INFO(name(c));
    REQUIRE(sum[c] == ledger.classes[c]);
    REQUIRE(at_sites[c] == ledger.classes[c]);
  }
  REQUIRE(held == ledger.classes[TimeClass::held]);
}

TEST_CASE("each second of a job is in one class, for any events") {
  for (std::uint32_t n = 0; n < 3000; ++n) {
    INFO("campaign " << n);
    auto const history = random_events(n);
    auto const ledger = account(history);
    require_classes_complete(history, ledger);
    REQUIRE(ledger.total.wallclock() == ledger.classes.slot_time());
  }
  for (std::uint32_t n = 0; n < 500; ++n) {
    INFO("walk " << n);
    RandomCampaign const campaign(n);
    require_classes_complete(campaign.history(), account(campaign.history()));
  }
}

TEST_CASE("the lines of the ledger add up to the slot time") {
  for (std::uint32_t n = 0; n < 2000; ++n) {
    RandomCampaign const campaign(n);
    INFO("campaign " << n);
    auto const ledger = account(campaign.history());
    auto const& total = ledger.total;
    REQUIRE(total.wallclock() == campaign.slot_time());
    REQUIRE(total.wallclock() == total.compute_success + total.transfer_success + total.badput());
    REQUIRE(total.jobs == campaign.history().jobs.size());
    REQUIRE(total.jobs ==
            total.succeeded + total.wrong_output + total.held + total.removed + total.unfinished);
    REQUIRE(total.evictions == count(campaign.history(), history::EventKind::evicted));
    REQUIRE(total.stalls == count(campaign.history(), history::EventKind::shadow_exception));
    REQUIRE(total.holds == count(campaign.history(), history::EventKind::held));
    REQUIRE(total.releases == count(campaign.history(), history::EventKind::released));
  }
}

TEST_CASE("the sites add up to the total") {
  for (std::uint32_t n = 0; n < 200; ++n) {
    auto const ledger = account(RandomCampaign(n).history());
    LedgerLines sum;
    for (auto const& [site, lines] : ledger.sites) sum += lines;
    auto const parts = metrics(sum, false);
    auto const whole = metrics(ledger.total, false);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      INFO("campaign " << n << ", " << parts[i].name);
      REQUIRE(parts[i].value == whole[i].value);
    }
  }
}

TEST_CASE("a job's order of events counts, not how jobs are interleaved") {
  RandomCampaign const campaign(7);
  auto by_job = campaign.history();
  std::stable_sort(
      by_job.events.begin(), by_job.events.end(),
      [](history::JobEvent const& a, history::JobEvent const& b) { return a.job < b.job; });
  auto const one = metrics(account(campaign.history())), other = metrics(account(by_job));
  for (std::size_t i = 0; i < one.size(); ++i) REQUIRE(one[i].value == other[i].value);
}

TEST_CASE("a table of any campaign keeps its outcomes and counts") {
  for (std::uint32_t n = 0; n < 500; ++n) {
    RandomCampaign const campaign(n, Dated::no);
    INFO("campaign " << n);
    auto const seen = account(campaign.history()).total;
    auto const reported = account(history::to_history(history::to_table(campaign.history()))).total;
    REQUIRE(reported.succeeded == seen.succeeded);
    REQUIRE(reported.wrong_output == seen.wrong_output);
    REQUIRE(reported.held == seen.held);
    REQUIRE(reported.removed == seen.removed);
    REQUIRE(reported.stalls == seen.stalls);
    REQUIRE(reported.evictions == seen.evictions);
    REQUIRE(reported.releases == seen.releases);
    REQUIRE(reported.compute_success == seen.compute_success);
    REQUIRE(reported.transfer_success == seen.transfer_success);
  }
}

// Both are made of the same steps; the ledger knows no spans, only sums.
TEST_CASE("spans touch, do not overlap, and add up to the ledger's classes") {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    history::JobHistory const history =
        test::RandomHistory(seed, condor::CondorVersion::v25, 1'700'000'000).get();
    auto const spans = history::phases_of(history);
    TimeClasses sums;
    for (std::size_t i = 0; i < spans.size(); ++i) {
      history::PhaseSpan const& span = spans[i];
      REQUIRE(span.begin < span.end);
      bool const first = i == 0 || spans[i - 1].job != span.job;
      if (!first) REQUIRE(spans[i - 1].end == span.begin);
      REQUIRE(has_slot(span.phase) == (span.attempt > 0));
      if (!span.open) sums[time_class_of(span.phase)] += span.end - span.begin;
    }
    Ledger const ledger = account(history);
    for (auto c : all_time_classes()) {
      INFO("seed " << seed << " " << name(c));
      REQUIRE(sums[c].value() == Approx(ledger.classes[c].value()).margin(1e-6));
    }
  }
}

}  // namespace
}  // namespace gridcast::ledger
