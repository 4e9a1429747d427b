// Needs above a limit, by a lognormal law that is known.
#include "sim/import/needs_law.hpp"

#include <algorithm>
#include <cmath>

#include "sim/base/random.hpp"
#include "sim/base/statistics.hpp"
#include "tests/test.hpp"

namespace gridcast::import {
namespace {

constexpr std::size_t jobs_of_law = 2000;
constexpr double law_median_mb = 1800, law_sd = 0.4, law_limit_mb = 2000;

double share_above(std::vector<double> const& amounts, double mb) {
  auto const above =
      std::ranges::count_if(amounts, [mb](double each) { return each > mb * 1048576; });
  return static_cast<double>(above) / static_cast<double>(amounts.size());
}

TEST_CASE("needs above the request follow the law of those below it", "[needs_of_record]") {
  std::vector<ledger::JobNeed> needs;
  for (std::size_t j = 0; j < jobs_of_law; ++j) {
    double const u = (static_cast<double>(j) + 0.5) / static_cast<double>(jobs_of_law);
    double const mb = law_median_mb * std::exp(law_sd * normal_quantile(u));
    needs.push_back(
        {"", std::min(mb, law_limit_mb) * 1048576, mb > law_limit_mb, law_limit_mb * 1048576});
  }
  auto const amounts = amounts_needed(needs);
  REQUIRE(amounts.size() == jobs_of_law);
  for (double const mb : {1500., 2000., 2500., 3000., 4000.}) {
    double const above = 1 - normal_cdf(std::log(mb / law_median_mb) / law_sd);
    CHECK(share_above(amounts, mb) == Approx(above).margin(0.01));
  }
}

TEST_CASE("two needs show no law: those above are up to three times the limit",
          "[needs_of_record]") {
  std::vector<ledger::JobNeed> const needs = {
      {"", 1e9}, {"", 2e9}, {"", 4e9, true}, {"", 4e9, true}};
  auto amounts = amounts_needed(needs);
  std::ranges::sort(amounts);
  CHECK(amounts[2] == Approx(4e9 * std::pow(3, 0.25)));
  CHECK(amounts[3] == Approx(4e9 * std::pow(3, 0.75)));
}

}  // namespace
}  // namespace gridcast::import
