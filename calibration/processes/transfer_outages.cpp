// Stalls of input transfers: an origin, a cache or a path is bad for a while (fits/outage_fit.hpp),
// or no byte of a URL ever comes.
#include "calibration/processes/processes.hpp"

namespace gridcast::calibration {

namespace {

std::vector<SiteCount> count_part_of_hung_urls(LogEvidence const&, LogEvidence const& part) {
  return {url_counts(part.history, part.records, part.input).hung};
}

template <auto member>
constexpr auto in_outages = scenario::in_draw<&scenario::ParameterDraw::outages, member>;

std::vector<scenario::DrawColumn> outage_columns() {
  using namespace words_of_columns;
  using Outages = OutageParameters;
  return {{"outage_scope", scope, in_outages<&Outages::scope>,
           "Scope of bad periods: 0 origin, 1 cache, 2 path of a slot to a cache, 3 node, 4 "
           "uplink of a site, 5 none"},
          {"outage_kind", kind, in_outages<&Outages::kind>,
           "0 dead: no byte comes; 1 slow: bytes come at slow_fraction of the rate"},
          {"stall_bad_fraction", probability, in_outages<&Outages::bad_fraction>,
           "Share of time that an origin, cache, path, node or uplink is bad"},
          {"stall_bad_duration_s", not_negative, in_outages<&Outages::bad_duration>,
           "Mean length of a bad period, s"},
          {"stall_when_bad", probability, in_outages<&Outages::stall_when_bad>,
           "Probability that a try that starts in a bad period is hit"},
          {"stall_when_quiet", probability, in_outages<&Outages::stall_when_quiet>,
           "The same of any other try"},
          {"slow_fraction", probability, in_outages<&Outages::slow_fraction>,
           "Share of its rate that a slow transfer has left"},
          {"redraw_interval_s", not_negative, in_outages<&Outages::redraw_interval>,
           "For how long a job's draw at a bad cache is the same, s; 0: each try has its own"},
          {"next_cache_dependence", probability, in_outages<&Outages::next_cache_dependence>,
           "Probability that after a try that was hit the next cache's is hit too, for any "
           "draw of its own"},
          {"slow_before_stall", probability, in_outages<&Outages::slow_before_stall>,
           "Share of dead tries that are slow first"},
          {"slow_duration_s", not_negative, in_outages<&Outages::slow_duration>,
           "How long they are slow on average, s"}};
}

}  // namespace

Process transfer_outages() {
  using namespace words_of_columns;
  return {.described = {.name = "transfer-outages",
                        .meaning = "an origin, a cache or a path stops or slows input transfers",
                        .columns = outage_columns(),
                        .site_columns = {{"url_hang", probability, at_site<&Site::url_hang>,
                                          "Probability that no byte of a URL ever comes"}},
                        .zero_is_off = {"stall_bad_fraction", "stall_when_bad", "stall_when_quiet",
                                        "url_hang"}},
          .varies = {{"url_hang", PooledAs::share}},
          .count_part = count_part_of_hung_urls};
}

}  // namespace gridcast::calibration
