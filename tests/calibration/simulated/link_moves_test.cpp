#include "calibration/simulated/link_moves.hpp"

#include <cmath>
#include <limits>

#include "sim/base/random.hpp"
#include "sim/base/statistics.hpp"
#include "tests/calibration/synthetic.hpp"
#include "tests/test.hpp"

namespace gridcast::calibration {

using namespace gridcast::test;

namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

history::JobRow arrived(std::uint32_t proc, std::string const& site, double seconds) {
  history::JobRow row = plain_job(proc, site, 1000);
  row.transfer_last = Seconds(seconds);
  return row;
}

std::vector<double> of_column(std::vector<LinkMove> const& moves, std::size_t k) {
  std::vector<double> values;
  for (LinkMove const& move : moves) values.push_back(move[k]);
  return values;
}

}  // namespace

TEST_CASE("A move multiplies the stream's limit, the capacity over it and the noise") {
  LinkPoint const point{.rate_noise = 0.1, .sites = {{"A", {10, 60}}, {"B", {20, 40}}}};
  LinkPoint const at = moved(point, {{"A", 1}, {"B", 1}},
                             {std::log(2.0), std::log(3.0), 0, std::log(0.5), std::log(4.0)});
  CHECK(at.sites.at("A").stream_limit == Approx(20));
  CHECK(at.sites.at("A").capacity == Approx(360));
  CHECK(at.sites.at("B").stream_limit == Approx(20));
  CHECK(at.sites.at("B").capacity == Approx(20));
  CHECK(at.rate_noise == Approx(0.4));
}

// Odds of 1/3 times 3 are odds of 1; a cold stream's limit keeps its ratio to the stream's.
TEST_CASE("With two kinds of tries, a move changes the cold ones' odds, limit and noise") {
  LinkPoint const point{.rate_noise = 0.1,
                        .sites = {{"A", {10, 60}}, {"B", {20, 40, 0.25, 5, 0.3}}}};
  LinkPoint const at =
      moved(point, {{"A", 1}, {"B", 1}},
            {0, 0, std::log(2.0), 0, std::log(4.0), std::log(3.0), std::log(0.8), std::log(2.0)});
  CHECK(at.rate_noise == Approx(0.4));
  CHECK(at.sites.at("A").cold_share == 0);
  CHECK(at.sites.at("B").cold_share == Approx(0.5));
  CHECK(at.sites.at("B").cold_limit == Approx(5 * 2 * 0.8));
  CHECK(at.sites.at("B").cold_noise == Approx(0.6));
  RandomStream stream = test_stream(1);
  CHECK(draw_move(2, 1, stream).size() == 8);
}

TEST_CASE("The move between two points makes one the other") {
  std::vector<SiteShare> const shares = {{"A", 5}, {"B", 5}};
  LinkPoint const from{.rate_noise = 0.1, .sites = {{"A", {5, 10}}, {"B", {20, 80, 0.25, 5, 0.3}}}};
  LinkPoint const to{.rate_noise = 0.4, .sites = {{"A", {4, 40}}, {"B", {30, 45, 0.6, 9, 0.1}}}};
  LinkPoint const at = moved(from, shares, move_between(from, to, shares));
  CHECK(at.rate_noise == Approx(0.4));
  CHECK(at.sites.at("A").stream_limit == Approx(4));
  CHECK(at.sites.at("A").capacity == Approx(40));
  CHECK(at.sites.at("B").capacity == Approx(45));
  CHECK(at.sites.at("B").cold_share == Approx(0.6));
  CHECK(at.sites.at("B").cold_limit == Approx(9));
  CHECK(at.sites.at("B").cold_noise == Approx(0.1));
}

// A site without data is as likely above as below the middle of the sites, for any spread.
TEST_CASE("A site without a transfer has links from the spread between the others") {
  std::vector<SiteShare> const shares = {{"A", 5}, {"B", 5}, {"Unseen", 0}};
  LinkPoint point{.rate_noise = 0.1,
                  .sites = {{"A", {5, 10}}, {"B", {20, 80}}, {"Unseen", {1000, 6000}}},
                  .turnover = {},
                  .site_loss = {{"A", 0.1}, {"B", 0.1}}};
  LinkFit const links{{}, {point}};
  RandomStreams const streams(1, 0);
  std::vector<double> limits, ratios;
  for (std::size_t draw = 0; draw < 2000; ++draw) {
    LinkPoint const at = borrow_links(point, links, shares, draw, streams);
    CHECK(at.sites.at("A").stream_limit == 5);
    CHECK(at.sites.at("B").capacity == 80);
    CHECK(at.rate_noise == 0.1);
    SiteRates const& rates = at.sites.at("Unseen");
    limits.push_back(std::log(rates.stream_limit));
    ratios.push_back(std::log(rates.capacity / rates.stream_limit));
  }
  CHECK(median(limits) == Approx(std::log(10.)).margin(0.1));
  CHECK(median(ratios) == Approx(std::log(2 * 4.) / 2).margin(0.1));
  // Both of the others are within its middle 90 %, which is wider than what they differ by.
  CHECK(quantile(limits, 0.05) < std::log(5.));
  CHECK(quantile(limits, 0.95) > std::log(20.));
  CHECK(quantile(limits, 0.95) - quantile(limits, 0.05) < 8);
  CHECK(borrow_links(point, links, shares, 7, streams).sites.at("Unseen").capacity ==
        borrow_links(point, links, shares, 7, streams).sites.at("Unseen").capacity);
  // Where all are seen there is nothing to draw.
  std::vector<SiteShare> const seen = {{"A", 5}, {"B", 5}};
  point.sites.erase("Unseen");
  CHECK(borrow_links(point, links, seen, 7, streams).sites.at("B").stream_limit == 20);
}

