// Sites that stop to take jobs for a while. records/presence.hpp finds the days.
#include "calibration/processes/processes.hpp"
#include "calibration/records/presence.hpp"
#include "sim/scenario/draw_setters.hpp"

namespace gridcast::calibration {

namespace {

void fit_site_absences(LogEvidence const& evidence, Fit& fit) {
  // Shorter records, and several campaigns, show no days on which a site was away.
  if (!evidence.one_campaign || !shows_weeks(evidence.records)) return;
  std::vector<SiteCount> leaves, returns;
  for (PresenceCounts const& site : count_presence(evidence.records, evidence.sites().size())) {
    leaves.push_back(site.leaves);
    returns.push_back(site.returns);
  }
  if (total_of(leaves).events == 0 || total_of(returns).exposure == 0) return;
  add_counts(fit, evidence, PooledAs::rate, "away_per_s",
             "days after which a site had gone, in time there", leaves,
             bootstrap_stream(evidence.streams, "away_per_s"));
  add_counts(fit, evidence, PooledAs::rate, "back_per_s",
             "days after which it was back, in time away", returns,
             bootstrap_stream(evidence.streams, "back_per_s"));
}

}  // namespace

Process site_absences() {
  using namespace scenario;
  using enum Allowed;
  using Site = SiteParameters;
  return {
      .described = {.name = "site-absences",
                    .meaning = "a site stops to take jobs for a while",
                    .site_columns = {{"away_per_s", not_negative, at_site<&Site::away_per_second>,
                                      "Hazard that a site which takes jobs stops to, 1/s"},
                                     {"back_per_s", not_negative, at_site<&Site::back_per_second>,
                                      "Hazard that it takes them again, 1/s; 0: it never is away"}},
                    .zero_is_off = {"away_per_s"}},
      .fit_log = fit_site_absences};
}

}  // namespace gridcast::calibration
