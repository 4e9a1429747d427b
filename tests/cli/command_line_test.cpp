#include "sim/cli/command_line.hpp"

#include <vector>

#include "sim/cli/terminal.hpp"
#include "sim/cli/verbs.hpp"
#include "tests/test.hpp"

namespace gridcast::cli {
namespace {

TEST_CASE("a command line can be typed again", "[command_line]") {
  CHECK(typed_again({"/x/gridcast", "run", "a.yaml", "--seed", "3"}) ==
        "gridcast run a.yaml --seed 3");
  CHECK(typed_again({"gridcast", "my log", "it's", "", "$(rm)"}) ==
        "gridcast 'my log' 'it'\\''s' '' '$(rm)'");
}

TEST_CASE("a word has quotes where it needs them") {
  CHECK(shell_word("a/b-1.csv") == "a/b-1.csv");
  CHECK(shell_word("my log.log") == "'my log.log'");
  CHECK(shell_word("") == "''");
}

TEST_CASE("that of the process has its words", "[command_line]") {
  CHECK(own_command_line().starts_with("gridcast"));
}

/// What a person is told who types this; empty if nothing is wrong.
std::string told(std::vector<char const*> words) {
  auto const version = [] { return std::string("gridcast 1"); };
  CommandLine line("", version, version);
  Verb program = line.program();
  add_predict(program);
  add_compare(program);
  add_calibrate(program);
  words.insert(words.begin(), "gridcast");
  return line.parse(static_cast<int>(words.size()), words.data()).text;
}

TEST_CASE("a good command line is not commented upon", "[command_line]") {
  CHECK(told({"predict", "s.yaml"}).empty());
  CHECK(told({"predict", "--against", "a.csv", "b.csv", "--seed", "0", "s.yaml"}).empty());
  CHECK(told({"compare", "s.yaml", "-n", "20", "-j1", "--json"}).empty());
  CHECK(told({"predict", "s.yaml", "--seed", "18446744073709551615"}).empty());
}

TEST_CASE("slips are told with the nearest word", "[command_line]") {
  CHECK(told({"predct", "s.yaml"}) == "gridcast: unknown verb 'predct'. Did you mean 'predict'?");
  CHECK(told({"predict", "s.yaml", "--sead", "3"}) ==
        "gridcast predict: unknown option '--sead'. Did you mean '--seed'?");
  CHECK(told({"predict", "--jsn"}) ==
        "gridcast predict: unknown option '--jsn'. Did you mean '--json'?");
}

TEST_CASE("values are refused with what would be right", "[command_line]") {
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

TEST_CASE("a number in a range is a finite one") {
  using test::has_text;
  for (char const* value : {"nan", "-nan", "inf", "-1", "3.01", "x", ""}) {
    CAPTURE(value);
    CHECK_THAT(
        told({"calibrate", "a.log", "-o", "a.yaml", "--between-campaigns", value}),
        has_text("--between-campaigns: '" + std::string(value) + "' is not a number from 0 to 3"));
  }
  for (char const* value : {"0", "0.5", "3", "3e-1"}) {
    CHECK(told({"calibrate", "a.log", "-o", "a.yaml", "--between-campaigns", value}).empty());
  }
}

TEST_CASE("what is missing or too much is told", "[command_line]") {
  using test::has_text;
  CHECK_THAT(told({}), has_text("which verb? predict, compare, calibrate."));
  CHECK_THAT(told({"predict"}), has_text("gridcast predict: SCENARIO is required"));
  CHECK_THAT(told({"compare", "a.yaml", "b.yaml"}), has_text("'b.yaml' is one argument too many"));
}

TEST_CASE("help is of the verb that it was asked for", "[command_line]") {
  CommandLine line(
      "", [] { return std::string(); }, [] { return std::string("in full"); });
  Verb program = line.program();
  Verb group = program.verb("import", "Files of others");
  bool utc = false;
  group.verb("log", "A log").group("Dates").flag("--utc", utc, "In UTC");
  char const* const words[] = {"gridcast", "import", "log", "--help"};
  Request const request = line.parse(4, words);
  CHECK(request.kind == Request::Kind::help);
  CHECK(request.help.path == "gridcast import log");
  CHECK(request.help.options.back().group == "Dates");
  CHECK(program.tree().verbs.front().verbs.size() == 1);
}

TEST_CASE("progress tells rate, time left and failures", "[progress]") {
  CHECK(progress_line(0, 0, 10, 0) == "0 of 10 runs");
  CHECK(progress_line(400, 0, 1000, 4) == "400 of 1000 runs, 100/s, 6 s left");
  CHECK_THAT(progress_line(400, 2, 1000, 4), test::has_text(", 2 failed"));
}

}  // namespace
}  // namespace gridcast::cli
