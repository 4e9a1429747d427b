#include <vector>

#include "sim/cli/arguments.hpp"
#include "sim/cli/compare.hpp"
#include "sim/cli/predict.hpp"
#include "sim/cli/progress.hpp"
#include "sim/cli/usage_error.hpp"
#include "tests/test.hpp"

namespace gridcast::cli {
namespace {

/// What a person is told who types this; empty if nothing is wrong.
std::string told(std::vector<std::string> arguments) {
  CLI::App app("", "gridcast");
  app.require_subcommand(0, 1);
  bool chosen = false;
  auto const select = [&chosen](std::function<int()> const&) { chosen = true; };
  add_predict(app, select);
  add_compare(app, select);
  std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
  try {
    app.parse(reversed);
  } catch (CLI::ParseError const& error) {
    return usage_message(app, error);
  }
  return chosen ? "" : no_verb_message(app);
}

TEST_CASE("a good command line is not commented upon", "[usage]") {
  CHECK(told({"predict", "s.yaml"}).empty());
  CHECK(told({"predict", "--against", "a.csv", "b.csv", "--seed", "0", "s.yaml"}).empty());
  CHECK(told({"compare", "s.yaml", "-n", "20", "-j1", "--json"}).empty());
  CHECK(told({"predict", "s.yaml", "--seed", "18446744073709551615"}).empty());
}

TEST_CASE("slips are told with the nearest word", "[usage]") {
  CHECK(told({"predct", "s.yaml"}) == "gridcast: unknown verb 'predct'. Did you mean 'predict'?");
  CHECK(told({"predict", "s.yaml", "--sead", "3"}) ==
        "gridcast predict: unknown option '--sead'. Did you mean '--seed'?");
  CHECK(told({"predict", "--jsn"}) ==
        "gridcast predict: unknown option '--jsn'. Did you mean '--json'?");
}

TEST_CASE("values are refused with what would be right", "[usage]") {
  using test::has_text;
  CHECK_THAT(told({"predict", "s.yaml", "-n", "0"}),
             has_text("-n/--replicas: '0' is not a whole number from 1 to"));
  CHECK_THAT(told({"predict", "s.yaml", "-j", "0"}), has_text("-j/--jobs: '0'"));
  for (auto const* value : {"abc", "-1", "1.5", "1e3", "18446744073709551616", " 1"}) {
    INFO(value);
    CHECK_THAT(told({"predict", "s.yaml", "--seed", value}),
               has_text("--seed: '" + std::string(value) + "' is not a whole number"));
  }
  CHECK_THAT(told({"compare", "s.yaml", "--network", "fats"}),
             has_text("'fats' is none of its values. Did you mean 'fast'?"));
  CHECK_THAT(told({"predict", "s.yaml", "--seed"}), has_text("--seed needs a value"));
  CHECK_THAT(told({"predict", "s.yaml", "--seed", "1", "--seed", "2"}),
             has_text("--seed is given more than once"));
}

TEST_CASE("what is missing or too much is told", "[usage]") {
  using test::has_text;
  CHECK_THAT(told({}), has_text("which verb? predict, compare."));
  CHECK_THAT(told({"predict"}), has_text("gridcast predict: SCENARIO is required"));
  CHECK_THAT(told({"compare", "a.yaml", "b.yaml"}), has_text("'b.yaml' is one argument too many"));
}

TEST_CASE("progress tells rate, time left and failures", "[progress]") {
  CHECK(progress_line(0, 0, 10, 0) == "0 of 10 runs");
  CHECK(progress_line(400, 0, 1000, 4) == "400 of 1000 runs, 100/s, 6 s left");
  CHECK_THAT(progress_line(400, 2, 1000, 4), test::has_text(", 2 failed"));
}

}  // namespace
}  // namespace gridcast::cli
