#include "sim/report/data/scores_data.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "sim/base/error.hpp"
#include "sim/base/files.hpp"
#include "sim/base/json_fields.hpp"
#include "sim/ledger/metrics.hpp"
#include "sim/report/data/csv.hpp"

namespace gridcast::report {
namespace {

/// Times, counts and ratios have no upper limit; a percentage of a whole has one.
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

/// The row's factor; adds its problems to `problems`.
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
                 "figures are named as in JSON",
                 "gridcast calibrate --check --csv DIR writes this file.");
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

std::string scores_json(ScoresFacts const& facts, study::ScoreTable const& table,
                        study::ConformalTable const* conformal) {
  Json json;
  JsonWriter row(json);
  row("schema", std::string(validation_schema));
  row("design", facts.design);
  row.unless_empty("calibration", facts.calibration);
  row("replicas", facts.replicas);
  row("seed", facts.seed);
  study::ScoreTable::fields(row, table);
  if (conformal != nullptr) row("conformal", *conformal);
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
         "gridcast calibrate --check RECORD... --leave-one campaign --csv DIR writes one from "
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
