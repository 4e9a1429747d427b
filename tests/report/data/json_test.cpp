#include "sim/report/data/json.hpp"

#include <cmath>

#include "tests/test.hpp"

namespace gridcast::report {
namespace {

TEST_CASE("values of their types, and what stands for those that are not there", "[json_reader]") {
  auto const json = parse_json(
      R"({"n": 1.5, "c": 3, "t": "x", "f": true, "i": [1, 2], "nothing": null, "o": {"a": {}}})",
      "f.json");
  std::string const source = "f.json";
  std::vector<Problem> problems;
  JsonReader const reader(json, "", source, problems);
  CHECK(reader.number("n") == 1.5);
  CHECK(std::isnan(reader.number("nothing")));
  CHECK(std::isnan(reader.number("absent")));
  CHECK(reader.count("c") == 3);
  CHECK(reader.text("t") == "x");
  CHECK(reader.flag("f"));
  CHECK(reader.interval("i").high == 2);
  int members = 0;
  reader.each("o", [&](std::string const& name, JsonReader const&) {
    CHECK(name == "a");
    ++members;
  });
  CHECK(members == 1);
  CHECK(problems.empty());
}

TEST_CASE("what is of another type is named by its path", "[json_reader]") {
  auto const json = parse_json(R"({"o": {"n": "x", "c": -1, "i": [1], "t": 5}})", "f.json");
  std::string const source = "f.json";
  std::vector<Problem> problems;
  auto const reader = *JsonReader(json, "", source, problems).object("o");
  reader.number("n");
  reader.count("c");
  reader.interval("i");
  reader.text("t");
  REQUIRE(problems.size() == 4);
  CHECK(problems[0].to_text() ==
        "f.json: 'o.n' is not a number (so it is no result that gridcast printed)");
  CHECK(problems[1].what == "'o.c' is not a count");
}

}  // namespace
}  // namespace gridcast::report
