// URLs that a transfer plugin gives up, and single 404 answers. fits/transfer_fit.hpp has the fit
// to event logs.
#include "calibration/processes/processes.hpp"

namespace gridcast::calibration {

namespace {

void fit_single_404(TableEvidence const& evidence, Fit& fit) {
  add_probability(
      fit, evidence,
      {"spurious_404", DrawsOf::spurious_404, evidence.counts.single_404,
       static_cast<double>(evidence.counts.attempts), "transfer attempts met a single 404"});
}

std::vector<SiteCount> count_part_of_failed_urls(LogEvidence const&, LogEvidence const& part) {
  return {url_counts(part.history, part.records, part.input).failed};
}

}  // namespace

Process failed_urls() {
  using namespace words_of_columns;
  return {
      .described = {.name = "failed-urls",
                    .meaning = "a transfer plugin gives up on a URL",
                    .columns = {{"url_failed_after", probability, in_draw<&Draw::url_failed_after>,
                                 "Share of its time after which a failing URL fails"},
                                {"spurious_404", probability, in_draw<&Draw::spurious_404>,
                                 "Probability that an attempt meets a single 404"}},
                    .site_columns = {{"url_failure", probability, at_site<&Site::url_failure>,
                                      "Probability that the plugin gives up on a URL"}},
                    .zero_is_off = {"url_failure", "spurious_404"}},
      .fit_table = fit_single_404,
      .varies = {{"url_failure", PooledAs::share}},
      .count_part = count_part_of_failed_urls};
}

}  // namespace gridcast::calibration
