// Direct downloads by HTTP that a client aborts for lack of progress.
#include "calibration/processes/processes.hpp"

namespace gridcast::calibration {

namespace {

void fit_direct_downloads(TableEvidence const& evidence, Fit& fit) {
  std::string const source =
      "the report's account of method 2: both attempts ended with \"Aborted due to lack of "
      "progress\"";
  TableCount const aborted{"http_abort", DrawsOf::http_abort, 2, 2, ""};
  add_table_posterior(
      fit, evidence, aborted,
      "2 of 2 direct downloads of the published report (not in the tables); Beta(2.5, 0.5)",
      [](double u) { return beta_quantile(u, 2.5, 0.5); });
  fit.estimates.back().origin = Origin::stated;
  fit.not_identified.push_back({aborted.name, "the tables hold no direct download", source});
}

}  // namespace

Process direct_downloads() {
  using namespace words_of_columns;
  return {.described =
              {.name = "direct-downloads",
               .meaning = "a direct download is aborted",
               .columns = {{"http_abort", probability, in_draw<&Draw::http_abort>,
                            "Probability that a direct download is aborted for lack of progress"}}},
          .fit_table = fit_direct_downloads};
}

}  // namespace gridcast::calibration
