// Input archives that do not unpack: the execution ends after a short time, without a result.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "calibration/processes/processes.hpp"
#include "sim/base/statistics.hpp"

namespace gridcast::calibration {

namespace {

void add_corrupt_execution(Fit& fit, TableEvidence const& evidence) {
  EventCounts const& counts = evidence.counts;
  bool const seen = counts.corrupt > 0;
  double const center = seen ? counts.corrupt_seconds / counts.corrupt : 33;
  double const factor = seen ? 2 : 4;
  double const log_sd = std::log(factor) / ninety_percent / std::sqrt(std::max(1, counts.corrupt));
  Estimate const line{
      .name = "corrupt_execution_s",
      .unit = "s",
      .estimate = center,
      .events = static_cast<std::size_t>(counts.corrupt),
      .method = fmt::format(
          "mean of {} executions; lognormal, known from one execution to a factor of {:.0f} (90 %)",
          counts.corrupt, factor),
      .origin = seen ? Origin::fitted : Origin::by_default};
  add_parameter(fit, line,
                stratified_draws(
                    bootstrap_stream(evidence.streams, DrawsOf::corrupt_execution), evidence.draws,
                    [&](double u) { return center * std::exp(log_sd * normal_quantile(u)); }));
  if (!seen) {
    fit.not_identified.push_back(
        {line.name, "no corrupt input in the tables",
         "33 s in the published campaign, with a factor of four either way"});
  }
}

void fit_corrupt_inputs(TableEvidence const& evidence, Fit& fit) {
  add_probability(
      fit, evidence,
      {"corrupt_input", DrawsOf::corrupt_input, evidence.counts.corrupt,
       static_cast<double>(evidence.counts.executions), "executions found the archive corrupt"});
  add_corrupt_execution(fit, evidence);
}

}  // namespace

Process corrupt_inputs() {
  using namespace words_of_columns;
  return {.described = {.name = "corrupt-inputs",
                        .meaning = "an archive does not unpack",
                        .columns = {{"corrupt_input", probability, in_draw<&Draw::corrupt_input>,
                                     "Probability that the archive does not unpack"},
                                    {"corrupt_execution_s", not_negative,
                                     in_draw<&Draw::corrupt_execution>,
                                     "How long such an execution takes, s"}},
                        .zero_is_off = {"corrupt_input"}},
          .fit_table = fit_corrupt_inputs};
}

}  // namespace gridcast::calibration
