#include "sim/scenario/parameter_draw.hpp"

#include <cmath>

namespace gridcast::scenario {

std::string_view name(OutageScope scope) {
  constexpr std::string_view names[] = {"origin", "cache", "path", "node", "uplink", "none"};
  return names[static_cast<std::size_t>(scope)];
}

std::optional<Hypothesis> hypothesis(OutageParameters const& outages) {
  if (outages.scope == OutageScope::none) return Hypothesis::congestion;
  if (outages.stall_when_bad <= 0 && outages.stall_when_quiet <= 0) return std::nullopt;
  if (outages.kind == OutageKind::slow) return Hypothesis::slow;
  bool const far = outages.scope == OutageScope::origin || outages.scope == OutageScope::cache;
  return far ? Hypothesis::overload : Hypothesis::bad_path;
}

std::string_view name(Hypothesis hypothesis) {
  constexpr std::string_view names[] = {"overload", "bad_path", "slow", "congestion"};
  return names[static_cast<std::size_t>(hypothesis)];
}

double job_factor(ParameterDraw const& draw, double u) {
  if (draw.job_sigma <= 0) return 1;
  return std::exp(draw.job_sigma * normal_quantile(u));
}

double abort_of_download(ParameterDraw const& draw, Bytes size) {
  Bytes const known = draw.http_abort_size;
  if (known <= Bytes() || size == known) return draw.http_abort;
  return 1 - std::pow(1 - draw.http_abort, size / known);
}

}  // namespace gridcast::scenario
