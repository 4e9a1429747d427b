#include "sim/report/data/scores_data.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "sim/base/json_fields.hpp"
#include "sim/report/data/csv.hpp"

namespace gridcast::report {

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
