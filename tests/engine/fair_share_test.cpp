#include "sim/engine/job_queue.hpp"
#include "tests/test.hpp"

namespace gridcast::engine {

namespace {

/// Matches a submitter, if every slot suits every job.
std::vector<int> shared_out(std::vector<Submitter> const& submitters, int slots, int free) {
  std::vector<int> got(submitters.size());
  spin_pie(submitters, slots, [&](std::size_t i) {
    if (free == 0) return MatchResult::no_slot;
    --free;
    ++got[i];
    return MatchResult::matched;
  });
  return got;
}

}  // namespace

TEST_CASE("A real priority halves its distance to the slots in use in each half-life") {
  CHECK(real_priority_after(100, 0, days(1), days(1)) == Approx(50));
  CHECK(real_priority_after(0.5, 100, days(1), days(1)) == Approx(50.25));
  CHECK(real_priority_after(0.5, 100, days(30), days(1)) == Approx(100));
  CHECK(real_priority_after(8, 8, hours(5), days(1)) == Approx(8));
  CHECK(real_priority_after(3, 0, days(30), days(1)) == 0.5);
  // In two steps as in one.
  double const half_way = real_priority_after(40, 10, hours(7), days(1));
  CHECK(real_priority_after(half_way, 10, hours(5), days(1)) ==
        Approx(real_priority_after(40, 10, hours(12), days(1))));
}

TEST_CASE("Slots are shared inversely to effective priorities") {
  CHECK(shared_out({{500, 0, 1000}, {500, 0, 1000}}, 100, 100) == std::vector<int>{50, 50});
  CHECK(shared_out({{500, 0, 1000}, {1500, 0, 1000}}, 100, 100) == std::vector<int>{75, 25});
  CHECK(shared_out({{1000, 0, 9}, {1000, 0, 9}, {500, 0, 9}}, 8, 8) == std::vector<int>{2, 2, 4});
}

TEST_CASE("The slots that a user holds are part of the share") {
  CHECK(shared_out({{500, 60, 100}, {500, 0, 100}}, 100, 40) == std::vector<int>{0, 40});
  CHECK(shared_out({{500, 30, 100}, {500, 10, 100}}, 100, 60) == std::vector<int>{20, 40});
}

TEST_CASE("Slots that a user does not want go to the others") {
  CHECK(shared_out({{500, 0, 3}, {500, 0, 1000}}, 100, 100) == std::vector<int>{3, 97});
  CHECK(shared_out({{500, 90, 50}, {500, 0, 0}}, 100, 10) == std::vector<int>{10, 0});
}

TEST_CASE("A part of a slot is rounded up once a spin, the better priority first") {
  CHECK(shared_out({{1000, 0, 5}, {500, 0, 5}}, 1, 1) == std::vector<int>{0, 1});
  // Real priorities of 0.714 and 0.5 on 8 slots: 3.3 and 4.7 of them.
  CHECK(shared_out({{714, 0, 32}, {500, 0, 8}}, 8, 8) == std::vector<int>{3, 5});
}

TEST_CASE("No slot is left free while a job that it suits is idle, and none is given twice") {
  for (int free = 0; free <= 40; free += 5) {
    auto const got = shared_out({{500, 7, 9}, {800, 3, 11}, {90000, 0, 13}}, free + 10, free);
    CHECK(got[0] + got[1] + got[2] == std::min(free, 9 + 11 + 13));
    CHECK(got[0] <= 9);
    CHECK(got[1] <= 11);
    CHECK(got[2] <= 13);
  }
}

TEST_CASE("A user who finds no slot drops out, and the cycle ends") {
  int offered = 0;
  spin_pie({{500, 0, 10}, {500, 0, 10}}, 10, [&](std::size_t i) {
    ++offered;
    return i == 1 ? MatchResult::matched : MatchResult::no_slot;
  });
  CHECK(offered == 1 + 10);
}

TEST_CASE("A user's slice is the share less the slots held, and zero for users without idle jobs") {
  CHECK(slices({{500, 0, 10}, {1500, 5, 10}, {100, 0, 0}}, 100) == std::vector<double>{75, 20, 0});
  CHECK(slices({{500, 60, 10}, {500, 0, 10}}, 100) == std::vector<double>{0, 50});
}

}  // namespace gridcast::engine
