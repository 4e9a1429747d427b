#include "sim/report/page/scores_page.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "sim/report/page/report_page.hpp"
#include "sim/report/text/figure_words.hpp"
#include "sim/report/text/scores_text.hpp"

namespace gridcast::report {
namespace {

constexpr std::size_t most_drawn_records = 12;

ReportRows score_rows(std::vector<study::ScoreLine> const& lines, ReportColumn first) {
  ReportRows rows{columns(
      std::move(first), number_column("cases"), number_column("in50", "in 50 %", "%"),
      number_column("in90", "in 90 %", "%"), number_column("rank", "median rank"),
      number_column("skill_last", "skill over last"),
      number_column("skill_spread", "skill over spread"), number_column("width", "width / repeats"),
      number_column("ignorance", "ignorance", "%"))};
  auto const percent = [](std::size_t part, std::size_t all) {
    return all == 0 ? ReportCell()
                    : ReportCell(100.0 * static_cast<double>(part) / static_cast<double>(all));
  };
  for (auto const& line : lines) {
    std::string const name = line.from.empty() ? std::string(words_of(line.name).words)
                                               : line.name + ", from " + line.from;
    rows.rows.push_back({name, static_cast<double>(line.cases),
                         percent(line.inside.front(), line.cases),
                         percent(line.inside.back(), line.cases), line.median_rank, line.skill_last,
                         line.skill_spread, line.width_of_repeats, 100 * line.ignorance});
  }
  return rows;
}

ReportSection figures_section(study::ScoreTable const& table) {
  ReportTable shown{"figures", "Each figure, over all campaigns",
                    score_rows(table.figures, text_column("figure"))};
  shown.says = fmt::format("{} figures of {} campaigns are scored.", table.cases, table.campaigns);
  ReportSection section{"scored-figures", "Figures", score_remarks(table)};
  section.table = std::move(shown);
  return section;
}

ReportSection campaigns_section(study::ScoreTable const& table) {
  ReportTable shown{"campaigns", "Each forecast, over all figures",
                    score_rows(table.records, text_column("campaign"))};
  ReportSection section{"scored-campaigns", "Campaigns"};
  section.table = std::move(shown);
  return section;
}

ReportSection ranks_section(study::RankTest const& ranks) {
  ReportTable shown{
      "ranks",
      "How many figures lie in each tenth of their forecasts",
      {columns(text_column("tenth", "tenth of the forecast"), number_column("figures"))}};
  for (std::size_t i = 0; i < ranks.counts.size(); ++i) {
    shown.data.rows.push_back(
        {fmt::format("{} to {} %", 100 * i / study::rank_bins, 100 * (i + 1) / study::rank_bins),
         ranks.counts[i]});
  }
  shown.says = fmt::format("As uneven as that by chance, were the forecasts right: p = {:.3f}.",
                           ranks.p_value);
  ReportSection section{"ranks", "Ranks"};
  section.table = std::move(shown);
  return section;
}

/// Each figure that counts in its central 90 %.
ReportFigure intervals_figure(study::ScoredRecord const& record, std::size_t number) {
  ReportFigure figure{
      fmt::format("intervals-{}", number),
      fmt::format("{}, forecast from {}", record.record, record.from),
      "coverage",
      {columns(text_column("figure"), number_column("observed"),
               number_column("lo", "forecast, 5 %"), number_column("hi", "forecast, 95 %"),
               number_column("p50", "forecast, median"),
               text_column("inside", "in the central 90 %"), text_column("unit"))}};
  std::size_t inside = 0;
  for (auto const& each : record.figures) {
    if (!study::counts(each)) continue;
    auto values = each.forecast;
    std::erase_if(values, [](double x) { return std::isnan(x); });
    auto const q = quantiles(values, std::array{0.05, 0.5, 0.95});
    bool const held = each.observed >= q[0] && each.observed <= q[2];
    inside += held ? 1 : 0;
    figure.data.rows.push_back({std::string(words_of(each.figure).words), each.observed, q[0], q[2],
                                q[1], held ? "yes" : "no", each.figure.ends_with("_s") ? "s" : ""});
  }
  figure.says = fmt::format("{} of {} figures lie in the central 90 % of what was forecast.",
                            inside, figure.data.rows.size());
  return figure;
}

ReportSection intervals_section(std::vector<study::ScoredRecord> const& records) {
  ReportSection section{"intervals", "What came, in what was forecast"};
  std::size_t const drawn = std::min(records.size(), most_drawn_records);
  for (std::size_t i = 0; i < drawn; ++i) {
    section.figures.push_back(intervals_figure(records[i], i + 1));
  }
  if (drawn < records.size()) {
    section.text.push_back(
        fmt::format("The first {} of {} forecasts are drawn.", drawn, records.size()));
  }
  return section;
}

ReportSection conformal_section(study::ConformalTable const& table) {
  ReportTable shown{"conformal",
                    "How much wider 90 % intervals have to be",
                    {columns(text_column("figure"), number_column("campaigns"),
                             number_column("factor", "90 % interval times"))}};
  for (auto const& each : table.factors) {
    shown.data.rows.push_back({std::string(words_of(each.figure).words),
                               static_cast<double>(each.campaigns), each.factor});
  }
  ReportSection section{"conformal", "Conformal correction", {conformal_sentence(table) + "."}};
  if (!table.factors.empty()) section.table = std::move(shown);
  return section;
}

}  // namespace

ReportDocument scores_page(ScoresRequest const& request) {
  ReportDocument document;
  document.kind = "validation";
  document.title = request.title;
  document.subtitle = "Forecasts held against campaigns that took place";
  document.created_by = request.created_by;
  document.command = request.command;
  document.question = "How good are forecasts of campaigns that were not seen?";
  if (request.table.cases == 0) {
    document.answer = {"No figure can be scored: none of them could vary."};
  } else {
    for (auto const& sentence : score_sentences(request.table)) {
      document.answer.push_back(sentence + ".");
    }
    document.sections = {campaigns_section(request.table), figures_section(request.table),
                         ranks_section(request.table.ranks), intervals_section(request.records)};
    if (request.conformal != nullptr) {
      document.sections.push_back(conformal_section(*request.conformal));
    }
  }
  document.assumptions = {
      "Skill is 1 - score / score of a plain guess: the last campaign's figures, scaled by jobs.",
      "Figures of one campaign depend on each other."};
  document.sections.push_back(provenance({}, request.created_by, request.command, request.inputs));
  return document;
}

}  // namespace gridcast::report
