#include "sim/report/text/retries_text.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "sim/report/text/layout.hpp"
#include "sim/report/text/reason_words.hpp"

namespace gridcast::report {
namespace {

std::string retried_share(ledger::Retried const& retried) {
  if (retried.tried == 0) return "-";
  Interval const range = retried.interval95();
  return fmt::format("{:.0f} % ({:.0f} to {:.0f})", 100 * retried.share(), 100 * range.low,
                     100 * range.high);
}

std::string counts_text(ledger::Retried const& retried) {
  return fmt::format("{} of {}, {}", retried.succeeded, retried.tried, retried_share(retried));
}

std::vector<TextCell> row(std::string const& what, ledger::RetryCause const& cause) {
  return {what,
          std::to_string(cause.failures),
          std::to_string(cause.next.tried),
          retried_share(cause.next),
          std::to_string(cause.jobs),
          std::to_string(cause.never_fixed())};
}

/// Empty unless both were tried.
std::string difference(char const* one, ledger::Retried const& a, char const* other,
                       ledger::Retried const& b) {
  if (a.tried == 0 || b.tried == 0) return "";
  double const p = ledger::p_of_difference(a, b);
  return fmt::format("{}: {}; {}: {}; {} (p = {:.2g})", one, counts_text(a), other, counts_text(b),
                     p < 0.05 ? "they differ" : "no difference to be seen", p);
}

}  // namespace

std::string retry_cause_text(history::Ending const& ending) {
  std::string text(ending_word(ending.kind));
  if (ending.code != 0) text += " " + code_text(ending.code, ending.subcode);
  if (ending.exit_code != 0) text += fmt::format(", exit {}", ending.exit_code);
  return text + ": " + words_of(ending).what;
}

std::vector<std::string> what_retries_hang_on(ledger::Retries const& retries) {
  ledger::RetryCause const& all = retries.all;
  std::vector<std::string> lines = {
      difference("at the same site", all.same_site, "at another", all.other_site),
      difference("on the same host", all.same_host, "on another", all.other_host)};
  for (std::size_t i = 0; i < all.by_wait.size(); ++i) {
    if (all.by_wait[i].tried == 0) continue;
    lines.push_back(fmt::format("after waiting {}: {}", words(static_cast<ledger::RetryWait>(i)),
                                counts_text(all.by_wait[i])));
  }
  for (std::size_t i = 0; i < all.by_number.size(); ++i) {
    if (all.by_number[i].tried == 0) continue;
    lines.push_back(fmt::format("when attempt {}{} had failed: {}", i + 1,
                                i + 1 == all.by_number.size() ? " or a later one" : "",
                                counts_text(all.by_number[i])));
  }
  std::erase(lines, "");
  return lines;
}

std::string retries_text(ledger::Retries const& retries, Screen const& screen) {
  if (retries.all.failures == 0) return "No attempt failed.\n";
  TextTable table({{"attempts ended by"},
                   {"failures", Align::right},
                   {"tried again", Align::right},
                   {"next one succeeded", Align::right},
                   {"jobs", Align::right},
                   {"never fixed", Align::right}});
  for (ledger::RetryCause const& cause : retries.causes) {
    table.add_row(row(retry_cause_text(cause.ending), cause));
  }
  table.add_rule();
  table.add_row(row("all", retries.all));
  std::string text = "Do retries help? (95 % intervals)\n" + table.str(screen) +
                     "After all failures together, the next attempt succeeded\n";
  for (std::string const& line : what_retries_hang_on(retries)) text += "  " + line + "\n";
  return text;
}

}  // namespace gridcast::report
