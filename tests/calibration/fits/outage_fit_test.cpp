#include "calibration/fits/outage_fit.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "sim/base/random.hpp"
#include "sim/base/statistics.hpp"
#include "tests/calibration/synthetic.hpp"
#include "tests/test.hpp"

namespace gridcast::calibration {

using namespace gridcast::test;

namespace {

constexpr std::size_t rows = 60;

/// Eight rounds of tries, 100 s apart, from two nodes of each of two sites to each of two caches.
/// Each try takes about 2 s.
TransferRecords rounds() {
  TransferRecords records;
  records.nodes = {"n0", "n1", "n2", "n3"};
  records.caches = {"c0", "c1"};
  RandomStream stream = test_stream(70);
  for (std::size_t round = 0; round < 8; ++round) {
    for (std::size_t i = 0; i < 8; ++i) {
      TransferTry one;
      one.job = Id<history::Job>(records.tries.size());
      one.attempt = 1;
      one.node = static_cast<std::uint32_t>(i % 4);
      one.site = Id<history::Site>(one.node / 2);
      one.cache = static_cast<std::uint32_t>(i / 4);
      one.start = Seconds(100 * static_cast<double>(round) + static_cast<double>(i));
      one.end = one.start + Seconds(2 * std::exp(0.2 * normal_quantile(stream.uniform())));
      one.timed = true;
      records.tries.push_back(one);
    }
  }
  return records;
}

void give_up(TransferTry& one) {
  one.end_kind = TransferEnd::by_client;
  one.no_byte = true;
  one.timed = false;
  one.end = one.start + Seconds(5);
}

OutagePosterior posterior_of(TransferRecords const& records) {
  return outage_posterior(records, 2, rows, RandomStreams(3, 0));
}

double share_of(OutagePosterior const& posterior, OutageScope scope) {
  auto const n = std::count_if(posterior.rows.begin(), posterior.rows.end(),
                               [&](OutageDraw const& row) { return row.scope == scope; });
  return static_cast<double>(n) / static_cast<double>(posterior.rows.size());
}

std::vector<double> column(OutagePosterior const& posterior, double OutageLaw::*member) {
  std::vector<double> values;
  for (OutageDraw const& row : posterior.rows) values.push_back(row.law.*member);
  return values;
}

/// Three nodes of eight slots at two sites, each slow to a fiftieth for a while, where nine in ten
/// tries are hit. A transfer takes 250 s, a timer ends it at 3,620, and then it is tried again; 110
/// jobs of 2,000 s.
TransferRecords slow_nodes(std::uint32_t seed) {
  constexpr double left = 0.02, timer = 3620;
  constexpr std::array<std::array<double, 2>, 3> bad = {{{3000, 11000}, {0, 9000}, {6000, 14500}}};
  TransferRecords records;
  records.nodes = {"n0", "n1", "n2"};
  records.caches = {"c0", "c1"};
  RandomStream stream = test_stream(seed);
  std::array<double, 24> free{};
  for (std::uint32_t job = 0; job < 110;) {
    auto const slot =
        static_cast<std::uint32_t>(std::min_element(free.begin(), free.end()) - free.begin());
    TransferTry one;
    one.job = Id<history::Job>(job);
    one.attempt = 1;
    one.node = slot / 8;
    one.site = Id<history::Site>(std::min(one.node, 1U));
    one.cache = std::min(one.node, 1U);
    double const at = free[slot], needs = 250 * std::exp(0.2 * normal_quantile(stream.uniform()));
    auto const [from, until] = bad[one.node];
    double const slow = at >= from && at < until && stream.chance(0.9) ? until - at : 0;
    double const takes = slow * left >= needs ? needs / left : needs + (1 - left) * slow;
    bool const ended = takes > timer;
    one.start = Seconds(std::floor(at));
    one.end = Seconds(std::floor(at + std::min(takes, timer)));
    one.end_kind = ended ? TransferEnd::by_timer : TransferEnd::arrived;
    records.tries.push_back(one);
    free[slot] = at + (ended ? timer : takes + 2000);
    job += ended ? 0 : 1;
  }
  return records;
}

}  // namespace

// 64 tries without a stall: of those draws in which there are stalls, Beta(1/2, 64.5).
TEST_CASE("Stalls that were never seen are in few draws, and rare in those") {
  TransferRecords const records = rounds();
  OutagePosterior const posterior = posterior_of(records);
  CHECK(posterior.struck == 0);
  CHECK(posterior.conclusive == 64);
  CHECK(posterior.next_tries == 0);
  CHECK(posterior.span == Approx(707 + 2).margin(1));
  REQUIRE(posterior.rows.size() == rows);
  REQUIRE(posterior.views.size() == 1);
  CHECK(posterior.views[0].view == CutView::healthy);
  CHECK(posterior.hypotheses.empty());

  auto const stalls = column(posterior, &OutageLaw::when_quiet);
  CHECK(stalls == column(posterior, &OutageLaw::when_bad));
  double const m = std::exp(std::lgamma(64.5) - std::lgamma(65)) / std::sqrt(M_PI);
  double const exists = m / (1 + m);
  std::vector<double> some;
  std::copy_if(stalls.begin(), stalls.end(), std::back_inserter(some),
               [](double q) { return q > 0; });
  CHECK(std::abs(static_cast<double>(some.size()) - exists * rows) <= 1);
  REQUIRE(some.size() >= 3);
  CHECK(*std::max_element(some.begin(), some.end()) < beta_quantile(0.999, 0.5, 64.5));
  CHECK(*std::max_element(some.begin(), some.end()) > beta_quantile(0.5, 0.5, 64.5));
  // The next cache: in 80 % of the draws independent, else anything from that to the same.
  auto const dependence = column(posterior, &OutageLaw::dependence);
  CHECK(std::count(dependence.begin(), dependence.end(), 0.) == 4 * rows / 5);
  CHECK(mean(dependence) == Approx(0.1).margin(0.01));
  CHECK(share_of(posterior, OutageScope::none) == 1);
  std::set<std::size_t> flows;
  for (OutageDraw const& row : posterior.rows) {
    CHECK(row.view == 0);
    CHECK(row.law.bad_duration == posterior.span);
    flows.insert(row.flow_draw);
  }
  CHECK(flows.size() == posterior.views[0].draws.size());

  Fit const fit = outage_fit(posterior);
  CHECK(not_identified(fit, "stalls"));
  // 1 - 0.05^(1/64) is 4.57 %.
  CHECK_THAT(fit.not_identified[0].why, has_text("0 of 64 attempts the rate is below 4.6 %"));
  CHECK(line(fit, "stall_when_quiet").origin == Origin::by_default);
  CHECK_THAT(line(fit, "slow_fraction").method, has_text("; of no row"));
}

TEST_CASE("Without a stall attempts are counted, and not their URLs") {
  TransferRecords records = rounds();
  // Two URLs an attempt: 32 attempts. One had a URL that failed, and one was evicted before it had
  // any.
  for (std::size_t i = 0; i < records.tries.size(); ++i)
    records.tries[i].job = Id<history::Job>(i / 2);
  records.tries[0].end_kind = TransferEnd::failed;
  records.tries[2].end_kind = records.tries[3].end_kind = TransferEnd::cut;
  Fit const fit = outage_fit(posterior_of(records));
  // 1 - 0.05^(1/31) is 9.21 %.
  CHECK_THAT(fit.not_identified[0].why, has_text("0 of 31 attempts the rate is below 9.2 %"));
}

// 0.95 of all records of n attempts at the rate r have a stall: 1 - (1 - r)^n, so r = 1 -
// 0.05^(1/n).
TEST_CASE("The fit names the rates that many attempts without a stall exclude") {
  CHECK(no_stall_seen(8, "t").what == "stalls");
  CHECK(no_stall_seen(8, "t").why ==
        "no stall was seen: with 0 of 8 attempts the rate is below 31 %");
  CHECK_THAT(no_stall_seen(130, "t").why, has_text("0 of 130 attempts the rate is below 2.3 %"));
  CHECK_THAT(no_stall_seen(0, "t").why, has_text("0 of 0 attempts the rate is below 1e+02 %"));
  CHECK(no_stall_seen(8, "t").taken_from == "t");
}

TEST_CASE("A cache that was dead for a while is distinguished from sites, nodes and paths") {
  TransferRecords records = rounds();
  std::size_t struck = 0;
  for (TransferTry& one : records.tries) {
    double const at = one.start.value();
    if (one.cache != 1 || at < 200 || at >= 500) continue;
    give_up(one);
    ++struck;
  }
  REQUIRE(struck == 3 * 4);
  OutagePosterior const posterior = posterior_of(records);
  CHECK(posterior.struck == struck);
  REQUIRE(posterior.hypotheses.size() == 11);
  double prior = 0, probability = 0;
  for (auto const& each : posterior.hypotheses) {
    prior += each.prior;
    probability += each.probability;
    CHECK(each.prior == Approx(each.name.starts_with("none") ? 1.0 / 3 : 1.0 / 15));
    // Bayes' rule: the odds are those of the priors times the Bayes factor.
    CHECK(
        each.probability * posterior.hypotheses[0].prior ==
        Approx(posterior.hypotheses[0].probability * each.prior * std::exp(each.log_bayes_factor)));
    CHECK(each.interval90.contains(each.probability));
  }
  CHECK(prior == Approx(1));
  CHECK(probability == Approx(1));
  CHECK(posterior.same.empty());

  REQUIRE(posterior.rows.size() == rows);
  CHECK(share_of(posterior, OutageScope::cache) > 0.9);
  double of_caches = 0;
  for (auto const& each : posterior.hypotheses) {
    if (each.name.ends_with("cache")) of_caches += each.probability;
  }
  CHECK(share_of(posterior, OutageScope::cache) == Approx(of_caches).margin(1.5 / rows));
  // One of two caches was bad for 300 of 800 s. All 12 tries that began then were struck, and none
  // of 52 others.
  auto const fraction = column(posterior, &OutageLaw::bad_fraction);
  CHECK(quantile(fraction, 0.05) < 0.1875);
  CHECK(quantile(fraction, 0.95) > 0.1875);
  auto const duration = column(posterior, &OutageLaw::bad_duration);
  CHECK(quantile(duration, 0.05) < 300);
  CHECK(quantile(duration, 0.95) > 300);
  // Given the states, 12 of 12 with Beta(2, 1) and 0 of 52 with Beta(1, 9).
  CHECK(median(column(posterior, &OutageLaw::when_bad)) ==
        Approx(beta_quantile(0.5, 14, 1)).margin(0.03));
  CHECK(median(column(posterior, &OutageLaw::when_quiet)) ==
        Approx(beta_quantile(0.5, 1, 61)).epsilon(0.4));
}

TEST_CASE("Tries that are given up anywhere and at any time are no outages") {
  TransferRecords records = rounds();
  RandomStream stream = test_stream(71);
  std::size_t struck = 0;
  for (TransferTry& one : records.tries) {
    if (!stream.chance(0.2)) continue;
    give_up(one);
    ++struck;
  }
  OutagePosterior const posterior = posterior_of(records);
  CHECK(share_of(posterior, OutageScope::none) > 1.0 / 3);
  std::vector<double> quiet;
  for (OutageDraw const& row : posterior.rows) {
    if (row.scope != OutageScope::none) continue;
    CHECK(row.law.when_bad == row.law.when_quiet);
    quiet.push_back(row.law.when_quiet);
  }
  // Beta(1, 9) beforehand.
  double const hits = static_cast<double>(struck), misses = 64 - hits;
  CHECK(median(quiet) == Approx(beta_quantile(0.5, 1 + hits, 9 + misses)).epsilon(0.1));
  // The standard error of the quantile of some thirty draws is 8 % of it: three of them.
  CHECK(quantile(quiet, 0.95) == Approx(beta_quantile(0.95, 1 + hits, 9 + misses)).epsilon(0.24));
}

// On each node, tries that began early in its bad time are all cut, and late ones arrive after up
// to an hour: dead nodes let none through, and no scatter of healthy ones makes a few take ten
// times as long.
TEST_CASE("Nodes that are slow for a while are not taken for dead", "[slow]") {
  for (std::uint32_t const seed : {1, 2, 3}) {
    CAPTURE(seed);
    auto const posterior = outage_posterior(slow_nodes(seed), 2, rows, RandomStreams(3, 0));
    std::map<std::string, HypothesisProbability> by_name;
    for (auto const& each : posterior.hypotheses) by_name[each.name] = each;
    CHECK(by_name["slow, node"].probability > 0.4);
    // The record has one cache for each node, so that paths are the same.
    CHECK(by_name["slow, path"].probability == Approx(by_name["slow, node"].probability));
    CHECK(by_name["slow, node"].log_bayes_factor > by_name["dead, node"].log_bayes_factor + 30);
  }
}

TEST_CASE(
    "Of hypotheses that are as likely as each other the estimate is one, not what lies between") {
  OutagePosterior posterior;
  posterior.struck = 5;
  for (OutageScope const scope : {OutageScope::path, OutageScope::node}) {
    posterior.rows.push_back({.scope = scope, .law = {}});
  }
  CHECK(line(outage_fit(posterior), "outage_scope").estimate == 2);
}

TEST_CASE("The fit reports integrals whose error exceeds the difference of the hypotheses") {
  OutagePosterior posterior;
  posterior.struck = 5;
  posterior.rows.resize(3);
  CHECK_FALSE(not_identified(outage_fit(posterior), "probabilities of outages"));
  posterior.evidence_sd = 2;  // exp(1.6449 x 2) is 26.8
  Fit const fit = outage_fit(posterior);
  REQUIRE(not_identified(fit, "probabilities of outages"));
  CHECK_THAT(fit.not_identified[0].why, has_text("known to a factor of 27 only"));
}

TEST_CASE("Scopes of which the record has the same entities are as likely as each other") {
  TransferRecords records = rounds();
  for (TransferTry& one : records.tries) {
    one.cache = static_cast<std::uint32_t>(one.site.index());
    one.node = one.cache;
    if (one.cache == 1 && one.start.value() < 300) give_up(one);
  }
  OutagePosterior const posterior = posterior_of(records);
  CHECK(posterior.same == std::vector<std::string>{"cache, path, node, uplink"});
  CHECK(not_identified(outage_fit(posterior), "scope of outages: cache, path, node, uplink"));
  for (char const* kind : {"dead, ", "slow, "}) {
    std::vector<double> likely;
    for (auto const& each : posterior.hypotheses) {
      if (each.name.starts_with(kind) && !each.name.ends_with("origin")) {
        likely.push_back(each.log_bayes_factor);
      }
    }
    REQUIRE(likely.size() == 4);
    auto const [least, most] = std::minmax_element(likely.begin(), likely.end());
    CHECK(*most == Approx(*least));
  }
}

TEST_CASE("The rest of slow transfers comes from draws in which they are slow") {
  OutagePosterior posterior;
  posterior.struck = 5;
  for (double const left : {0.1, 0.2, 0.3}) {
    OutageDraw slow{.scope = OutageScope::cache, .kind = OutageKind::slow, .law = {}};
    slow.law.slow_fraction = left;
    OutageDraw dead{.scope = OutageScope::cache, .kind = OutageKind::dead, .law = {}};
    dead.law.slow_fraction = 0.9;
    OutageDraw none{.scope = OutageScope::none, .kind = OutageKind::slow, .law = {}};
    none.law.slow_fraction = 0.9;
    posterior.rows.insert(posterior.rows.end(), {slow, dead, none});
  }
  Fit const fit = outage_fit(posterior);
  auto const line = std::find_if(fit.estimates.begin(), fit.estimates.end(),
                                 [](auto const& each) { return each.name == "slow_fraction"; });
  REQUIRE(line != fit.estimates.end());
  CHECK(line->estimate == Approx(0.2));
  CHECK(line->interval90.high <= 0.3);
}

}  // namespace gridcast::calibration
