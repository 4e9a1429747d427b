
#include <algorithm>
#include <cmath>

#include "sim/base/random.hpp"
#include "tests/calibration/log_records.hpp"
#include "tests/calibration/process_fits.hpp"
#include "tests/calibration/synthetic.hpp"
#include "tests/engine/timed_grid.hpp"
#include "tests/test.hpp"

namespace gridcast::calibration {

using namespace gridcast::test;
using history::EventKind;
using history::Reason;

namespace {

Fit fit_of(AttemptRecords const& records) {
  return log_columns(two_sites(), records, {{100, 100}}, 100);
}

/// 40 executions of 100 s at each site, one after the other.
AttemptRecords quiet() {
  AttemptRecords records;
  for (std::size_t i = 0; i < 40; ++i) {
    double const start = 200.0 * static_cast<double>(i);
    for (std::size_t const slot : {0u, 2u}) {
      records.attempts.push_back(done_at(i, slot, start, start + 10, start + 110));
    }
  }
  records.end = Seconds(8200);
  return records;
}

}  // namespace

// One site's 4,400 s: the limit of Gamma(1/2, time), 1.35 / time, is wider for the spread between
// sites that nothing was seen of (partial_pooling_test).
TEST_CASE("An event that never happened has a limit") {
  Fit const fit = fit_of(quiet());
  for (std::string const name :
       {"evict_per_s.A", "disconnect_per_s.B", "suspend_per_s.A", "pilot_death_per_s.B"}) {
    CAPTURE(name);
    CHECK(line(fit, name).origin == Origin::by_default);
    CHECK(line(fit, name).interval90.low == 0);
    CHECK(line(fit, name).interval90.high > 0.3 / 4400);
    CHECK(line(fit, name).interval90.high < 3.0 / 4400);
  }
  CHECK(line(fit, "crash.A").interval90.high > 0.3 / 40);
  CHECK(line(fit, "crash.A").interval90.high < 3.0 / 40);
  CHECK(not_identified(fit, "evict_per_s"));
  CHECK(not_identified(fit, "crash"));
  CHECK(not_identified(fit, "reconnect"));
  CHECK(line(fit, "reconnect.A").interval90.high == 1);
}

// Two pilots had 80 attempts: two chances to die, and Beta(1/2, 1/2) leaves 3/11 that there is such
// a thing (80 would leave 1 in 17). Had one been shut down twice, it had lived twice: of three
// chances m is 5/16, so 5/21.
TEST_CASE("A pilot that lived counts as one chance to die, however many attempts it had") {
  auto const share_with_deaths = [](AttemptRecords const& records) {
    Fit const fit = log_columns(two_sites(), records, {{100, 100}}, 1100);
    auto const& columns = fit.draws.columns;
    auto const at = std::find(columns.begin(), columns.end(), "pilot_death_per_s.A");
    REQUIRE(at != columns.end());
    double with = 0;
    for (auto const& row : fit.draws.rows) {
      with += row[static_cast<std::size_t>(at - columns.begin())] > 0 ? 1 : 0;
    }
    return with / 1100;
  };
  AttemptRecords records = quiet();
  CHECK(share_with_deaths(records) == Approx(3. / 11).margin(0.002));
  for (std::size_t const i : {20U, 60U}) {
    records.attempts[i].end_kind = EventKind::evicted;
    records.attempts[i].reason = Reason::pilot_ended;
    records.attempts[i].exit.reset();
  }
  CHECK(share_with_deaths(records) == Approx(5. / 21).margin(0.002));
}

TEST_CASE("Evictions are counted over the time claimed, at their site") {
  AttemptRecords records = quiet();
  for (std::size_t i = 0; i < 40; i += 2) {  // at site A, 55 s after the start
    AttemptRecord& attempt = records.attempts[2 * i];
    attempt.exit.reset();
    attempt.end = attempt.start + Seconds(55);
    attempt.tail = Seconds(45);
    attempt.end_kind = EventKind::evicted;
    attempt.reason = Reason::vacated;
  }
  Fit const fit = fit_of(records);
  CHECK(line(fit, "evict_per_s.A").estimate == Approx(20.0 / 3300).epsilon(0.06));
  CHECK(line(fit, "evict_per_s.A").events == 20);
  CHECK(line(fit, "evict_per_s.B").events == 0);
  CHECK(line(fit, "evict_per_s.B").interval90.low == 0);
  CHECK(line(fit, "evict_per_s.B").estimate < 0.001);
  CHECK_THAT(line(fit, "evict_per_s.A").method,
             has_text("evictions in claimed time: 20 in 3300 s"));
  CHECK_THAT(line(fit, "evict_per_s.A").fit, has_text("sites alike: chi2 26.7 with 1 degree"));
  // An execution of 100 s that an eviction ended at 45 s had 0.45 of the crash's risk behind
  // it.
  CHECK_THAT(line(fit, "crash.A").method, has_text("0 / 29;"));
}

TEST_CASE("A pilot that was shut down is no eviction from a slot that stays") {
  AttemptRecords records = quiet();
  Fit const none_shut_down = fit_of(records);
  CHECK(std::none_of(none_shut_down.estimates.begin(), none_shut_down.estimates.end(),
                     [](Estimate const& each) { return each.name.starts_with("pilot_kill"); }));
  for (std::size_t i = 0; i < 40; i += 2) {  // at site A, 55 s after the start
    AttemptRecord& attempt = records.attempts[2 * i];
    attempt.end = attempt.start + Seconds(55);
    attempt.exit.reset();
    attempt.end_kind = EventKind::evicted;
    attempt.reason = Reason::pilot_ended;
    attempt.code = 1013;
  }
  Fit const fit = fit_of(records);
  CHECK(line(fit, "evict_per_s.A").events == 0);
  CHECK(line(fit, "pilot_kill_per_s.A").events == 20);
  CHECK(line(fit, "pilot_kill_per_s.A").estimate ==
        Approx(20 / (20 * 110. + 20 * 55)).epsilon(0.2));
  CHECK(line(fit, "pilot_kill_per_s.B").events == 0);
}

TEST_CASE("The share of its risk that an interrupted execution ran is five sixths at most") {
  AttemptRecords records = quiet();
  AttemptRecord& longer = records.attempts[0];
  longer.exit.reset();
  longer.tail = Seconds(600);
  longer.end_kind = EventKind::evicted;
  longer.reason = Reason::vacated;
  CHECK_THAT(line(fit_of(records), "crash.A").method, has_text("0 / 39.83;"));
  records.epochs = 4;
  longer.epochs_before = 2;  // half of the work was left, of which it did 20 of 50 s
  longer.epochs = {Seconds(15)};
  longer.tail = Seconds(5);
  CHECK_THAT(line(fit_of(records), "crash.A").method, has_text("0 / 39.4;"));
  longer.epochs_before = 4;  // nothing, so that the log has lost count: 5 % are taken, 2 of 5 s
  longer.epochs = {};
  longer.tail = Seconds(2);
  CHECK_THAT(line(fit_of(records), "crash.A").method, has_text("0 / 39.4;"));
}

TEST_CASE("Crashes count once, with any amount of work undone") {
  AttemptRecords records = quiet();
  for (std::size_t i = 0; i < 20; i += 2) {
    records.attempts[i].useful = false;
    records.attempts[i].tail = Seconds(1);
  }
  Fit const fit = fit_of(records);
  CHECK_THAT(line(fit, "crash.A").method, has_text("10 / 40;"));
  CHECK(line(fit, "crash.A").estimate == Approx(0.25).epsilon(0.12));
  CHECK(line(fit, "crash.B").events == 0);
}

TEST_CASE("Lost contacts are counted once an attempt, and mended or not") {
  AttemptRecords records = quiet();
  for (std::size_t i = 0; i < 10; ++i) {
    AttemptRecord& attempt = records.attempts[2 * i];
    attempt.disconnections = {{attempt.start + Seconds(30), attempt.start + Seconds(40)},
                              {attempt.start + Seconds(60), attempt.start + Seconds(70)}};
  }
  Fit const mended = fit_of(records);
  CHECK(line(mended, "disconnect_per_s.A").events == 10);
  CHECK_THAT(line(mended, "disconnect_per_s.A").method, has_text("10 in 3600 s"));
  CHECK(line(mended, "reconnect.A").interval90.high == 1);
  CHECK(line(mended, "reconnect.A").interval90.low > 0.8);
  CHECK(line(mended, "reconnect.A").interval90.contains(line(mended, "reconnect.A").estimate));
  CHECK(line(mended, "reconnect.B").interval90.low < 0.8);
  CHECK(line(mended, "reconnect.A").events == 10);
  records.attempts[0].disconnections[1].back.reset();
  Fit const lost = fit_of(records);
  CHECK_THAT(line(lost, "reconnect.A").method, has_text("9 / 10"));
  CHECK(line(lost, "reconnect.A").estimate == Approx(0.87).margin(0.08));
}

namespace {

/// The first so many attempts at site A lost contact and were found again; the first `lost` of them
/// lost their files.
AttemptRecords found_again(std::size_t number, std::size_t lost) {
  AttemptRecords records = quiet();
  for (std::size_t i = 0; i < number; ++i) {
    AttemptRecord& attempt = records.attempts[2 * i];
    attempt.disconnections = {{attempt.start + Seconds(30), attempt.start + Seconds(40)}};
    if (i >= lost) continue;
    attempt.exit.reset();
    attempt.end_kind = EventKind::evicted;
    attempt.reason = Reason::output_failed;
  }
  return records;
}

}  // namespace

// Beta(with subcode 256 + 1/2, with another + 1/2), all sites alike.
TEST_CASE("The share of plugins with a permanent error is the share of subcode 256") {
  AttemptRecords records = quiet();
  auto const fail = [&](std::size_t i, int code, int subcode, EventKind kind) {
    AttemptRecord& attempt = records.attempts[i];
    attempt.executing.reset();
    attempt.exit.reset();
    attempt.end_kind = kind;
    attempt.reason = Reason::transfer_failed;
    attempt.code = code;
    attempt.subcode = subcode;
  };
  for (std::size_t i = 0; i < 7; ++i) fail(i, 13, 256, EventKind::held);
  fail(7, 13, 2816, EventKind::held);
  fail(8, 13, 2816, EventKind::evicted);  // it cooled down
  fail(9, 0, 0, EventKind::held);         // the log has no codes
  Fit const fit = fit_of(records);
  Estimate const& share = line(fit, "permanent_failure");
  CHECK(share.events == 9);
  CHECK(share.origin == Origin::fitted);
  CHECK_THAT(share.method, has_text("7 / 9; Beta"));
  CHECK(share.estimate == Approx(beta_quantile(0.5, 7.5, 2.5)).margin(0.01));
  CHECK(share.interval90.low == Approx(beta_quantile(0.05, 7.5, 2.5)).margin(0.03));
  CHECK(share.interval90.high == Approx(beta_quantile(0.95, 7.5, 2.5)).margin(0.03));
  CHECK_FALSE(not_identified(fit, "permanent_failure"));

  Fit const none = fit_of(quiet());
  CHECK(line(none, "permanent_failure").origin == Origin::by_default);
  CHECK(line(none, "permanent_failure").estimate == Approx(0.5).margin(0.05));
  CHECK(not_identified(none, "permanent_failure"));
}

// Beta(lost + 1/2, kept + 1/2), all sites alike.
TEST_CASE("The share of executions that lose their files comes from those found again and done") {
  AttemptRecords records = found_again(9, 6);
  AttemptRecord& vacated = records.attempts[2 * 9];  // contact was lost, and it was never done
  vacated.disconnections = {{vacated.start + Seconds(30), vacated.start + Seconds(40)}};
  vacated.exit.reset();
  vacated.end_kind = EventKind::evicted;
  vacated.reason = Reason::vacated;
  Fit const fit = fit_of(records);
  Estimate const& share = line(fit, "files_lost");
  CHECK(share.events == 6);
  CHECK_THAT(share.method, has_text("6 / 9; Beta"));
  CHECK(share.origin == Origin::fitted);
  CHECK(share.estimate == Approx(beta_quantile(0.5, 6.5, 3.5)).margin(0.01));
  CHECK(share.interval90.low == Approx(beta_quantile(0.05, 6.5, 3.5)).margin(0.03));
  CHECK(share.interval90.high == Approx(beta_quantile(0.95, 6.5, 3.5)).margin(0.03));
  // They are no evictions, and their contact was mended.
  CHECK(line(fit, "evict_per_s.A").events == 1);
  CHECK(line(fit, "reconnect.A").events == 10);
  CHECK(line(fit, "crash.A").events == 0);
}

// Beta(over + 1/2, came back + 1/2), all sites alike.
TEST_CASE("The record's evictions give the share of evictions that end their jobs") {
  AttemptRecords records = quiet();
  for (std::size_t i = 0; i < 10; ++i) {
    AttemptRecord& attempt = records.attempts[i];
    attempt.exit.reset();
    attempt.end_kind = EventKind::evicted;
    attempt.reason = Reason::vacated;
    attempt.ended_job = i < 8;
  }
  Fit const fit = fit_of(records);
  Estimate const& share = line(fit, "evicted_for_good");
  CHECK(share.events == 8);
  CHECK_THAT(share.method, has_text("8 / 10; Beta"));
  CHECK(share.estimate == Approx(beta_quantile(0.5, 8.5, 2.5)).margin(0.01));
  CHECK(share.interval90.low == Approx(beta_quantile(0.05, 8.5, 2.5)).margin(0.03));
  CHECK(share.interval90.high == Approx(beta_quantile(0.95, 8.5, 2.5)).margin(0.03));
  for (AttemptRecord& attempt : records.attempts) attempt.ended_job = false;
  for (Estimate const& each : fit_of(records).estimates) CHECK(each.name != "evicted_for_good");
}

// Beta(over + 1/2, held or queued again + 1/2), all sites alike.
TEST_CASE(
    "The share of stops at limits that end their jobs is known from those that the record has") {
  AttemptRecords records = quiet();
  auto const stop = [&](EventKind end, Reason limit, std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) {
      records.attempts[i].exit.reset();
      records.attempts[i].end_kind = end;
      records.attempts[i].reason = limit;
    }
  };
  stop(EventKind::aborted, Reason::out_of_resources, 0, 5);
  stop(EventKind::aborted, Reason::execution_too_long, 5, 8);
  stop(EventKind::held, Reason::out_of_resources, 8, 10);
  Fit const fit = fit_of(records);
  Estimate const& share = line(fit, "stopped_for_good");
  CHECK(share.events == 8);
  CHECK_THAT(share.method, has_text("8 / 10; Beta"));
  CHECK(share.estimate == Approx(beta_quantile(0.5, 8.5, 2.5)).margin(0.01));
  stop(EventKind::held, Reason::out_of_resources, 0, 10);
  for (Estimate const& each : fit_of(records).estimates) CHECK(each.name != "stopped_for_good");
}

