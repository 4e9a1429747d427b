// A replay has the rows of its record under the strategy that was recorded, and under another one
// the record's random events with the rules of that one.
#include "sim/engine/replay.hpp"

#include <utility>

#include "sim/ledger/accountant.hpp"
#include "sim/ledger/ledger.hpp"
#include "tests/golden/rough_grids.hpp"
#include "tests/history/history_builder.hpp"
#include "tests/scenario/changed_strategies.hpp"
#include "tests/test.hpp"

namespace gridcast::test {

namespace {

constexpr Bytes input(1e9);
constexpr Seconds transfer(700), computing(9000), cost(4000);

engine::Replica replayed(history::JobTable const& table, scenario::Strategy const& strategy,
                         scenario::ParameterDraw const& draw, std::uint32_t replica = 0) {
  return engine::replay(history::to_history(table), {{}, input}, strategy, draw,
                        RandomStreams(1, replica));
}

/// One job: `stalls` attempts of `cost` each, then it gets through.
history::JobTable one_job(int stalls) {
  history::JobTable table;
  history::JobRow& row = table.rows.emplace_back();
  row.name = {1, 0};
  row.outcome = history::Outcome::success;
  row.sites = {"north"};
  row.execute = {computing};
  row.slot_busy = {transfer + computing};
  row.transfer_total = transfer + cost * stalls;
  row.transfer_last = transfer;
  row.stalls = stalls;
  return table;
}

scenario::ParameterDraw draw_of(scenario::OutageScope scope, scenario::OutageKind kind) {
  scenario::ParameterDraw draw;
  draw.outages.scope = scope;
  draw.outages.kind = kind;
  draw.outages.bad_fraction = 0.5;
  draw.outages.bad_duration = hours(10);
  draw.outages.slow_fraction = 0.1;
  return draw;
}

constexpr Seconds stalled(4000), fetched(20), lost(300), failed(10), held_for(1800);

/// As a log shows it: a job whose transfer is ended by the stall timer after 4,000 s, which is
/// evicted 300 s into its execution, is held for 1,800 s when the plugin fails after 10 s, and then
/// succeeds.
history::JobHistory logged_job() {
  using enum history::EventKind;
  history::JobHistory history;
  history.jobs = {{1, 0}};
  Id<history::Site> const north = history.site_named("north");
  Id<history::Job> const job(std::size_t(0));
  Seconds now;
  auto const add = [&](history::EventKind kind, Seconds after,
                       history::Reason reason = history::Reason::none) {
    now += after;
    history.events.push_back(
        {.at = now, .job = job, .kind = kind, .reason = reason, .site = north});
  };
  auto const start = [&](Seconds wait) {
    add(matched, wait);
    add(transfer_input_started, Seconds(1));
  };
  add(submitted, Seconds());
  start(Seconds(60));
  add(evicted, stalled, history::Reason::transfer_stalled);
  start(Seconds(30));
  add(transfer_input_finished, fetched);
  add(executing, Seconds(2));
  add(evicted, lost, history::Reason::vacated);
  start(Seconds(30));
  add(history::EventKind::held, failed, history::Reason::transfer_failed);
  add(released, test::held_for, history::Reason::manual);
  start(Seconds(90));
  add(transfer_input_finished, transfer);
  add(executing, Seconds(2));
  add(transfer_output_started, computing);
  add(terminated, Seconds(5));
  return history;
}

ledger::Ledger of_logged_job(scenario::Strategy const& strategy,
                             scenario::ParameterDraw const& draw = {}, std::uint32_t replica = 0) {
  return ledger::account(
      engine::replay(logged_job(), {{}, input}, strategy, draw, RandomStreams(1, replica)).history);
}

/// The next campaign, of the same job.
ledger::Ledger next_of_logged_job(scenario::Strategy const& strategy,
                                  scenario::ParameterDraw const& draw, std::uint32_t replica) {
  auto const recorded = history::read_attempts(logged_job());
  auto const slots = history::slot_supply(recorded);
  scenario::Campaign campaign;
  campaign.submit = {{Seconds(), 1}};
  history::JobHistory history = recorded.names;
  history.dated = true;
  history::HistoryKeeper keeper(history);
  engine::replay_next(keeper, {recorded, slots, recorded.names.jobs, campaign, std::nullopt},
                      {{}, input}, strategy, draw, RandomStreams(1, replica));
  return ledger::account(history);
}

void check_counts(ledger::Ledger const& ledger, std::size_t stalls, std::size_t holds) {
  CHECK(ledger.total.stalls == stalls);
  CHECK(ledger.total.evictions == 1);
  CHECK(ledger.total.holds == holds);
  CHECK(ledger.total.succeeded == 1);
  CHECK(ledger.total.compute_evicted == lost);
  CHECK(ledger.total.compute_success == computing);
}

history::JobRow row_of(engine::Replica const& replica) {
  return history::to_table(replica.history).rows.at(0);
}

}  // namespace

TEST_CASE("under the recorded strategy a replay has the rows of its record") {
  history::JobTable table = rough_table();
  history::JobRow& evicted_computing = table.rows.emplace_back(one_job(0).rows.front());
  evicted_computing.execute = {Seconds(50), computing};
  evicted_computing.slot_busy = {Seconds(1000), transfer + computing};
  evicted_computing.transfer_total = transfer + Seconds(1000);
  evicted_computing.holds_released = 1;
  history::JobTable const again = history::to_table(replayed(table, {}, rough_grid().draw).history);
  REQUIRE(again.rows.size() == table.rows.size());
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    CAPTURE(i);
    history::JobRow const& reported = table.rows[i];
    history::JobRow const& row = again.rows[i];
    CHECK(row.outcome == reported.outcome);
    CHECK(row.sites == reported.sites);
    CHECK(row.transfer_total == reported.transfer_total);
    CHECK(row.transfer_last == reported.transfer_last);
    CHECK(row.execute == reported.execute);
    CHECK(row.slot_busy == reported.slot_busy);
    CHECK(row.stalls == reported.stalls);
    CHECK(row.holds_released == reported.holds_released);
    CHECK(row.evictions == reported.evictions);
  }
}

