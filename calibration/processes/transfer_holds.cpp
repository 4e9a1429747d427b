// Holds of jobs whose input transfer failed: a failed plugin holds the job at once, or the job
// cools down and tries again.
#include <fmt/format.h>

#include "calibration/processes/processes.hpp"
#include "calibration/records/waits.hpp"

namespace gridcast::calibration {

namespace {

// For the plugins that gave up with a known error in the hold or vacate: it depends on the file,
// and not on a site.
void add_permanent(Fit& fit, LogEvidence const& evidence) {
  double permanent = 0, with_error = 0;
  for (AttemptRecord const& attempt : evidence.records.attempts) {
    bool const has_error = attempt.reason == history::Reason::transfer_failed &&
                           attempt.subcode > 0 &&
                           attempt.code == history::hold_code(attempt.reason).code;
    if (!has_error || !input_failed(attempt)) continue;
    ++with_error;
    permanent += attempt.subcode == history::permanent_failure ? 1 : 0;
  }
  Estimate share{.name = "permanent_failure",
                 .unit = "1",
                 .events = static_cast<std::size_t>(with_error),
                 .method = fmt::format("failed plugins with subcode 256 / with any: {} / {}; Beta",
                                       permanent, with_error)};
  if (with_error <= 0) {
    share.origin = Origin::by_default;
    fit.not_identified.push_back({share.name, "no failed plugin is recorded with its subcode",
                                  "Jeffreys' prior, Beta(0.5, 0.5)"});
  }
  add_beta(fit, share, permanent, with_error - permanent, evidence.draws,
           bootstrap_stream(evidence.streams, share.name));
}

void fit_transfer_holds(LogEvidence const& evidence, Fit& fit) {
  fit.draws.add("hold_on_failure",
                std::vector<double>(evidence.draws, held_on_failure(evidence.records)));
  add_permanent(fit, evidence);
}

void fit_transfer_holds_of_table(TableEvidence const& evidence, Fit& fit) {
  EventCounts const& counts = evidence.counts;
  add_probability(
      fit, evidence,
      {"hold_on_failure", DrawsOf::hold_on_failure, counts.holds_released + counts.held_transfer,
       static_cast<double>(counts.stalls + counts.holds_released + counts.held_transfer),
       "failed transfer attempts held the job"});
  Estimate line = fit.estimates.back();
  line.name = "hold_on_stall";
  line.method = "a table does not show who gave up: as hold_on_failure";
  fit.draws.add(line.name, fit.draws.column("hold_on_failure"));
  fit.estimates.push_back(std::move(line));
}

}  // namespace

Process transfer_holds() {
  using namespace words_of_columns;
  return {
      .described =
          {.name = "transfer-holds",
           .meaning = "a failed input transfer holds its job",
           .columns =
               {{"hold_on_failure", probability, in_draw<&Draw::hold_on_failure>,
                 "Probability that a failed plugin holds the job (on_transfer_failure: recorded)"},
                {"hold_on_stall", probability, in_draw<&Draw::hold_on_stall>,
                 "The same of a transfer that the starter's timer ended"},
                {"permanent_failure", probability, in_draw<&Draw::permanent_failure>,
                 "Share of failed plugins whose error is permanent (hold subcode 256): held at "
                 "once where others cool down"}}},
      .fit_log = fit_transfer_holds,
      .fit_table = fit_transfer_holds_of_table};
}

}  // namespace gridcast::calibration
