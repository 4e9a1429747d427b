// What people do with held jobs.
#include "calibration/fits/people_fit.hpp"

#include <algorithm>

#include "sim/base/statistics.hpp"
#include "tests/calibration/synthetic.hpp"
#include "tests/calibration/transfer_campaigns.hpp"
#include "tests/test.hpp"

namespace gridcast::calibration {

using namespace gridcast::test;

namespace {

std::vector<double> drawn(Fit const& fit, std::string const& name) {
  auto const at = std::find(fit.draws.columns.begin(), fit.draws.columns.end(), name);
  REQUIRE(at != fit.draws.columns.end());
  std::vector<double> values;
  for (auto const& row : fit.draws.rows) {
    values.push_back(row[static_cast<std::size_t>(at - fit.draws.columns.begin())]);
  }
  return values;
}

}  // namespace

TEST_CASE("People release, and have a limit where every removal came after every release") {
  AttemptRecords records;
  records.end = Seconds(5000);
  auto const hold = [&](int count, bool released) {
    double const at = 100.0 * static_cast<double>(records.holds.size());
    records.holds.push_back({Id<history::Job>(0), count, {}, Seconds(at), {}, {}});
    (released ? records.holds.back().released : records.holds.back().removed) = Seconds(at + 50);
  };
  for (int i = 0; i < 9; ++i) hold(1 + i % 2, true);
  Fit const open = people_fit(records, 200, RandomStreams(1, 0));
  CHECK(not_identified(open, "most_holds"));
  CHECK(line(open, "release").interval90.high == 1);
  CHECK(line(open, "release").interval90.low == Approx(0.8562).margin(0.01));  // Beta(9.5, 0.5)
  auto most = drawn(open, "most_holds");
  auto const none = std::count(most.begin(), most.end(), 1e6);
  CHECK(static_cast<double>(none) / 200 == Approx(0.5).margin(0.12));
  std::sort(most.begin(), most.end());
  CHECK(most.front() >= 3);
  CHECK(most[99 - 15] <= 12);
  hold(3, false);
  Fit const limit = people_fit(records, 200, RandomStreams(1, 0));
  CHECK_FALSE(not_identified(limit, "most_holds"));
  CHECK(drawn(limit, "most_holds") == std::vector<double>(200, 3));
  CHECK(line(limit, "release").estimate == Approx(line(open, "release").estimate));
  hold(2, false);
  Fit const both = people_fit(records, 200, RandomStreams(1, 0));
  CHECK(drawn(both, "most_holds") == std::vector<double>(200, 1e6));
  CHECK(line(both, "release").events == 11);
  CHECK(line(both, "release").estimate == Approx(9.5 / 12).epsilon(0.05));
  CHECK(line(both, "release_delay_mean_s").estimate == Approx(62).epsilon(0.3));
}

// Twelve jobs released and twelve removed. Each by itself that is a probability of a half, known to 0.1; four
// times of six jobs, all of which went one way, are four decisions, and the next goes either way for all.
TEST_CASE("What people decide of several jobs at a time is one decision") {
  AttemptRecords records;
  auto const hold = [&](double at, bool released) {
    records.holds.push_back({Id<history::Job>(0), 1, {}, Seconds(at), {}, {}});
    (released ? records.holds.back().released : records.holds.back().removed) = Seconds(at + 50);
    records.end = Seconds(at + 100);
  };
  auto const spread_of_release = [&] {
    return standard_deviation(drawn(people_fit(records, 400, RandomStreams(1, 0)), "release"));
  };
  for (int i = 0; i < 24; ++i) hold(1e4 * i, i % 2 == 0);
  CHECK(spread_of_release() == Approx(0.1).epsilon(0.05));  // Beta(12.5, 12.5)
  records.holds.clear();
  for (int i = 0; i < 24; ++i) hold(1e4 * (i / 6) + i % 6, (i / 6) % 2 == 0);
  CHECK(spread_of_release() > 0.35);  // of a coin: 0.5
}

// ln scale ~ N(ln of a tenth of the record, 1), at most of an hour, ln shape ~ N(0, 0.25), and above a threshold that
// is flat from 0 to twice as much: the median scale of a record of 300 s is 30 s, and from ten hours on an hour.
TEST_CASE("How soon people act where none did follows the record, up to an hour") {
  auto const median_scale = [](double record, std::vector<HoldRecord> const& holds) {
    AttemptRecords records;
    records.end = Seconds(record);
    records.holds = holds;
    return median(drawn(people_fit(records, 2000, RandomStreams(1, 0)), "release_delay_scale_s"));
  };
  CHECK(median_scale(300, {}) == Approx(30).epsilon(0.1));
  CHECK(median_scale(18000, {}) == Approx(1800).epsilon(0.1));
  CHECK(median_scale(36000, {}) == Approx(3600).epsilon(0.1));
  CHECK(median_scale(36e5, {}) == Approx(3600).epsilon(0.1));
}

// That nobody had acted within 15 s leaves the prior's width, as no decision does: of scales around 30 s with ln
// sd 1, 95 % are below 155 s, which a wait of 15 s moves little; with ln sd 2 they would be below 800 s.
TEST_CASE("A hold that a policy ended leaves no wider a prior than no hold") {
  AttemptRecords records;
  records.end = Seconds(300);
  for (int i = 0; i < 5; ++i) {
    records.holds.push_back({Id<history::Job>(0), 1, {}, Seconds(20. * i), {}, {}});
    records.holds.back().by_policy = Seconds(20. * i + 15);
  }
  Fit const fit = people_fit(records, 2000, RandomStreams(1, 0));
  CHECK(quantile(drawn(fit, "release_delay_scale_s"), 0.95) < 250);
}

// Its 013 events say that the expression of periodic_release was true, 15 s after each hold and up to 6 s late.
TEST_CASE("Releases by a policy say nothing of people but that they had not released until then") {
  AttemptRecords const records = make_attempt_records(transfer_history("w3.r1"));
  REQUIRE(records.holds.size() == 5);
  for (HoldRecord const& hold : records.holds) {
    REQUIRE(hold.by_policy);
    CHECK((*hold.by_policy - hold.at).value() == Approx(18).margin(4));
  }
  Fit const fit = people_fit(records, 400, RandomStreams(1, 0));
  CHECK(line(fit, "release").events == 0);
  // Beta(1/2, 1/2), and five times 18 s are 1/200 of a decision not to.
  CHECK(line(fit, "release").estimate == Approx(beta_quantile(0.5, 0.5, 0.525)).margin(0.01));
  CHECK(line(fit, "release_delay_mean_s").events == 0);
  CHECK(not_identified(fit, "most_holds"));
}

// Four jobs held for 20 days until the record's end. Had people released at all they would have within that
// time: Beta(1/2, 4 + 1/2), and the delay is the prior's. Of holds of a minute, 1/60 of a decision each.
TEST_CASE("Holds on which nobody decided in weeks are hardly released, and not after weeks") {
  auto const held_for = [](double seconds) {
    AttemptRecords records;
    for (int i = 0; i < 4; ++i) records.holds.push_back({Id<history::Job>(0), 1, {}, {}, {}, {}});
    records.end = Seconds(seconds);
    return people_fit(records, 400, RandomStreams(1, 0));
  };
  Fit const fit = held_for(20 * 86400);
  CHECK(line(fit, "release").estimate == Approx(beta_quantile(0.5, 0.5, 4.5)).margin(0.01));
  CHECK(line(fit, "release_delay_mean_s").estimate < 86400);
  Fit const fresh = held_for(60);
  CHECK(line(fresh, "release").estimate ==
        Approx(beta_quantile(0.5, 0.5, 0.5 + 4. / 60)).margin(0.02));
}

// Two were released within an hour: of the others the delay knows that it may be longer.
TEST_CASE("Holds beside others that people released are released by the law of these") {
  AttemptRecords records;
  records.end = Seconds(20 * 86400);
  for (int i = 0; i < 4; ++i) records.holds.push_back({Id<history::Job>(0), 1, {}, {}, {}, {}});
  for (int i = 0; i < 2; ++i) records.holds[i].released = Seconds(1000 * (i + 1));
  Fit const fit = people_fit(records, 400, RandomStreams(1, 0));
  CHECK(line(fit, "release").estimate == Approx(beta_quantile(0.5, 2.5, 0.5)).margin(0.01));
  CHECK(line(fit, "release_delay_mean_s").censored == 2);
}

}  // namespace gridcast::calibration
