#include "sim/report/text/command.hpp"

#include "sim/base/error.hpp"
#include "sim/report/text/help.hpp"
#include "tests/test.hpp"

namespace gridcast::report {
namespace {

using test::has_text;

/// "tool run [OPTIONS] --out DIR FILE...".
Command small_tool() {
  Command run;
  run.path = "tool run";
  run.words = "Runs what isn't running";
  run.examples = {"tool run a.yaml --mode fast"};
  CommandOption file, mode, out;
  file.names = {"FILE"};
  file.required = file.repeated = true;
  mode.names = {"-m", "--mode"};
  mode.value = "MODE";
  mode.fallback = "slow";
  mode.words = "How fast";
  mode.choices = {"slow", "fast"};
  out.names = {"--out"};
  out.value = "DIR";
  out.words = "Where to (default: here)";
  out.fallback = "somewhere";
  out.required = true;
  run.positionals = {file};
  run.options = {mode, out};
  Command tool;
  tool.path = "tool";
  tool.words = "A tool";
  tool.verbs = {run};
  return tool;
}

TEST_CASE("a synopsis has the required arguments", "[command]") {
  CHECK(synopsis(small_tool()) == "tool VERB");
  CHECK(synopsis(small_tool().verbs[0]) == "tool run [OPTIONS] --out DIR FILE...");
  CHECK(last_name(small_tool().verbs[0]) == "run");
}

TEST_CASE("the name of a value decides the shell's offers for it", "[command]") {
  auto const run = small_tool().verbs[0];
  CHECK(kind_of_value(run.positionals[0]) == ValueKind::file);
  CHECK(kind_of_value(run.options[0]) == ValueKind::choice);
  CHECK(kind_of_value(run.options[1]) == ValueKind::folder);
  CHECK(kind_of_value({.names = {"--flag"}}) == ValueKind::none);
  CHECK(kind_of_value({.names = {"--seed"}, .value = "N"}) == ValueKind::word);
}

TEST_CASE("help has usage, options with their defaults, and examples", "[command]") {
  CHECK(help_text(small_tool().verbs[0], {Charset::ascii, 80}) ==
        "Runs what isn't running\n"
        "Usage: tool run [OPTIONS] --out DIR FILE...\n"
        "\n"
        "  FILE...\n"
        "\n"
        "Options:\n"
        "  -m, --mode MODE  How fast [slow]\n"
        "  --out DIR        Where to (default: here) [somewhere]\n"
        "\n"
        "Example:\n"
        "  tool run a.yaml --mode fast\n");
}

TEST_CASE("the manual page is the same on every machine, and roff reads it as text", "[command]") {
  auto tool = small_tool();
  tool.verbs[0].options[0].words = ".TH 'quoted' \\back - ±";
  auto const page = man_page(tool, "1.2");
  CHECK_THAT(page, has_text(".TH GRIDCAST 1 \"\" \"gridcast 1.2\""));
  CHECK_THAT(page, has_text("\n\\&.TH \\(aqquoted\\(aq \\eback \\- \\[u00B1] [slow]\n"));
  // A default in the words is the machine's.
  CHECK_THAT(page, has_text("Where to (default: here)\n") && !has_text("somewhere"));
}

TEST_CASE("completions escape quotation marks within quotes", "[command]") {
  CHECK_THAT(zsh_completion(small_tool()), has_text("'run:Runs what isn'\\''t running'"));
  CHECK_THAT(bash_completion(small_tool()), has_text("'tool run -m'|'tool run --mode'"));
}

TEST_CASE("every topic has a page", "[command]") {
  for (auto const& topic : help_topics()) {
    CHECK(topic_text(topic.name, {Charset::ascii, 80}).size() > 100);
    CHECK_FALSE(topic.words.empty());
  }
  REQUIRE_THROWS_AS(topic_text("nothing", {}), InternalError);
}

}  // namespace
}  // namespace gridcast::report
