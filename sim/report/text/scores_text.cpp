#include "sim/report/text/scores_text.hpp"

#include <cmath>

#include <fmt/format.h>

#include "sim/report/text/figure_words.hpp"
#include "sim/report/text/layout.hpp"

namespace gridcast::report {
namespace {

std::string two_digits(double value) {
  return std::isnan(value) ? "-" : fmt::format("{:.2f}", value);
}

std::string share_of(std::size_t part, std::size_t all) {
  return all == 0 ? "-"
                  : fmt::format("{:.0f} %",
                                100.0 * static_cast<double>(part) / static_cast<double>(all));
}

std::vector<std::string> cells_of(study::ScoreLine const& line) {
  return {std::to_string(line.cases),
          share_of(line.inside[0], line.cases),
          share_of(line.inside[2], line.cases),
          fmt::format("{:.2f}", line.median_rank),
          two_digits(line.skill_last),
          two_digits(line.skill_spread),
          two_digits(line.width_of_repeats),
          std::isnan(line.ignorance) ? "-" : share_text(line.ignorance)};
}

std::vector<TextColumn> columns_of(std::string const& first) {
  return {{first},
          {"cases", Align::right},
          {"in 50 %", Align::right},
          {"in 90 %", Align::right},
          {"median rank", Align::right},
          {"skill over last", Align::right},
          {"skill over spread", Align::right},
          {"width / repeats", Align::right},
          {"ignorance", Align::right}};
}

std::string figures_table(study::ScoreTable const& table, Screen const& screen) {
  TextTable text(columns_of("figure"));
  for (auto const& line : table.figures) {
    std::vector<TextCell> row = {std::string(words_of(line.name).words)};
    for (auto& cell : cells_of(line)) row.emplace_back(std::move(cell));
    text.add_row(std::move(row));
  }
  return text.str(screen);
}

std::string records_table(study::ScoreTable const& table, Screen const& screen) {
  TextTable text(columns_of("campaign, from"));
  for (auto const& line : table.records) {
    std::vector<TextCell> row = {fmt::format("{}, {}", line.name, line.from)};
    for (auto& cell : cells_of(line)) row.emplace_back(std::move(cell));
    text.add_row(std::move(row));
  }
  return text.str(screen);
}

std::string percent_range(Interval const& range) {
  return fmt::format("{:.0f} to {:.0f} %", 100 * range.low, 100 * range.high);
}

std::string coverage_text(study::ScoreTable const& table) {
  std::string text;
  for (auto const& each : table.coverage) {
    text += fmt::format(
        "{:.0f} % intervals held {} of {} figures: {:.0f} % ({}); were the forecasts right, {:.0f} "
        "% ({})\n",
        100 * each.level, each.inside, each.cases, 100 * each.share(), percent_range(each.share95),
        100 * each.expected, percent_range(each.expected95));
  }
  return text;
}

std::string ranks_text(study::RankTest const& ranks) {
  std::string bins;
  for (double const n : ranks.counts) bins += fmt::format("{}{:.0f}", bins.empty() ? "" : " ", n);
  return fmt::format(
      "Ranks of what came among the replicas, in tenths: {}\n"
      "  as uneven as that by chance, were the forecasts right: p = {:.3f}{}\n",
      bins, ranks.p_value, ranks.p_value < 0.05 ? " (too uneven)" : "");
}

std::string skill_text(std::string const& score, std::string const& guess,
                       study::Skill const& skill) {
  if (std::isnan(skill.skill))
    return fmt::format("{} skill over {}: no guess is there\n", score, guess);
  std::string const verdict = skill.proven() ? "" : ": no better than a plain guess";
  return fmt::format("{} skill over {}: {:.2f} ({:.2f} to {:.2f}){}\n", score, guess, skill.skill,
                     skill.ci95.low, skill.ci95.high, verdict);
}

std::string errors_text(study::ScoreTable const& table) {
  if (table.campaigns > 1) {
    return fmt::format("Intervals in brackets: 95 %, bootstrap over the {} campaigns.\n",
                       table.campaigns);
  }
  return "Intervals in brackets: 95 %, binomial for shares, bootstrap over figures for skill. "
         "Figures "
         "of one campaign depend on each other, so they are too narrow.\n";
}

}  // namespace

std::string scores_text(study::ScoreTable const& table, Screen const& screen) {
  if (table.cases == 0) return "No figure can be scored: none of them could vary.\n";
  std::string text = figures_table(table, screen) + "\n" + records_table(table, screen) + "\n";
  std::string words =
      coverage_text(table) + ranks_text(table.ranks) +
      skill_text("CRPS", "the last campaign", table.crps_last) +
      skill_text("CRPS", "the last campaign with a spread", table.crps_spread) +
      skill_text("Winkler", "the last campaign with a spread", table.winkler_spread);
  if (!std::isnan(table.width_of_repeats)) {
    words +=
        fmt::format("Width of 90 % intervals over that of the repeats: {:.1f} (median figure)\n",
                    table.width_of_repeats);
  }
  words +=
      fmt::format("Of the variance, ignorance of parameters is {}, luck the rest (median figure)\n",
                  std::isnan(table.ignorance) ? "-" : share_text(table.ignorance));
  words += errors_text(table);
  if (!table.not_counted.empty()) {
    words += "Not counted, as they could not vary: " + list_text(table.not_counted) + ".\n";
  }
  return text + fitted(words, screen);
}

}  // namespace gridcast::report
