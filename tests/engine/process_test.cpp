// Coroutines, interrupts and turns, on the real clock.
#include "sim/engine/process.hpp"

#include <stdexcept>
#include <string>
#include <vector>

#include "sim/engine/clock.hpp"
#include "sim/engine/replica.hpp"
#include "sim/engine/transfer/input_transfer.hpp"
#include "tests/test.hpp"

namespace gridcast::test {

namespace {

engine::Step<int> doubled(engine::Clock& clock, int n) {
  co_await clock.sleep(Seconds(n));
  if (n < 0) throw std::runtime_error("negative");
  co_return 2 * n;
}

engine::Process sum_of_steps(engine::Clock& clock, int& sum, Seconds& end) {
  for (int const n : {1, 2, 3}) sum += co_await doubled(clock, n);
  end = clock.now();
}

engine::Process failing(engine::Clock& clock, std::string& caught) {
  try {
    co_await doubled(clock, -1);
  } catch (std::runtime_error const& error) {
    caught = error.what();
  }
}

struct Sleeper {
  engine::Interrupt interrupt;
  engine::Waited first = engine::Waited::done, second = engine::Waited::done;
  Seconds end;
};

engine::Process sleep_twice(engine::Clock& clock, Sleeper& sleeper) {
  sleeper.first = co_await clock.sleep(Seconds(10), &sleeper.interrupt);
  sleeper.second = co_await clock.sleep(Seconds(10), &sleeper.interrupt);
  sleeper.end = clock.now();
}

engine::Process use(engine::Clock& clock, engine::TransferQueue& queue,
                    engine::Interrupt& interrupt, std::vector<Seconds>& turns) {
  engine::Waited const my_turn = co_await queue.enter(interrupt);
  if (my_turn == engine::Waited::cut_off) co_return;
  turns.push_back(clock.now());
  co_await clock.sleep(Seconds(10));
  queue.leave();
}

}  // namespace

TEST_CASE("steps are awaited in turn and their exceptions reach the caller") {
  engine::Clock clock;
  int sum = 0;
  Seconds end;
  std::string caught;
  sum_of_steps(clock, sum, end);
  failing(clock, caught);
  clock.run();
  CHECK(sum == 12);
  CHECK(end == Seconds(6));
  CHECK(caught == "negative");
}

TEST_CASE("an interrupt ends the wait that is on and every later one") {
  engine::Clock clock;
  Sleeper interrupted, undisturbed;
  sleep_twice(clock, interrupted);
  sleep_twice(clock, undisturbed);
  clock.at(Seconds(4), [&] { interrupted.interrupt.raise(); });
  clock.run();
  CHECK(interrupted.first == engine::Waited::cut_off);
  CHECK(interrupted.second == engine::Waited::cut_off);
  CHECK(interrupted.end == Seconds(4));
  CHECK(undisturbed.first == engine::Waited::done);
  CHECK(undisturbed.second == engine::Waited::done);
  CHECK(undisturbed.end == Seconds(20));
}

TEST_CASE("an interrupt between waits is noticed by the next") {
  engine::Clock clock;
  Sleeper sleeper;
  sleeper.interrupt.raise();
  sleep_twice(clock, sleeper);
  CHECK(sleeper.first == engine::Waited::cut_off);
  CHECK(sleeper.end == Seconds(0));
}

TEST_CASE("a timer in the past fires now, one that is removed never") {
  engine::Clock clock;
  std::vector<Seconds> fired;
  clock.at(Seconds(5), [&] { clock.at(Seconds(1), [&] { fired.push_back(clock.now()); }); });
  engine::Timer* const removed = clock.at(Seconds(3), [&] { fired.push_back(clock.now()); });
  removed->remove();
  clock.run();
  CHECK(fired == std::vector{Seconds(5)});
  CHECK(clock.timers() == 3);
}

TEST_CASE("turns come first in, first out, and who is interrupted loses its place") {
  engine::Clock clock;
  engine::TransferQueue queue(2);
  std::vector<engine::Interrupt> interrupts(5);
  std::vector<Seconds> turns;
  for (engine::Interrupt& interrupt : interrupts) use(clock, queue, interrupt, turns);
  clock.at(Seconds(5), [&] { interrupts[2].raise(); });
  clock.run();
  CHECK(turns == std::vector{Seconds(0), Seconds(0), Seconds(10), Seconds(10)});
}

TEST_CASE("an exception in a process reaches the caller of run") {
  engine::Clock clock;
  clock.at(Seconds(1), [] { throw std::runtime_error("out"); });
  CHECK_THROWS_AS(clock.run(), std::runtime_error);
}

}  // namespace gridcast::test
