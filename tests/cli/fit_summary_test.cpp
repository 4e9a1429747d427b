// The words of calibrate on a fit.
#include <algorithm>
#include <string>
#include <utility>

#include "calibration/fits/estimate.hpp"
#include "sim/base/text.hpp"
#include "sim/cli/calibrate.hpp"
#include "tests/test.hpp"

namespace gridcast::cli {
namespace {

/// As one line.
std::string unfolded(std::string const& text) {
  std::string line;
  for (std::string const& word : split(text, ' ')) {
    std::string const one(trim(word));
    if (!one.empty()) line += (line.empty() ? "" : " ") + one;
  }
  std::replace(line.begin(), line.end(), '\n', ' ');
  return line;
}

TEST_CASE("Bayes factors that no double can be are reported by their power of ten", "[calibrate]") {
  calibration::Fit fit;
  for (auto const& [name, factor] :
       {std::pair("dead_cache", 800.0), {"none", -2500.0}, {"slow_cache", 4.6}}) {
    auto& each = fit.hypotheses.emplace_back();
    each.name = name;
    each.log_bayes_factor = factor;
  }
  std::string const text = summary_of_logs(fit);
  CHECK_THAT(text, test::has_text("1e+347") && test::has_text("1e-1086") && test::has_text("99.5"));
  CHECK_THAT(text, !test::has_text("inf") && !test::has_text("nan"));
}

TEST_CASE("One more job, one interval and one parameter are reported as one", "[calibrate]") {
  calibration::Fit fit;
  fit.estimates = {{.name = "seen", .events = 3, .origin = calibration::Origin::fitted},
                   {.name = "unseen", .events = 0, .origin = calibration::Origin::fitted}};
  CHECK_THAT(unfolded(more_data_text(fit, 1)),
             test::has_text("1 more logged job beside the 1 would narrow the "
                            "interval of the parameter that has events") &&
                 test::has_text("1 has none"));
  fit.estimates.push_back(fit.estimates.front());
  fit.estimates.push_back(fit.estimates[1]);
  CHECK_THAT(unfolded(more_data_text(fit, 80)),
             test::has_text("more logged jobs beside the 80") &&
                 test::has_text("intervals of the 2 parameters that have events") &&
                 test::has_text("2 have none"));
}

}  // namespace
}  // namespace gridcast::cli
