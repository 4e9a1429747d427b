// Whether intervals hold the truth of made campaigns, with fits that are known to be right or wrong.
#include "calibration/recovery.hpp"

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

// Kolmogorov's distance of n ranks that are all 0 is 1; of the middles of n equal parts it is 1/(2n).
TEST_CASE("Ranks all at one end are not even, ranks evenly spread are") {
  CHECK(uniform_ranks_p_value(std::vector<double>(10, 0)) < 1e-6);
  CHECK(uniform_ranks_p_value({0.1, 0.3, 0.5, 0.7, 0.9}) > 0.99);
  CHECK(uniform_ranks_p_value({}) == 1);
}

}  // namespace gridcast::calibration
