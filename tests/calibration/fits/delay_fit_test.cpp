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

std::vector<double> seconds_of(std::vector<Delay> const& delays) {
  std::vector<double> seconds;
  for (Delay const& delay : delays) seconds.push_back(delay.seconds);
  return seconds;
}

}  // namespace

TEST_CASE("A gamma delay of whole seconds is recovered, threshold and all") {
  RandomStream stream = test_stream(4);
  std::vector<Delay> delays;
  for (int i = 0; i < 200; ++i) {
    double const begin = stream.uniform();
    double const end = begin + 5 + gamma_quantile(stream.uniform(), 2, 4);
    delays.push_back({std::floor(end) - std::floor(begin), 0, false});
  }
  Fit const fit = fit_delay({"d", "what", true, 10}, delays, 1, 60, test_stream(1));
  CHECK(line(fit, "d_mean_s").estimate == Approx(13).epsilon(0.07));
  CHECK(line(fit, "d_mean_s").interval90.contains(13));
  CHECK(line(fit, "d_mean_s").events == 200);
  CHECK(median(column(fit, "d_shift_s")) == Approx(5).margin(0.8));
  CHECK_THAT(line(fit, "d_mean_s").method, has_text("what; gamma, lognormal or Weibull above"));
  CHECK_THAT(line(fit, "d_mean_s").fit, has_text("weights gamma"));
}

TEST_CASE("Of very many delays some tell, from the first to the last, and the counts are of all") {
  std::vector<Delay> delays;
  for (std::size_t i = 0; i < 5 * enough_delays; ++i) {
    // The second half takes twice as long; every seventh lasted longer than was seen.
    double const seconds = i < 5 * enough_delays / 2 ? 20 : 40;
    delays.push_back({seconds, 0, i % 7 == 0});
  }
  DelayModel const model{"d", "what", false, 20, 0, {Family::gamma}};
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

TEST_CASE("What is known of a delay is taken off, what is censored is longer") {
  std::vector<Delay> seen, censored;
  for (int i = 0; i < 60; ++i) {
    double const seconds = 20 + i % 10;
    seen.push_back({seconds + 100, 100, false});
    censored.push_back({seconds, 0, i % 2 == 0});
  }
  DelayModel const model{"d", "what", false, 20, 0, {Family::gamma}};
  CHECK(line(fit_delay(model, seen, 1, 40, test_stream(1)), "d_mean_s").estimate ==
        Approx(24.5).epsilon(0.03));
  Fit const cut = fit_delay(model, censored, 1, 40, test_stream(1));
  CHECK(line(cut, "d_mean_s").estimate > 26);
  CHECK(line(cut, "d_mean_s").events == 30);
  CHECK(line(cut, "d_mean_s").censored == 30);
}

TEST_CASE("Without a delay the prior is around its guess; campaigns differ in the draws alone") {
  DelayModel model{"d", "what", false, 40, 0, {Family::gamma}};
  Fit const prior = fit_delay(model, {}, 1, 400, test_stream(1));
  CHECK(line(prior, "d_mean_s").estimate == Approx(40).epsilon(0.3));
  CHECK(line(prior, "d_mean_s").fit == "no such delay in the log: the prior");
  // ln scale ~ N(ln 40, 1), ln shape ~ N(0, 1/2).
  std::vector<double> logs;
  for (double const scale : column(prior, "d_scale_s")) logs.push_back(std::log(scale));
  CHECK(mean(logs) == Approx(std::log(40.0)).margin(0.25));
  CHECK(standard_deviation(logs) == Approx(1).margin(0.15));
  model.campaigns = 1.5;
  Fit const between = fit_delay(model, {}, 1, 400, test_stream(1));
  CHECK(line(between, "d_mean_s").interval90.high == line(prior, "d_mean_s").interval90.high);
  logs.clear();
  for (double const scale : column(between, "d_scale_s")) logs.push_back(std::log(scale));
  CHECK(standard_deviation(logs) == Approx(std::sqrt(1 + 2.25)).margin(0.25));
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
                   {Id<history::Job>(2), 1, {}, Seconds(100), {}, {}}};
  auto const releases = release_delays(records);
  CHECK(seconds_of(releases) == std::vector<double>{60, 30, 800});
  // Released or removed: both were decided then.
  CHECK((!releases[0].censored && !releases[1].censored && releases[2].censored));
}

TEST_CASE("People release, and have a limit where every removal came after every release") {
  AttemptRecords records;
  records.end = Seconds(5000);
  auto const hold = [&](int count, bool released) {
    double const at = 100.0 * static_cast<double>(records.holds.size());
    records.holds.push_back({Id<history::Job>(0), count, {}, Seconds(at), {}, {}});
    (released ? records.holds.back().released : records.holds.back().removed) = Seconds(at + 50);
  };
  for (int i = 0; i < 9; ++i) hold(1 + i % 2, true);
  Fit const open = people_fit(records, 0, 200, RandomStreams(1, 0));
  CHECK(not_identified(open, "most_holds"));
  CHECK(line(open, "release").interval90.high == 1);
  CHECK(line(open, "release").interval90.low == Approx(0.8562).margin(0.01));  // Beta(9.5, 0.5)
  auto most = column(open, "most_holds");
  auto const none = std::count(most.begin(), most.end(), 1e6);
  CHECK(static_cast<double>(none) / 200 == Approx(0.5).margin(0.12));
  std::sort(most.begin(), most.end());
  CHECK(most.front() >= 3);
  CHECK(most[99 - 15] <= 12);
  hold(3, false);
  Fit const limit = people_fit(records, 0, 200, RandomStreams(1, 0));
  CHECK_FALSE(not_identified(limit, "most_holds"));
  CHECK(column(limit, "most_holds") == std::vector<double>(200, 3));
  CHECK(line(limit, "release").estimate == Approx(line(open, "release").estimate));
  hold(2, false);
  Fit const both = people_fit(records, 0, 200, RandomStreams(1, 0));
  CHECK(column(both, "most_holds") == std::vector<double>(200, 1e6));
  CHECK(line(both, "release").events == 11);
  CHECK(line(both, "release").estimate == Approx(9.5 / 12).epsilon(0.05));
  CHECK(line(both, "release_delay_mean_s").estimate == Approx(62).epsilon(0.3));
}

}  // namespace gridcast::calibration
