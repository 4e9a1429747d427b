#include "sim/strategy/decisions.hpp"

#include <cmath>

#include "tests/test.hpp"

namespace gridcast::strategy {

using Action = strategy::AfterFailure::Action;

namespace {

RandomStream stream(std::uint32_t job) {
  return RandomStreams(1, 0).stream(Purpose::strategy, job);
}

constexpr history::Reason all_reasons[] = {history::Reason::none,
                                           history::Reason::transfer_stalled,
                                           history::Reason::transfer_failed,
                                           history::Reason::not_found,
                                           history::Reason::no_progress,
                                           history::Reason::input_too_large,
                                           history::Reason::pilot_ended,
                                           history::Reason::execution_too_long};

scenario::RetryStrategy retry(scenario::OnTransferFailure action) {
  return {action, Seconds(300), Seconds(600), 4};
}

RandomStream owner_stream(std::uint32_t job = 0) {
  return RandomStreams(1, 0).stream(Purpose::people, job);
}

}  // namespace

TEST_CASE("a stall is noticed between the timeout and the next check") {
  scenario::TransferStrategy const published;
  CHECK(strategy::stall_noticed_after(published, 0) == Seconds(3600));
  CHECK(strategy::stall_noticed_after(published, 0.5) == Seconds(3750));
  CHECK(strategy::stall_noticed_after(published, 1) == Seconds(3900));
}

TEST_CASE("curl aborts after half a minute without a byte") {
  CHECK(strategy::curl_patience == Seconds(30));
}

TEST_CASE("only the Pelican client gives up a trickle") {
  scenario::TransferStrategy strategy;
  CHECK(std::isinf(strategy::longest_slow_transfer(strategy).value()));
  strategy.on_stall = scenario::OnStall::next_cache;
  CHECK(strategy::longest_slow_transfer(strategy) == Seconds(130));
}

TEST_CASE("one cache an attempt, or up to three") {
  scenario::TransferStrategy strategy;
  CHECK(strategy::caches_to_ask(strategy, 5) == 1);
  strategy.on_stall = scenario::OnStall::next_cache;
  CHECK(strategy::caches_to_ask(strategy, 1) == 1);
  CHECK(strategy::caches_to_ask(strategy, 2) == 2);
  CHECK(strategy::caches_to_ask(strategy, 5) == 3);
}

TEST_CASE("only what the access point sends counts for its limit") {
  scenario::TransferStrategy strategy;
  Bytes const limit(5e9);
  CHECK_FALSE(strategy::too_large_to_submit(strategy, Bytes(137e9), limit));
  strategy.protocol = scenario::Protocol::http;
  CHECK_FALSE(strategy::too_large_to_submit(strategy, Bytes(137e9), limit));
  strategy.protocol = scenario::Protocol::htcondor;
  CHECK(strategy::too_large_to_submit(strategy, Bytes(137e9), limit));
  CHECK_FALSE(strategy::too_large_to_submit(strategy, limit, limit));
}

TEST_CASE("stalls and plugin errors may pass, the rest is final") {
  for (history::Reason const reason : all_reasons) {
    bool const may_pass =
        reason == history::Reason::transfer_stalled || reason == history::Reason::transfer_failed;
    CHECK(strategy::retryable(reason) == may_pass);
  }
}

TEST_CASE("what is final is held under every strategy") {
  for (auto const action :
       {scenario::OnTransferFailure::requeue, scenario::OnTransferFailure::cool_down,
        scenario::OnTransferFailure::hold}) {
    for (history::Reason const reason :
         {history::Reason::not_found, history::Reason::no_progress}) {
      CHECK(strategy::after_transfer_failure(retry(action), {.reason = reason}, stream(1)).action ==
            Action::hold);
    }
  }
}

TEST_CASE("requeue unless unlucky") {
  scenario::RetryStrategy const strategy = retry(scenario::OnTransferFailure::requeue);
  CHECK(strategy::after_transfer_failure(strategy, {}, stream(1)).action == Action::requeue);
  CHECK(strategy::after_transfer_failure(strategy, {.unlucky = true}, stream(1)).action ==
        Action::hold);
}

TEST_CASE("hold at once") {
  scenario::RetryStrategy const strategy = retry(scenario::OnTransferFailure::hold);
  CHECK(strategy::after_transfer_failure(strategy, {}, stream(1)).action == Action::hold);
}

TEST_CASE("cool down so many times, then hold, with one delay a job") {
  scenario::RetryStrategy const strategy = retry(scenario::OnTransferFailure::cool_down);
  for (std::uint32_t job = 0; job < 100; ++job) {
    Seconds delay;
    for (int cool_downs = 0; cool_downs < 4; ++cool_downs) {
      // Bad luck is of the behaviour of 2024 and plays no part.
      strategy::AfterFailure const next = strategy::after_transfer_failure(
          strategy, {.cool_downs = cool_downs, .unlucky = true}, stream(job));
      CHECK(next.action == Action::cool_down);
      CHECK(next.cool_down >= Seconds(300));
      CHECK(next.cool_down <= Seconds(600));
      if (cool_downs > 0) CHECK(next.cool_down == delay);
      delay = next.cool_down;
    }
    CHECK(strategy::after_transfer_failure(strategy, {.cool_downs = 4}, stream(job)).action ==
          Action::hold);
  }
  CHECK(strategy::after_transfer_failure(strategy, {}, stream(1)).cool_down !=
        strategy::after_transfer_failure(strategy, {}, stream(2)).cool_down);
}

TEST_CASE("policy releases transfer holds at the next look of the periodic expression") {
  scenario::ReleaseStrategy strategy{minutes(20), 3};
  Seconds const interval(60);
  CHECK(strategy::policy_release_after(strategy, history::Reason::transfer_stalled, 0, interval) ==
        minutes(20));
  CHECK(strategy::policy_release_after(strategy, history::Reason::transfer_stalled, 2, interval) ==
        minutes(20));
  CHECK_FALSE(
      strategy::policy_release_after(strategy, history::Reason::transfer_stalled, 3, interval));
  strategy.transfer_holds_after = Seconds(61);
  CHECK(strategy::policy_release_after(strategy, history::Reason::transfer_stalled, 0, interval) ==
        Seconds(120));
  strategy.transfer_holds_after.reset();
  CHECK_FALSE(
      strategy::policy_release_after(strategy, history::Reason::transfer_stalled, 0, interval));
}

TEST_CASE("policy releases hold code 13 only") {
  scenario::ReleaseStrategy const strategy{minutes(20), 3};
  for (history::Reason const reason : all_reasons) {
    bool const released =
        strategy::policy_release_after(strategy, reason, 0, Seconds(60)).has_value();
    CHECK(released == (history::hold_code(reason).code == 13));
  }
  CHECK_FALSE(strategy::policy_release_after(strategy, history::Reason::execution_too_long, 0,
                                             Seconds(60)));
}

TEST_CASE("a site is avoided after so many stalls, never if the strategy does not say") {
  CHECK_FALSE(strategy::avoids_site({}, 100));
  scenario::MatchStrategy const strategy{2, hours(2)};
  CHECK_FALSE(strategy::avoids_site(strategy, 0));
  CHECK_FALSE(strategy::avoids_site(strategy, 1));
  CHECK(strategy::avoids_site(strategy, 2));
  CHECK(strategy::avoids_site(strategy, 3));
}

TEST_CASE("People release by reason in a job table's draw") {
  scenario::ParameterDraw draw;
  draw.release_transfer_hold = 1;
  CHECK(owner_decision(draw, history::Reason::transfer_failed, 1, owner_stream()).action ==
        OwnerAction::release);
  CHECK(owner_decision(draw, history::Reason::not_found, 1, owner_stream()).action ==
        OwnerAction::none);
  draw.release_other_hold = 1;
  CHECK(owner_decision(draw, history::Reason::not_found, 99, owner_stream()).action ==
        OwnerAction::release);
  CHECK(owner_decision(draw, history::Reason::input_too_large, 1, owner_stream()).action ==
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
    OwnerDecision const owner = owner_decision(draw, history::Reason::policy, 3, owner_stream(job));
    released += owner.action == OwnerAction::release;
    CHECK(owner.after > Seconds(2));
  }
  CHECK(std::abs(released - 7000) < 5 * 46);  // 5 standard deviations: false 6 times in 10^7
  CHECK(owner_decision(draw, history::Reason::policy, 4, owner_stream()).action ==
        OwnerAction::remove);
}

}  // namespace gridcast::strategy
