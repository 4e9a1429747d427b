// Timers of a replica, run by SimGrid's main loop, against a sorted list of them.
#include "sim/engine/clock.hpp"

#include <functional>
#include <map>
#include <optional>
#include <vector>

#include <simgrid/s4u.hpp>

#include "sim/base/random.hpp"
#include "tests/model/flows.hpp"
#include "tests/test.hpp"

namespace gridcast::test {

namespace {

/// Timers of equal times fire in the order of their setting: what a list sorted by time does.
class SortedTimers {
 public:
  using Entry = std::multimap<double, std::function<void()>>::iterator;

  double now() const { return now_; }
  Entry at(double when, std::function<void()> action) {
    return timers_.emplace(when, std::move(action));
  }
  void remove(Entry entry) { timers_.erase(entry); }
  void run() {
    while (!timers_.empty()) {
      auto const next = timers_.extract(timers_.begin());
      now_ = next.key();
      next.mapped()();
    }
  }

 private:
  std::multimap<double, std::function<void()>> timers_;
  double now_ = 0;
};

class EngineTimers {
 public:
  using Entry = engine::Timer*;

  double now() const { return clock_.now().value(); }
  Entry at(double when, std::function<void()> action) {
    return clock_.at(Seconds(when), std::move(action));
  }
  void remove(Entry entry) { entry->remove(); }
  void run() { clock_.run(); }

 private:
  engine::Clock clock_;
};

/// Timers that set others, on few times, and take some back: which fired when, in their order.
template <class Timers>
class TimerLoad {
 public:
  std::vector<double> run() {
    for (int i = 0; i < 50; ++i) set();
    timers_.run();
    return std::move(fired_);
  }

 private:
  void set() {
    constexpr int most = 5000;
    if (++number_ > most) return;
    double const at = timers_.now() + random_.below(4);
    std::size_t const place = pending_.size();
    pending_.emplace_back();
    pending_[place] = timers_.at(at, [this, place] { fire(place); });
  }

  void fire(std::size_t place) {
    pending_[place].reset();
    fired_.insert(fired_.end(), {static_cast<double>(place), timers_.now()});
    for (std::uint32_t i = random_.below(4); i > 0; --i) set();
    if (!random_.chance(0.3)) return;
    auto& other = pending_[random_.below(static_cast<std::uint32_t>(pending_.size()))];
    if (other) timers_.remove(*other);
    other.reset();
  }

  Timers timers_;
  RandomStream random_ = RandomStreams(12, 0).stream(Purpose::test, 0);
  int number_ = 0;
  std::vector<std::optional<typename Timers::Entry>> pending_;
  std::vector<double> fired_;
};

/// Sleeps 10 s twice, the first time cut off after 4 s: when each sleep ended, and whether it was
/// done.
std::vector<double> two_sleeps() {
  engine::Clock clock;
  engine::Interrupt interrupt;
  std::vector<double> ended;
  auto const sleep_twice = [&]() -> engine::Process {
    for (int i = 0; i < 2; ++i) {
      engine::Waited const waited = co_await clock.sleep(Seconds(10), &interrupt);
      ended.insert(ended.end(), {clock.now().value(), waited == engine::Waited::done ? 1.0 : 0.0});
    }
  };
  sleep_twice();
  clock.at(Seconds(4), [&] { interrupt.nudge(); });
  clock.run();
  return ended;
}

}  // namespace

TEST_CASE("timers fire as in a sorted list, and timers of one time in the order of their setting") {
  auto const expected = TimerLoad<SortedTimers>().run();
  CHECK(expected.size() > 2 * 4000);
  CHECK(TimerLoad<EngineTimers>().run() == expected);
  CHECK(TimerLoad<EngineTimers>().run() == expected);  // SimGrid's clock does not start at zero now
}

TEST_CASE("a sleep that is cut off takes its timer back, and the next one has its own time") {
  CHECK(two_sleeps() == std::vector<double>{4, 0, 14, 1});
}

TEST_CASE("SimGrid's clock moves by the time of the replica") {
  two_sleeps();
  double const before = simgrid::s4u::Engine::get_clock();
  two_sleeps();
  CHECK(simgrid::s4u::Engine::get_clock() - before == Approx(14));
}

// A flow ends at 10 s between timers at 5 s and 15 s; a timer that it sets at 12 s precedes the
// last.
TEST_CASE("timers and max-min flows share one clock") {
  engine::Clock clock;
  engine::Network network(clock, plan_of({link(1e8, 1e8)}, true));
  std::vector<double> times;
  auto const note = [&] { times.push_back(clock.now().value()); };
  for (double const at : {5.0, 15.0}) clock.at(Seconds(at), note);
  auto const transfer = [&]() -> engine::Process {
    co_await network.transfer(with_ends(over(0), 1), Bytes(1e9));
    note();
    co_await clock.sleep(Seconds(2));
    note();
  };
  transfer();
  clock.run();
  REQUIRE(times.size() == 4);
  CHECK(times[0] == 5);
  CHECK(times[1] == Approx(10));
  CHECK(times[2] == Approx(12));
  CHECK(times[3] == 15);
}

TEST_CASE("a replica's flows end at the same bits after any earlier run of the process") {
  std::vector<Flow> const flows{{.route = over(0, 1), .work = 1e9},
                                {3.3, over(0), 7e9},
                                {1.7, over(1), 2.2e9},
                                {2.9, over(1), 1.1e10}};
  std::vector<engine::LinkSpec> const links{link(1e8, 1e8), link(1.2e8, 1.2e8)};
  auto const first = flow_ends(links, flows, true);
  two_sleeps();
  auto const again = flow_ends(links, flows, true);
  CHECK(first.at == again.at);
}

}  // namespace gridcast::test