TEST_CASE("a replay notices each key in which a strategy differs from the recorded one") {
  scenario::Strategy recorded;
  recorded.name = "recorded";
  scenario::Strategy renamed;
  renamed.name = "renamed";
  CHECK(engine::decides_as_recorded(renamed, recorded));
  for (auto changed : changed_strategies()) {
    CAPTURE(changed.path);
    CHECK_FALSE(engine::decides_as_recorded(changed.strategy, recorded));
    // A baseline that was changed is what the record was made under.
    CHECK(engine::decides_as_recorded(changed.strategy, changed.strategy));
    changed.strategy.name = recorded.name;
    CHECK_FALSE(engine::decides_as_recorded(changed.strategy, recorded));
  }
}

// Each of three caches brings some of the bytes of a slow transfer before the client gives it up. A
// client that keeps these bytes has less left to fetch.
TEST_CASE("a replay simulates a client that keeps the bytes that have arrived") {
  auto slow = draw_of(scenario::OutageScope::origin, scenario::OutageKind::slow);
  slow.outages.slow_fraction = 0.06;
  scenario::Strategy recorded;
  recorded.transfer.on_stall = scenario::OnStall::next_cache;
  recorded.transfer.client_timeout = Seconds(100);
  scenario::Strategy resuming = recorded;
  resuming.transfer.resume = true;
  Seconds without, with;
  for (std::uint32_t replica = 0; replica < 20; ++replica) {
    auto const retried = [&](scenario::Strategy const& strategy) {
      return *row_of(replayed(one_job(2), strategy, slow, replica)).transfer_total;
    };
    without += retried(recorded);
    with += retried(resuming);
  }
  CHECK(with < without);
}

