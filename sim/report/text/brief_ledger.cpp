#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "sim/base/text.hpp"
#include "sim/report/text/answer.hpp"
#include "sim/report/text/brief.hpp"
#include "sim/report/text/layout.hpp"
#include "sim/report/text/ledger_text.hpp"
#include "sim/report/text/reason_words.hpp"

namespace gridcast::report {
namespace {

std::string percent_of(Seconds part, Seconds whole) {
  return whole > Seconds() ? fmt::format("{:.0f} %", 100 * (part / whole)) : "-";
}

/// The three largest lines of lost slot time.
std::string losses(ledger::Ledger const& ledger, Screen const& screen) {
  constexpr std::size_t most = 3;
  auto const& total = ledger.total;
  std::vector<ledger::SlotTimeLine> lost;
  for (auto const& line : ledger::slot_time_lines()) {
    if (line.lost && total.*line.time > Seconds()) lost.push_back(line);
  }
  std::stable_sort(lost.begin(), lost.end(),
                   [&](auto const& a, auto const& b) { return total.*a.time > total.*b.time; });
  if (lost.size() > most) lost.resize(most);
  TextTable table(
      {{"largest losses of slot time"}, {"time", Align::right}, {"share", Align::right}});
  for (auto const& line : lost) {
    table.add_row({std::string(ledger::find_metric(line.name)->label), to_text(total.*line.time),
                   percent_of(total.*line.time, total.wallclock())});
  }
  return lost.empty() ? "" : table.str(screen);
}

std::string most_frequent_ending(ledger::Ledger const& ledger) {
  ledger::EndingAccount const* most = nullptr;
  for (auto const& row : ledger.endings) {
    if (most == nullptr || row.times > most->times) most = &row;
  }
  if (!ledger.dated || most == nullptr) return "";
  return fmt::format("Most frequent: {} because {} ({}, {}).", ending_word(most->ending.kind),
                     words_of(most->ending, ledger.batch_system).what, counted(most->times, "time"),
                     counted(most->jobs, "job"));
}

/// The largest and the smallest share of lost slot time among the sites.
std::string site_sentence(ledger::Ledger const& ledger) {
  if (ledger.total.attempts_unrecorded > 0) return "";
  std::string best, worst;
  double least = 2, most = -1;
  for (auto const& [site, lines] : ledger.sites) {
    if (!(lines.wallclock() > Seconds())) continue;
    double const share = lines.badput() / lines.wallclock();
    if (share < least) std::tie(least, best) = std::pair(share, site_label(site));
    if (share > most) std::tie(most, worst) = std::pair(share, site_label(site));
  }
  if (best == worst) return "";
  return fmt::format("Sites: {} loses {:.0f} % of its slot time, {} {:.0f} %.", worst, 100 * most,
                     best, 100 * least);
}

/// "at 3 sites"; jobs that met none are at none.
std::string at_sites(ledger::Ledger const& ledger) {
  std::size_t const sites = ledger.sites.size() - ledger.sites.count("");
  return sites == 0 ? "at no site" : "at " + counted(sites, "site");
}

}  // namespace

std::string brief_ledger(ledger::Ledger const& ledger, Screen const& screen) {
  Brief brief(screen);
  ledger::Ledger whole = ledger;  // the answer has no sites, of which there may be many
  whole.sites.clear();
  whole.site_classes.clear();
  auto sentences = answer({result_of(whole)});
  if (sentences.size() > 2) sentences.resize(2);
  for (auto const& sentence : sentences) brief.say(sentence, 9, 3);
  if (ledger.gpu_time > Seconds()) {
    brief.say(fmt::format("GPU hours: {:.1f}{}.", ledger.gpu_time / hours(1),
                          ledger.gpus_assumed ? ", if each job had one GPU (not recorded)" : ""),
              6, 1);
  }
  brief.add(losses(ledger, brief.screen()), 7);
  brief.say(most_frequent_ending(ledger), 4, 2);
  brief.say(site_sentence(ledger), 3, 2);
  brief.say(fmt::format("Evidence: the record of {} {}{}.", counted(ledger.total.jobs, "job"),
                        at_sites(ledger), ledger.dated ? "" : ", which has no dates"),
            5, 2);
  brief.add(next_command(screen), 8);
  return brief.text();
}

}  // namespace gridcast::report
