#include <utility>

#include "sim/ledger/retries.hpp"
#include "sim/report/page/report_page.hpp"
#include "sim/report/text/ledger_text.hpp"

namespace gridcast::report {
namespace {

std::vector<ReportCell> row(std::string what, ledger::RetryCause const& cause) {
  Interval const range = cause.next.interval95();
  return {std::move(what),
          static_cast<double>(cause.failures),
          static_cast<double>(cause.next.tried),
          100 * cause.next.share(),
          100 * range.low,
          100 * range.high,
          static_cast<double>(cause.jobs),
          static_cast<double>(cause.never_fixed())};
}

ReportTable table_of(OneCampaign const& campaign, ledger::Retries const& retries) {
  ReportTable table{
      "retries-table",
      "How often the next attempt succeeded, by what had ended the one before",
      {columns(text_column("cause"), number_column("failures", "failures"),
               number_column("tried", "tried again"),
               number_column("share", "next one succeeded", "%"),
               number_column("lo", "95 % interval, low", "%"),
               number_column("hi", "95 % interval, high", "%"), number_column("jobs", "jobs"),
               number_column("never", "never fixed", "jobs"))},
      "No attempt failed.",
      campaign.strategy};
  if (retries.all.failures == 0) return table;
  table.says = "After all failures together, the next attempt succeeded";
  for (std::string const& line : what_retries_hang_on(retries)) table.says += "\n" + line;
  table.says += "\nA next attempt counts if it ended, and not by its owner's removing the job.";
  for (ledger::RetryCause const& cause : retries.causes) {
    table.data.rows.push_back(row(retry_cause_text(cause.ending), cause));
  }
  table.data.rows.push_back(row("all", retries.all));
  return table;
}

}  // namespace

ReportPart retries_section(OneCampaign const& campaign, std::vector<OneCampaign> const& others) {
  if (!campaign.history.dated) return {};
  ReportSection section{"retries", "Do retries help?"};
  ledger::Retries const retries = ledger::count_retries(campaign.history);
  bool failed = retries.all.failures > 0;
  section.table = table_of(campaign, retries);
  for (OneCampaign const& other : others) {
    ledger::Retries const of_other = ledger::count_retries(other.history);
    failed = failed || of_other.all.failures > 0;
    section.other_tables.push_back(table_of(other, of_other));
  }
  if (!failed) return {};
  return {std::move(section), ""};
}

}  // namespace gridcast::report