// The bad time ends within the last recorded failure. The starter looks every minute from 20 s on,
// so a dead attempt costs what recorded ones cost beyond their hour, 380 s, and 600 s to the next
// look.
TEST_CASE("a shorter timeout makes more and shorter attempts of the same bad time") {
  scenario::Strategy hasty;
  hasty.transfer.stall_timeout = Seconds(600);
  hasty.transfer.check_interval = minutes(1);
  constexpr Seconds each(980);
  for (std::uint32_t replica = 0; replica < 50; ++replica) {
    auto const dead = draw_of(scenario::OutageScope::origin, scenario::OutageKind::dead);
    history::JobRow const row = row_of(replayed(one_job(2), hasty, dead, replica));
    Seconds const retried = *row.transfer_total - *row.transfer_last;
    CAPTURE(replica, row.stalls);
    CHECK(row.outcome == history::Outcome::success);
    CHECK(row.transfer_last == transfer);
    CHECK(row.execute.front() == computing);
    CHECK(retried == each * row.stalls);
    CHECK(retried >= cost);
    CHECK(retried < cost * 2 + each);
  }
}

// A transfer of 700 s that has a tenth of its rate until the bad time ends at T, 4,000 to 8,000 s
// after its start, arrives 700 s + 0.9 T after it.
TEST_CASE("a slow transfer succeeds without a timer, and never under a short one") {
  auto const slow = draw_of(scenario::OutageScope::origin, scenario::OutageKind::slow);
  scenario::Strategy patient;
  patient.transfer.stall_timer = scenario::StallTimer::never;
  scenario::Strategy whole;
  whole.transfer.stall_timer = scenario::StallTimer::whole_transfer;
  whole.transfer.stall_timeout = Seconds(1200);
  for (std::uint32_t replica = 0; replica < 50; ++replica) {
    CAPTURE(replica);
    history::JobRow const waited = row_of(replayed(one_job(2), patient, slow, replica));
    CHECK(waited.stalls == 0);
    CHECK(*waited.transfer_total >= transfer + cost * 0.9);
    CHECK(*waited.transfer_total <= transfer + cost * 1.8);
    history::JobRow const cut = row_of(replayed(one_job(2), whole, slow, replica));
    CHECK(cut.stalls >= 3);
    CHECK(cut.outcome == history::Outcome::success);
  }
}

TEST_CASE("another cache helps where the cache is bad, not where the origin is") {
  scenario::Strategy next_cache;
  next_cache.transfer.on_stall = scenario::OnStall::next_cache;
  next_cache.transfer.client_timeout = Seconds(100);
  int of_cache = 0;
  for (std::uint32_t replica = 0; replica < 100; ++replica) {
    auto const cache = draw_of(scenario::OutageScope::cache, scenario::OutageKind::dead);
    auto const origin = draw_of(scenario::OutageScope::origin, scenario::OutageKind::dead);
    of_cache += row_of(replayed(one_job(2), next_cache, cache, replica)).transfer_total < cost;
    history::JobRow const row = row_of(replayed(one_job(2), next_cache, origin, replica));
    CHECK(*row.transfer_total - *row.transfer_last >= cost - hours(1));
  }
  // Each of the two other caches is good with probability 1/2; fewer than 55 of 100 if it is 3/4
  // has probability 1e-5.
  CHECK(of_cache >= 55);
}

// By HTTP a bad time of the site's uplink ends each attempt after what brought bytes, 380 s, and
// curl's 30 s; one of a cache ends none. The recorded path was to a cache: the origin's is
// bad half of the time.
TEST_CASE("a download from the origin meets the bad times of the record, except those of a cache") {
  scenario::Strategy http;
  http.transfer.protocol = scenario::Protocol::http;
  int of_path = 0;
  for (std::uint32_t replica = 0; replica < 100; ++replica) {
    CAPTURE(replica);
    auto const failed = [&](scenario::OutageScope scope) {
      auto const dead = draw_of(scope, scenario::OutageKind::dead);
      history::JobRow const row = row_of(replayed(one_job(2), http, dead, replica));
      bool const aborted = row.outcome != history::Outcome::success;
      CHECK(*row.transfer_total == (aborted ? Seconds(410) : transfer));
      return aborted;
    };
    CHECK(failed(scenario::OutageScope::uplink));
    CHECK(failed(scenario::OutageScope::origin));
    CHECK_FALSE(failed(scenario::OutageScope::cache));
    of_path += failed(scenario::OutageScope::path);
  }
  // 100 events of probability 1/2 are outside 28 to 72 with one of 100,000 seeds.
  CHECK(of_path >= 28);
  CHECK(of_path <= 72);
}