TEST_CASE("The fit finds the simulated share of jobs that limits stop for good") {
  Grid grid = timed_grid(50, 400);
  grid.site().stop = 0.5;
  grid.site().stop_after = timed::work * 0.5;
  grid.draw.stopped_for_good = 0.6;
  history::JobHistory const history = grid.run().history;
  AttemptRecords const records = make_attempt_records(history);
  Fit const fit = log_columns(history, records, {{timed::work.value()}}, 200);
  CHECK(line(fit, "stopped_for_good").interval90.contains(0.6));
  CHECK(line(fit, "stop.site").interval90.contains(0.5));
}

TEST_CASE("The fit finds the simulated rate of evictions that end jobs") {
  Grid grid = timed_grid(50, 400);
  grid.site().evict_per_second = 1 / 300.0;
  grid.draw.evicted_for_good = 0.6;
  history::JobHistory const history = grid.run().history;
  AttemptRecords const records = make_attempt_records(history);
  Fit const fit = log_columns(history, records, {{timed::work.value()}}, 200);
  Estimate const& share = line(fit, "evicted_for_good");
  CHECK(share.events > 50);
  CHECK(share.interval90.contains(0.6));
  CHECK(line(fit, "evict_per_s.site").interval90.contains(1 / 300.0));
}

// Half of the pilots' ends come without a word; a job that is over with one is not tried again.
TEST_CASE("The fit finds the simulated rate of lost nodes and pilots that end jobs") {
  Grid grid = timed_grid(50, 400);
  grid.site().pilot_death_per_second = 1 / 1000.0;
  grid.site().pilot_kill_per_second = 1 / 1000.0;
  grid.draw.lost_for_good = 0.6;
  history::JobHistory const history = grid.run().history;
  AttemptRecords const records = make_attempt_records(history);
  Fit const fit = log_columns(history, records, {{timed::work.value()}}, 200);
  Estimate const& share = line(fit, "lost_for_good");
  CHECK(share.events > 50);
  CHECK(share.interval90.contains(0.6));
  CHECK(std::none_of(fit.estimates.begin(), fit.estimates.end(),
                     [](Estimate const& each) { return each.name == "evicted_for_good"; }));
}

