#include "sim/report/data/scores_data.hpp"

#include <array>
#include <cmath>

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
                    {"expected95", rounded_interval(each.expected95)}});
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

}  // namespace gridcast::report
