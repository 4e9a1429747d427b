#include "sim/study/value_of_parameters.hpp"

#include <algorithm>
#include <cmath>

#include "sim/study/record.hpp"
#include "tests/test.hpp"

namespace gridcast::study {
namespace {

constexpr std::size_t draws = 400;

/// Successes of 100 jobs under each strategy, for a value between 0 and 1 of the first parameter.
using SuccessesAt = std::vector<double> (*)(double);

/// One replica of each draw. Parameters: one that decides, one that is unrelated, one constant.
Comparison comparison_of(std::vector<std::string> strategies, SuccessesAt succeeded,
                         double (*explanation_at)(double) = nullptr) {
  Comparison comparison;
  comparison.strategies = std::move(strategies);
  comparison.seed = 3;
  comparison.preferences.wanted = 1;
  ParameterTable table{{"x", "unrelated", "constant"}, {"decides", "does not", "the same"}, {}};
  auto const names = record_names({});
  for (auto const& strategy : comparison.strategies) {
    auto const s = comparison.samples.size();
    StudySample sample{names, {}, {}};
    for (std::size_t i = 0; i < draws; ++i) {
      double const x = (static_cast<double>((i * 7) % draws) + 0.5) / draws;
      if (strategy == comparison.strategies.front()) {
        table.rows.push_back({x, static_cast<double>((i * 131) % 97), 5});
      }
      Record record(names.size(), not_known);
      record[column_index(sample, "jobs")] = 100;
      record[column_index(sample, "succeeded")] =
          succeeded(x)[s] + 0.1 * static_cast<double>(i % 3);
      record[column_index(sample, "wallclock_s")] = 3600;
      record[column_index(sample, "draw")] = static_cast<double>(i);
      auto const explanation = explanation_at == nullptr ? not_known : explanation_at(x);
      record[column_index(sample, "hypothesis")] = explanation;
      sample.replicas.push_back(static_cast<std::uint32_t>(i));
      sample.records.emplace_back(std::move(record));
    }
    comparison.samples.push_back(std::move(sample));
  }
  comparison.parameters = std::make_shared<ParameterTable const>(std::move(table));
  return comparison;
}

TEST_CASE("the value of a parameter is the gain of the choice that follows it", "[value]") {
  // "steady" finishes 90 jobs, "bold" 99 in one half and 60 in the other: without knowledge 90,
  // with it (99 + 90) / 2.
  auto const comparison = comparison_of({"steady", "bold"}, [](double x) {
    return std::vector<double>{90, x < 0.5 ? 99.0 : 60.0};
  });
  auto const values = parameter_values(comparison, choose(comparison));
  REQUIRE(values.size() == 1);
  CHECK(values[0].name == "x");
  CHECK(values[0].meaning == "decides");
  CHECK(values[0].share == Approx(4.5 / 90.1).epsilon(0.01));
  CHECK(values[0].ci95.low > 0.03);
  CHECK(values[0].ci95.high < 0.07);
  REQUIRE(values[0].ranges.size() == 2);
  CHECK(values[0].ranges[0].choice == 1);
  CHECK(values[0].ranges[0].upto == Approx(0.5).margin(0.01));
  CHECK(values[0].ranges[1].choice == 0);
  CHECK(std::isinf(values[0].ranges[1].upto));
}

TEST_CASE("the explanation has a value, and a log that shows a part of it has less", "[value]") {
  // Under each of four explanations, in a quarter of the draws, another strategy finishes 90 jobs;
  // the other three finish 50. Without knowledge 60. A log separates two and two: (90 + 50) / 2.
  using scenario::Hypothesis;
  auto const quarter = [](double x) { return std::floor(4 * x); };
  auto const comparison = comparison_of(
      {"a", "b", "c", "d"},
      [](double x) {
        std::vector<double> succeeded(4, 50);
        succeeded[static_cast<std::size_t>(4 * x)] = 90;
        return succeeded;
      },
      quarter);
  auto const values = parameter_values(comparison, choose(comparison));
  REQUIRE(values.front().name == "explanation");
  CHECK(values.front().share == Approx(30 / 60.1).epsilon(0.02));
  REQUIRE(values.front().ranges.size() == 4);
  for (BestInRange const& range : values.front().ranges) {
    CHECK(range.name == name(static_cast<Hypothesis>(range.choice)));
  }
  auto const log = std::find_if(values.begin(), values.end(),
                                [](auto const& value) { return value.name == "starter_log"; });
  REQUIRE(log != values.end());
  CHECK(log->share == Approx(10 / 60.1).epsilon(0.1));
  REQUIRE(log->ranges.size() == 2);
  for (BestInRange const& range : log->ranges) {
    CHECK((range.name == "no byte came") == (range.choice < 2));
  }
}

TEST_CASE("a parameter that changes figures but no choice has no value", "[value]") {
  auto const comparison = comparison_of({"better", "worse"}, [](double x) {
    return std::vector<double>{70 + 20 * x, 60 + 20 * x};
  });
  CHECK(parameter_values(comparison, choose(comparison)).empty());
}

TEST_CASE("a certain gain that rounds to zero is not listed", "[value]") {
  auto const comparison = comparison_of({"one", "almost-the-same"}, [](double x) {
    return std::vector<double>{90, x < 0.5 ? 90.0001 : 89.9999};
  });
  CHECK(parameter_values(comparison, choose(comparison)).empty());
}

TEST_CASE("a few draws, or no table of them, give no value", "[value]") {
  auto comparison = comparison_of({"steady", "bold"}, [](double x) {
    return std::vector<double>{90, x < 0.5 ? 99.0 : 60.0};
  });
  auto const choice = choose(comparison);
  auto few = comparison;
  for (auto& sample : few.samples) {
    sample.replicas.resize(30);
    sample.records.resize(30);
  }
  CHECK(parameter_values(few, choose(few)).empty());
  comparison.parameters = nullptr;
  CHECK(parameter_values(comparison, choice).empty());
}

}  // namespace
}  // namespace gridcast::study
