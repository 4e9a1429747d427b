#include "sim/report/data/scores_data.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "sim/base/error.hpp"
#include "sim/base/files.hpp"
#include "sim/ledger/metrics.hpp"
#include "sim/report/data/csv.hpp"
#include "sim/report/data/json.hpp"

namespace gridcast::report {
namespace {

Json rounded_interval(Interval const& interval) {
  return Json::array({json_number(interval.low), json_number(interval.high)});
}

Json line_json(study::ScoreLine const& line) {
  Json json;
  json["name"] = line.name;
  if (!line.from.empty()) json["from"] = line.from;
  json["cases"] = line.cases;
  for (std::size_t i = 0; i < study::coverage_levels.size(); ++i) {
    json["inside_" + std::to_string(std::lround(100 * study::coverage_levels[i]))] = line.inside[i];
  }
  json["median_rank"] = json_number(line.median_rank);
  if (line.from.empty()) json["crps"] = json_number(line.crps);
  json["skill_last"] = json_number(line.skill_last);
  json["skill_spread"] = json_number(line.skill_spread);
  json["width_of_repeats"] = json_number(line.width_of_repeats);
  json["ignorance"] = json_number(line.ignorance);
  return json;
}

Json lines_json(std::vector<study::ScoreLine> const& lines) {
  Json json = Json::array();
  for (auto const& line : lines) json.push_back(line_json(line));
  return json;
}

Json coverage_json(std::vector<study::Coverage> const& coverage) {
  Json json = Json::array();
  for (auto const& each : coverage) {
    json.push_back({{"level", json_number(each.level)},
                    {"cases", each.cases},
                    {"inside", each.inside},
                    {"share95", rounded_interval(each.share95)},
                    {"expected", json_number(each.expected)},
                    {"expected95", rounded_interval(each.expected95)},
                    {"in_parts", json_number(each.in_parts)},
                    {"in_parts95", rounded_interval(each.in_parts95)}});
  }
  return json;
}

Json skill_json(study::Skill const& skill) {
  return {{"cases", skill.cases},
          {"skill", json_number(skill.skill)},
          {"ci95", rounded_interval(skill.ci95)},
          {"better_than_a_guess", skill.proven()}};
}

Json conformal_json(study::ConformalTable const& table) {
  Json factors = Json::array();
  for (auto const& each : table.factors) {
    factors.push_back({{"figure", each.figure},
                       {"campaigns", each.campaigns},
                       {"factor", json_number(each.factor)}});
  }
  return {{"factors", std::move(factors)}, {"cases", table.cases}, {"inside", table.inside}};
}

}  // namespace

std::string scores_json(ScoresFacts const& facts, study::ScoreTable const& table,
                        study::ConformalTable const* conformal) {
  Json json;
  json["schema"] = validation_schema;
  json["design"] = facts.design;
  if (!facts.calibration.empty()) json["calibration"] = facts.calibration;
  json["replicas"] = facts.replicas;
  json["seed"] = facts.seed;
  json["campaigns"] = table.campaigns;
  json["cases"] = table.cases;
  json["coverage"] = coverage_json(table.coverage);
  json["ranks"] = {{"counts", table.ranks.counts},
                   {"chi_square", json_number(table.ranks.chi_square)},
                   {"p_value", json_number(table.ranks.p_value)}};
  json["crps_skill"] = {{"last", skill_json(table.crps_last)},
                        {"spread", skill_json(table.crps_spread)}};
  json["winkler_skill"] = {{"spread", skill_json(table.winkler_spread)}};
  json["width_of_repeats"] = json_number(table.width_of_repeats);
  json["ignorance"] = json_number(table.ignorance);
  json["figures"] = lines_json(table.figures);
  json["records"] = lines_json(table.records);
  json["not_counted"] = table.not_counted;
  if (conformal != nullptr) json["conformal"] = conformal_json(*conformal);
  return json_text(json);
}

std::string scores_csv(std::vector<study::ScoredRecord> const& records) {
  std::string text = csv_line({"record", "from", "figure", "counted", "observed", "p05", "p25",
                               "p50", "p75", "p95", "rank", "crps", "last"});
  for (auto const& record : records) {
    for (auto const& figure : record.figures) {
      auto values = figure.forecast;
      std::erase_if(values, [](double x) { return std::isnan(x); });
      auto const q = quantiles(values, std::array{0.05, 0.25, 0.5, 0.75, 0.95});
      std::vector<std::string> cells = {record.record, record.from, figure.figure,
                                        study::counts(figure) ? "yes" : "no",
                                        csv_number(figure.observed)};
      for (double const value : q) cells.push_back(csv_number(value));
      cells.push_back(csv_number(rank_of(figure.observed, values).middle()));
      cells.push_back(csv_number(fair_crps(values, figure.observed)));
      cells.push_back(csv_number(figure.last));
      text += csv_line(cells);
    }
  }
  return text;
}

namespace {

/// Times, counts and ratios have no end; a percentage of something that is all of it has.
Interval possible_values(std::string const& figure) {
  auto const* metric = ledger::find_metric(figure);
  bool const share = metric != nullptr && metric->unit == ledger::Unit::percent;
  return {0, share ? 1 : std::numeric_limits<double>::infinity()};
}

std::optional<double> number_in(std::string const& text) {
  double value = 0;
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  bool const whole = error == std::errc() && end == text.data() + text.size();
  return whole && value >= 0 ? std::optional(value) : std::nullopt;
}

/// The row's factor; what is wrong with it goes to `problems`.
std::optional<study::ConformalFactor> factor_of(history::CsvRow const& row, std::string const& file,
                                                std::vector<Problem>& problems) {
  history::CellReader cells(file, problems);
  if (row.size() != 3) {
    cells.report(row.front(), fmt::format("{} cells in a row of 3", row.size()),
                 "a row is figure,campaigns,factor");
    return std::nullopt;
  }
  if (ledger::find_metric(row[0].text) == nullptr) {
    cells.report(row[0], fmt::format("no figure is called \"{}\"", row[0].text),
                 "figures are named as in JSON", "gridcast validate --csv DIR writes this file.");
    return std::nullopt;
  }
  auto const factor = number_in(row[2].text);
  if (!factor) {
    cells.report(row[2], fmt::format("the factor is \"{}\"", row[2].text),
                 "it is a number from 0, or inf");
    return std::nullopt;
  }
  constexpr std::int64_t most = 1000000;
  auto const campaigns = cells.count(row[1], "campaigns", most);
  return study::ConformalFactor{row[0].text, static_cast<std::size_t>(campaigns), *factor};
}

}  // namespace

std::string conformal_csv(study::ConformalTable const& table) {
  std::string text = csv_line({"figure", "campaigns", "factor"});
  for (auto const& each : table.factors) {
    text += csv_line({each.figure, std::to_string(each.campaigns), fmt::format("{}", each.factor)});
  }
  return text;
}

std::vector<study::ConformalFactor> read_conformal(std::filesystem::path const& file) {
  std::vector<Problem> problems;
  auto const rows = history::parse_csv(read_text_file(file), file.string(), problems);
  std::vector<study::ConformalFactor> factors;
  if (rows.empty() || rows.front().front().text != "figure") {
    problems.push_back(
        {{file.string(), 1, 1},
         "no table of conformal corrections",
         "its header is figure,campaigns,factor",
         "gridcast validate RECORD... --leave-one campaign --csv DIR writes one from "
         "nine campaigns or more."});
  }
  bool const is_table = problems.empty();
  for (std::size_t i = 1; is_table && i < rows.size(); ++i) {
    if (auto factor = factor_of(rows[i], file.string(), problems)) factors.push_back(*factor);
  }
  if (!problems.empty()) throw InputError(std::move(problems));
  return factors;
}

void correct(Result& prediction, std::vector<study::ConformalFactor> const& factors) {
  for (auto const& each : factors) {
    auto& metrics = prediction.strategies.front().metrics;
    auto const found = metrics.find(each.figure);
    if (found == metrics.end()) continue;
    found->second = corrected(found->second, each.factor, possible_values(each.figure));
    prediction.conformal_campaigns = std::max(prediction.conformal_campaigns, each.campaigns);
  }
}

}  // namespace gridcast::report
