// The access point loses contact with a running job, which may be found again.
//   disconnect_per_s  attempts that lost contact / time until the first loss of an attempt; without
//                     deaths of pilots and losses at all sites at once
//   reconnect         P(found again each time | contact was lost)
//   lost_for_good     P(the job is over | lost with its node or pilot), where any was
//   files_lost        P(no file comes home | found again by its own shadow, and done)
#include <algorithm>

#include <fmt/format.h>

#include "calibration/processes/processes.hpp"
#include "sim/base/statistics.hpp"

namespace gridcast::calibration {

namespace {

// Found again each time, regardless of its later end.
bool contact_mended(AttemptRecord const& attempt) {
  return std::ranges::all_of(attempt.disconnections,
                             [](Disconnection const& each) { return each.back.has_value(); });
}

/// At last by its own shadow: one that was started anew, as the access point came back, gets the
/// files.
bool found_by_own_shadow(AttemptRecord const& attempt,
                         std::vector<AccessPointOutage> const& outages) {
  if (attempt.disconnections.empty()) return false;
  Disconnection const& last = attempt.disconnections.back();
  if (!last.back) return false;
  return std::ranges::none_of(outages, [&](AccessPointOutage const& outage) {
    return outage.at <= *last.back && last.at <= outage.back.value_or(outage.at);
  });
}

std::vector<SiteCount> count_losses(LogEvidence const& evidence) {
  return count_at_sites(evidence, [&](std::size_t i, SiteCount& count) {
    AttemptRecord const& attempt = evidence.records.attempts[i];
    Seconds const connected = attempt.disconnections.empty()
                                  ? attempt.claimed()
                                  : attempt.disconnections.front().at - attempt.start;
    count.exposure += std::max(connected.value(), evidence.shortest());
    count.events += evidence.pilots.own_disconnections[i];
  });
}

std::vector<SiteCount> count_reconnections(LogEvidence const& evidence) {
  return count_at_sites(evidence, [&](std::size_t i, SiteCount& count) {
    AttemptRecord const& attempt = evidence.records.attempts[i];
    if (evidence.pilots.own_disconnections[i] == 0 || !attempt.end_kind) return;
    count.exposure += 1;
    count.events += contact_mended(attempt) ? 1 : 0;
  });
}

bool lost_its_slot(AttemptRecord const& attempt) {
  return ended_without_contact(attempt) || shut_down(attempt);
}

SiteCount count_lost_files(LogEvidence const& evidence) {
  SiteCount files;
  for (AttemptRecord const& attempt : evidence.records.attempts) {
    if (!attempt.site.valid() || !attempt.executing) continue;
    bool const no_file = lost_files(attempt);
    if (!no_file && !attempt.exit) continue;
    if (!found_by_own_shadow(attempt, evidence.pilots.access_point_outages)) continue;
    files.events += no_file ? 1 : 0;
    files.exposure += 1;
  }
  return files;
}

// Replaces each share by its complement: the last columns, one a site.
void turn_round(Fit& fit, std::size_t sites) {
  for (std::vector<double>& row : fit.draws.rows) {
    for (std::size_t c = row.size() - sites; c < row.size(); ++c) row[c] = 1 - row[c];
  }
  for (std::size_t e = fit.estimates.size() - sites; e < fit.estimates.size(); ++e) {
    Estimate& line = fit.estimates[e];
    line.estimate = 1 - line.estimate;
    line.interval90 = {1 - line.interval90.high, 1 - line.interval90.low};
  }
}

// If every lost contact was mended, as most are, a job that stays lost is a kind of event never
// seen.
void add_reconnections(Fit& fit, LogEvidence const& evidence,
                       std::vector<SiteCount> const& trials) {
  auto const& sites = evidence.sites();
  RandomStream const stream = bootstrap_stream(evidence.streams, DrawsOf::reconnect);
  bool const all_mended = std::ranges::all_of(
      trials, [](SiteCount const& site) { return site.events == site.exposure; });
  if (all_mended) {
    std::vector<SiteCount> lost = trials;
    for (SiteCount& site : lost) site.events = 0;
    add_pooled(fit, PooledAs::share, "reconnect", "attempts that stayed lost / that lost contact",
               sites, lost, {total_of(trials).exposure}, evidence.draws, stream);
    turn_round(fit, sites.size());
  } else {
    add_pooled(fit, PooledAs::share, "reconnect", "attempts that went on / that lost contact",
               sites, trials, {total_of(trials).exposure}, evidence.draws, stream);
  }
  for (std::size_t s = 0; s < sites.size(); ++s) {
    fit.estimates[fit.estimates.size() - sites.size() + s].events =
        static_cast<std::size_t>(trials[s].exposure);
  }
}

// It depends on HTCondor's version at both ends, and not on a site: Beta(lost + 1/2, not lost +
// 1/2), and, where none was lost, as other events that were never seen.
void add_files_lost(Fit& fit, LogEvidence const& evidence, SiteCount const& counts) {
  double const kept = counts.exposure - counts.events;
  double const none = counts.events > 0 ? 0 : 1 - Unseen{counts.exposure}.exists();
  auto const quantile = [&](double u) { return beta_quantile(u, counts.events + 0.5, kept + 0.5); };
  Estimate share{
      .name = "files_lost",
      .unit = "1",
      .events = static_cast<std::size_t>(counts.events),
      .method = fmt::format("executions without files / done and found again by their own shadow: "
                            "{} / {}; Beta",
                            counts.events, counts.exposure)};
  if (counts.events <= 0) {
    share.origin = Origin::by_default;
    fit.not_identified.push_back(
        {share.name, "never seen",
         fmt::format("{:.1f} % of the draws have it, with Jeffreys' posterior of no event; the "
                     "others have none",
                     100 * (1 - none))});
  }
  add_posterior(fit, share,
                stratified_draws(
                    bootstrap_stream(evidence.streams, share.name), evidence.draws,
                    [&](double u) { return u <= none ? 0. : quantile((u - none) / (1 - none)); }));
  if (counts.events <= 0) fit.estimates.back().interval90 = {0, quantile(0.9)};
}

void fit_lost_contacts(LogEvidence const& evidence, Fit& fit) {
  add_counts(fit, evidence, PooledAs::rate, "disconnect_per_s",
             "attempts that lost contact, in time until then", count_losses(evidence),
             bootstrap_stream(evidence.streams, DrawsOf::disconnect));
  add_reconnections(fit, evidence, count_reconnections(evidence));
  add_jobs_over(fit, evidence, "lost_for_good", "attempts lost with their node or pilot",
                lost_its_slot, ended_job);
  add_files_lost(fit, evidence, count_lost_files(evidence));
}

}  // namespace

Process lost_contacts() {
  using namespace words_of_columns;
  std::vector<DrawColumn> columns = {
      {"lost_for_good", probability, in_draw<&Draw::lost_for_good>,
       "The same for a lost node or pilot"},
      {"files_lost", probability, in_draw<&Draw::files_lost>,
       "Probability that an execution which its own shadow finds again brings no file "
       "home, and is evicted in the end"}};
  add_times<&Draw::reconnect_delay>(columns, "reconnect_delay",
                                    "from losing contact to finding the job again");
  add_times<&Draw::output_try>(
      columns, "output_try",
      "that a job with lost files takes for each of five tries to bring them home");
  return {.described = {.name = "lost-contacts",
                        .meaning = "the access point loses a running job",
                        .columns = std::move(columns),
                        .site_columns = {{"disconnect_per_s", not_negative,
                                          at_site<&Site::disconnect_per_second>,
                                          "Hazard that contact is lost, 1/s"},
                                         {"reconnect", probability, at_site<&Site::reconnect>,
                                          "Probability that a disconnected job is found again"}},
                        .zero_is_off = {"disconnect_per_s", "files_lost", "lost_for_good"}},
          .fit_log = fit_lost_contacts,
          .varies = {{.parameter = "disconnect_per_s",
                      .seen_once = "contact was cut in one campaign of one"}},
          .count_part = total_in_part<count_losses>};
}

}  // namespace gridcast::calibration
