#include "sim/cli/command_line.hpp"

#include <vector>

#include "sim/cli/terminal.hpp"
#include "tests/test.hpp"

namespace gridcast::cli {
namespace {

TEST_CASE("a command line can be typed again", "[command_line]") {
  CHECK(typed_again({"/x/gridcast", "forecast", "a.yaml", "--seed", "3"}) ==
        "gridcast forecast a.yaml --seed 3");
  CHECK(typed_again({"gridcast", "my log", "it's", "", "$(rm)"}) ==
        "gridcast 'my log' 'it'\\''s' '' '$(rm)'");
}

TEST_CASE("more options can follow a command line", "[command_line]") {
  CHECK(with_room_for_options({"./gridcast", "ledger", "--", "-x.log", "my log"}) ==
        "./gridcast ledger ./-x.log 'my log'");
  CHECK(with_room_for_options({"gridcast", "compare", "a.yaml", "--report", "a.html"}) ==
        "gridcast compare a.yaml --report a.html --force");
  CHECK(with_room_for_options({"gridcast", "compare", "a.yaml", "--on", "local"}) ==
        "gridcast compare a.yaml --on local");
  CHECK(with_room_for_options({"gridcast", "ledger", "a\nb"}) == "gridcast ledger $'a\\x0ab'");
}

TEST_CASE("a word has quotes where it needs them") {
  CHECK(shell_word("a/b-1.csv") == "a/b-1.csv");
  CHECK(shell_word("my log.log") == "'my log.log'");
  CHECK(shell_word("") == "''");
}

TEST_CASE("the command line of the process has its words", "[command_line]") {
  CHECK(own_command_line().starts_with("gridcast"));
}

/// The message for a person who types this; empty if nothing is wrong.
std::string printed(std::vector<char const*> words) {
  auto const version = [] { return std::string("gridcast 1"); };
  CommandLine line("", version, version);
  Verb program = line.program();
  add_forecast(program);
  add_compare(program);
  add_calibrate(program);
  return line.parse({words.begin(), words.end()}).text;
}

TEST_CASE("a good command line is not commented upon", "[command_line]") {
  CHECK(printed({"forecast", "s.yaml"}).empty());
  CHECK(printed({"forecast", "--against", "a.csv", "b.csv", "--seed", "0", "s.yaml"}).empty());
  CHECK(printed({"compare", "s.yaml", "-n", "20", "-j1", "--json"}).empty());
  CHECK(printed({"forecast", "s.yaml", "--seed", "18446744073709551615"}).empty());
}

TEST_CASE("slips are reported with the nearest word", "[command_line]") {
  CHECK(printed({"forcast", "s.yaml"}) ==
        "gridcast: unknown verb 'forcast'. Did you mean 'forecast'?");
  CHECK(printed({"forecast", "s.yaml", "--sead", "3"}) ==
        "gridcast forecast: unknown option '--sead'. Did you mean '--seed'?");
  CHECK(printed({"forecast", "--jsn"}) ==
        "gridcast forecast: unknown option '--jsn'. Did you mean '--json'?");
}

TEST_CASE("an option of other verbs is refused with their names", "[command_line]") {
  CHECK(printed({"calibrate", "x", "--set", "a=1"}) ==
        "gridcast calibrate: has no option '--set'. gridcast forecast, gridcast compare, "
        "gridcast calibrate --check have it.");
}

TEST_CASE("the refusal of a value names the right values", "[command_line]") {
  using test::has_text;
  CHECK_THAT(printed({"forecast", "s.yaml", "-n", "0"}),
             has_text("-n/--replicas: '0' is not a whole number from 1 to"));
  CHECK_THAT(printed({"forecast", "s.yaml", "-j", "0"}), has_text("-j/--workers: '0'"));
  for (auto const* value : {"abc", "-1", "1.5", "1e3", "18446744073709551616", " 1"}) {
    INFO(value);
    CHECK_THAT(printed({"forecast", "s.yaml", "--seed", value}),
               has_text("--seed: '" + std::string(value) + "' is not a whole number"));
  }
  CHECK_THAT(printed({"compare", "s.yaml", "--network", "fats"}),
             has_text("'fats' is none of its values. Did you mean 'fast'?"));
  CHECK_THAT(printed({"forecast", "s.yaml", "--seed"}), has_text("--seed needs a value"));
  CHECK_THAT(printed({"forecast", "s.yaml", "--seed", "1", "--seed", "2"}),
             has_text("--seed is given more than once"));
}

TEST_CASE("a number in a range is a finite one") {
  using test::has_text;
  for (char const* value : {"nan", "-nan", "inf", "-1", "3.01", "x"}) {
    CAPTURE(value);
    CHECK_THAT(
        printed({"calibrate", "a.log", "-o", "a.yaml", "--between-campaigns", value}),
        has_text("--between-campaigns: '" + std::string(value) + "' is not a number from 0 to 3"));
  }
  for (char const* value : {"0", "0.5", "3", "3e-1"}) {
    CHECK(printed({"calibrate", "a.log", "-o", "a.yaml", "--between-campaigns", value}).empty());
  }
}

TEST_CASE("missing and superfluous words are reported", "[command_line]") {
  using test::has_text;
  CHECK_THAT(printed({}), has_text("which verb? forecast, compare, calibrate."));
  CHECK_THAT(printed({"forecast"}), has_text("gridcast forecast: WORK is required"));
  CHECK_THAT(printed({"compare", "status", "a", "b"}), has_text("'b' is one argument too many"));
}

TEST_CASE("help is of the verb that it was asked for", "[command_line]") {
  CommandLine line(
      "", [] { return std::string(); }, [] { return std::string("in full"); });
  Verb program = line.program();
  Verb group = program.verb("export", "Files for others");
  bool utc = false;
  group.verb("log", "A log").group("Dates").flag("--utc", utc, "In UTC");
  Request const request = line.parse({"export", "log", "--help"});
  CHECK(request.kind == Request::Kind::help);
  CHECK(request.help.path == "gridcast export log");
  CHECK(request.help.options.back().group == "Dates");
  CHECK(program.tree().verbs.front().verbs.size() == 1);
}

TEST_CASE("an inner verb or a mode lifts the requirements of the outer verb", "[command_line]") {
  CHECK(printed({"compare", "status", "a.study"}).empty());
  CHECK(printed({"calibrate", "a.yaml", "--check", "--against", "a.log"}).empty());
  CHECK(printed({"calibrate", "--check", "a.log", "--leave-one", "part"}).empty());
  CHECK_THAT(printed({"calibrate", "--check"}), test::has_text("gridcast calibrate --check: FILE"));
  CHECK_THAT(printed({"calibrate", "a.log"}), test::has_text("--out is required"));
}

TEST_CASE("names of version 0.1 become present names, with a note", "[command_line]") {
  using Words = std::vector<std::string>;
  struct Case {
    Words old, now, notes;
  };
  std::vector<Case> const cases = {
      {{"forecast", "s.yaml", "-n", "3"}, {"forecast", "s.yaml", "-n", "3"}, {}},
      {{"predict", "s.yaml", "--jobs=2"},
       {"forecast", "s.yaml", "--workers=2"},
       {"predict is now forecast", "--jobs is now --workers"}},
      {{"run", "s.yaml", "--out", "d"},
       {"forecast", "--once", "s.yaml", "--out", "d"},
       {"run is now forecast --once"}},
      {{"import", "dag", "w.dag", "--log", "a.log"},
       {"init", "w.dag", "--record", "a.log"},
       {"import dag is now init", "--log is now --record"}},
      {{"validate", "--recover", "3", "s.yaml"},
       {"calibrate", "--check", "--recover", "3", "s.yaml"},
       {"validate is now calibrate --check"}},
      {{"study", "gather", "a.study"}, {"compare", "gather", "a.study"}, {"study is now compare"}},
      {{"report", "a.json"}, {"export", "html", "a.json"}, {"report is now export html"}},
      {{"ledger", "run", "--jobs"}, {"ledger", "run", "--jobs"}, {}},
      {{"init", "--jobs", "3"}, {"init", "--jobs", "3"}, {}},
      {{}, {}, {}}};
  for (auto const& each : cases) {
    auto const renamed = with_new_names(each.old);
    CHECK(renamed.words == each.now);
    CHECK(renamed.notes == each.notes);
  }
  CHECK(new_name("train") == "profile");
  CHECK(new_name("ledger").empty());
}

TEST_CASE("progress shows rate, time left and failures", "[progress]") {
  CHECK(progress_line(0, 0, 10, 0) == "0 of 10 runs");
  CHECK(progress_line(400, 0, 1000, 4) == "400 of 1000 runs, 100/s, 6 s left");
  CHECK_THAT(progress_line(400, 2, 1000, 4), test::has_text(", 2 failed"));
}

}  // namespace
}  // namespace gridcast::cli
