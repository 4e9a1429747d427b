#include "calibration/execution_tail.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <boost/math/special_functions/beta.hpp>
#include <fmt/format.h>

#include "sim/base/statistics.hpp"

namespace gridcast::calibration {
namespace {

struct Killed {
  int killed = 0;
  int exposed = 0;  // all but those evicted before
  double limit = std::numeric_limits<double>::infinity();
};

Killed count_killed(Records const& records, std::string const& site) {
  Killed count;
  for (ExecutionRecord const& execution : records.executions) {
    if (execution.site != site || execution.end == ExecutionEnd::evicted) continue;
    ++count.exposed;
    if (execution.end != ExecutionEnd::killed_at_limit) continue;
    ++count.killed;
    count.limit = std::min(count.limit, execution.seconds);
  }
  count.limit = 600 * std::floor(count.limit / 600);
  return count;
}

/// P(X >= k) of Binomial(n, p).
double at_least(int k, int n, double p) {
  if (k <= 0) return 1;
  if (k > n) return 0;
  return boost::math::ibeta(k, n - k + 1, p);
}

}  // namespace

std::optional<ExecutionTail> execution_tail(Records const& records, std::string const& site,
                                            SiteUnpack const& unpack, SiteEpochs const& epoch_times,
                                            int epochs) {
  Killed const seen = count_killed(records, site);
  if (seen.killed == 0) return std::nullopt;
  std::vector<double> beyond;
  double as_many = 0;
  double as_few = 0;
  for (std::size_t draw = 0; draw < unpack.draws.size(); ++draw) {
    double const epoch = (seen.limit - unpack.draws[draw]) / epochs;
    double const p = std::exp(epoch_times.draws[draw].distribution.log_survival(epoch));
    beyond.push_back(p);
    as_many += at_least(seen.killed, seen.exposed, p);
    as_few += 1 - at_least(seen.killed + 1, seen.exposed, p);
  }
  double const n = static_cast<double>(beyond.size());
  double const levels[] = {0.05, 0.95};
  std::vector<double> const q = quantiles(beyond, levels);
  double const expected = seen.exposed * mean(beyond);
  double const p_value = std::min(1.0, 2 * std::min(as_many, as_few) / n);
  ExecutionTail tail;
  tail.text = fmt::format(
      "P(execution > {:.0f} s at {} epochs) = {:.3f} [{:.3f}, {:.3f}], seen in {} of {}",
      seen.limit, epochs, mean(beyond), q[0], q[1], seen.killed, seen.exposed);
  tail.test = {
      fmt::format("the fitted tail of executions at {} beyond {:.0f} s is right", site, seen.limit),
      fmt::format("executions killed at the limit, of {}", seen.exposed),
      static_cast<double>(seen.killed),
      expected,
      p_value,
      p_value < 0.05 ? "rejected: the fit does not kill as many as were killed"
                     : "compatible with what was seen"};
  return tail;
}

}  // namespace gridcast::calibration
