#include "calibration/fits/delay_fit.hpp"

#include <cmath>

#include "sim/base/statistics.hpp"
#include "tests/calibration/log_records.hpp"
#include "tests/calibration/synthetic.hpp"
#include "tests/test.hpp"

namespace gridcast::calibration {

using namespace gridcast::test;
using history::EventKind;

namespace {

std::vector<double> column(Fit const& fit, std::string const& name) {
  auto const at = std::find(fit.draws.columns.begin(), fit.draws.columns.end(), name);
  REQUIRE(at != fit.draws.columns.end());
  std::vector<double> values;
  for (auto const& row : fit.draws.rows)
    values.push_back(row[static_cast<std::size_t>(at - fit.draws.columns.begin())]);
  return values;
}

history::JobHistory one_slot() {
  history::JobHistory history;
  history.sites = {"A"};
  history.slots = {"slot1@glidein"};
  return history;
}

std::vector<double> seconds_of(std::vector<Delay> const& delays) {
  std::vector<double> seconds;
  for (Delay const& delay : delays) seconds.push_back(delay.seconds);
  return seconds;
}

}  // namespace

TEST_CASE("A gamma delay of whole seconds is recovered") {
  RandomStream stream = test_stream(4);
  std::vector<Delay> delays;
  for (int i = 0; i < 200; ++i) {
    double const begin = stream.uniform();
    double const end = begin + gamma_quantile(stream.uniform(), 2, 4);
    delays.push_back({std::floor(end) - std::floor(begin), 0, false});
  }
  Fit const fit = fit_delay({"d", "what", 10}, delays, 1, 60, test_stream(1));
  CHECK(line(fit, "d_mean_s").estimate == Approx(8).epsilon(0.1));
  CHECK(line(fit, "d_mean_s").interval90.contains(8));
  CHECK(line(fit, "d_mean_s").events == 200);
  CHECK_THAT(line(fit, "d_mean_s").method, has_text("what; gamma,"));
}

TEST_CASE("Very many delays show a sample from the first to the last, and the counts of all") {
  std::vector<Delay> delays;
  for (std::size_t i = 0; i < 5 * enough_delays; ++i) {
    // The second half takes twice as long; every seventh lasted longer than was seen.
    double const seconds = i < 5 * enough_delays / 2 ? 20 : 40;
    delays.push_back({seconds, 0, i % 7 == 0});
  }
  DelayModel const model{"d", "what", 20};
  Fit const fit = fit_delay(model, delays, 1, 40, test_stream(1));
  Estimate const all = line(fit, "d_mean_s");
  CHECK(all.events == 8571);
  CHECK(all.censored == 1429);
  CHECK_THAT(all.method, has_text("from 2000 of 10000 delays, evenly"));
  std::vector<Delay> fewer;
  for (std::size_t i = 0; i < delays.size(); i += 5) fewer.push_back(delays[i]);
  Estimate const some = line(fit_delay(model, fewer, 1, 40, test_stream(1)), "d_mean_s");
  CHECK(all.estimate == some.estimate);
  CHECK(all.estimate > 30);
}

TEST_CASE("Delays of more different lengths than are looked at have the mean of the sample") {
  RandomStream stream = test_stream(5);
  std::vector<Delay> delays;
  double sum = 0;
  for (int i = 0; i < 1500; ++i) {
    delays.push_back({std::round(gamma_quantile(stream.uniform(), 2, 1500)), 0, false});
    sum += delays.back().seconds;
  }
  // The likelihood of a gamma law is largest at the mean of the sample.
  Fit const fit = fit_delay({"d", "what", 3000}, delays, 1, 60, test_stream(1));
  CHECK(line(fit, "d_mean_s").estimate == Approx(sum / 1500).epsilon(0.01));
}

TEST_CASE("The known part of a delay is subtracted, and a censored delay is longer") {
  std::vector<Delay> seen, censored;
  for (int i = 0; i < 60; ++i) {
    double const seconds = 20 + i % 10;
    seen.push_back({seconds + 100, 100, false});
    censored.push_back({seconds, 0, i % 2 == 0});
  }
  DelayModel const model{"d", "what", 20};
  CHECK(line(fit_delay(model, seen, 1, 40, test_stream(1)), "d_mean_s").estimate ==
        Approx(24.5).epsilon(0.03));
  Fit const cut = fit_delay(model, censored, 1, 40, test_stream(1));
  CHECK(line(cut, "d_mean_s").estimate > 26);
  CHECK(line(cut, "d_mean_s").events == 30);
  CHECK(line(cut, "d_mean_s").censored == 30);
}

TEST_CASE("Without a delay the prior is around its guess") {
  DelayModel const model{"d", "what", 40};
  Fit const prior = fit_delay(model, {}, 1, 400, test_stream(1));
  CHECK(line(prior, "d_mean_s").estimate == Approx(40).epsilon(0.3));
  CHECK(line(prior, "d_mean_s").fit == "no such delay in the log: the prior");
  // ln scale ~ N(ln 40, 1), ln shape ~ N(0, 1/2).
  std::vector<double> logs;
  for (double const scale : column(prior, "d_scale_s")) logs.push_back(std::log(scale));
  CHECK(mean(logs) == Approx(std::log(40.0)).margin(0.25));
  CHECK(standard_deviation(logs) == Approx(1).margin(0.15));
}

TEST_CASE("A match takes from the later of a free slot and an idle job to the start") {
  AttemptRecords records;
  records.attempts = {done_at(0, 0, 0, 5, 100), done_at(1, 0, 130, 135, 200),
                      done_at(2, 0, 260, 265, 300), done_at(3, 0, 310, 315, 400)};
  records.attempts[2].end_kind = EventKind::reconnect_failed;
  // Idle from 20 to 130; nobody until 230.
  records.waits = {{Id<history::Job>(1), Seconds(20), Seconds(130)},
                   {Id<history::Job>(2), Seconds(230), Seconds(260)},
                   {Id<history::Job>(3), Seconds(280), Seconds(310)}};
  // After a lost contact nobody knows since when the slot was free.
  CHECK(seconds_of(match_delays(records)) == std::vector<double>{30, 30});
}

// The slot is free from 100 on; the next job comes at 5,000 s and starts 12 s later. Meanwhile a
// job is idle that asks for what nothing there has.
TEST_CASE("A job that never starts makes no free slot wait for a match") {
  AttemptRecords records;
  records.attempts = {done_at(0, 0, 0, 5, 100), done_at(1, 0, 5012, 5020, 6000)};
  records.waits = {{Id<history::Job>(1), Seconds(5000), Seconds(5012)},
                   {Id<history::Job>(2), Seconds(0), Seconds(9000)}};
  CHECK(seconds_of(match_delays(records)) == std::vector<double>{12});
  // Nobody knows since when a job was idle whose submission the record lacks.
  records.waits.erase(records.waits.begin());
  CHECK(match_delays(records).empty());
}

// A slot of A is free from 100 to 3,000; another job was somewhere at A meanwhile.
TEST_CASE("A gap in which an attempt without a slot's name may have been is no match delay") {
  auto const with = [](double from, double to) {
    AttemptRecords records;
    records.attempts = {done_at(0, 0, 0, 5, 100), done_at(1, 0, 3000, 3005, 3100),
                        done_at(2, 1, 3010, 3015, 3100), attempt_at(3, 0, from, to),
                        done_at(4, 0, 3115, 3120, 3200)};
    records.attempts[3].placed = false;
    records.waits = {{Id<history::Job>(1), Seconds(0), Seconds(3000)},
                     {Id<history::Job>(3), Seconds(0), Seconds(from)},
                     {Id<history::Job>(4), Seconds(0), Seconds(3115)}};
    return seconds_of(match_delays(records));
  };
  CHECK(with(110, 2900) == std::vector<double>{15});
  CHECK(with(110, 3050) == std::vector<double>{2900, 15});
  CHECK(with(50, 2900) == std::vector<double>{2900, 15});
}

TEST_CASE("Attempts of a site without slot names are in one slot") {
  AttemptRecords records;
  records.attempts = {done_at(0, 0, 0, 5, 100), done_at(1, 0, 130, 135, 200)};
  for (AttemptRecord& attempt : records.attempts) attempt.placed = false;
  records.waits = {{Id<history::Job>(1), Seconds(20), Seconds(130)}};
  CHECK(seconds_of(match_delays(records)) == std::vector<double>{30});
}

// The pilot dies at 500, as its last job loses contact for good; a job waits for 40 s afterwards,
// and in vain, in a record that goes on for long. That is less than attempts take, 400 s in the
// median, of which the guess is.
TEST_CASE("A time without pilots is evidence only while jobs waited") {
  history::JobHistory const history = one_slot();
  AttemptRecords records;
  records.end = Seconds(90000);
  records.attempts = {done_at(0, 0, 0, 5, 400), attempt_at(1, 0, 410, 500)};
  records.attempts[1].end_kind = EventKind::reconnect_failed;
  records.attempts[1].disconnections = {{Seconds(500), {}}};
  records.attempts[1].end = Seconds(2900);  // the lease is over
  auto const estimate = [&](double waited) {
    records.waits = {{Id<history::Job>(1), Seconds(2900), Seconds(2900 + waited)}};
    return line(gaps_fit(history, records, 400, RandomStreams(1, 0)), "pilot_replacement_s");
  };
  CHECK(estimate(40).censored == 1);
  CHECK(estimate(40).interval90.low > 400 / 8.0);
  CHECK(estimate(40).interval90.high < 400 * 20.0);
  // After 4,000 s in vain, 1 / mean ~ Gamma(1/2, 4000 s), whose median is 0.2275 / 4000 s.
  CHECK(estimate(4000).estimate == Approx(4000 / 0.2275).epsilon(0.05));
  // Nor does a job wait for it that does not fit.
  records.waits[0].passed_over = {Id<history::Site>(0)};
  CHECK(
      line(gaps_fit(history, records, 400, RandomStreams(1, 0)), "pilot_replacement_s").censored ==
      0);
}

// Shut down at 100 and at 500, by which its job went; on the same name again at 400, after 300 s in
// which jobs waited, and at 700, in the last 150 s before which they did. 1 / mean ~ Gamma(2 + 1/2,
// 450 s), of which the median is 2.1757 / 450 s.
TEST_CASE("A pilot that comes back under its name is the next one") {
  history::JobHistory const history = one_slot();
  AttemptRecords records;
  records.end = Seconds(900);
  records.attempts = {attempt_at(0, 0, 0, 100), attempt_at(0, 0, 400, 500),
                      done_at(0, 0, 700, 705, 900)};
  for (std::size_t const i : {0u, 1u}) {
    records.attempts[i].end_kind = EventKind::evicted;
    records.attempts[i].reason = history::Reason::pilot_ended;
    records.attempts[i].code = 1013;
  }
  records.waits = {{Id<history::Job>(0), Seconds(100), Seconds(400)},
                   {Id<history::Job>(0), Seconds(550), Seconds(700)}};
  Fit const fit = gaps_fit(history, records, 400, RandomStreams(1, 0));
  CHECK(match_delays(records).empty());  // the slot was gone with its pilot
  CHECK(line(fit, "pilot_replacement_s").events == 2);
  CHECK(line(fit, "pilot_replacement_s").censored == 0);
  CHECK(line(fit, "pilot_replacement_s").estimate == Approx(450 / 2.1757).epsilon(0.02));
}

// By the ads a shadow starts at 0, 100, ... s, 040 says the transfer's start 2 s and its end 12 s
// later, the job executes 1 s after that, and the URLs took 4.5 and 5 s. So half a second is the
// plugin's own and 1 s is setup; the 2 s before the transfer, of which a log says nothing, go with
// the match.
TEST_CASE("A plugin's start is inside the transfer, setup after it") {
  history::JobHistory history = one_slot();
  AttemptRecords records;
  records.tick = 1;
  for (std::uint32_t i = 0; i < 40; ++i) {
    double const at = 100.0 * i;
    AttemptRecord attempt = done_at(i, 0, at, at + 13, at + 50);
    attempt.number = 1;
    attempt.input_started = Seconds(at + 2);
    attempt.input_finished = Seconds(at + 12);
    records.attempts.push_back(attempt);
    for (double const seconds : {4.5, 5.0}) {
      history::UrlTransfer url;
      url.job = attempt.job;
      url.attempt = 1;
      url.succeeded = true;
      url.duration = Seconds(seconds);
      history.transfers.push_back(url);
    }
  }
  Fit const with_ads = gaps_fit(history, records, 60, RandomStreams(1, 0));
  CHECK(line(with_ads, "plugin_start_mean_s").events == 40);
  CHECK(line(with_ads, "plugin_start_mean_s").estimate == Approx(0.5).margin(0.2));
  CHECK(line(with_ads, "setup_mean_s").estimate == Approx(1).epsilon(0.15));
  history.transfers.clear();
  Fit const log_alone = gaps_fit(history, records, 60, RandomStreams(1, 0));
  CHECK(line(log_alone, "setup_mean_s").estimate == Approx(1).epsilon(0.15));
  auto const& columns = log_alone.draws.columns;
  CHECK(std::find(columns.begin(), columns.end(), "plugin_start_scale_s") == columns.end());
  CHECK(std::find(columns.begin(), columns.end(), "unlisted_wait_s") == columns.end());
  // If a submit file shows that the jobs listed no output files, a second was HTCondor's own.
  Fit const listed = gaps_fit(history, records, 60, RandomStreams(1, 0), false);
  CHECK(line(listed, "setup_mean_s").estimate == line(log_alone, "setup_mean_s").estimate);
  CHECK(column(listed, "unlisted_wait_s") == std::vector<double>(60, 1));
  Fit const unlisted = gaps_fit(history, records, 60, RandomStreams(1, 0), true);
  CHECK(line(unlisted, "setup_mean_s").estimate < 0.2);
  CHECK(column(unlisted, "unlisted_wait_s") == std::vector<double>(60, 1));
}

// The output comes back in 0.1 s or so: no reason to think that checkpoints, which were not seen,
// take longer.
TEST_CASE("A checkpoint that was not seen takes about as long as the output") {
  AttemptRecords records;
  for (std::size_t i = 0; i < 100; ++i) {
    double const at = 100.0 * static_cast<double>(i);
    records.attempts.push_back(done_at(i, 0, at, at + 5, at + 50));
    records.attempts.back().exit = Seconds(at + (i % 10 == 0 ? 49 : 50));
  }
  records.tick = 1;
  Fit const fit = gaps_fit(one_slot(), records, 400, RandomStreams(1, 0));
  CHECK(line(fit, "teardown_mean_s").estimate == Approx(0.1).epsilon(0.5));
  CHECK(line(fit, "checkpoint_mean_s").estimate ==
        Approx(line(fit, "teardown_mean_s").estimate).epsilon(0.3));
}

TEST_CASE("Delays of attempts and holds") {
  AttemptRecords records;
  records.end = Seconds(900);
  records.attempts = {done_at(0, 0, 0, 5, 100), done_at(1, 1, 0, 5, 100), done_at(2, 2, 0, 5, 100),
                      done_at(3, 3, 0, 5, 100)};
  records.attempts[0].exit = Seconds(97);
  records.attempts[1].disconnections = {{Seconds(20), Seconds(32)}, {Seconds(60), {}}};
  records.attempts[2].end_kind = EventKind::evicted;
  records.attempts[2].stores = {Seconds(2), Seconds(4)};
  records.attempts[3].end_kind = EventKind::held;  // and not for a crash
  CHECK(seconds_of(teardowns(records)) == std::vector<double>{3});
  CHECK(seconds_of(checkpoints(records)) == std::vector<double>{2, 4});
  CHECK(seconds_of(reconnections(records)) == std::vector<double>{12});
  records.holds = {{Id<history::Job>(0), 1, {}, Seconds(100), Seconds(160), {}},
                   {Id<history::Job>(1), 1, {}, Seconds(100), {}, Seconds(130)},
                   {Id<history::Job>(2), 1, {}, Seconds(100), {}, {}},
                   {Id<history::Job>(3), 1, {}, Seconds(100), {}, {}, Seconds(115)}};
  auto const releases = release_delays(records);
  CHECK(seconds_of(releases) == std::vector<double>{60, 30, 800, 15});
  // Released or removed: both were decided then.
  CHECK((!releases[0].censored && !releases[1].censored && releases[2].censored));
  CHECK(releases[3].censored);  // by a policy, before people decided
}

TEST_CASE("Each try to return files is a delay; a loss of contact is not") {
  AttemptRecords records;
  records.attempts.push_back(done_at(0, 0, 0, 10, 110));
  records.attempts.push_back(done_at(1, 0, 200, 210, 310));
  records.attempts[1].disconnections = {{Seconds(230), Seconds(238)}};
  records.attempts[1].output_tries = {Seconds(5), Seconds(6), Seconds(5), Seconds(5)};
  records.end = Seconds(400);
  CHECK(seconds_of(output_tries(records)) == std::vector<double>{5, 6, 5, 5});
  CHECK(seconds_of(reconnections(records)) == std::vector<double>{8});
  Fit const fit = gaps_fit(one_slot(), records, 60, RandomStreams(1, 0));
  CHECK(line(fit, "output_try_mean_s").events == 4);
  CHECK(line(fit, "output_try_mean_s").interval90.contains(5.2));
  records.attempts[1].output_tries.clear();
  Fit const unreported = gaps_fit(one_slot(), records, 60, RandomStreams(1, 0));
  CHECK(line(unreported, "output_try_mean_s").events == 0);
  CHECK(line(unreported, "output_try_mean_s").interval90.contains(5));
}

}  // namespace gridcast::calibration
