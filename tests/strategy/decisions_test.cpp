#include "sim/strategy/decisions.hpp"

#include <cmath>
#include <limits>

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

/// A plugin's.
FailedTransferView failed(bool holds_job = false, int cool_downs = 0) {
  return {history::Reason::transfer_failed, cool_downs, holds_job};
}

RandomStream owner_stream(std::uint32_t job = 0) {
  return RandomStreams(1, 0).stream(Purpose::people, job);
}

}  // namespace

namespace {

constexpr Seconds no_end(std::numeric_limits<double>::infinity());

/// A strategy with the starter's timer set so.
scenario::TransferStrategy timed(scenario::StallTimer timer, Seconds timeout) {
  scenario::TransferStrategy strategy;
  strategy.stall_timer = timer;
  strategy.stall_timeout = timeout;
  return strategy;
}

}  // namespace

TEST_CASE("the starter looks after 20 s and then each 300 s") {
  scenario::TransferStrategy const published;
  for (auto const& [elapsed, look] : std::vector<std::pair<double, double>>{{0, 20},
                                                                            {10, 20},
                                                                            {20, 20},
                                                                            {20.5, 320},
                                                                            {320, 320},
                                                                            {3600, 3620},
                                                                            {3620, 3620},
                                                                            {3621, 3920}}) {
    CHECK(strategy::next_look(published, Seconds(elapsed)) == Seconds(look));
  }
  scenario::TransferStrategy other;
  other.first_check = Seconds(7);
  other.check_interval = Seconds(100);
  CHECK(strategy::next_look(other, Seconds(3600)) == Seconds(3607));
}

// A timeout of an hour acts at 3,620 s after the transfer's start where the last byte came with it,
// at the next look after it elsewhere.
TEST_CASE("silence is ended at the first look after the timeout") {
  scenario::TransferStrategy const published;
  CHECK(strategy::silence_ends(published, Seconds(0)) == Seconds(3620));
  CHECK(strategy::silence_ends(published, Seconds(20)) == Seconds(3620));
  CHECK(strategy::silence_ends(published, Seconds(21)) == Seconds(3920));
  for (double since = 0; since < 1000; since += 7) {
    double const end = strategy::silence_ends(published, Seconds(since)).value();
    CHECK(end - since >= 3600);
    CHECK(end - since < 3900);
    CHECK(std::fmod(end - 20, 300) == Approx(0).margin(1e-9));
  }
}

// The starter sees the bytes of HTCondor's own transfers in each version.
TEST_CASE("a timer that is off, or sees no bytes, ends no silence of a plugin") {
  using enum scenario::StallTimer;
  for (scenario::StallTimer const timer : {never, whole_transfer}) {
    scenario::TransferStrategy strategy = timed(timer, Seconds(60));
    CHECK(strategy::silence_ends(strategy, Seconds(0)) == no_end);
    strategy.protocol = scenario::Protocol::htcondor;
    CHECK(strategy::silence_ends(strategy, Seconds(0)) == Seconds(320));
  }
}

TEST_CASE("a timer over the whole transfer ends it even while bytes arrive") {
  using enum scenario::StallTimer;
  CHECK(strategy::longest_transfer(timed(whole_transfer, hours(1))) == Seconds(3620));
  CHECK(strategy::longest_transfer(timed(whole_transfer, hours(2))) == Seconds(7220));
  CHECK(strategy::longest_transfer(timed(whole_transfer, Seconds(10))) == Seconds(20));
  CHECK(strategy::longest_transfer(timed(silence, hours(1))) == no_end);
  CHECK(strategy::longest_transfer(timed(scenario::StallTimer::never, hours(1))) == no_end);
  scenario::TransferStrategy own = timed(whole_transfer, hours(1));
  own.protocol = scenario::Protocol::htcondor;  // whose bytes the starter counts itself
  CHECK(strategy::longest_transfer(own) == no_end);
}

