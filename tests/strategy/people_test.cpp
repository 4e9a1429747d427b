#include "sim/strategy/people.hpp"

#include "tests/test.hpp"

namespace gridcast::strategy {

namespace {

using Deed = ByHand::Deed;

RandomStream stream(std::uint32_t job = 0) {
  return RandomStreams(1, 0).stream(Purpose::people, job);
}

}  // namespace

TEST_CASE("People release by reason in a job table's world") {
  scenario::ParameterDraw draw;
  draw.release_transfer_hold = 1;
  CHECK(by_hand(draw, history::Reason::transfer_failed, 1, stream()).deed == Deed::release);
  CHECK(by_hand(draw, history::Reason::not_found, 1, stream()).deed == Deed::none);
  draw.release_other_hold = 1;
  CHECK(by_hand(draw, history::Reason::not_found, 99, stream()).deed == Deed::release);
  CHECK(by_hand(draw, history::Reason::input_too_large, 1, stream()).deed == Deed::none);
}

TEST_CASE("People release with one probability in a dated world, and remove in the end") {
  scenario::ParameterDraw draw;
  scenario::EventLogParameters& dated = draw.event_log.emplace();
  dated.release = 0.7;
  dated.most_holds = 4;
  dated.release_delay = {Family::exponential, 1, 15, 2};
  int released = 0;
  constexpr int jobs = 10000;
  for (std::uint32_t job = 0; job < jobs; ++job) {
    ByHand const deed = by_hand(draw, history::Reason::policy, 3, stream(job));
    released += deed.deed == Deed::release;
    CHECK(deed.after > Seconds(2));
  }
  CHECK(std::abs(released - 7000) < 5 * 46);  // 5 standard deviations: false 6 times in 10^7
  CHECK(by_hand(draw, history::Reason::policy, 4, stream()).deed == Deed::remove);
}

}  // namespace gridcast::strategy
