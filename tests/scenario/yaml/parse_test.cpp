#include <fmt/format.h>

#include "sim/scenario/yaml/document.hpp"
#include "tests/test.hpp"

namespace gridcast::scenario {
namespace {

/// The refusal of a text; empty if it is accepted.
std::string refusal(std::string const& text) {
  try {
    parse_yaml(text);
  } catch (YAML::Exception const& error) {
    return error.msg;
  }
  return "";
}

/// `levels` times ten of what is below.
std::string laughs(int levels) {
  std::string text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i <= levels; ++i) {
    text += fmt::format("a{0}: &a{0} [", i);
    for (int k = 0; k < 10; ++k) text += fmt::format("{}*a{}", k > 0 ? ", " : "", i - 1);
    text += "]\n";
  }
  return text;
}

TEST_CASE("a text of YAML is parsed, and a second document reported", "[yaml]") {
  auto const one = parse_yaml("a: [1, {b: 2}]");
  CHECK(one.root["a"][1]["b"].as<int>() == 2);
  CHECK_FALSE(one.second_at);
  auto const two = parse_yaml("a: 1\n---\nb: 2\n");
  CHECK(two.root["a"].as<int>() == 1);
  REQUIRE(two.second_at);
  CHECK(two.second_at->line == 1);
  CHECK(parse_yaml("").root.IsNull());
  CHECK(parse_yaml("# nothing\n").root.IsNull());
  CHECK_FALSE(parse_yaml("a: 1\n...\n").second_at);
}

TEST_CASE("a text in which yaml-cpp would loop is refused", "[yaml]") {
  CHECK(refusal(",\n") == "',' where nothing is open");
  CHECK(refusal("a: 1\n, b: 2\n") != "");
  CHECK(refusal("]") != "");
  CHECK(refusal("a,b,c\n1,2,3\n").empty());  // two lines of one plain text
  CHECK(refusal("\"open") != "");
}

TEST_CASE("aliases count as the values that they refer to", "[yaml]") {
  CHECK(refusal(laughs(3)).empty());
  CHECK_THAT(refusal(laughs(9)), test::has_text("more than 30000000 values"));
  CHECK_THAT(refusal(laughs(9)), test::has_text("with all that its aliases stand for"));
  CHECK(refusal("a: &a [*a, *a]\n") == "an alias is within its own value");
}

TEST_CASE("an excess is reported as one, without a hint at brackets", "[yaml]") {
  for (std::string const& text :
       {std::string("a: &a [*a]\n"), laughs(9), std::string(1'000'000, '[')}) {
    YamlDocument const document("a.yaml", text);
    CHECK_FALSE(document.is_yaml());
    REQUIRE(document.problems().size() == 1);
    CHECK(document.problems().front().what == refusal(text));
    CHECK(document.problems().front().hint.empty());
  }
}

TEST_CASE("however deep, a text comes to an end", "[yaml]") {
  CHECK(refusal(std::string(1'000'000, '[')) == "lists and groups are nested too deeply");
  CHECK(refusal(std::string(100'000, '-')).empty());
  std::string dashes;
  for (int i = 0; i < 20'000; ++i) dashes += "- ";
  CHECK(refusal(dashes) != "");
}

}  // namespace
}  // namespace gridcast::scenario
