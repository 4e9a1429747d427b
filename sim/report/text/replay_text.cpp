#include "sim/report/text/replay_text.hpp"

#include <cmath>

#include <fmt/format.h>

#include "sim/report/text/figure_words.hpp"
#include "sim/report/text/paragraph.hpp"
#include "sim/report/text/prediction_text.hpp"
#include "sim/report/text/table.hpp"
#include "sim/study/prediction.hpp"
#include "sim/study/record.hpp"

namespace gridcast::report {
namespace {

std::string header(study::Prediction const& replay, bool same) {
  return fmt::format(
      "Replay of {} recorded jobs under strategy {}{}\n{}\n", replay.jobs, replay.strategy,
      same ? fmt::format(": all {} replicas agree, nothing had to be drawn", replay.sample.size())
           : fmt::format(", {} replicas, seed {}", replay.sample.size(), replay.seed),
      incomplete_text(replay.interrupted, replay.sample.size(), replay.requested,
                      replay.failed.size()));
}

/// (value - base) / base, in per cent.
std::string relative_text(double value, double base) {
  if (value == base) return "0 %";
  if (base == 0 || std::isnan(value)) return "-";
  return fmt::format("{:+.3g} %", 100 * (value / base - 1));
}

bool says_nothing(study::PlacedFigure const& row) {
  return row.observed == 0 && (row.predicted.n == 0 || row.predicted.p95 == 0);
}

std::string agreeing(study::RecordComparison const& rows, Screen const& screen) {
  TextTable table({{"figure"},
                   {""},
                   {"rows", Align::right},
                   {"replay", Align::right},
                   {"difference", Align::right}});
  for (auto const& row : rows.figures) {
    if (says_nothing(row)) continue;
    auto const words = words_of(row.name);
    table.add_row({std::string(words.words), std::string(unit_text(words.unit)),
                   number_text(row.observed, words.unit),
                   number_text(row.predicted.p50, words.unit),
                   relative_text(row.predicted.p50, row.observed)});
  }
  return table.str(screen);
}

std::string differing(study::StudySample const& sample, study::RecordComparison const& rows,
                      Screen const& screen) {
  std::vector<TextColumn> columns = {{"figure"},
                                     {""},
                                     {"rows", Align::right},
                                     {"replay (5 %..95 %)", Align::right},
                                     {"change", Align::right}};
  for (auto const& each : study::hypotheses(sample)) {
    columns.push_back({fmt::format("{} ({})", hypothesis_title(each),
                                   share_text(study::posterior_probability(sample, each))),
                       Align::right});
  }
  TextTable table(std::move(columns));
  for (auto const& row : rows.figures) {
    if (says_nothing(row)) continue;
    auto const words = words_of(row.name);
    std::vector<std::string> cells = {std::string(words.words), std::string(unit_text(words.unit)),
                                      number_text(row.observed, words.unit),
                                      spread_text(row.predicted, words.unit),
                                      relative_text(row.predicted.p50, row.observed)};
    for (auto const& each : study::hypotheses(sample)) {
      auto const part = study::summarise(study::select_hypothesis(sample, each),
                                         std::string(study::through_table) + row.name);
      cells.push_back(spread_text(part, words.unit));
    }
    table.add_row(std::move(cells));
  }
  return table.str(screen);
}

}  // namespace

std::string replay_text(study::Prediction const& replay, study::RecordComparison const& rows,
                        Screen const& screen) {
  bool const same = study::deterministic(replay.sample);
  std::string const head = fitted(header(replay, same), screen);
  if (replay.sample.size() == 0) return head + "No replica was finished.\n";
  return head + (same ? agreeing(rows, screen) : differing(replay.sample, rows, screen));
}

}  // namespace gridcast::report
