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

namespace {

/// The kind of work follows from the place of `u` among the shares, the rest from its place within.
double deviation(std::array<WorkKind, most_work_kinds> const& kinds, double u) {
  double total = 0;
  for (WorkKind const& kind : kinds) total += kind.share;
  if (total <= 0) return normal_quantile(u);
  double left = u * total;
  WorkKind const* of = nullptr;
  double within = 0;
  for (WorkKind const& kind : kinds) {
    if (kind.share <= 0) continue;
    of = &kind;
    within = left / kind.share;
    if (within < 1) break;
    left -= kind.share;
  }
  constexpr double least = 1e-12;  // neither end of (0, 1), where it has no finite quantile
  return of->center + of->sigma * normal_quantile(std::clamp(within, least, 1 - least));
}

}  // namespace

double job_factor(ParameterDraw const& draw, double u) {
  if (draw.job_sigma <= 0) return 1;
  return std::exp(draw.job_sigma * deviation(draw.work_kinds, u));
}

}  // namespace gridcast::scenario
