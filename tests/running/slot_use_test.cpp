#include <algorithm>

#include "sim/running/step_laws.hpp"
#include "tests/test.hpp"

namespace gridcast::running {
namespace {

using history::EventKind;
using history::JobHistory;

/// `slots` slots without a pause: each job takes 10 min and 10 s pass until the next one starts.
JobHistory full_pool(std::size_t slots, std::size_t jobs, Seconds until) {
  JobHistory history;
  history.sites = {"site"};
  std::vector<history::JobEvent> events;
  for (std::size_t job = 0; job < jobs; ++job) {
    history.jobs.push_back({1, static_cast<std::uint32_t>(job)});
    auto const add = [&](Seconds at, EventKind kind) {
      history::JobEvent event{.at = at, .job = Id<history::Job>(job), .kind = kind};
      if (kind != EventKind::submitted) event.site = Id<history::Site>(0);
      if (at <= until) events.push_back(event);
    };
    Seconds const start = Seconds(610) * static_cast<double>(job / slots) +
                          Seconds(1) * static_cast<double>(job % slots);
    add(Seconds(), EventKind::submitted);
    add(start, EventKind::matched);
    add(start, EventKind::executing);
    add(start + minutes(10), EventKind::terminated);
  }
  std::stable_sort(events.begin(), events.end(),
                   [](auto const& a, auto const& b) { return a.at < b.at; });
  history.events = std::move(events);
  history.seen_until = until;
  return history;
}

TEST_CASE("a pool without a pause is full", "[slot_use]") {
  auto const campaign = running_campaign(full_pool(8, 40, minutes(25)));
  SlotUse const use = slot_use(campaign);
  CHECK(use.most == 8);
  CHECK(use.full());
  REQUIRE(use.gaps.size() == 16);
  Seconds sum;
  for (Seconds const gap : use.gaps) sum += gap;
  CHECK(sum.value() == Approx(16 * 10));
}

TEST_CASE("jobs that run one at a time do not wait for slots", "[slot_use]") {
  CHECK_FALSE(slot_use(running_campaign(full_pool(1, 5, minutes(25)))).full());
  CHECK_FALSE(slot_use(running_campaign(JobHistory())).full());
}

TEST_CASE("a pool that empties is not full", "[slot_use]") {
  CHECK_FALSE(slot_use(running_campaign(full_pool(8, 16, hours(3)))).full());
}

TEST_CASE("a job starts in the slot that is free first", "[slot_use]") {
  SlotUse const use{.most = 2, .share = 1};
  double first = 0, third = 0;
  constexpr std::uint32_t futures = 400;
  for (std::uint32_t i = 0; i < futures; ++i) {
    SlotQueue queue(use, {minutes(30), minutes(20)}, RandomStream(1, Purpose::test, i, 0));
    Seconds const at = queue.next_start();
    queue.give_back(at + hours(1));
    Seconds const next = queue.next_start();
    CHECK(next >= at);
    queue.give_back(next + hours(1));
    first += at.value() / futures;
    third += queue.next_start().value() / futures;
  }
  // Most futures have two slots; a few have one or three.
  CHECK(first == Approx(minutes(20).value()).epsilon(0.2));
  CHECK(third == Approx(minutes(80).value()).epsilon(0.2));
}

}  // namespace
}  // namespace gridcast::running
