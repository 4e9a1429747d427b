#include "sim/report/text/scores_text.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include <fmt/format.h>

#include "sim/base/json_fields.hpp"
#include "sim/base/text.hpp"
#include "sim/report/data/csv.hpp"
#include "sim/report/text/brief.hpp"
#include "sim/report/text/figure_words.hpp"
#include "sim/report/text/study_text.hpp"

namespace gridcast::report {
namespace {

constexpr char nothing_scored[] = "No figure can be scored: none of them could vary.";

std::string two_digits(double value) {
  return std::isnan(value) ? "-" : fmt::format("{:.2f}", value);
}

std::string share_within(std::size_t part, std::size_t all) {
  return all == 0 ? "-"
                  : fmt::format("{:.0f} %",
                                100.0 * static_cast<double>(part) / static_cast<double>(all));
}

std::vector<std::string> cells_of(study::ScoreLine const& line) {
  return {std::to_string(line.cases),
          share_within(line.inside[0], line.cases),
          share_within(line.inside[2], line.cases),
          fmt::format("{:.2f}", line.median_rank),
          two_digits(line.skill_last),
          two_digits(line.skill_spread),
          two_digits(line.width_of_repeats)};
}

template <class Name>
std::string table_of(std::string const& title, std::vector<study::ScoreLine> const& lines,
                     Name const& name, Screen const& screen) {
  TextTable table(title +
                  "|>cases|>in 50 %|>in 90 %|>median rank|>skill over last|"
                  ">skill over spread|>width / repeats");
  for (auto const& line : lines) {
    auto row = cells_of(line);
    row.insert(row.begin(), name(line));
    table.add_row(std::move(row));
  }
  return table.str(screen);
}

std::string percent_range(Interval const& range) {
  return fmt::format("{:.0f} to {:.0f} %", 100 * range.low, 100 * range.high);
}

std::string coverage_sentence(study::Coverage const& each) {
  return fmt::format(
      "{:.0f} % intervals held {} of {} figures: {:.0f} % ({}); correct forecasts: {:.0f} % "
      "({})",
      100 * each.level, each.inside, each.cases, 100 * each.share(), percent_range(each.share95),
      100 * each.expected, percent_range(each.expected95));
}

std::string skill_sentence(std::string const& score, std::string const& guess,
                           study::Skill const& skill) {
  if (std::isnan(skill.skill))
    return fmt::format("{} skill over {}: no guess is there", score, guess);
  std::string const verdict = skill.proven() ? "" : ": no better than a plain guess";
  return fmt::format("{} skill over {}: {:.2f} ({:.2f} to {:.2f}){}", score, guess, skill.skill,
                     skill.ci95.low, skill.ci95.high, verdict);
}

std::string width_sentence(study::ScoreTable const& table) {
  if (std::isnan(table.width_of_repeats)) return "";
  return fmt::format("Width of 90 % intervals over that of the repeats: {:.1f} (median figure)",
                     table.width_of_repeats);
}

/// Coverage and skill, a sentence each.
std::vector<std::string> score_sentences(study::ScoreTable const& table) {
  std::vector<std::string> text;
  for (auto const& each : table.coverage) text.push_back(coverage_sentence(each));
  text.push_back(skill_sentence("CRPS", "the last campaign", table.crps_last));
  text.push_back(skill_sentence("CRPS", "the last campaign with a spread", table.crps_spread));
  text.push_back(
      skill_sentence("Winkler", "the last campaign with a spread", table.winkler_spread));
  if (auto const width = width_sentence(table); !width.empty()) text.push_back(width);
  return text;
}

/// The meaning of the intervals behind these, and the figures that were not counted.
std::vector<std::string> score_remarks(study::ScoreTable const& table) {
  std::vector<std::string> text;
  if (table.campaigns > 1) {
    text.push_back(fmt::format("Intervals in brackets: 95 %, bootstrap over the {} campaigns.",
                               table.campaigns));
  } else {
    text.emplace_back(
        "Intervals in brackets: 95 %, binomial for shares, bootstrap over figures for skill. "
        "Figures of one campaign depend on each other, so they are too narrow.");
  }
  if (!table.not_counted.empty()) {
    text.push_back("Not counted, as they could not vary: " + list_text(table.not_counted) + ".");
  }
  return text;
}

/// The three figures that were outside their 90 % intervals most often.
std::string missed_sentence(study::ScoreTable const& table) {
  constexpr std::size_t most = 3;
  auto const misses = [](study::ScoreLine const& line) { return line.cases - line.inside[2]; };
  auto figures = table.figures;
  std::erase_if(figures, [&](auto const& line) { return misses(line) == 0; });
  std::ranges::stable_sort(figures, std::greater<>(), misses);
  if (figures.size() > most) figures.resize(most);
  std::vector<std::string> const missed = each_of(figures, [&](study::ScoreLine const& line) {
    return fmt::format("{} ({} of {})", words_of(line.name).words, misses(line), line.cases);
  });
  return missed.empty() ? "" : "Most often outside 90 %: " + list_text(missed) + ".";
}

}  // namespace

std::string brief_scores(study::ScoreTable const& table, Screen const& screen) {
  Brief brief(screen);
  if (table.cases == 0) brief.say(nothing_scored, Brief::needed, 2);
  for (auto const& each : table.coverage) {
    bool const main = each.level != 0.8;
    if (table.cases > 0 && main) brief.say(coverage_sentence(each) + ".", Brief::needed, 2);
  }
  if (table.cases > 0) {
    brief.say(skill_sentence("CRPS", "the last campaign", table.crps_last) + ".", 6, 2);
    brief.say(skill_sentence("CRPS", "the last campaign with a spread", table.crps_spread) + ".", 7,
              2);
    brief.say(width_sentence(table), 4, 1);
    brief.say(missed_sentence(table), 5, 2);
    brief.say(fmt::format("Evidence: {} of {}.", counted(table.cases, "figure"),
                          counted(table.campaigns, "campaign")),
              5, 1);
  }
  brief.add(next_command(screen), 8);
  return brief.text();
}

std::string scores_json(ScoresFacts const& facts, study::ScoreTable const& table) {
  Json json;
  JsonWriter row(json);
  row("schema", std::string(validation_schema));
  row("design", facts.design);
  row.unless_empty("calibration", facts.calibration);
  row("replicas", facts.replicas);
  row("seed", facts.seed);
  study::ScoreTable::fields(row, table);
  return json_text(json);
}

std::string scores_csv(std::vector<study::ScoredRecord> const& records) {
  std::string text = csv_line({"record", "from", "figure", "counted", "observed", "p05", "p25",
                               "p50", "p75", "p95", "rank", "crps", "last"});
  for (auto const& record : records) {
    for (auto const& figure : record.figures) {
      auto const values = without_nan(figure.forecast);
      // The intervals of the coverage, so that the rows add up to it.
      Interval const half = central_interval(values, 0.5), ninety = central_interval(values, 0.9);
      std::vector<std::string> cells = {record.record, record.from, figure.figure,
                                        study::counts(figure) ? "yes" : "no",
                                        csv_number(figure.observed)};
      for (double const end : {ninety.low, half.low, median(values), half.high, ninety.high}) {
        cells.push_back(csv_number(end));
      }
      cells.push_back(csv_number(rank_of(figure.observed, values).middle()));
      cells.push_back(csv_number(fair_crps(values, figure.observed)));
      cells.push_back(csv_number(figure.last));
      text += csv_line(cells);
    }
  }
  return text;
}

std::string scores_text(study::ScoreTable const& table, Screen const& screen) {
  if (table.cases == 0) return nothing_scored + std::string("\n");
  auto const figure = [](auto const& line) { return std::string(words_of(line.name).words); };
  auto const record = [](auto const& line) { return line.name + ", " + line.from; };
  std::string const tables = table_of("figure", table.figures, figure, screen) + "\n" +
                             table_of("campaign, from", table.records, record, screen) + "\n";
  std::string words;
  for (auto const& sentence : score_sentences(table)) words += sentence + "\n";
  for (auto const& remark : score_remarks(table)) words += remark + "\n";
  return tables + fitted(words, screen);
}

}  // namespace gridcast::report
