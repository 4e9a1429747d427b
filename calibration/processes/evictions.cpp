// Evictions: the site or its owner reclaims a claimed slot, and the slot is still there.
//   evict_per_s      evictions / time claimed, until contact was lost for good
//   evicted_for_good P(the job is over | evicted), where any was
// Evictions at one age of a claim are fitted apart (fits/fixed_age_fit.hpp).
#include <algorithm>
#include <cmath>
#include <string>

#include <fmt/format.h>

#include "calibration/inference/censored_families.hpp"
#include "calibration/processes/processes.hpp"
#include "sim/scenario/draw_setters.hpp"

namespace gridcast::calibration {

namespace {

constexpr std::size_t enough_claims = 5'000;

/// At no age of its own: ends of all at one age are fitted apart.
bool taken_at_any_age(AttemptRecord const& attempt) {
  return taken_from_slot(attempt) && !attempt.at_fixed_age;
}

std::vector<SiteCount> count_evictions_of(LogEvidence const& evidence) {
  return count_at_sites(evidence, [&](std::size_t i, SiteCount& count) {
    AttemptRecord const& attempt = evidence.records.attempts[i];
    count.exposure += std::max((attempt.slot_end() - attempt.start).value(), evidence.shortest());
    count.events += taken_at_any_age(attempt) ? 1 : 0;
  });
}

SiteCount evicted_for_good(LogEvidence const& evidence) {
  SiteCount over;
  for (AttemptRecord const& attempt : evidence.records.attempts) {
    if (!attempt.site.valid() || !taken_from_slot(attempt)) continue;
    over.exposure += 1;
    over.events += attempt.ended_job ? 1 : 0;
  }
  return over;
}

// Are evictions exponential, all sites together? Times are relative to each site's mean. The test
// draws and sorts the claims 199 times, so it takes an evenly chosen part of very many.
std::string exponential_test(LogEvidence const& evidence, std::vector<SiteCount> const& counts) {
  AttemptRecords const& records = evidence.records;
  Sample sample;
  for (AttemptRecord const& attempt : records.attempts) {
    if (!attempt.site.valid()) continue;
    SiteCount const& site = counts[attempt.site.index()];
    if (site.events < 3) continue;
    double const rate = site.events / site.exposure;
    sample.push_back({std::max(attempt.claimed().value(), evidence.shortest()) * rate,
                      !taken_at_any_age(attempt)});
  }
  std::size_t const all = sample.size();
  if (all > enough_claims) {
    for (std::size_t i = 0; i < enough_claims; ++i) sample[i] = sample[i * all / enough_claims];
    sample.resize(enough_claims);
  }
  if (count_events(sample) < 5) return "";
  FittedFamily const fit = fit_family(sample, {Family::exponential, false});
  constexpr std::size_t resamples = 199;
  GoodnessOfFit const good = goodness_of_fit(
      sample, fit, resamples, bootstrap_stream(evidence.streams, DrawsOf::eviction_goodness));
  if (good.resamples < resamples) return "";  // too few events to be expected for a test
  std::string text =
      fmt::format("exponential: {} {:.3f}, p = {:.3f}",
                  good.anderson_darling ? "Anderson-Darling" : "distance to Kaplan-Meier",
                  good.statistic, good.p_value);
  if (all > enough_claims) text += fmt::format(", of {} of {} claims", enough_claims, all);
  return text;
}

void fit_evictions(LogEvidence const& evidence, Fit& fit) {
  auto const counts = count_evictions_of(evidence);
  add_counts(fit, evidence, PooledAs::rate, "evict_per_s", "evictions in claimed time", counts,
             bootstrap_stream(evidence.streams, DrawsOf::evict), on_most_grids);
  std::string const exponential = exponential_test(evidence, counts);
  for (Estimate& line : fit.estimates) {
    if (exponential.empty() || !line.name.starts_with("evict_per_s.")) continue;
    line.fit += (line.fit.empty() ? "" : "; ") + exponential;
  }
  add_jobs_over(fit, evidence, "evicted_for_good", "evictions", evicted_for_good(evidence));
}

std::vector<CampaignKind> variation_of_evictions(LogEvidence const&,
                                                 std::vector<LogEvidence> const& parts) {
  CampaignKind evict{"evict_per_s", PooledAs::rate};
  for (LogEvidence const& part : parts) {
    add_campaign(evict, total_of(count_evictions_of(part)));
  }
  return {evict};
}

}  // namespace

Process evictions() {
  using namespace scenario;
  using enum Allowed;
  using Draw = ParameterDraw;
  using Site = SiteParameters;
  return {
      .described =
          {.name = "evictions",
           .meaning = "the site or its owner reclaims a slot",
           .columns =
               {{"evicted_for_good", probability, in_draw<&Draw::evicted_for_good>,
                 "Probability that a job whose slot the site takes away is over, and not queued "
                 "again"}},
           .site_columns =
               {{"evict_per_s", not_negative, at_site<&Site::evict_per_second>,
                 "Hazard that a claimed slot is vacated, 1/s"},
                {"evict_after_s", not_negative, at_site<&Site::evict_after>,
                 "Time after which a claimed slot is vacated at the latest, median, s; 0: it is "
                 "not"},
                {"evict_sigma", not_negative, at_site<&Site::evict_sigma>,
                 "Standard deviation of its logarithm"}},
           .zero_is_off = {"evict_per_s", "evict_after_s", "evicted_for_good"}},
      .fit_log = fit_evictions,
      .variation = variation_of_evictions};
}

}  // namespace gridcast::calibration
