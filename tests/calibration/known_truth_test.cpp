#include "tests/calibration/known_truth.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/base/error.hpp"
#include "tests/test.hpp"

namespace gridcast::calibration {
namespace {

std::string const source = test::source_dir().string();

TEST_CASE("the truth of a test pool, in a calibration's words", "[truth]") {
  auto const truth = read_truth(source + "/calibration/data/htcondor-pool/c7-hang",
                                {"SITE-A", "SITE-B", "SITE-Z"});
  auto const value = [&](std::string const& name) {
    for (TrueParameter const& one : truth) {
      if (one.name == name) return one.value;
    }
    return std::numeric_limits<double>::quiet_NaN();
  };
  double const mean_speed = std::sqrt(1.5);
  CHECK(value("speed.SITE-A") == Approx(1 / mean_speed));
  CHECK(value("speed.SITE-B") == Approx(1.5 / mean_speed));
  CHECK(value("work_s") == Approx(6 / mean_speed));
  CHECK(value("job_sigma") == 0.4);
  CHECK(value("latency_s.SITE-B") == 4);
  CHECK(value("url_hang.SITE-A") == 0.35);
  CHECK(value("evict_per_s.SITE-A") == 0);
  CHECK(value("release_delay_mean_s") == Approx(2 + 4 + 1.2));
  CHECK(std::isnan(value("speed.SITE-Z")));
  CHECK(std::isnan(value("suspension_s")));
  CHECK_THROWS_AS(read_truth(source + "/calibration", {}), InputError);
  auto const hazards = read_truth(source + "/calibration/data/htcondor-pool/c1-sweep", {"SITE-B"});
  CHECK(std::any_of(hazards.begin(), hazards.end(), [](TrueParameter const& one) {
    return one.name == "evict_per_s.SITE-B" && one.value == Approx(1.0 / 40);
  }));
}

TEST_CASE("the score compares intervals with the truth; parameters without events count apart",
          "[truth]") {
  std::vector<Estimate> const fitted = {
      {.name = "a", .estimate = 1, .interval90 = {0, 2}, .events = 3},
      {.name = "b", .estimate = 1, .interval90 = {0, 2}, .events = 1},
      {.name = "c", .estimate = 1, .interval90 = {0, 2}, .events = 0}};
  RecoveryTable const table = recover(fitted, {{"a", 2}, {"b", 2.1}, {"c", 1}, {"d", 1}});
  REQUIRE(table.rows.size() == 3);
  CHECK(table.rows[0].inside);
  CHECK_FALSE(table.rows[1].inside);
  CHECK(table.rows[1].truth == 2.1);
  CHECK_FALSE(table.rows[2].identified);
  CHECK(table.inside == 2);
  CHECK(table.identified == 2);
  CHECK(table.identified_inside == 1);
}

}  // namespace
}  // namespace gridcast::calibration