// B(1/2, n + 1/2) / B(1/2, 1/2) with n = 4 is 35 / 128: 27 % of the draws after an even chance, 21
// % of all.
TEST_CASE("Lost files have the prior of other events that were never seen") {
  auto const with = [](Fit const& fit) {
    auto const& columns = fit.draws.columns;
    auto const at = std::find(columns.begin(), columns.end(), "files_lost") - columns.begin();
    return std::count_if(
        fit.draws.rows.begin(), fit.draws.rows.end(),
        [&](std::vector<double> const& row) { return row[static_cast<std::size_t>(at)] > 0; });
  };
  Fit const none_found = fit_of(quiet());
  CHECK(with(none_found) == 50);
  CHECK(not_identified(none_found, "files_lost"));
  CHECK(line(none_found, "files_lost").origin == Origin::by_default);
  CHECK(line(none_found, "files_lost").interval90.low == 0);
  CHECK(line(none_found, "files_lost").interval90.high ==
        Approx(beta_quantile(0.9, 0.5, 0.5)).epsilon(1e-6));
  Fit const four = fit_of(found_again(4, 0));
  double const m = 35. / 128;
  CHECK(std::abs(static_cast<double>(with(four)) - 100 * m / (1 + m)) <= 1);
  CHECK(with(fit_of(found_again(4, 1))) == 100);
}

