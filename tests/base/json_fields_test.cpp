#include "sim/base/json_fields.hpp"

#include <cmath>

#include "tests/test.hpp"

namespace gridcast {
namespace {

enum class Colour { red, green };
constexpr std::string_view colour_names[] = {"red", "green"};

struct Part {
  std::string name;
  std::optional<std::size_t> size = {};

  bool operator==(Part const&) const = default;
  static void fields(auto& row, auto& part) { row("size", part.size); }
};

struct Whole {
  double number = 0;
  Seconds time;
  Interval range = {};
  bool flag = false;
  Colour colour = Colour::red;
  std::vector<Part> parts = {};
  std::map<std::string, double> figures = {};
  std::map<std::string, Part> labelled = {};
  std::string note = {};
  std::optional<std::string> inner = {};

  static void fields(auto& row, auto& whole) {
    row("number", whole.number);
    row.rounded("time_s", whole.time);
    row("range", whole.range);
    row("flag", whole.flag);
    row.named("colour", whole.colour, colour_names);
    row.by_name(
        "parts", whole.parts, [](auto& each, auto& part) { Part::fields(each, part); }, "unnamed");
    row.in_order("figures", whole.figures, {"z", "a", "absent"});
    row.members("labelled", whole.labelled,
                [](auto& each, auto&, auto& part) { each("size", part.size); });
    row.unless_empty("note", whole.note);
    row.object("nested", whole.inner.has_value(),
               [&](auto& nested) { nested("inner", whole.inner); });
    row.derived("twice", 2 * whole.number);
  }
};

Whole example() {
  return {0.1,
          Seconds(2),
          {1, nan},
          true,
          Colour::green,
          {{"first", 3}, {"", std::nullopt}},
          {{"a", 1.5}, {"z", infinity}},
          {{"one", {"", 1}}},
          "",
          "text"};
}

Whole read_whole(std::string const& text, std::vector<Problem>& problems) {
  std::string const source = "f.json";
  auto const json = Json::parse(text);
  return JsonReader(json, source, problems).value<Whole>();
}

TEST_CASE("one table of fields writes a struct", "[json_fields]") {
  CHECK(json_value(example()).dump() ==
        R"({"number":0.1,"time_s":2,"range":[1.0,null],"flag":true,"colour":"green",)"
        R"("parts":{"first":{"size":3},"unnamed":{"size":null}},"figures":{"z":null,"a":1.5},)"
        R"("labelled":{"one":{"size":1}},"nested":{"inner":"text"},"twice":0.2})");
}

TEST_CASE("the last of a name counts in an object of objects", "[json_fields]") {
  Whole whole = example();
  whole.parts = {{"twice", 1}, {"once", 2}, {"twice", 3}, {"", 4}, {"unnamed", 5}};
  auto const parts = json_value(whole)["parts"];
  CHECK(parts.dump() == R"({"twice":{"size":3},"once":{"size":2},"unnamed":{"size":5}})");
}

TEST_CASE("the same table reads the struct back", "[json_fields]") {
  std::vector<Problem> problems;
  std::string const text = json_text(json_value(example()));
  Whole const read = read_whole(text, problems);
  CHECK(problems.empty());
  CHECK(read.parts == example().parts);
  CHECK(read.colour == Colour::green);
  CHECK(read.time == Seconds(2));
  CHECK(read.inner == "text");
  CHECK(read.figures.at("a") == 1.5);
  CHECK(std::isnan(read.figures.at("z")));
  CHECK(json_text(json_value(read)) == text);
}

TEST_CASE("absent and null values are harmless", "[json_fields]") {
  std::vector<Problem> problems;
  Whole const read = read_whole(R"({"flag": null, "colour": "blue", "parts": null})", problems);
  CHECK(problems.empty());
  CHECK(std::isnan(read.number));
  CHECK(std::isnan(read.range.high));
  CHECK_FALSE(read.flag);
  CHECK(read.colour == Colour::red);
  CHECK(read.parts.empty());
  CHECK_FALSE(read.inner);
}

TEST_CASE("each value of the wrong type is named by its path, all at once", "[json_fields]") {
  std::vector<Problem> problems;
  read_whole(R"({"number": "x", "range": [1], "flag": 1, "colour": 5, "figures": [],
                 "parts": {"a": {"size": -1}, "b": 3}, "nested": [], "note": true})",
             problems);
  std::vector<std::string> found;
  for (Problem const& problem : problems) found.push_back(problem.what);
  CHECK(found ==
        std::vector<std::string>{"'number' is not a number", "'range' is not a list of two numbers",
                                 "'flag' is not true or false", "'colour' is not text",
                                 "'parts.a.size' is not a whole number from 0",
                                 "'parts.b' is not an object", "'figures' is not an object",
                                 "'note' is not text", "'nested' is not an object"});
  CHECK(problems.front().to_text() ==
        "f.json: 'number' is not a number (so it is no result that gridcast printed)");
}

TEST_CASE("whole numbers keep all digits, and those that do not fit are reported",
          "[json_fields]") {
  std::string const source = "f.json";
  std::vector<Problem> problems;
  auto const json = Json::parse(R"([18446744073709551615, 4294967296, -5, 1.5])");
  JsonReader const reader(json, source, problems);
  CHECK(reader.value<std::vector<Json>::size_type>() == 0);  // a list is no number
  REQUIRE(problems.size() == 1);
  std::vector<std::uint64_t> large;
  std::vector<int> small;
  reader.each([&](std::string const&, JsonReader const& each) {
    large.push_back(each.value<std::uint64_t>());
    small.push_back(each.value<int>());
  });
  CHECK(large == std::vector<std::uint64_t>{18446744073709551615U, 4294967296U, 0, 0});
  CHECK(small == std::vector<int>{0, 0, -5, 0});
  CHECK(problems.size() == 1 + 2 + 3);
}

TEST_CASE("numbers of ledgers are rounded to a millionth", "[json_fields]") {
  CHECK(json_number(2.0000001).dump() == "2");
  CHECK(json_number(0.1234567).dump() == "0.123457");
  CHECK(json_number(nan).is_null());
  CHECK(json_number(1e300).dump() == "1e+300");
}

}  // namespace
}  // namespace gridcast
