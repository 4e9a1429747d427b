// Whether intervals hold the truth of made campaigns, with fits that are known to be right or
// wrong.
#include <algorithm>
#include <cmath>
#include <utility>

#include "calibration/validation.hpp"
#include "sim/base/random.hpp"
#include "tests/test.hpp"

namespace gridcast::calibration {

namespace {

/// What any probability lies in, lies above, and lies below.
constexpr Interval around{-1, 2}, above{2, 3}, below{-2, -1};

Estimate stated(std::string const& name, Interval const& interval, std::size_t events) {
  Estimate line;
  line.name = name;
  line.interval90 = interval;
  line.events = events;
  return line;
}

Fit same_fit(history::JobHistory const& /*simulated*/) {
  Fit fit;
  fit.estimates = {stated("http_abort", around, 1), stated("spurious_404", above, 1),
                   stated("corrupt_input", below, 1), stated("release_transfer_hold", around, 0)};
  fit.draws.add("http_abort", {-1, -1, 2, 2});
  return fit;
}

}  // namespace

namespace {

/// Lognormal around `median` for the one site, as wide as exp(2 x 1.645 x sigma): what a draw of
/// another family with that median and width would be as well.
Fit lognormal_epochs(double median, double sigma) {
  Fit fit;
  fit.estimates = {stated("epoch_scale_s.CHTC-Spark-CE1", around, 9)};
  std::vector<double> const near = {0.9, 1, 1.1};
  for (auto const& [column, at] : {std::pair<std::string, double>{"epoch_family", 3},
                                   {"epoch_shape", sigma},
                                   {"epoch_scale_s", median},
                                   {"epoch_shift_s", 0}}) {
    std::vector<double> values;
    for (double const factor : near) values.push_back(column == "epoch_family" ? at : at * factor);
    fit.draws.add(column + ".CHTC-Spark-CE1", values);
  }
  return fit;
}

}  // namespace

TEST_CASE("A distribution is held against the truth by its median and width, whatever its family") {
  auto scenario = scenario::read_scenario(test::source_dir() / "scenarios/osg-imagenet.yaml");
  std::size_t const row = 0;
  auto const value = [&](std::string const& name) {
    auto const& columns = scenario.calibration.columns;
    auto const at = std::find(columns.begin(), columns.end(), name + ".CHTC-Spark-CE1");
    return scenario.calibration.rows[row][static_cast<std::size_t>(at - columns.begin())];
  };
  Distribution const truth{static_cast<Family>(static_cast<int>(value("epoch_family"))),
                           value("epoch_shape"), value("epoch_scale_s"), value("epoch_shift_s")};
  double const median = truth.quantile(0.5);
  double const sigma = std::log(truth.quantile(0.95) / truth.quantile(0.05)) / (2 * 1.644854);
  auto const found = [&](double medians, double widths) {
    Fit const fit = lognormal_epochs(median * medians, sigma * widths);
    auto const study = recover_simulated(scenario, [&](history::JobHistory const&) { return fit; },
                                         {.campaigns = 1, .progress = {}});
    REQUIRE(study.parameters.size() == 2);
    CHECK(study.parameters[0].name == "epoch_median_s.CHTC-Spark-CE1");
    CHECK(study.parameters[1].name == "epoch_p95_over_p5.CHTC-Spark-CE1");
    return std::pair(study.parameters[0].inside, study.parameters[1].inside);
  };
  CHECK(found(1, 1) == std::pair<std::size_t, std::size_t>(1, 1));
  CHECK(found(2, 1) == std::pair<std::size_t, std::size_t>(0, 1));
  CHECK(found(1, 2) == std::pair<std::size_t, std::size_t>(1, 0));
}

TEST_CASE("Recovery counts where the truth lies, of parameters that have events") {
  constexpr std::size_t campaigns = 3;
  auto const scenario = scenario::read_scenario(test::source_dir() / "scenarios/osg-imagenet.yaml");
  RecoveryOptions options;
  options.campaigns = campaigns;
  RecoveryStudy const found = recover_simulated(scenario, same_fit, options);
  CHECK(found.campaigns == campaigns);
  CHECK(found.failed == 0);
  REQUIRE(found.parameters.size() == 3);
  for (RecoveredParameter const& parameter : found.parameters) {
    CAPTURE(parameter.name);
    CHECK(parameter.cases == campaigns);
    CHECK(parameter.inside == (parameter.name == "http_abort" ? campaigns : 0));
    CHECK(parameter.below == (parameter.name == "spurious_404" ? campaigns : 0));
    if (parameter.name == "http_abort") {
      CHECK(parameter.ranks == std::vector<double>(campaigns, 0.5));
    }
  }
}

TEST_CASE("What does nothing in the campaign that is the truth is no case") {
  auto scenario = scenario::read_scenario(test::source_dir() / "scenarios/osg-imagenet.yaml");
  Fit fit;
  for (char const* const name :
       {"stall_bad_fraction", "slow_fraction", "slow_before_stall", "not_found_mean_hits"}) {
    fit.estimates.push_back(stated(name, around, 1));
  }
  auto& draw = scenario.calibration.draws.front();
  auto const cases = [&] {
    auto const study = recover_simulated(scenario, [&](history::JobHistory const&) { return fit; },
                                         {.campaigns = 1, .progress = {}});
    std::vector<std::string> names;
    for (auto const& parameter : study.parameters) names.push_back(parameter.name);
    std::sort(names.begin(), names.end());
    return names;
  };
  using Names = std::vector<std::string>;
  draw.not_found.lasts = Seconds();
  draw.outages.scope = scenario::OutageScope::cache;
  draw.outages.kind = scenario::OutageKind::dead;
  CHECK(cases() == Names{"not_found_mean_hits", "slow_before_stall", "stall_bad_fraction"});
  draw.outages.kind = scenario::OutageKind::slow;
  CHECK(cases() == Names{"not_found_mean_hits", "slow_fraction", "stall_bad_fraction"});
  draw.outages.scope = scenario::OutageScope::none;
  CHECK(cases() == Names{"not_found_mean_hits"});
  draw.not_found.lasts = minutes(10);
  CHECK(cases().empty());
}

TEST_CASE("Slots that the pool decides are no case") {
  auto scenario = scenario::read_scenario(test::source_dir() / "scenarios/osg-imagenet.yaml");
  std::string const site = scenario.pool.sites.front().name;
  scenario.calibration.columns.push_back("slots." + site);
  for (auto& row : scenario.calibration.rows) row.push_back(3);
  Fit fit;
  fit.estimates.push_back(stated("slots." + site, {1, 9}, 1));
  auto const cases = [&] {
    return recover_simulated(scenario, [&](history::JobHistory const&) { return fit; },
                             {.campaigns = 1, .progress = {}})
        .parameters.size();
  };
  CHECK(cases() == 0);
  scenario.calibration.draws.front().sites.at(site).slots = 3;
  CHECK(cases() == 1);
}

// Kolmogorov's distance of n ranks that are all 0 is 1; of the middles of n equal parts it is
// 1/(2n).
TEST_CASE("Ranks all at one end are not even, ranks evenly spread are") {
  CHECK(uniform_ranks_p_value(std::vector<double>(10, 0)) < 1e-6);
  CHECK(uniform_ranks_p_value({0.1, 0.3, 0.5, 0.7, 0.9}) > 0.99);
  CHECK(uniform_ranks_p_value({}) == 1);
}

}  // namespace gridcast::calibration
