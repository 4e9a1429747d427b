#include <filesystem>
#include <regex>

#include <nlohmann/json.hpp>

#include "sim/base/files.hpp"
#include "sim/scenario/scenario.hpp"
#include "tests/test.hpp"

namespace gridcast::scenario {

using test::has_text;

namespace {

std::filesystem::path source(std::string const& name) { return test::source_dir() / name; }

}  // namespace

TEST_CASE("docs/scenario.schema.json is the output of `gridcast help schema`") {
  CHECK(read_text_file(source("docs/scenario.schema.json")) == scenario_schema());
}

TEST_CASE("docs/scenario.md names keys that the reference has") {
  std::string const page = read_text_file(source("docs/scenario.md"));
  std::string const reference = scenario_reference();
  auto const from = page.find("## The keys that are used most");
  REQUIRE(from != std::string::npos);
  std::regex const in_backticks("`(?:strategies[.]NAME[.])?([a-z_]+)(?:[.]([a-z_]+))?(?:\\[\\])?`");
  auto const table = page.substr(from, page.find("\n## ", from + 1) - from);
  int keys = 0;
  for (std::sregex_iterator key(table.begin(), table.end(), in_backticks), end; key != end; ++key) {
    for (auto const& name : {key->str(1), key->str(2)}) {
      if (name.empty()) continue;
      INFO(name);
      CHECK_THAT(reference, has_text("\n| `" + name + "` |"));
      ++keys;
    }
  }
  CHECK(keys > 50);
}

TEST_CASE("The schema contains the checks of the reader") {
  auto const schema = nlohmann::json::parse(scenario_schema());
  CHECK(schema["$schema"] == "http://json-schema.org/draft-07/schema#");
  auto const& scenario = schema["definitions"]["scenario"];
  CHECK(scenario["additionalProperties"] == false);
  CHECK(scenario["properties"]["schema"]["enum"][0] == "gridcast.scenario/1");
  auto const& submission =
      scenario["properties"]["campaign"]["properties"]["submit"]["items"]["properties"];
  CHECK(submission["jobs"]["type"] == "integer");
  CHECK(submission["jobs"]["minimum"] == 1);
  CHECK(submission["at"]["type"] == "string");
  auto const& strategy = scenario["properties"]["strategies"]["additionalProperties"]["properties"];
  CHECK(strategy["transfer"]["properties"]["protocol"]["enum"].size() == 3);
  CHECK_THAT(strategy["transfer"]["properties"]["stall_timeout"]["description"].get<std::string>(),
             has_text("(default: 60 min)"));
  auto const& pool = schema["definitions"]["pool"];
  CHECK(pool["required"] == nlohmann::json{"schema"});  // sites, or a platform that contains them
}

}  // namespace gridcast::scenario
