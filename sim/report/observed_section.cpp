#include "sim/report/observed_section.hpp"

#include <fmt/format.h>

#include "sim/report/page/shown.hpp"

namespace gridcast::report {
namespace {

std::vector<ReportColumn> columns() {
  return {{"figure", "figure", "", "text"},
          {"observed", "observed"},
          {"lo", "predicted, 5 %"},
          {"hi", "predicted, 95 %"},
          {"p50", "predicted, median"},
          {"inside", "in the central 90 %", "", "text"},
          {"position", "place"},
          {"unit", "unit", "", "text"}};
}

std::vector<ReportCell> row_of(ResultPlace const& place) {
  auto const words = words_of(place.name);
  return {std::string(words.words), place.observed,
          place.predicted.p05,      place.predicted.p95,
          place.predicted.p50,      place.inside ? "yes" : "no",
          place.position,           place.name.ends_with("_s") ? "s" : ""};
}

std::string says(ResultAgainst const& against) {
  std::size_t inside = 0;
  std::vector<std::string> outside;
  for (auto const& place : against.places) {
    inside += place.inside ? 1U : 0U;
    if (!place.inside) outside.emplace_back(words_of(place.name).words);
  }
  std::string text = fmt::format(
      "{} of {} observed figures lie in the central 90 % of what was "
      "predicted",
      inside, against.places.size());
  constexpr std::size_t most_named = 5;
  if (outside.empty()) return text + ".";
  if (outside.size() > most_named) {
    outside.resize(most_named);
    outside.emplace_back("others");
  }
  return text + "; not " + list_text(outside) + ".";
}

}  // namespace

ReportPart observed_section(std::vector<Result> const& results) {
  ReportSection section{"observed-and-predicted", "Observed and predicted", {}, {}, {}, {}, {}};
  for (auto const& result : results) {
    if (!result.against || result.against->places.empty()) continue;
    ReportFigure figure;
    figure.id = fmt::format("coverage-{}", section.figures.size() + 1);
    figure.title = "Each observed figure in its predicted interval";
    figure.says = says(*result.against);
    figure.spec = "coverage";
    figure.data.columns = columns();
    for (auto const& place : result.against->places) figure.data.rows.push_back(row_of(place));
    if (result.against->executions > 0) {
      section.text.push_back(fmt::format(
          "Of {} executions that gave a result, {} lasted within 5 % of the predicted median of "
          "their site.",
          result.against->executions, result.against->executions_within));
    }
    section.figures.push_back(std::move(figure));
  }
  if (section.figures.empty()) return {};
  return {std::move(section), ""};
}

}  // namespace gridcast::report
