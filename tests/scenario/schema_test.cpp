#include <filesystem>

#include <nlohmann/json.hpp>

#include "sim/base/files.hpp"
#include "sim/scenario/scenario.hpp"
#include "tests/test.hpp"

namespace gridcast::scenario {

using test::has_text;

namespace {

std::filesystem::path source(std::string const& name) { return test::source_dir() / name; }

}  // namespace

TEST_CASE("docs/scenario.schema.json is what `gridcast schema` prints") {
  CHECK(read_text_file(source("docs/scenario.schema.json")) == scenario_schema());
}

TEST_CASE("docs/scenario.md is what `gridcast schema --markdown` prints") {
  CHECK(read_text_file(source("docs/scenario.md")) == scenario_reference());
}

TEST_CASE("The schema says what the reader checks") {
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
