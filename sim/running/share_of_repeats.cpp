#include "sim/running/share_of_repeats.hpp"

#include <algorithm>
#include <cmath>

#include "sim/base/statistics.hpp"

namespace gridcast::running {
namespace {

double bounded(double p) {
  constexpr double least = 1e-6;
  return std::clamp(p, least, 1 - least);
}

}  // namespace

ShareOfRepeats::ShareOfRepeats(std::vector<Execution> executions, double usual)
    : executions_(std::move(executions)), repeated_(executions_.size()), usual_(bounded(usual)) {
  std::sort(executions_.begin(), executions_.end(),
            [](Execution const& a, Execution const& b) { return a.length < b.length; });
  double sum = 0, all = 0;
  for (std::size_t i = executions_.size(); i-- > 0;) {
    Execution const& execution = executions_[i];
    sum += execution.weight * execution.repeated;
    repeated_[i] = sum / (all += execution.weight);
  }
}

double ShareOfRepeats::of(Seconds age, double q) const {
  auto const first = std::lower_bound(
      executions_.begin(), executions_.end(), age,
      [](Execution const& execution, Seconds length) { return execution.length < length; });
  auto const at = static_cast<std::size_t>(first - executions_.begin());
  double const share = first == executions_.end() ? usual_ : repeated_[at];
  return inverse_logit(logit(bounded(share)) + logit(bounded(q)) - logit(usual_));
}

}  // namespace gridcast::running
