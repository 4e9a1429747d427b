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
  double sum = 0;
  for (std::size_t i = executions_.size(); i-- > 0;) {
    repeated_[i] = sum += executions_[i].repeated;
  }
}

double ShareOfRepeats::of(Seconds age, double q) const {
  auto const first = std::lower_bound(
      executions_.begin(), executions_.end(), age,
      [](Execution const& execution, Seconds length) { return execution.length < length; });
  auto const longer = static_cast<std::size_t>(executions_.end() - first);
  double const share =
      longer == 0 ? usual_ : repeated_[executions_.size() - longer] / count(longer);
  return inverse_logit(logit(bounded(share)) + logit(bounded(q)) - logit(usual_));
}

}  // namespace gridcast::running
