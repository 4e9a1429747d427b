#include "calibration/simulated/link_fit.hpp"

#include <numeric>

#include "sim/scenario/parameter_draw.hpp"
#include "tests/calibration/synthetic.hpp"
#include "tests/test.hpp"

namespace gridcast::calibration {

using namespace gridcast::test;

TEST_CASE("Capacities between two fitted numbers of GPUs are interpolated in logarithms") {
  LinkFit const fit{
      {},
      {{.gpus = 4, .rate_noise = 0.1, .sites = {{"A", {1e6, 1e8}}}, .turnover = {{"A", 1}}},
       {.gpus = 16, .rate_noise = 0.4, .sites = {{"A", {4e6, 4e8}}}, .turnover = {{"A", 9}}},
       {.gpus = 64, .rate_noise = 1, .sites = {{"A", {8e6, 5e8}}}, .turnover = {}}}};
  LinkPoint const between = fit.at(8);
  CHECK(between.gpus == 8);
  CHECK(between.rate_noise == Approx(0.2));
  CHECK(between.sites.at("A").stream_limit == Approx(2e6));
  CHECK(between.sites.at("A").capacity == Approx(2e8));
  CHECK(between.turnover.at("A") == Approx(3));
  CHECK(fit.at(16).rate_noise == Approx(0.4));
  CHECK(fit.at(1).rate_noise == 0.1);
  CHECK(fit.at(100).rate_noise == 1);
}

TEST_CASE("GPUs go to sites by first matches and turnover, and add up on average") {
  std::vector<SiteShare> const shares = site_shares(published_records({"Elsewhere"}));
  REQUIRE(shares.size() == 4);
  CHECK(shares[0].first_matches == 0);
  std::size_t matched = 0;
  for (SiteShare const& share : shares) matched += share.first_matches;
  CHECK(matched == 85);  // 84 got their data, one was held before

  std::vector<SiteShare> const two = {{"A", 300}, {"B", 100}};
  double a = 0, b = 0, turned = 0;
  constexpr int draws = 2000;
  for (std::uint32_t i = 0; i < draws; ++i) {
    auto const gpus = gpus_by_site(two, {{"A", 1}, {"B", 1}}, 7.5, test_stream(i));
    a += gpus.at("A");
    b += gpus.at("B");
    CHECK(gpus.at("A") + gpus.at("B") >= 1);
    turned += gpus_by_site(two, {{"A", 1}, {"B", 3}}, 7.5, test_stream(i)).at("B");
  }
  CHECK(a / draws == Approx(7.5 * 0.75).epsilon(0.02));
  CHECK(b / draws == Approx(7.5 * 0.25).epsilon(0.03));
  CHECK(turned / draws == Approx(7.5 * 0.5).epsilon(0.03));
}

TEST_CASE("The fit puts at least one GPU where most jobs were") {
  int largest = 0;
  for (std::uint32_t i = 0; i < 100; ++i) {
    auto const gpus =
        gpus_by_site({{"A", 5}, {"B", 500}}, {{"A", 1}, {"B", 1}}, 0.01, test_stream(i));
    CHECK(gpus.at("A") + gpus.at("B") == 1);
    largest += gpus.at("B");
  }
  CHECK(largest > 95);
}

TEST_CASE("A fitted point has each number of its record in its place") {
  auto const table = history::read_job_table(
      test::source_dir().string() + "/calibration/data/osg-imagenet/imagenet-5epoch-100jobs.csv");
  TableRecords const records = published_records();
  std::vector<SiteShare> const shares = site_shares(records);
  SimulatedCampaign const campaign(table, {}, 5, Bytes(137e9), {});
  // Task i's numbers are 1000 i and so on: three of the whole, then seven of each site.
  RunRound const run_all = [&shares](Round const& round) {
    std::vector<study::Record> simulation;
    for (std::uint32_t i = 0; i < round.tasks; ++i) {
      simulation.emplace_back(3 + 7 * shares.size());
      std::iota(simulation.back().begin(), simulation.back().end(), 1000.0 * i);
    }
    return simulation;
  };
  auto const searches =
      fit_links(2, campaign, records, shares, {8, 16}, {}, {}, RandomStreams(1, 0), run_all);
  REQUIRE(searches.size() == 2);
  CHECK(searches[1].back().points.back().gpus == 11000);
  auto const& fits = searches[0];
  REQUIRE(fits.size() == link_hypotheses().size());
  REQUIRE(fits[1].points.size() == 2);
  LinkPoint const& point = fits[1].points[1];
  CHECK(point.gpus == 3000);
  CHECK(point.rate_noise == 3001);
  CHECK(point.loss == 3002);
  std::string const& second = shares[1].site;
  SiteRates const& rates = point.sites.at(second);
  CHECK(std::vector<double>{rates.stream_limit, rates.capacity, rates.cold_share, rates.cold_limit,
                            rates.cold_noise, point.turnover.at(second),
                            point.site_loss.at(second)} ==
        std::vector<double>{3010, 3011, 3012, 3013, 3014, 3015, 3016});
}

TEST_CASE("A proposal has a column for each number of a link point") {
  Proposal proposal;
  proposal.set("outage_scope", 1);
  propose_links(proposal, {SharedLink::Of::site, 1},
                {.rate_noise = 0.3, .sites = {{"A", {1, 2}}, {"B", {3, 4}}}}, {{"A", 5}, {"B", 6}});
  CHECK(proposal.columns ==
        std::vector<std::string>{"outage_scope", "gpus.A", "stream_limit_Bps.A",
                                 "link_capacity_Bps.A", "node_capacity_Bps.A", "slots_per_node.A",
                                 "gpus.B", "stream_limit_Bps.B", "link_capacity_Bps.B",
                                 "node_capacity_Bps.B", "slots_per_node.B", "rate_noise"});
  double const none = scenario::unlimited_rate.value();
  CHECK(proposal.values == std::vector<double>{1, 5, 1, 2, none, 1, 6, 3, 4, none, 1, 0.3});
}

TEST_CASE("Sites with two kinds of tries have two columns more, and are distinguished by them") {
  LinkPoint const point{.rate_noise = 0.3,
                        .sites = {{"A", {1, 2}}, {"B", {3, 4, 0.25, 1.5, 0.125}}}};
  CHECK(cold_sites(point, {{"A", 1}, {"B", 1}}) == std::vector<std::string>{"B"});
  Proposal proposal;
  propose_links(proposal, {SharedLink::Of::site, 1}, point, {{"A", 5}, {"B", 6}});
  REQUIRE(proposal.columns.size() == 14);
  CHECK(proposal.columns[10] == "cold_share.B");
  CHECK(proposal.values[10] == 0.25);
  CHECK(proposal.columns[11] == "cold_limit_Bps.B");
  CHECK(proposal.values[11] == 1.5);
  CHECK(proposal.columns[12] == "cold_sigma.B");
  CHECK(proposal.values[12] == 0.125);
}

TEST_CASE("A site has no link of its own where nodes share theirs") {
  Proposal proposal;
  propose_links(proposal, {SharedLink::Of::node, 4}, {.rate_noise = 0.3, .sites = {{"A", {1, 2}}}},
                {{"A", 5}});
  double const none = scenario::unlimited_rate.value();
  CHECK(proposal.values == std::vector<double>{5, 1, none, 2, 4, 0.3});
}

}  // namespace gridcast::calibration
