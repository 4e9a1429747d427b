// Nothing gets lost in a replica of a dated world, whatever its world and policy: each job's events
// in an order that makes sense, slots used by one job at a time, and the slots' own sums equal to
// those of the history.
#include <cmath>
#include <map>
#include <set>
#include <sstream>

#include "tests/engine/events.hpp"
#include "tests/engine/random_dated_grid.hpp"
#include "tests/test.hpp"

namespace gridcast::test {

namespace {

using enum history::EventKind;

/// What of a job's attempt may follow what; an attempt's end may follow anything within it.
std::set<history::EventKind> followers(history::EventKind kind) {
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

class JobWalk {
 public:
  std::string text() const { return text_; }

  void add(history::JobEvent const& event) {
    if (interlude(event.kind)) return;
    bool const ends = history::ends_attempt(event.kind);
    if (in_attempt_ && ends) {
      expect(event.site == site_, "an attempt ends at another site");
      expect(event.kind != reconnect_failed || disconnected_, "a connection is lost twice");
      wallclock_ += event.at - start_;
      in_attempt_ = suspended_ = disconnected_ = false;
    } else {
      expect(followers(last_).contains(event.kind), "it does not follow");
      expect(!suspended_ && !disconnected_, "the access point cannot know");
    }
    if (event.kind == matched) {
      in_attempt_ = true;
      start_ = event.at;
      site_ = event.site;
    }
    last_ = event.kind;
    if (!text_.empty() && text_.back() != '\n') {
      text_ += " (" + std::to_string(int(last_)) + ")\n";
    }
  }

  bool in_attempt() const { return in_attempt_; }
  history::EventKind last() const { return last_; }
  Seconds wallclock() const { return wallclock_; }

 private:
  // Suspensions and disconnections lie within attempts, one at a time.
  bool interlude(history::EventKind kind) {
    bool* const state = kind == suspended || kind == unsuspended      ? &suspended_
                        : kind == disconnected || kind == reconnected ? &disconnected_
                                                                      : nullptr;
    if (!state) return false;
    bool const begins = kind == suspended || kind == disconnected;
    expect(in_attempt_ && *state != begins, "an interlude out of place\n");
    *state = begins;
    return true;
  }
  void expect(bool holds, std::string const& what) {
    if (!holds) text_ += what;
  }

  bool in_attempt_ = false, suspended_ = false, disconnected_ = false;
  history::EventKind last_ = submitted;
  Seconds start_, wallclock_;
  Id<history::Site> site_;
  std::string text_;
};

void check_jobs(engine::Replica const& replica) {
  Seconds wallclock;
  for (auto const& indices : history::events_by_job(replica.history)) {
    REQUIRE(!indices.empty());
    CHECK(replica.history.events[indices[0]].kind == submitted);
    JobWalk walk;
    for (std::size_t i = 1; i < indices.size(); ++i) walk.add(replica.history.events[indices[i]]);
    INFO("job " << replica.history.events[indices[0]].job.index());
    CHECK(walk.text() == "");
    CHECK(!walk.in_attempt());
    CHECK((walk.last() == terminated || walk.last() == held || walk.last() == aborted));
    wallclock += walk.wallclock();
  }
  double const busy = (replica.audit.slot_busy + replica.audit.dead_leases).value();
  CHECK(busy == Approx(wallclock.value()).epsilon(1e-9).margin(1e-6));
  CHECK(replica.audit.slot_idle.value() >= -1e-6);
}

// A slot is another job's only after its own has left it, or has lost contact with it.
void check_slots(history::JobHistory const& history, Grid const& grid) {
  std::map<std::pair<std::size_t, std::uint32_t>, std::size_t> in_use;
  std::map<std::size_t, bool> out_of_contact;
  int no_such_slot = 0, taken = 0;
  for (history::JobEvent const& event : history.events) {
    if (!event.site.valid()) continue;
    no_such_slot +=
        event.slot >= static_cast<std::uint32_t>(grid.pool.sites[event.site.index()].slots);
    std::pair const slot{event.site.index(), event.slot};
    auto const user = in_use.find(slot);
    std::size_t const job = event.job.index();
    if (event.kind == disconnected) out_of_contact[job] = true;
    if (event.kind == reconnected) out_of_contact[job] = false;
    if (event.kind == matched) {
      taken += user != in_use.end() && !out_of_contact[user->second];
      out_of_contact[job] = false;
      in_use[slot] = job;
    } else if (history::ends_attempt(event.kind) && user != in_use.end() && user->second == job) {
      in_use.erase(user);
    }
  }
  CHECK(no_such_slot == 0);
  CHECK(taken == 0);
}

}  // namespace

TEST_CASE("each replica of a dated world conserves slot time and jobs") {
  std::map<history::EventKind, std::size_t> seen;
  for (std::uint32_t number = 0; number < 1000; ++number) {
    Grid const grid = RandomDatedGrid(number).draw();
    engine::Replica const replica = grid.run(number);
    INFO("grid " << number);
    auto const& events = replica.history.events;
    CHECK(std::is_sorted(events.begin(), events.end(),
                         [](auto const& a, auto const& b) { return a.at < b.at; }));
    check_jobs(replica);
    check_slots(replica.history, grid);
    for (history::JobEvent const& event : events) ++seen[event.kind];
  }
  for (history::EventKind const kind :
       {terminated, evicted, shadow_exception, held, released, aborted, requeued, checkpointed,
        suspended, reconnected, reconnect_failed}) {
    INFO("kind " << int(kind));
    CHECK(seen[kind] > 200);  // the grids do try it
  }
}

}  // namespace gridcast::test
