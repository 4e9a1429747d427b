#include "sim/base/json_text.hpp"

#include <nlohmann/json.hpp>

#include "tests/test.hpp"

namespace gridcast {
namespace {

Location place_of_error(std::string const& text) {
  try {
    parse_json_tree(text, {"x.json"});
  } catch (InputError const& error) {
    return error.problems().front().where;
  }
  return {};
}

}  // namespace

TEST_CASE("values know where they stand", "[json_text]") {
  JsonTree const root =
      parse_json_tree("{\n  \"a\": [1, 25,\n    true],\n \"b\": {\"c\": \"text\"}}\n", {"x"});
  CHECK(root.line == 1);
  CHECK(root.column == 1);
  JsonTree const* const a = root.find("a");
  REQUIRE(a != nullptr);
  CHECK(a->line == 2);
  CHECK(a->column == 8);
  REQUIRE(a->items()->size() == 3);
  JsonTree const& number = (*a->items())[1];
  CHECK(*number.number() == 25);
  CHECK(number.line == 2);
  CHECK(number.column == 13);  // its last digit
  CHECK((*a->items())[2].line == 3);
  JsonTree const* const c = root.find("b")->find("c");
  REQUIRE(c != nullptr);
  CHECK(*c->text() == "text");
  CHECK(c->line == 4);
  CHECK(c->column == 18);  // its closing quote
  CHECK(root.find("d") == nullptr);
  CHECK(c->find("d") == nullptr);
}

TEST_CASE("the last of two members with one name counts, and keys of inner objects are separate",
          "[json_text]") {
  JsonTree const root =
      parse_json_tree(R"({"a": {"b": 1, "c": [{"d": 2}]}, "a": 3, "e": null})", {"x"});
  CHECK(*root.find("a")->number() == 3);
  CHECK(root.members()->size() == 3);
  auto const& first = (*root.members())[0].tree;
  CHECK(*first.find("c")->items()->front().find("d")->number() == 2);
  CHECK(std::holds_alternative<std::nullptr_t>(root.find("e")->value));
}

TEST_CASE("the refusal of bad JSON names the place of the error", "[json_text]") {
  CHECK(place_of_error("{\"a\": 1,\n  \"b\": [1, 2").line == 2);
  CHECK(place_of_error("{\n\n  nonsense}").line == 3);
  CHECK(place_of_error("").line == 1);
  CHECK(place_of_error("{} {}").line == 1);
  CHECK(place_of_error("[1e999]").line == 1);
  CHECK(place_of_error("[1,\n 1e999]").line == 2);
  CHECK(place_of_error("\"\xff\"").line == 1);
}

TEST_CASE("NaN and Infinity outside of texts count as null", "[json_text]") {
  std::string const text =
      R"({"a": NaN, "b": [Infinity, -Infinity, 1], "c": "NaN \" -Infinity", "d": 2})";
  auto const value = parse_json(text, {"x.json"});
  CHECK(value["a"].is_null());
  CHECK(value["b"] == nlohmann::json::parse("[null, null, 1]"));
  CHECK(value["c"] == "NaN \" -Infinity");
  CHECK(value["d"] == 2);
  CHECK(json_object(text) == value);
  CHECK(parse_json_tree(text, {"x.json"}).find("d")->number() != nullptr);
  CHECK_THROWS_AS(parse_json("{\"a\": NaN", {"x.json"}), InputError);
  CHECK_FALSE(json_object("{\"a\": Nan}"));
}

TEST_CASE("the deepest nesting that is read is 200 levels, of lists and objects together",
          "[json_text]") {
  auto const nested = [](int levels) {
    std::string text;
    for (int i = 0; i < levels; ++i) text += i % 2 == 0 ? "[" : R"({"a":)";
    text += "1";
    for (int i = levels - 1; i >= 0; --i) text += i % 2 == 0 ? "]" : "}";
    return text;
  };
  CHECK(parse_json(nested(200), {"x.json"}).dump() == nested(200));
  CHECK(parse_json_tree(nested(200), {"x.json"}).items() != nullptr);
  CHECK(json_object("{\"a\":" + nested(199) + "}").has_value());
  CHECK_FALSE(json_object("{\"a\":" + nested(200) + "}").has_value());
  for (int const levels : {201, 100'000}) {
    std::string const text = "\n " + nested(levels);
    Location const tree = place_of_error(text);
    CHECK(tree.line == 2);
    CHECK(tree.column == 1 + 100 * 6 + 1);  // "[" and "{\"a\":" a hundred times, and one more
    CHECK_THROWS_AS(parse_json(text, {"x.json"}), InputError);
    CHECK_THROWS_AS(parse_json<nlohmann::ordered_json>(text, {"x.json"}), InputError);
  }
}

TEST_CASE("brackets in texts are no nesting, and brackets that close end their level",
          "[json_text]") {
  std::string const quoted = R"(["\"\\", ")" + std::string(1000, '[') + R"("])";
  CHECK(parse_json(quoted, {"x.json"}).size() == 2);
  std::string wide = "[[]";
  for (int i = 0; i < 1000; ++i) wide += ",[]";
  CHECK(parse_json(wide + "]", {"x.json"}).size() == 1001);
}

TEST_CASE("a problem names the place, the reason and the remedy", "[json_text]") {
  auto const problem_of = [](std::string const& text) {
    try {
      parse_json(text, {"x.json", "a result is JSON", "Make it again."});
    } catch (InputError const& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK(problem_of("{}").empty());
  CHECK(problem_of("[1,\n x]") == "x.json:2:2: is not JSON (a result is JSON). Make it again.");
  CHECK(problem_of("[1,\n") ==
        "x.json:2:1: the JSON ends here, before it is complete (the file was cut off). "
        "Make it again.");
  CHECK(problem_of(std::string(201, '[')) ==
        "x.json:1:201: lists and objects are nested too deeply (more than 200 levels). "
        "Make it again.");
  CHECK(problem_of("[1e999]") ==
        "x.json: holds a number that is too large (a result is JSON). Make it again.");
}

TEST_CASE("the place of a piece is its place in the file", "[json_text]") {
  std::string const file = "[\n  " + std::string(201, '[');
  std::string_view const piece = std::string_view(file).substr(4);
  CHECK_NOTHROW(expect_shallow_json(piece.substr(1), file, {"x.json"}));
  try {
    expect_shallow_json(piece, file, {"x.json"});
    FAIL("201 levels were accepted");
  } catch (InputError const& error) {
    CHECK(error.problems().front().where.line == 2);
    CHECK(error.problems().front().where.column == 203);
  }
}

}  // namespace gridcast
