#include "sim/strategy/decisions.hpp"
#include "tests/test.hpp"

namespace gridcast::strategy {

namespace {

RandomStream stream(std::uint32_t job = 0) {
  return RandomStreams(1, 0).stream(Purpose::people, job);
}

}  // namespace

TEST_CASE("People release by reason in a job table's draw") {
  scenario::ParameterDraw draw;
  draw.release_transfer_hold = 1;
  CHECK(owner_decision(draw, history::Reason::transfer_failed, 1, stream()).action ==
        OwnerAction::release);
  CHECK(owner_decision(draw, history::Reason::not_found, 1, stream()).action == OwnerAction::none);
  draw.release_other_hold = 1;
  CHECK(owner_decision(draw, history::Reason::not_found, 99, stream()).action ==
        OwnerAction::release);
  CHECK(owner_decision(draw, history::Reason::input_too_large, 1, stream()).action ==
        OwnerAction::none);
}

TEST_CASE("People release with one probability in a draw of event logs, and remove in the end") {
  scenario::ParameterDraw draw;
  scenario::EventLogParameters& log = draw.event_log.emplace();
  log.release = 0.7;
  log.most_holds = 4;
  log.release_delay = {Family::exponential, 1, 15, 2};
  int released = 0;
  constexpr int jobs = 10000;
  for (std::uint32_t job = 0; job < jobs; ++job) {
    OwnerDecision const owner = owner_decision(draw, history::Reason::policy, 3, stream(job));
    released += owner.action == OwnerAction::release;
    CHECK(owner.after > Seconds(2));
  }
  CHECK(std::abs(released - 7000) < 5 * 46);  // 5 standard deviations: false 6 times in 10^7
  CHECK(owner_decision(draw, history::Reason::policy, 4, stream()).action == OwnerAction::remove);
}

}  // namespace gridcast::strategy
