#include "sim/report/view/scores.hpp"

#include <cmath>

#include <fmt/format.h>

#include "sim/report/text/figure_words.hpp"

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

void add_row(TextTable& table, std::string name, study::ScoreLine const& line) {
  table.add_row({std::move(name), std::to_string(line.cases), share_of(line.inside[0], line.cases),
                 share_of(line.inside[2], line.cases), fmt::format("{:.2f}", line.median_rank),
                 two_digits(line.skill_last), two_digits(line.skill_spread),
                 two_digits(line.width_of_repeats),
                 std::isnan(line.ignorance) ? "-" : share_text(line.ignorance)});
}

std::vector<TextColumn> score_columns(std::string const& first) {
  return text_columns(first +
                      "|>cases|>in 50 %|>in 90 %|>median rank|>skill over last|"
                      ">skill over spread|>width / repeats|>ignorance");
}

Section figures_section(study::ScoreTable const& table) {
  TextTable rows(score_columns("figure"));
  for (auto const& line : table.figures) {
    add_row(rows, std::string(words_of(line.name).words), line);
  }
  return Section{"scored-figures", "Figures"}.show(std::move(rows));
}

Section campaigns_section(study::ScoreTable const& table) {
  TextTable rows(score_columns("campaign, from"));
  for (auto const& line : table.records) {
    add_row(rows, fmt::format("{}, {}", line.name, line.from), line);
  }
  return Section{"scored-campaigns", "Campaigns"}.show(std::move(rows));
}

std::string percent_range(Interval const& range) {
  return fmt::format("{:.0f} to {:.0f} %", 100 * range.low, 100 * range.high);
}

std::string coverage_sentence(study::Coverage const& each) {
  return fmt::format(
      "{:.0f} % intervals held {} of {} figures: {:.0f} % ({}); were the forecasts right, {:.0f} % "
      "({})\n  ties in part: {:.0f} % ({}); were the forecasts right, {:.0f} %",
      100 * each.level, each.inside, each.cases, 100 * each.share(), percent_range(each.share95),
      100 * each.expected, percent_range(each.expected95), 100 * each.in_parts,
      percent_range(each.in_parts95), 100 * each.level);
}

std::string ranks_sentence(study::RankTest const& ranks) {
  std::string bins;
  for (double const n : ranks.counts) bins += fmt::format("{}{:.0f}", bins.empty() ? "" : " ", n);
  return fmt::format(
      "Ranks of what came among the replicas, in tenths: {}\n"
      "  as uneven as that by chance, were the forecasts right: p = {:.3f}{}",
      bins, ranks.p_value, ranks.p_value < 0.05 ? " (too uneven)" : "");
}

std::string skill_sentence(std::string const& score, std::string const& guess,
                           study::Skill const& skill) {
  if (std::isnan(skill.skill))
    return fmt::format("{} skill over {}: no guess is there", score, guess);
  std::string const verdict = skill.proven() ? "" : ": no better than a plain guess";
  return fmt::format("{} skill over {}: {:.2f} ({:.2f} to {:.2f}){}", score, guess, skill.skill,
                     skill.ci95.low, skill.ci95.high, verdict);
}

/// The share of figures that the corrected intervals held.
std::string conformal_sentence(study::ConformalTable const& table) {
  if (table.factors.empty()) {
    return fmt::format("Conformal correction: none; it takes {} campaigns",
                       study::least_conformal_campaigns);
  }
  if (table.cases == 0) {
    return "Conformal correction: one more campaign is needed to tell what corrected intervals "
           "hold";
  }
  return fmt::format(
      "90 % intervals with the conformal correction by the other campaigns held {} of {} figures: "
      "{}",
      table.inside, table.cases, share_of(table.inside, table.cases));
}

}  // namespace

std::vector<std::string> score_sentences(study::ScoreTable const& table) {
  std::vector<std::string> text;
  for (auto const& each : table.coverage) text.push_back(coverage_sentence(each));
  text.push_back(ranks_sentence(table.ranks));
  text.push_back(skill_sentence("CRPS", "the last campaign", table.crps_last));
  text.push_back(skill_sentence("CRPS", "the last campaign with a spread", table.crps_spread));
  text.push_back(
      skill_sentence("Winkler", "the last campaign with a spread", table.winkler_spread));
  if (!std::isnan(table.width_of_repeats)) {
    text.push_back(
        fmt::format("Width of 90 % intervals over that of the repeats: {:.1f} (median figure)",
                    table.width_of_repeats));
  }
  text.push_back(
      fmt::format("Of the variance, ignorance of parameters is {}, luck the rest (median figure)",
                  std::isnan(table.ignorance) ? "-" : share_text(table.ignorance)));
  return text;
}

std::vector<Section> scores_sections(study::ScoreTable const& table,
                                     study::ConformalTable const* conformal) {
  std::vector<Section> sections;
  if (table.cases == 0) {
    sections.push_back(Section{}.say("No figure can be scored: none of them could vary."));
  } else {
    Section scores{"scores", "Scores"};
    for (auto const& sentence : score_sentences(table)) scores.say(sentence);
    scores.say(
        table.campaigns > 1
            ? fmt::format("Intervals in brackets: 95 %, bootstrap over the {} campaigns.",
                          table.campaigns)
            : "Intervals in brackets: 95 %, binomial for shares, bootstrap over figures for skill. "
              "Figures of one campaign depend on each other, so they are too narrow.");
    if (!table.not_counted.empty()) {
      scores.say("Not counted, as they could not vary: " + list_text(table.not_counted) + ".");
    }
    sections = {figures_section(table), campaigns_section(table), std::move(scores)};
  }
  if (conformal != nullptr) sections.push_back(conformal_section(*conformal));
  return sections;
}

Section conformal_section(study::ConformalTable const& table) {
  Section section{"conformal", "Conformal correction"};
  if (table.factors.empty()) return section.say(conformal_sentence(table));
  TextTable rows(text_columns("figure|>campaigns|>90 % interval times"));
  for (auto const& each : table.factors) {
    rows.add_row({std::string(words_of(each.figure).words), std::to_string(each.campaigns),
                  std::isinf(each.factor) ? "not enough" : fmt::format("{:.2f}", each.factor)});
  }
  return section.show(std::move(rows)).gap().say(conformal_sentence(table));
}

}  // namespace gridcast::report