TEST_CASE("A job that a restarted shadow found shows nothing about lost files") {
  AttemptRecords records;
  for (std::size_t i = 0; i < 10; ++i) {
    double const start = 200.0 * static_cast<double>(i);
    for (std::size_t const slot : {0U, 1U, 2U, 3U}) {
      records.attempts.push_back(done_at(4 * i + slot, slot, start, start + 10, start + 110));
      if (i > 0) continue;
      // One lost contact 6 s before the access point was down, and was found with all others.
      Seconds const at(start + (slot == 3 ? 24 : 30));
      records.attempts.back().disconnections = {{at, Seconds(start + 40)}};
    }
  }
  records.end = Seconds(2200);
  CHECK_THAT(line(fit_of(records), "files_lost").method, has_text("0 / 0; Beta"));
  AttemptRecord& later = records.attempts[0];
  later.disconnections.push_back({Seconds(60), Seconds(61)});
  CHECK_THAT(line(fit_of(records), "files_lost").method, has_text("0 / 1; Beta"));
}

TEST_CASE("The fit finds the simulated rate of lost files") {
  Grid grid = timed_grid(50, 400);
  grid.site().disconnect_per_second = 1 / 1500.0;
  grid.draw.files_lost = 0.6;
  grid.draw.output_try = always(Seconds(6));
  history::JobHistory const history = grid.run().history;
  AttemptRecords const records = make_attempt_records(history);
  Fit const fit = log_columns(history, records, {{timed::work.value()}}, 200);
  Estimate const& share = line(fit, "files_lost");
  CHECK(share.events > 100);
  CHECK(share.interval90.contains(0.6));
  CHECK(share.interval90.high - share.interval90.low < 0.15);
  CHECK(line(fit, "evict_per_s.site").events == 0);
  CHECK(line(fit, "disconnect_per_s.site").interval90.contains(1 / 1500.0));
}

TEST_CASE("Suspensions are counted over the time claimed and not suspended") {
  AttemptRecords records = quiet();
  for (std::size_t i = 0; i < 8; ++i) {
    records.attempts[2 * i + 1].suspensions_begun = 2;
    records.attempts[2 * i + 1].suspended = Seconds(20);
  }
  Fit const fit = fit_of(records);
  CHECK_THAT(line(fit, "suspend_per_s.B").method, has_text("16 in 4240 s"));
  CHECK(line(fit, "suspend_per_s.B").estimate == Approx(16.0 / 4240).epsilon(0.12));
}

}  // namespace gridcast::calibration