// stall_timeout is the client's there, unless it has its own.
TEST_CASE("a client's own timeout does not change the starter's") {
  scenario::TransferStrategy strategy = timed(scenario::StallTimer::whole_transfer, Seconds(100));
  strategy.on_stall = scenario::OnStall::next_cache;
  CHECK(strategy::patience(strategy).with_silence == Seconds(100));
  CHECK(strategy::longest_transfer(strategy) == Seconds(3620));
  strategy.client_timeout = Seconds(70);
  CHECK(strategy::patience(strategy).with_silence == Seconds(70));
  CHECK(strategy::longest_transfer(strategy) == Seconds(320));
  strategy.stall_timer = scenario::StallTimer::silence;
  CHECK(strategy::silence_ends(strategy, Seconds(230)) == Seconds(620));
  strategy.client_timeout = {};
  CHECK(strategy::silence_ends(strategy, Seconds(230)) == Seconds(3920));
}

TEST_CASE("the Pelican client that asks on, and curl, give up silence and a trickle") {
  scenario::TransferStrategy strategy;
  CHECK(strategy::patience(strategy).with_slow == no_end);
  CHECK(strategy::patience(strategy).with_silence == no_end);
  strategy.on_stall = scenario::OnStall::next_cache;
  CHECK(strategy::patience(strategy).slow == BytesPerSecond(102400));
  CHECK(strategy::patience(strategy).with_slow == Seconds(130));
  strategy = {};
  strategy.protocol = scenario::Protocol::http;
  CHECK(strategy::patience(strategy).slow == BytesPerSecond(1024));
  CHECK(strategy::patience(strategy).with_slow == Seconds(30));
  CHECK(strategy::patience(strategy).with_silence == Seconds(30));
  strategy.protocol = scenario::Protocol::htcondor;
  CHECK(strategy::patience(strategy).with_silence == no_end);
}

// 30 s with less than the client's limit brings in 30 s, none of them before 100 s: 3.072 MB of
// Pelican's.
TEST_CASE("a client gives up a try that brought too little in a stretch of time") {
  scenario::TransferStrategy strategy;
  strategy.on_stall = scenario::OnStall::next_cache;
  Seconds const start(7);
  strategy::RateWatch slow(strategy::patience(strategy), start);
  CHECK(slow.next_look() == start + Seconds(100));
  CHECK_FALSE(slow.gives_up(start + Seconds(50), Bytes(0)));  // nobody looks yet
  CHECK_FALSE(slow.gives_up(start + Seconds(100), Bytes(0)));
  CHECK(slow.next_look() == start + Seconds(130));
  CHECK_FALSE(slow.gives_up(start + Seconds(130), Bytes(3.073e6)));
  CHECK(slow.gives_up(start + Seconds(160), Bytes(2 * 3.0719e6)));
  strategy::RateWatch early({BytesPerSecond(102400), Seconds(20), {}}, start);  // at all of them
  CHECK_FALSE(early.gives_up(start, Bytes(0)));
  CHECK(early.next_look() == start + Seconds(20));
  CHECK(early.gives_up(start + Seconds(20), Bytes(2.04e6)));
}

TEST_CASE("input meets the outages that lie on its way") {
  using enum scenario::OutageScope;
  for (scenario::OutageScope const scope : {origin, cache, path, node, uplink}) {
    CHECK(strategy::meets(scenario::Protocol::osdf, scope));
    CHECK(strategy::meets(scenario::Protocol::http, scope) == (scope != cache));
    CHECK(strategy::meets(scenario::Protocol::htcondor, scope) ==
          (scope != cache && scope != origin));
  }
}

TEST_CASE("one cache an attempt, or up to three") {
  scenario::TransferStrategy strategy;
  CHECK(strategy::caches_to_ask(strategy, 5) == 1);
  strategy.on_stall = scenario::OnStall::next_cache;
  CHECK(strategy::caches_to_ask(strategy, 1) == 1);
  CHECK(strategy::caches_to_ask(strategy, 0) == 3);  // their names are unknown
  CHECK(strategy::caches_to_ask(strategy, 2) == 2);
  CHECK(strategy::caches_to_ask(strategy, 5) == 3);
}

