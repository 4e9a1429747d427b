// How people treat held jobs.
#include "calibration/fits/people_fit.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "sim/base/statistics.hpp"
#include "sim/scenario/draw_columns.hpp"
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

// Twelve jobs released and twelve removed. Each by itself that is a probability of a half, known to
// 0.1; four times of six jobs, all of which went one way, are four decisions, and the next goes
// either way for all.
TEST_CASE("A decision of people on several jobs at a time counts once") {
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

// ln scale ~ N(ln of a tenth of the record, 1), at most of an hour, ln shape ~ N(0, 0.25): the
// median scale of a record of 300 s is
// 30 s, and from ten hours on an hour.
TEST_CASE("The delay of people who never acted follows the record, up to an hour") {
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

// That nobody had acted within 15 s leaves the prior's width, as no decision does: of scales around
// 30 s with ln sd 1, 95 % are below 155 s, which a wait of 15 s moves little; with ln sd 2 they
// would be below 800 s.
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

// Its 013 events say that the expression of periodic_release was true, 15 s after each hold and up
// to 6 s late.
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

// A limit of one hold would be a decision against every release, which is a share of its own.
TEST_CASE("A record without holds leaves limits from two to eight holds") {
  AttemptRecords records;
  records.end = Seconds(5000);
  auto const most = drawn(people_fit(records, 400, RandomStreams(1, 0)), "most_holds");
  CHECK(*std::min_element(most.begin(), most.end()) == 2);
  auto const limited = std::count_if(most.begin(), most.end(), [](double x) { return x <= 8; });
  CHECK(static_cast<double>(limited) / 400 == Approx(0.5).margin(0.1));
  CHECK(std::count(most.begin(), most.end(), 1e6) == 400 - limited);
}

// Four jobs held for 20 days until the record's end. Had people released at all they would have
// within that time: Beta(1/2, 4 + 1/2), and the delay is the prior's. Holds of a minute count as
// 1/60 of a decision each.
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

// Two were released within an hour, and four are held for 20 days: by any delay of the two, left
// for good.
TEST_CASE("Holds of weeks beside others that people released are left, and no delay") {
  AttemptRecords records;
  records.end = Seconds(20 * 86400);
  for (int i = 0; i < 6; ++i) records.holds.push_back({Id<history::Job>(0), 1, {}, {}, {}, {}});
  for (int i = 0; i < 2; ++i) records.holds[i].released = Seconds(1000 * (i + 1));
  Fit const fit = people_fit(records, 400, RandomStreams(1, 0));
  CHECK(line(fit, "release").estimate == Approx(beta_quantile(0.5, 2.5, 4.5)).margin(0.02));
  CHECK(line(fit, "release_delay_mean_s").estimate < 7200);
  CHECK(line(fit, "release_delay_mean_s").censored == 4);
}

namespace {

/// Holds at any time of the record, of which people leave a share and decide on the others after
/// gamma delays.
AttemptRecords holds_of_which_some_are_left(double share_left, double record,
                                            RandomStream& stream) {
  Distribution const delay{Family::gamma, 1.5, 1600};
  AttemptRecords records;
  records.end = Seconds(record);
  for (int i = 0; i < 40; ++i) {
    double const at = record * stream.uniform(), after = at + delay.sample(stream);
    bool const left = stream.chance(share_left);
    records.holds.push_back({Id<history::Job>(0), 1, {}, Seconds(at), {}, {}});
    if (!left && after < record) records.holds.back().released = Seconds(after);
  }
  return records;
}

}  // namespace

// A hold is open at the end because it is new or because nobody looks at it: three hours hardly
// separate the two, a day does. In 22 of 24 records intervals of 90 % contain the truth, with a
// standard deviation of 1.5.
TEST_CASE("Releases and their delay are found where people leave a share of the holds", "[slow]") {
  auto const [share_left, record] =
      GENERATE(std::pair(0.3, 10800.), std::pair(0.0, 10800.), std::pair(0.3, 86400.));
  int mean_inside = 0, release_inside = 0;
  std::vector<double> means, releases;
  for (std::uint32_t number = 1; number <= 24; ++number) {
    RandomStream stream = test_stream(number);
    auto const records = holds_of_which_some_are_left(share_left, record, stream);
    Fit const fit = people_fit(records, 100, RandomStreams(number, 0));
    Estimate const& mean = line(fit, "release_delay_mean_s");
    mean_inside += mean.interval90.contains(2400) ? 1 : 0;
    release_inside += line(fit, "release").interval90.contains(1 - share_left) ? 1 : 0;
    means.push_back(mean.estimate);
    releases.push_back(line(fit, "release").estimate);
  }
  CAPTURE(share_left, record, median(means), median(releases));
  CHECK(mean_inside >= 18);
  if (share_left > 0) CHECK(release_inside >= 18);
  if (share_left <= 0) CHECK(median(releases) > 0.95);
  if (record > 80000) CHECK(median(means) == Approx(2400).epsilon(0.1));
}

namespace {

/// Holds far enough apart that each decision is one.
class Holds {
 public:
  enum class Then { released, removed, open };

  void add(history::Reason reason, int number, Then then, double after = 3000) {
    for (int i = 0; i < number; ++i) {
      double const at = 5000. * static_cast<double>(records_.holds.size());
      // Times of 0.5 to 1.5 of the mean.
      double const took = after * (0.5 + (i + 0.5) / number);
      records_.holds.push_back({Id<history::Job>(0), 1, reason, Seconds(at), {}, {}});
      if (then == Then::released) records_.holds.back().released = Seconds(at + took);
      if (then == Then::removed) records_.holds.back().removed = Seconds(at + took);
      records_.end = Seconds(at + 1e6);
    }
  }

  Fit fit(std::size_t draws = 400) const {
    return people_fit(records_, draws, RandomStreams(1, 0));
  }

 private:
  AttemptRecords records_;
};

bool has(Fit const& fit, std::string const& name) { return !fit.draws.column(name).empty(); }

}  // namespace

using enum Holds::Then;
using history::Reason::execution_too_long, history::Reason::not_found,
    history::Reason::out_of_resources, history::Reason::transfer_failed;

// 60 of 80 and 20 of 80: each kind alone gives Beta(60, 20) and Beta(20, 60), sd 0.048;
// the other one adds a few decisions at most.
TEST_CASE("Releases are counted by the reason of the hold") {
  Holds holds;
  holds.add(transfer_failed, 60, released);
  holds.add(transfer_failed, 20, removed);
  holds.add(execution_too_long, 20, released);
  holds.add(execution_too_long, 60, removed);
  Fit const fit = holds.fit();
  CHECK_FALSE(has(fit, "release"));
  CHECK(line(fit, "release_transfer_hold").estimate == Approx(0.75).margin(0.025));
  CHECK(line(fit, "release_limit_hold").estimate == Approx(0.25).margin(0.025));
  CHECK(line(fit, "release_limit_hold").standard_error == Approx(0.048).margin(0.006));
  CHECK(line(fit, "release_transfer_hold").events == 80);
  // Nobody was held for anything else: anything between the two, and beyond.
  CHECK(line(fit, "release_other_hold").events == 0);
  CHECK(line(fit, "release_other_hold").interval90.contains(0.25));
  CHECK(line(fit, "release_other_hold").interval90.contains(0.75));
  CHECK_FALSE(has(fit, "release_resource_hold"));
  for (std::string const& column : fit.draws.columns) {
    CHECK(scenario::find_draw_column(column) != nullptr);
  }
}

// The owner looks at failed transfers only: the holds of others, open for days, are no releases
// that take long.
TEST_CASE("Holds of a kind that nobody released do not change the releases of another kind") {
  Holds holds;
  holds.add(transfer_failed, 4, released, 2400);
  holds.add(execution_too_long, 8, open);
  Fit const fit = holds.fit();
  CHECK(line(fit, "release_delay_mean_s").estimate == Approx(2400).epsilon(0.25));
  CHECK(line(fit, "release_transfer_hold").estimate > 0.85);
  CHECK(line(fit, "release_limit_hold").estimate < 0.05);
  CHECK_FALSE(has(fit, "remove_limit_hold"));
}

// By itself one decision against a release is Beta(1/2, 3/2), 0.16 in the median; beside three
// kinds of which 20 of 40 were released it is a chance that each of them has, and beside three of 0
// of 40 it is as expected.
TEST_CASE("A kind with few decisions is drawn towards the others") {
  auto const with = [](int releases) {
    Holds holds;
    for (history::Reason const reason : {transfer_failed, execution_too_long, not_found}) {
      holds.add(reason, releases, released);
      holds.add(reason, 40 - releases, removed);
    }
    holds.add(out_of_resources, 1, removed);
    return line(holds.fit(), "release_resource_hold").estimate;
  };
  CHECK(with(20) == Approx(0.47).margin(0.06));
  CHECK(with(0) < 0.05);
}

// Among 40 decisions against a release, 30 removed the job, and 10 holds are open for days: Beta(30
// + 1/2, 10 + 1/2).
TEST_CASE("People remove the recorded share of the holds that they do not release") {
  Holds holds;
  holds.add(out_of_resources, 30, removed);
  holds.add(out_of_resources, 10, open);
  Fit const fit = holds.fit();
  CHECK(line(fit, "release").estimate < 0.05);
  CHECK(line(fit, "remove_hold").estimate == Approx(beta_quantile(0.5, 30.5, 10.5)).margin(0.01));
  CHECK(line(fit, "remove_hold").interval90.low ==
        Approx(beta_quantile(0.05, 30.5, 10.5)).margin(0.01));
  CHECK(line(fit, "remove_hold").events == 30);
  CHECK(drawn(fit, "most_holds") == std::vector<double>(400, 1e6));
}

TEST_CASE("Removals are counted by the reason of the hold") {
  Holds holds;
  holds.add(transfer_failed, 15, released);
  holds.add(transfer_failed, 40, open);
  holds.add(out_of_resources, 23, removed);
  holds.add(execution_too_long, 40, open);
  Fit const fit = holds.fit();
  CHECK(line(fit, "release_resource_hold").estimate < 0.05);
  CHECK(line(fit, "remove_resource_hold").estimate > 0.95);
  CHECK(line(fit, "remove_limit_hold").estimate < 0.05);
  CHECK(line(fit, "release_limit_hold").estimate < 0.05);
}

// Not for their number: each was at its first hold, and jobs that are held for transfers are
// released up to the second.
TEST_CASE("Removals of a kind that is never released show no limit to the number of holds") {
  AttemptRecords records;
  auto const hold = [&](history::Reason reason, int count, bool removed) {
    double const at = 5000. * static_cast<double>(records.holds.size());
    records.holds.push_back({Id<history::Job>(0), count, reason, Seconds(at), {}, {}});
    (removed ? records.holds.back().removed : records.holds.back().released) = Seconds(at + 50);
    records.end = Seconds(at + 100);
  };
  for (int i = 0; i < 9; ++i) hold(transfer_failed, 1 + i % 2, false);
  for (int i = 0; i < 9; ++i) hold(out_of_resources, 3, true);
  Fit const fit = people_fit(records, 200, RandomStreams(1, 0));
  CHECK(drawn(fit, "most_holds") == std::vector<double>(200, 1e6));
  CHECK(line(fit, "remove_resource_hold").estimate > 0.9);
}

TEST_CASE("All decisions of people are made after delays of one law") {
  Holds holds;
  holds.add(transfer_failed, 20, released, 2000);
  holds.add(out_of_resources, 20, removed, 2000);
  holds.add(not_found, 20, released, 2000);
  Fit const fit = holds.fit(100);
  CHECK(line(fit, "release_delay_mean_s").estimate == Approx(2000).epsilon(0.1));
  CHECK(line(fit, "release_delay_mean_s").events == 60);
}

}  // namespace gridcast::calibration
