#include "sim/cli/recovery_output.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "sim/base/statistics.hpp"
#include "sim/report/data/csv.hpp"
#include "sim/report/data/json.hpp"
#include "sim/report/text/layout.hpp"

namespace gridcast::cli {
namespace {

/// Ranks are tested for each parameter; of many tests some are small, so the least counts as often as
/// there are tests (Bonferroni).
std::string rank_test_sentence(calibration::RecoveryStudy const& found) {
  std::string worst;
  double least = 2;
  for (auto const& row : found.parameters) {
    double const p = calibration::uniform_ranks_p_value(row.ranks);
    if (p >= least) continue;
    least = p;
    worst = row.name;
  }
  if (worst.empty()) return "";
  auto const tests = static_cast<double>(found.parameters.size());
  double const corrected = std::min(1.0, least * tests);
  return fmt::format(
      "Ranks of the truths among the draws: least even of {}, p = {:.3f} counted {} times{}", worst,
      corrected, found.parameters.size(), corrected < 0.05 ? " (too uneven)" : "");
}

std::vector<std::string> sentences(calibration::RecoveryStudy const& found) {
  std::size_t cases = 0, inside = 0;
  for (auto const& row : found.parameters) {
    cases += row.cases;
    inside += row.inside;
  }
  std::vector<std::string> text = {
      fmt::format("True values inside their 90 % intervals: {} of the parameters that the {} "
                  "simulated campaigns have events of",
                  count_and_percent(inside, cases), found.campaigns)};
  if (!found.parameters.empty()) text.push_back(rank_test_sentence(found));
  return text;
}

}  // namespace

std::string count_and_percent(std::size_t part, std::size_t all) {
  if (all == 0) return "none";
  return fmt::format("{} of {} ({:.0f} %)", part, all,
                     100.0 * static_cast<double>(part) / static_cast<double>(all));
}

std::string recovery_text(calibration::RecoveryStudy const& found) {
  using report::Align;
  report::TextTable text({{"parameter"},
                          {"campaigns with events", Align::right},
                          {"inside 90 %", Align::right},
                          {"truth below", Align::right},
                          {"median rank", Align::right},
                          {"even ranks, p", Align::right}});
  for (auto const& row : found.parameters) {
    text.add_row({row.name, std::to_string(row.cases), std::to_string(row.inside),
                  std::to_string(row.below), fmt::format("{:.2f}", median(row.ranks)),
                  fmt::format("{:.3f}", calibration::uniform_ranks_p_value(row.ranks))});
  }
  std::string words;
  for (auto const& sentence : sentences(found)) words += sentence + "\n";
  return text.str() + "\n" + words;
}

std::string recovery_json(calibration::RecoveryStudy const& found, RecoveryFacts const& facts) {
  report::Json json;
  json["schema"] = "gridcast.recovery/1";
  json["scenario"] = facts.scenario;
  json["evidence"] = facts.evidence;
  json["seed"] = facts.seed;
  json["campaigns"] = found.campaigns;
  json["requested"] = facts.requested;
  json["partial"] = found.interrupted;
  json["failed"] = found.failed;
  json["parameters"] = report::Json::array();
  for (auto const& row : found.parameters) {
    json["parameters"].push_back(
        {{"name", row.name},
         {"cases", row.cases},
         {"inside_90", row.inside},
         {"truth_below", row.below},
         {"ranks", row.ranks},
         {"p_value", report::json_number(calibration::uniform_ranks_p_value(row.ranks))}});
  }
  return report::json_text(json);
}

std::string recovery_csv(calibration::RecoveryStudy const& found) {
  std::string text = report::csv_line({"parameter", "rank"});
  for (auto const& row : found.parameters) {
    for (double const rank : row.ranks) {
      text += report::csv_line({row.name, report::csv_number(rank)});
    }
  }
  return text;
}

report::ReportDocument recovery_page(calibration::RecoveryStudy const& found,
                                     RecoveryFacts const& facts) {
  using report::columns, report::number_column, report::text_column;
  report::ReportDocument document;
  document.kind = "validation";
  document.title = facts.scenario;
  document.subtitle = "Calibrations held against simulated campaigns whose parameters are known";
  document.question = "Do the fits find the parameters of simulated campaigns?";
  for (auto const& sentence : sentences(found)) document.answer.push_back(sentence + ".");
  document.assumptions = {
      "The campaigns are simulated by the model that is fitted: a fault of the model itself does "
      "not "
      "show."};
  report::ReportTable table{
      "recovery",
      "Parameters",
      {columns(text_column("parameter"), number_column("cases", "campaigns with events"),
               number_column("inside", "inside 90 %"), number_column("below", "truth below"),
               number_column("rank", "median rank"), number_column("p", "even ranks, p"))}};
  for (auto const& row : found.parameters) {
    table.data.rows.push_back({row.name, static_cast<double>(row.cases),
                               static_cast<double>(row.inside), static_cast<double>(row.below),
                               median(row.ranks), calibration::uniform_ranks_p_value(row.ranks)});
  }
  report::ReportSection section{"recovery", "True values and fitted intervals"};
  section.table = std::move(table);
  document.sections.push_back(std::move(section));
  return document;
}

}  // namespace gridcast::cli
