// Time without SimGrid's flows is what SimGrid's own timers make of it.
#include "sim/engine/clock.hpp"

#include <algorithm>
#include <vector>

#include "sim/base/random.hpp"
#include "sim/engine/network/maxmin_flows.hpp"
#include "tests/model/closed_form.hpp"
#include "tests/test.hpp"

namespace gridcast::test {

namespace {

/// Timers that set others, on few moments, and take some back: which fired when, one after the
/// other.
class Timers {
 public:
  explicit Timers(bool of_simgrid) {
    if (!of_simgrid) return;
    engine::grid_zone();
    clock_.follow_simgrid();
  }

  std::vector<double> run() {
    for (int i = 0; i < 50; ++i) set();
    clock_.run();
    return std::move(fired_);
  }

 private:
  void set() {
    constexpr int most = 5000;
    if (++number_ > most) return;
    Seconds const at = clock_.now() + Seconds(luck_.below(4));
    pending_.push_back(nullptr);
    std::size_t const place = pending_.size() - 1;
    pending_[place] = clock_.at(at, [this, place] { fire(place); });
  }

  void fire(std::size_t place) {
    pending_[place] = nullptr;
    fired_.insert(fired_.end(), {static_cast<double>(place), clock_.now().value()});
    for (std::uint32_t i = luck_.below(4); i > 0; --i) set();
    if (luck_.chance(0.3)) {
      engine::stop(pending_[luck_.below(static_cast<std::uint32_t>(pending_.size()))]);
    }
  }

  engine::Clock clock_;
  RandomStream luck_ = RandomStreams(12, 0).stream(Purpose::test, 0);
  int number_ = 0;
  std::vector<engine::Timer*> pending_;
  std::vector<double> fired_;
};

/// Sleeps 10 s twice, the first time cut off after 4 s: when each sleep ended, and whether it was
/// done.
std::vector<double> two_sleeps(bool of_simgrid) {
  engine::Clock clock;
  if (of_simgrid) {
    engine::grid_zone();
    clock.follow_simgrid();
  }
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

TEST_CASE("timers fire when SimGrid's would, those of one moment in the same order") {
  auto const of_simgrid = in_child([] { return Timers(true).run(); });
  auto const alone = in_child([] { return Timers(false).run(); });
  CHECK(alone.size() > 2 * 4000);
  CHECK(alone == of_simgrid);
}

TEST_CASE("a sleep that is cut off takes its timer back, and the next one has its own time") {
  std::vector<double> const by_hand = {4, 0, 14, 1};
  CHECK(two_sleeps(false) == by_hand);
  auto const of_simgrid = in_child([] { return two_sleeps(true); });
  CHECK(of_simgrid == by_hand);
}

}  // namespace gridcast::test