TEST_CASE("the owner's release of a recorded hold takes no time, and nobody releases a final one") {
  history::JobTable const table = rough_table();
  scenario::ParameterDraw draw;
  draw.release_transfer_hold = 1;
  scenario::Strategy hold;
  hold.retry.on_transfer_failure = scenario::OnTransferFailure::hold;
  history::JobTable const again = history::to_table(replayed(table, hold, draw).history);
  CHECK(again.rows[2].holds_released == 1);
  CHECK(again.rows[2].outcome == history::Outcome::success);
  CHECK(again.rows[6].outcome == history::Outcome::held_transfer);
  CHECK(again.rows[7].outcome == history::Outcome::held_duration);
}

// Held by a rule that the record was not made under: its owner released no such hold, so the draw
// decides.
TEST_CASE("a hold that the record does not have is the owner's to release, or nobody's") {
  auto const dead = [](double release) {
    auto draw = draw_of(scenario::OutageScope::origin, scenario::OutageKind::dead);
    draw.release_transfer_hold = release;
    return draw;
  };
  scenario::Strategy hold;
  hold.transfer.on_stall = scenario::OnStall::next_cache;
  hold.transfer.client_timeout = Seconds(100);
  hold.retry.on_transfer_failure = scenario::OnTransferFailure::hold;
  history::JobRow const kept = row_of(replayed(one_job(2), hold, dead(0)));
  CHECK(kept.outcome == history::Outcome::held_transfer);
  CHECK(kept.holds_released == 0);
  history::JobRow const released = row_of(replayed(one_job(2), hold, dead(1)));
  CHECK(released.outcome == history::Outcome::success);
  CHECK(released.holds_released > 0);
}

TEST_CASE("a log is replayed attempt by attempt, each with its recorded end") {
  ledger::Ledger const ledger = of_logged_job({});
  check_counts(ledger, 1, 1);
  CHECK(ledger.total.releases == 1);
  CHECK(ledger.total.attempts == 4);
  CHECK(ledger.total.executions == 2);
  CHECK(ledger.total.transfer_success == transfer);
  CHECK(ledger.total.transfer_retried == stalled + fetched + failed);
  // A second before each of four transfers, two before each of two executions, five of output.
  CHECK(ledger.total.overhead == Seconds(13));
  Seconds const slots = stalled + fetched + lost + failed + transfer + computing + Seconds(13);
  CHECK(*ledger.match_to_done_mean == slots + Seconds(30 + 30 + 90) + held_for);
}

// Rules of programs, limits and the queue leave the recorded stall and hold as they are.
TEST_CASE("the next campaign has the recorded transfers if its strategy has their rules") {
  auto const dead = draw_of(scenario::OutageScope::origin, scenario::OutageKind::dead);
  scenario::Strategy retries, queue, lease;
  retries.retry.policy.max_retries = 5;
  queue.submit.max_materialize = 100;
  lease.retry.policy.job_lease_duration = minutes(41);
  for (scenario::Strategy const& strategy : {retries, queue, lease}) {
    for (std::uint32_t replica = 0; replica < 5; ++replica) {
      check_counts(next_of_logged_job(strategy, dead, replica), 1, 1);
    }
  }
}

