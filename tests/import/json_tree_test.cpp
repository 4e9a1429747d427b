#include "sim/import/wfformat.hpp"
#include "tests/test.hpp"

namespace gridcast::import {
namespace {

Location place_of_error(std::string const& text) {
  try {
    parse_json_tree(text, "x.json");
  } catch (InputError const& error) {
    return error.problems().front().where;
  }
  return {};
}

}  // namespace

TEST_CASE("values know where they stand", "[json_tree]") {
  JsonTree const root =
      parse_json_tree("{\n  \"a\": [1, 25,\n    true],\n \"b\": {\"c\": \"text\"}}\n", "x");
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

TEST_CASE("of two members of a name the last counts, and keys of inner objects are their own",
          "[json_tree]") {
  JsonTree const root =
      parse_json_tree(R"({"a": {"b": 1, "c": [{"d": 2}]}, "a": 3, "e": null})", "x");
  CHECK(*root.find("a")->number() == 3);
  CHECK(root.members()->size() == 3);
  auto const& first = (*root.members())[0].second;
  CHECK(*first.find("c")->items()->front().find("d")->number() == 2);
  CHECK(std::holds_alternative<std::nullptr_t>(root.find("e")->value));
}

TEST_CASE("what is no JSON is refused where it goes wrong", "[json_tree]") {
  CHECK(place_of_error("{\"a\": 1,\n  \"b\": [1, 2").line == 2);
  CHECK(place_of_error("{\n\n  nonsense}").line == 3);
  CHECK(place_of_error("").line == 1);
  CHECK(place_of_error("{} {}").line == 1);
  CHECK(place_of_error("[1e999]").line == 1);
  CHECK(place_of_error(std::string(300, '[')).column > 190);
  CHECK(place_of_error("\"\xff\"").line == 1);
}

}  // namespace gridcast::import