TEST_CASE("The summary of links is of the transfers that brought data, site by site") {
  history::JobTable table;
  table.rows = {arrived(0, "A", 100), arrived(1, "A", 400), arrived(2, "B", 50)};
  table.rows.push_back(arrived(3, "B", 60));
  table.rows.back().outcome = history::Outcome::held_transfer;
  auto const s = link_summary(table, {{"A", 2}, {"B", 1}}, {"A"});
  REQUIRE(s.size() == 6);
  CHECK(s[0] == Approx(std::log(250)));
  CHECK(s[1] == Approx(std::log(130)));  // a tenth of the way from 100 to 400
  CHECK(std::isnan(s[2]));
  CHECK(std::isnan(s[3]));
  CHECK(s[4] == Approx(std::log(250)));
  CHECK(s[5] == Approx(std::log(370)));  // nine tenths of the way
}

// Normal throughout: move m ~ N(0, 1), summary s = 3 + m + e, e ~ N(0, 0.5^2), and s = 4 in the
// table. So m | s ~ N(0.8, 0.2); of 2,000 adjusted moves the mean's standard error is 0.01, of
// their standard deviation 0.007: the bounds are four of them. The second move has nothing to do
// with it.
TEST_CASE("Adjusted moves are draws of the posterior, where all is normal") {
  constexpr std::size_t n = 2000;
  std::vector<MovedLinks> simulated;
  for (std::size_t i = 0; i < n; ++i) {
    RandomStream stream = test_stream(static_cast<std::uint32_t>(i));
    double const move = normal_quantile(stream.uniform());
    double const other = normal_quantile(stream.uniform());
    simulated.push_back(
        {{move, other}, {3 + move + 0.5 * normal_quantile(stream.uniform()), none}});
  }
  auto const adjusted = adjusted_moves(simulated, {4, none});
  CHECK(mean(of_column(adjusted, 0)) == Approx(0.8).margin(0.06));
  CHECK(standard_deviation(of_column(adjusted, 0)) == Approx(std::sqrt(0.2)).margin(0.03));
  CHECK(mean(of_column(adjusted, 1)) == Approx(0).margin(0.1));
  CHECK(standard_deviation(of_column(adjusted, 1)) == Approx(1).margin(0.07));
}

// As above, with links of which every second one is off by a summary of 2: m | s ~ N(-0.8, 0.2)
// there.
TEST_CASE("Moves are adjusted from where their links were") {
  std::vector<MovedLinks> simulated;
  for (std::uint32_t i = 0; i < 4000; ++i) {
    RandomStream stream = test_stream(i);
    double const move = normal_quantile(stream.uniform());
    double const off = i % 2 == 0 ? 0 : 2;
    simulated.push_back({{move},
                         {3 + off + move + 0.5 * normal_quantile(stream.uniform())},
                         {i % 2 == 0 ? 1. : 0., i % 2 == 0 ? 0. : 1.}});
  }
  auto const adjusted = adjusted_moves(simulated, {4});
  std::vector<double> even, odd;
  for (std::size_t i = 0; i < adjusted.size(); ++i) {
    (i % 2 == 0 ? even : odd).push_back(adjusted[i][0]);
  }
  CHECK(mean(even) == Approx(0.8).margin(0.06));
  CHECK(mean(odd) == Approx(-0.8).margin(0.06));
  CHECK(standard_deviation(even) == Approx(std::sqrt(0.2)).margin(0.03));
}

TEST_CASE("Moves stay as they are where the table shows nothing, or too few simulations do") {
  std::vector<MovedLinks> const simulated(100, {{0.25, -0.5}, {1, 2}});
  CHECK(adjusted_moves(simulated, {none, none}) == std::vector<LinkMove>(100, {0.25, -0.5}));
  std::vector<MovedLinks> const few(5, {{0.25, -0.5}, {1, 2}});
  CHECK(adjusted_moves(few, {3, 4}) == std::vector<LinkMove>(5, {0.25, -0.5}));
}

}  // namespace gridcast::calibration