// A dead transfer is over before the timer sees it, 380 s and two hours on; a slow one arrives
// without a timer. Neither has to do with the eviction, or with the plugin that failed.
// 4,001 s with two GPUs, 323 s with four, and then two again; only the ends of attempts show it.
TEST_CASE("a replayed attempt has the GPUs that its record shows, be it at its end") {
  history::JobHistory history = logged_job();
  auto const two = history.gpus_like({.model = "A40", .count = 2});
  auto const four = history.gpus_like({.model = "A40", .count = 4});
  std::uint16_t const of_attempts[] = {two, four, two, two};
  std::size_t attempt = 0;
  for (history::JobEvent& event : history.events) {
    if (history::ends_attempt(event.kind)) event.gpus = of_attempts[attempt++];
  }
  REQUIRE(attempt == 4);
  auto const simulated = engine::replay(history, {{}, input}, {}, {}, RandomStreams(1, 0)).history;
  double const expected =
      2 * 4001 + 4 * 323 + 2 * (ledger::account(logged_job()).gpu_time.value() - 4001 - 323);
  CHECK(ledger::account(simulated).gpu_time.value() == Approx(expected));
}

TEST_CASE("another stall timer changes the stalls of a log, and nothing that came from elsewhere") {
  scenario::Strategy later;
  later.transfer.stall_timeout = hours(2);
  scenario::Strategy never;
  never.transfer.stall_timer = scenario::StallTimer::never;
  for (std::uint32_t replica = 0; replica < 20; ++replica) {
    CAPTURE(replica);
    auto const dead = draw_of(scenario::OutageScope::origin, scenario::OutageKind::dead);
    ledger::Ledger const waited = of_logged_job(later, dead, replica);
    check_counts(waited, 1, 1);
    CHECK(waited.total.transfer_retried == Seconds(7820) + fetched + failed);
    auto const slow = draw_of(scenario::OutageScope::origin, scenario::OutageKind::slow);
    ledger::Ledger const arrived = of_logged_job(never, slow, replica);
    check_counts(arrived, 0, 1);
    CHECK(arrived.total.attempts == 3);
  }
}

TEST_CASE("a failed plugin fails under every strategy, and the strategy decides what follows") {
  auto const dead = draw_of(scenario::OutageScope::origin, scenario::OutageKind::dead);
  scenario::Strategy release;
  release.release.transfer_holds_after = minutes(10);
  ledger::Ledger const released = of_logged_job(release, dead);
  check_counts(released, 1, 1);
  CHECK(released.total.releases == 1);
  CHECK(*of_logged_job({}).match_to_done_mean - *released.match_to_done_mean > minutes(10));
  scenario::Strategy cool;
  cool.retry.on_transfer_failure = scenario::OnTransferFailure::cool_down;
  cool.retry.delay_min = cool.retry.delay_max = minutes(5);
  check_counts(of_logged_job(cool, dead), 1, 0);
}

// Contact is lost and found before the transfer (2 s), within the second one (20 s) and within the
// output (10 s), and lost for good within the first (300 s) and before one (25 s); suspended within
// the first transfer (15 s) and before the execution (20 s).
TEST_CASE("events within each step of an attempt are replayed") {
  using enum history::EventKind;
  HistoryBuilder record({{1, 0}}, {"north"});
  auto const add = [&record](std::initializer_list<std::pair<double, history::EventKind>> events) {
    for (auto const& [at, kind] : events) record.add(at, 0, kind).on(0);
  };
  record.add(0, 0, submitted);
  add({{60, matched}, {61, disconnected}, {63, reconnected}, {70, transfer_input_started}});
  add({{80, suspended}, {95, unsuspended}, {100, disconnected}, {400, reconnect_failed}});
  add({{450, matched}, {455, disconnected}, {480, reconnect_failed}});
  add({{500, matched}, {501, transfer_input_started}, {510, disconnected}, {530, reconnected}});
  add({{600, transfer_input_finished}, {605, suspended}, {625, unsuspended}, {630, executing}});
  add({{1630, transfer_output_started}, {1640, disconnected}, {1650, reconnected}});
  add({{1660, terminated}});
  history::JobHistory const again =
      engine::replay(record.get(), {{}, input}, {}, {}, RandomStreams(1, 0)).history;
  ledger::LedgerLines const total = ledger::account(again).total;
  CHECK(total.disconnects == 5);
  CHECK(total.contact_lost == Seconds(300 + 25));
  CHECK(total.suspended == Seconds(15 + 20));
  CHECK(total.transfer_retried == Seconds(400 - 70 - 300 - 15));
  CHECK(total.transfer_success == Seconds(99));
  CHECK(total.compute_success == Seconds(1000));
  // Before the transfers, before the execution less the suspension, and after it.
  CHECK(total.overhead == Seconds(10 + 5 + 1 + (30 - 20) + 30));
  std::vector<history::EventKind> reported, simulated;
  for (auto const& event : record.get().events) reported.push_back(event.kind);
  for (auto const& event : again.events) {
    if (event.kind != transfer_output_finished) simulated.push_back(event.kind);
  }
  CHECK(simulated == reported);
}

