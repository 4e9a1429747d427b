#include "calibration/processes/log_evidence.hpp"

#include <fmt/format.h>

#include "sim/base/statistics.hpp"

namespace gridcast::calibration {

LogEvidence evidence_of(Part const& part, LogEvidence const& whole) {
  return {.history = whole.history,
          .records = part.records,
          .typical_times = whole.typical_times,
          .input = whole.input,
          .draws = whole.draws,
          .streams = whole.streams,
          .span = part.span};
}

void add_counts(Fit& fit, LogEvidence const& evidence, PooledAs kind, char const* parameter,
                char const* method, std::vector<SiteCount> const& counts, RandomStream stream,
                double beforehand) {
  auto const attempts = static_cast<double>(evidence.records.attempts.size());
  double const chances = kind == PooledAs::share ? total_of(counts).exposure : attempts;
  add_pooled(fit, kind, parameter, method, evidence.sites(), counts, {chances, beforehand},
             evidence.draws, stream);
}

void add_jobs_over(Fit& fit, LogEvidence const& evidence, char const* parameter, char const* events,
                   bool (*is_one)(AttemptRecord const&), bool (*is_over)(AttemptRecord const&)) {
  SiteCount over;
  for (AttemptRecord const& attempt : evidence.records.attempts) {
    if (!attempt.site.valid() || !is_one(attempt)) continue;
    over.exposure += 1;
    over.events += is_over(attempt) ? 1 : 0;
  }
  if (over.events <= 0) return;
  Estimate const share{.name = parameter,
                       .unit = "1",
                       .events = static_cast<std::size_t>(over.events),
                       .method = fmt::format("{} after which the job was over / all: {} / {}; Beta",
                                             events, over.events, over.exposure)};
  add_beta(fit, share, over.events, over.exposure - over.events, evidence.draws,
           bootstrap_stream(evidence.streams, share.name));
}

bool ended_job(AttemptRecord const& attempt) { return attempt.ended_job; }

}  // namespace gridcast::calibration
