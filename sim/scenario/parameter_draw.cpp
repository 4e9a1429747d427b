#include "sim/scenario/parameter_draw.hpp"

#include <algorithm>
#include <cmath>

#include "sim/base/error.hpp"

namespace gridcast::scenario {

std::string_view name(OutageScope scope) {
  switch (scope) {
    case OutageScope::origin:
      return "origin";
    case OutageScope::cache:
      return "cache";
    case OutageScope::path:
      return "path";
    case OutageScope::node:
      return "node";
    case OutageScope::uplink:
      return "uplink";
    case OutageScope::none:
      return "none";
  }
  throw InternalError("an outage's scope has a name");
}

std::optional<Hypothesis> hypothesis(OutageParameters const& outages) {
  if (outages.scope == OutageScope::none) return Hypothesis::congestion;
  if (outages.stall_when_bad <= 0 && outages.stall_when_quiet <= 0) return std::nullopt;
  if (outages.kind == OutageKind::slow) return Hypothesis::slow;
  bool const far = outages.scope == OutageScope::origin || outages.scope == OutageScope::cache;
  return far ? Hypothesis::overload : Hypothesis::bad_path;
}

std::string_view name(Hypothesis hypothesis) {
  switch (hypothesis) {
    case Hypothesis::overload:
      return "overload";
    case Hypothesis::bad_path:
      return "bad_path";
    case Hypothesis::slow:
      return "slow";
    case Hypothesis::congestion:
      return "congestion";
  }
  throw InternalError("a hypothesis has a name");
}

double job_factor(ParameterDraw const& draw, double u) {
  if (draw.job_sigma <= 0) return 1;
  return std::exp(draw.job_sigma * normal_quantile(u));
}

}  // namespace gridcast::scenario