// FEATURE:PelicanRetryPolicy acts on subcodes 2816 and 1280 alone.
TEST_CASE("a plugin's error that stays, as its record shows it, holds where others cool down") {
  scenario::Strategy cool;
  cool.retry.on_transfer_failure = scenario::OnTransferFailure::cool_down;
  cool.retry.delay_min = cool.retry.delay_max = minutes(5);
  for (auto const& [subcode, holds] :
       std::vector<std::pair<int, std::size_t>>{{256, 1}, {2816, 0}, {1280, 0}}) {
    CAPTURE(subcode);
    history::JobHistory history = logged_job();
    for (history::JobEvent& event : history.events) {
      if (event.kind != history::EventKind::held) continue;
      event.code = 13;
      event.subcode = subcode;
    }
    auto const dead = draw_of(scenario::OutageScope::origin, scenario::OutageKind::dead);
    auto const again =
        engine::replay(history, {{}, input}, cool, dead, RandomStreams(1, 0)).history;
    check_counts(ledger::account(again), 1, holds);
  }
}

TEST_CASE("an eviction between transfer and execution happens once under any strategy") {
  using enum history::EventKind;
  history::JobHistory history = logged_job();
  // Evicted before its program began.
  std::erase_if(history.events, [first = true](history::JobEvent const& event) mutable {
    return event.kind == executing && std::exchange(first, false);
  });
  scenario::Strategy later;
  later.transfer.stall_timeout = hours(2);
  auto const dead = draw_of(scenario::OutageScope::origin, scenario::OutageKind::dead);
  for (scenario::Strategy const& strategy : {scenario::Strategy(), later}) {
    auto const again = ledger::account(
        engine::replay(history, {{}, input}, strategy, dead, RandomStreams(1, 0)).history);
    CHECK(again.total.evictions == 1);
    CHECK(again.total.executions == 1);
    CHECK(again.total.attempts == 4);
    CHECK(again.total.succeeded == 1);
  }
}

// Holds of idle jobs are nobody's attempt, and a job that was running when the log ends has none to
// come.
TEST_CASE("logged events of jobs in the queue are replayed too") {
  using enum history::EventKind;
  history::JobHistory history = logged_job();
  history.jobs.push_back({1, 1});
  Id<history::Job> const idle(std::size_t(1));
  for (auto const& [at, kind] :
       {std::pair(5., submitted), std::pair(10., history::EventKind::held),
        std::pair(20., released), std::pair(25., matched), std::pair(25., transfer_input_started),
        std::pair(30., evicted), std::pair(40., history::EventKind::held),
        std::pair(50., aborted)}) {
    history.events.push_back({.at = Seconds(at), .job = idle, .kind = kind});
  }
  auto const again =
      ledger::account(engine::replay(history, {{}, input}, {}, {}, RandomStreams(1, 0)).history);
  CHECK(again.total.holds == 3);
  CHECK(again.total.releases == 2);
  CHECK(again.total.evictions == 2);
  CHECK(again.total.removed == 1);
  CHECK(again.total.attempts == 5);
}

}  // namespace gridcast::test