TEST_CASE("only files from the access point count for its limit") {
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

TEST_CASE("a final failure is held under every strategy") {
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

TEST_CASE("requeued always, or held as often as the record has it") {
  scenario::RetryStrategy const always = retry(scenario::OnTransferFailure::requeue);
  scenario::RetryStrategy const recorded = retry(scenario::OnTransferFailure::recorded);
  for (bool const holds_job : {false, true}) {
    CHECK(strategy::after_transfer_failure(always, failed(holds_job), stream(1)).action ==
          Action::requeue);
    CHECK(strategy::after_transfer_failure(recorded, failed(holds_job), stream(1)).action ==
          (holds_job ? Action::hold : Action::requeue));
  }
}

// The starter's exception is no failed transfer in the schedd's eyes: no retry policy sees it.
TEST_CASE("a transfer that the starter's timer ended is requeued, or held as often as recorded") {
  for (auto const action :
       {scenario::OnTransferFailure::requeue, scenario::OnTransferFailure::cool_down,
        scenario::OnTransferFailure::hold, scenario::OnTransferFailure::recorded}) {
    for (bool const holds_job : {false, true}) {
      FailedTransferView const stalled{.reason = history::Reason::transfer_stalled,
                                       .holds_job = holds_job};
      CHECK(strategy::after_transfer_failure(retry(action), stalled, stream(1)).action ==
            (holds_job ? Action::hold : Action::requeue));
    }
  }
}

TEST_CASE("hold at once") {
  scenario::RetryStrategy const strategy = retry(scenario::OnTransferFailure::hold);
  CHECK(strategy::after_transfer_failure(strategy, failed(), stream(1)).action == Action::hold);
}

TEST_CASE("cool down so many times, then hold, with one delay a job") {
  scenario::RetryStrategy const strategy = retry(scenario::OnTransferFailure::cool_down);
  for (std::uint32_t job = 0; job < 100; ++job) {
    Seconds delay;
    for (int cool_downs = 0; cool_downs < 4; ++cool_downs) {
      // The behaviour of 2024 alone has such failures.
      strategy::AfterFailure const next =
          strategy::after_transfer_failure(strategy, failed(true, cool_downs), stream(job));
      CHECK(next.action == Action::cool_down);
      CHECK(next.cool_down >= Seconds(300));
      CHECK(next.cool_down <= Seconds(600));
      if (cool_downs > 0) CHECK(next.cool_down == delay);
      delay = next.cool_down;
    }
    CHECK(strategy::after_transfer_failure(strategy, failed(false, 4), stream(job)).action ==
          Action::hold);
  }
  CHECK(strategy::after_transfer_failure(strategy, failed(), stream(1)).cool_down !=
        strategy::after_transfer_failure(strategy, failed(), stream(2)).cool_down);
}

// FEATURE:PelicanRetryPolicy acts on subcodes 2816 and 1280; 256 says that the error stays.
TEST_CASE("a permanent error holds at once only where other errors cool down") {
  for (auto const& [subcode, action] :
       std::vector<std::pair<int, Action>>{{0, Action::cool_down},
                                           {256, Action::hold},
                                           {1280, Action::cool_down},
                                           {2816, Action::cool_down}}) {
    CAPTURE(subcode);
    strategy::FailedTransferView view = failed();
    view.subcode = subcode;
    using enum scenario::OnTransferFailure;
    CHECK(strategy::after_transfer_failure(retry(cool_down), view, stream(1)).action == action);
    CHECK(strategy::after_transfer_failure(retry(requeue), view, stream(1)).action ==
          Action::requeue);
    CHECK(strategy::after_transfer_failure(retry(recorded), view, stream(1)).action ==
          Action::requeue);
  }
}

TEST_CASE("a plugin's subcode is drawn where the draw shows its share, of no other failure") {
  scenario::ParameterDraw draw;
  RandomStream noise = stream(1);
  CHECK(strategy::failure_subcode(draw, history::Reason::transfer_failed, noise) == 0);
  draw.permanent_failure = 0.25;
  CHECK(strategy::failure_subcode(draw, history::Reason::transfer_stalled, noise) == 0);
  int permanent = 0;
  constexpr int n = 4000;
  for (int i = 0; i < n; ++i) {
    int const subcode = strategy::failure_subcode(draw, history::Reason::transfer_failed, noise);
    CHECK((subcode == 256 || subcode == 2816));
    permanent += subcode == 256;
  }
  // Binomial: a standard error of sqrt(n / 4 * 3 / 4) = 27; four of them.
  CHECK(std::abs(permanent - n / 4) < 110);
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

TEST_CASE(
    "a site is avoided after so many stalls or failures, never if the strategy does not say") {
  using strategy::FailedThere;
  CHECK_FALSE(strategy::avoids_site({}, {100, 100}));
  scenario::MatchStrategy const stalls{2, hours(2)};
  CHECK_FALSE(strategy::avoids_site(stalls, FailedThere{0, 100}));
  CHECK_FALSE(strategy::avoids_site(stalls, FailedThere{1, 100}));
  CHECK(strategy::avoids_site(stalls, FailedThere{2, 2}));
  CHECK(strategy::avoids_site(stalls, FailedThere{3, 3}));
  scenario::MatchStrategy const failures{{}, hours(2), 2};
  CHECK_FALSE(strategy::avoids_site(failures, FailedThere{1, 1}));
  CHECK(strategy::avoids_site(failures, FailedThere{0, 2}));
}

TEST_CASE("People release by reason") {
  scenario::ParameterDraw draw;
  draw.release_transfer_hold = 1;
  CHECK(owner_decision(draw, {history::Reason::transfer_failed, 1}, owner_stream()).action ==
        OwnerAction::release);
  CHECK(owner_decision(draw, {history::Reason::not_found, 1}, owner_stream()).action ==
        OwnerAction::none);
  draw.release_other_hold = 1;
  CHECK(owner_decision(draw, {history::Reason::not_found, 99}, owner_stream()).action ==
        OwnerAction::release);
  CHECK(owner_decision(draw, {history::Reason::input_too_large, 1}, owner_stream()).action ==
        OwnerAction::none);
  // A rule that holds a job each time outlasts everyone.
  CHECK(owner_decision(draw, {history::Reason::policy, 1000}, owner_stream()).action ==
        OwnerAction::none);
}

TEST_CASE("People release jobs beyond the share that they leave on hold") {
  scenario::ParameterDraw draw;
  draw.most_left_held = 0.2;
  auto const action = [&](history::Reason reason, double share) {
    return owner_decision(draw, {reason, 1, share}, owner_stream()).action;
  };
  CHECK(action(history::Reason::not_found, 0.2) == OwnerAction::none);
  CHECK(action(history::Reason::not_found, 0.21) == OwnerAction::release);
  // These are decided one by one.
  for (auto const reason : {history::Reason::execution_too_long, history::Reason::input_too_large,
                            history::Reason::out_of_resources, history::Reason::policy,
                            history::Reason::transfer_failed}) {
    CHECK(action(reason, 0.9) == OwnerAction::none);
  }
}

TEST_CASE("People release and remove by the reason of a hold") {
  using enum OwnerAction;
  scenario::ParameterDraw draw;
  auto const action = [&](history::Reason reason) {
    return owner_decision(draw, {reason, 1}, owner_stream()).action;
  };
  draw.release_other_hold = 1;
  draw.release_limit_hold = 0;
  draw.remove_other_hold = 1;
  draw.remove_resource_hold = 0;
  CHECK(action(history::Reason::not_found) == release);
  CHECK(action(history::Reason::out_of_resources) == release);
  CHECK(action(history::Reason::execution_too_long) == remove);
  CHECK(action(history::Reason::job_too_long) == remove);
  CHECK(action(history::Reason::transfer_failed) == none);
  CHECK(action(history::Reason::input_too_large) == remove);
  draw.release_resource_hold = 0;
  CHECK(action(history::Reason::out_of_resources) == none);
}

TEST_CASE("People release with a probability, after a delay, and remove in the end") {
  scenario::ParameterDraw draw;
  draw.release_other_hold = 0.7;
  draw.most_holds = 4;
  draw.release_delay = {Family::exponential, 1, 15, 2};
  int released = 0;
  constexpr int jobs = 10000;
  for (std::uint32_t job = 0; job < jobs; ++job) {
    OwnerDecision const owner =
        owner_decision(draw, {history::Reason::policy, 3}, owner_stream(job));
    released += owner.action == OwnerAction::release;
    CHECK(owner.after > Seconds(2));
  }
  CHECK(std::abs(released - 7000) < 5 * 46);  // 5 standard deviations: false 6 times in 10^7
  CHECK(owner_decision(draw, {history::Reason::policy, 4}, owner_stream()).action ==
        OwnerAction::remove);
}

}  // namespace gridcast::strategy
