#include "sim/report/data/job_summary.hpp"

namespace gridcast::report {
namespace {

bool is_of_execution(history::Phase phase) {
  return phase == history::Phase::executing || phase == history::Phase::checkpoint ||
         phase == history::Phase::suspended || phase == history::Phase::disconnected;
}

void follow(JobSummary& outcome, history::PhaseSpan const& span, std::uint32_t& executing_attempt) {
  if (span.attempt == 0) return;
  outcome.attempts = span.attempt;
  outcome.site = span.site;
  outcome.slot = span.slot;
  bool const begun = executing_attempt == span.attempt;
  if (span.phase == history::Phase::executing && !begun) {
    executing_attempt = span.attempt;
    outcome.execution_begin = span.begin;
  }
  if (executing_attempt == span.attempt && is_of_execution(span.phase)) {
    outcome.execution_end = span.end;
  }
}

}  // namespace

std::vector<JobSummary> summaries_of(history::JobHistory const& history,
                                     std::vector<history::PhaseSpan> const& spans) {
  ledger::Ledger const ledger = ledger::account(history);
  std::vector<JobSummary> outcomes(history.jobs.size());
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    outcomes[i].job = Id<history::Job>(i);
    outcomes[i].standing = ledger.jobs[i].standing;
    if (outcomes[i].standing != ledger::Standing::unfinished)
      outcomes[i].finished = ledger.jobs[i].ended_at;
  }
  for (history::JobEvent const& event : history.events) {
    auto& submitted = outcomes[event.job.index()].submitted;
    if (!submitted) submitted = event.at;
  }
  std::vector<std::uint32_t> executing(outcomes.size());
  for (history::PhaseSpan const& span : spans) {
    follow(outcomes[span.job.index()], span, executing[span.job.index()]);
  }
  return outcomes;
}

}  // namespace gridcast::report
