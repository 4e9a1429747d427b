#include "sim/classad/expression.hpp"

#include <vector>

#include "tests/test.hpp"

namespace gridcast::classad {
namespace {

std::string value_of(std::string const& expression, Ad const& my = {},
                     Scope const* target = nullptr) {
  return evaluate(parse(expression), {my, target, 1'000'000}).to_text();
}

Ad ad(std::vector<std::string> const& lines) {
  Ad result;
  for (auto const& line : lines) REQUIRE(parse_attribute(line, result));
  return result;
}

struct Pair {
  char const* expression;
  char const* value;
};

void check_all(std::vector<Pair> const& pairs) {
  for (auto const& [expression, value] : pairs) {
    INFO(expression);
    CHECK(value_of(expression) == value);
  }
}

}  // namespace

TEST_CASE("and, or, not: the whole truth tables", "[expression]") {
  std::vector<std::string> const values = {"false", "true", "undefined", "error"};
  // Rows: the left operand; columns: the right one.
  char const* const conjunction[4][4] = {{"false", "false", "false", "false"},
                                         {"false", "true", "undefined", "error"},
                                         {"false", "undefined", "undefined", "error"},
                                         {"error", "error", "error", "error"}};
  char const* const disjunction[4][4] = {{"false", "true", "undefined", "error"},
                                         {"true", "true", "true", "true"},
                                         {"undefined", "true", "undefined", "error"},
                                         {"error", "error", "error", "error"}};
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < 4; ++j) {
      INFO(values[i] << " " << values[j]);
      CHECK(value_of(values[i] + " && " + values[j]) == conjunction[i][j]);
      CHECK(value_of(values[i] + " || " + values[j]) == disjunction[i][j]);
    }
  }
  check_all({{"!true", "false"},
             {"!undefined", "undefined"},
             {"!error", "error"},
             {"!0", "true"},
             {"!\"x\"", "error"},
             {"!2.5", "false"}});
}

TEST_CASE("numbers are truth values to the logical operators, strings are not", "[expression]") {
  check_all({{"3 || error", "true"},
             {"0 && error", "false"},
             {"1 && 2", "true"},
             {"\"a\" && true", "error"},
             {"true && \"a\"", "error"},
             {"false && \"a\"", "false"},
             {"undefined || 7", "true"},
             {"0.0 || undefined", "undefined"}});
}

TEST_CASE("is and isnt always answer, and know types and case", "[expression]") {
  check_all({{"undefined =?= undefined", "true"},
             {"undefined is 1", "false"},
             {"undefined isnt 1", "true"},
             {"error =?= error", "true"},
             {"error =!= undefined", "true"},
             {"1 =?= 1.0", "false"},
             {"\"a\" =?= \"A\"", "false"},
             {"\"a\" =?= \"a\"", "true"},
             {"true =?= 1", "false"},
             {"{1,2} =?= {1,2}", "true"},
             {"{1,2} =?= {1,3}", "false"},
             {"[a=1] =?= [A=1]", "true"}});
}

TEST_CASE("comparisons", "[expression]") {
  check_all({{"1 < 2", "true"},
             {"2 <= 1.5", "false"},
             {"\"abc\" == \"ABC\"", "true"},
             {"\"abc\" != \"abd\"", "true"},
             {"\"a\" < \"B\"", "true"},
             {"1 == \"1\"", "error"},
             {"undefined == 1", "undefined"},
             {"undefined == undefined", "undefined"},
             {"error == undefined", "error"},
             {"true == 1", "true"},
             {"true > false", "true"},
             {"{1} == {1}", "error"},
             {"1 == 1.0", "true"},
             {"9007199254740993 == 9007199254740992", "false"}});
}

TEST_CASE("arithmetic and bits", "[expression]") {
  check_all({{"1 + 2 * 3", "7"},
             {"(1 + 2) * 3", "9"},
             {"7 / 2", "3"},
             {"-7 / 2", "-3"},
             {"-7 % 3", "-1"},
             {"7 / 2.0", "3.5"},
             {"1 / 0", "error"},
             {"1.0 / 0", "error"},
             {"1 % 0", "error"},
             {"5.5 % 2", "error"},
             {"10 - 3 - 2", "5"},
             {"2 - 3 + 4", "3"},
             {"true + 1", "2"},
             {"1 + \"a\"", "error"},
             {"1 + undefined", "undefined"},
             {"undefined + error", "error"},
             {"--3", "3"},
             {"-\"a\"", "error"},
             {"6 & 3", "2"},
             {"6 | 3", "7"},
             {"6 ^ 3", "5"},
             {"~0", "-1"},
             {"1 << 4", "16"},
             {"-16 >> 2", "-4"},
             {"-1 >>> 63", "1"},
             {"1 << 64", "error"},
             {"true & false", "false"},
             {"1 + 2 == 3 && 4 > 3", "true"},
             {"1 | 2 == 2", "1"},
             {"9223372036854775807 + 1", "-9223372036854775808"},
             {"(-9223372036854775807 - 1) / -1", "error"},
             {"0x1F", "31"},
             {"017", "15"},
             {"08", "8"},
             {"2K", "2048"},
             {"1.5M", "1572864.0"},
             {"1e3", "1000.0"},
             {".5", "0.5"},
             {"99999999999999999999", "1e+20"}});
}

TEST_CASE("choices", "[expression]") {
  check_all({{"true ? 1 : error", "1"},
             {"0 ? 1 : 2", "2"},
             {"undefined ? 1 : 2", "undefined"},
             {"\"a\" ? 1 : 2", "error"},
             {"undefined ?: 5", "5"},
             {"3 ?: 5", "3"},
             {"error ?: 5", "error"},
             {"false ?: 5", "false"},
             {"undefined ? : 5", "5"},
             {"true ? false ? 1 : 2 : 3", "2"},
             {"false ? 1 : true ? 2 : 3", "2"},
             {"ifThenElse(1 > 0, \"a\", 1/0)", "\"a\""},
             {"ifThenElse(undefined, 1, 2)", "undefined"},
             {"ifThenElse(\"x\", 1, 2)", "error"}});
}

TEST_CASE("lists and ads within expressions", "[expression]") {
  check_all({{"{1, 1+1, \"a\"}", "{1,2,\"a\"}"},
             {"{1,2}[1]", "2"},
             {"{1}[1]", "error"},
             {"{1}[-1]", "error"},
             {"[a = 1; b = a + 1].b", "2"},
             {"[a = 1][\"A\"]", "1"},
             {"[b = c; c = b].b", "error"},
             {"[a = [x = y]; y = 4].a.x", "4"},
             {"{[a = 1], [a = 2]}.a", "{1,2}"},
             {"undefined[0]", "undefined"},
             {"[a = 1].z", "undefined"},
             {"(3).a", "error"},
             {"{}", "{}"},
             {"size([])", "0"}});
}

TEST_CASE("strings keep their backslashes, save before a quote", "[expression]") {
  CHECK(value_of(R"~("a\"b")~") == R"~("a\"b")~");
  CHECK(value_of(R"~(size("a\nb"))~") == "4");
  // The quote is escaped, so that another one is missing.
  CHECK_THROWS_AS(parse(R"~(size("C:\dir\"))~"), InputError);
  CHECK(value_of(R"~("C:\dir\")~") == R"~("C:\dir\")~");
}

TEST_CASE("names are looked for in MY, then in TARGET", "[expression]") {
  Ad const job = ad({"Memory = 5", "NumHolds = 2", "Wanted = TARGET.Site == \"A\""});
  Ad const slot = ad({"memory = 9", "Site = \"a\"", "Free = TARGET.NumHolds < 3 && Memory > 8"});
  CHECK(value_of("Memory", job, &slot) == "5");
  CHECK(value_of("MY.Memory + TARGET.Memory", job, &slot) == "14");
  CHECK(value_of("site", job, &slot) == "\"a\"");
  CHECK(value_of("TARGET.Site", job) == "undefined");
  CHECK(value_of("Wanted", job, &slot) == "true");
  CHECK(value_of("Free", job, &slot) == "true");
  CHECK(value_of("Nothing =?= undefined", job, &slot) == "true");
  CHECK(value_of("'NumHolds'", job) == "2");
  CHECK(value_of("CurrentTime - time()", job) == "0");
}

TEST_CASE("attributes that need themselves are errors", "[expression]") {
  Ad const cyclic = ad({"a = b + 1", "b = c * 2", "c = a", "d = isError(a)"});
  CHECK(value_of("a", cyclic) == "error");
  CHECK(value_of("d", cyclic) == "true");
  CHECK(value_of("e.x", ad({"e = [x = 1]"})) == "1");
}

TEST_CASE("a million ways through one ad end in an error, not in a hang", "[expression]") {
  std::string text = "[z = 1";
  for (char name = 'a'; name < 'z'; ++name) {
    char const next = static_cast<char>(name + 1);
    text += std::string("; ") + name + " = " + next + " + " + next + " + " + next;
  }
  CHECK(value_of(text + "].a") == "error");
  CHECK(value_of("eval(x)", ad({"x = \"eval(x)\""})) == "error");
}

TEST_CASE("the policies that people write", "[expression]") {
  Ad const held = ad({"JobStatus = 5", "HoldReasonCode = 13", "HoldReasonSubCode = 256",
                      "EnteredCurrentStatus = 998000", "NumJobStarts = 3", "NumShadowStarts = 4"});
  CHECK(value_of("HoldReasonCode == 13 && time() - EnteredCurrentStatus > 1200", held) == "true");
  CHECK(value_of("(JobStatus == 5) && (HoldReasonCode =!= 1) && (NumHolds ?: 0) < 5", held) ==
        "true");
  CHECK(value_of("member(HoldReasonCode, {12, 13, 26})", held) == "true");
  CHECK(value_of("ExitCode =!= 0", held) == "true");
  CHECK(value_of("ExitBySignal == false && ExitCode == 85", held) == "undefined");
}

TEST_CASE("an expression lists the attributes and functions that it uses", "[expression]") {
  Expression const e = parse("MY.A > TARGET.b && a < size(C) && frobnicate(Size(d))");
  CHECK(e.attributes() == std::vector<std::string>{"A", "b", "C", "d"});
  CHECK(e.functions() == std::vector<std::string>{"size", "frobnicate"});
  CHECK(e.unknown_functions() == std::vector<std::string>{"frobnicate"});
  CHECK(value_of("frobnicate(1)") == "error");
  CHECK(value_of("size()") == "error");
  CHECK(parse(" 85 ").literal());
  CHECK_FALSE(parse("85 + 1").literal());
  CHECK(parse(" 85 +1 ").text() == "85 +1");
}

TEST_CASE("a syntax error is reported with its place", "[expression]") {
  auto const message = [](std::string const& text) -> std::string {
    try {
      parse(text, {"job.sub", 7, 10});
    } catch (InputError const& error) {
      return error.what();
    }
    return "";
  };
  CHECK_THAT(message("a = 3"), test::has_text("job.sub:7:12: 'a = 3' is not a ClassAd expression"));
  CHECK_THAT(message("a = 3"), test::has_text("Write '==' to compare"));
  CHECK_THAT(message("a &&"), test::has_text("job.sub:7:14:"));
  CHECK_THAT(message("\"abc"), test::has_text("closing quote"));
  CHECK_THAT(message("(1"), test::has_text("')' is missing"));
  CHECK_THAT(message("3x"), test::has_text("letter right behind a number"));
  CHECK_THAT(message(""), test::has_text("ends too early"));
  CHECK_THAT(message("1 2"), test::has_text("something follows"));
  CHECK_THAT(message("a ? 1"), test::has_text("':' is missing"));
  CHECK_THAT(message("$x"), test::has_text("no part of the language"));
}

TEST_CASE("depth is bounded, length is not", "[expression]") {
  std::string const deep(100'000, '(');
  CHECK_THROWS_AS(parse(deep), InputError);
  CHECK_THROWS_AS(parse(std::string(100'000, '!') + "a"), InputError);
  std::string postfix = "a";
  for (int i = 0; i < 10'000; ++i) postfix += ".b";
  CHECK_THROWS_AS(parse(postfix), InputError);
  std::string machines = "Machine == \"m\"";
  for (int i = 0; i < 20'000; ++i) machines += " || Machine == \"n\"";
  CHECK(value_of(machines, ad({"Machine = \"N\""})) == "true");
}

TEST_CASE("a condition holds for true and for numbers other than zero", "[expression]") {
  CHECK(holds(true));
  CHECK(holds(2));
  CHECK(holds(0.5));
  CHECK_FALSE(holds(0));
  CHECK_FALSE(holds("true"));
  CHECK_FALSE(holds(Value()));
  CHECK_FALSE(holds(Error()));
}

TEST_CASE("parts of a conjunction") {
  using Parts = std::vector<std::string>;
  CHECK(classad::conjuncts("a && (b || c) && d == \"x && y\"") ==
        Parts{"a", "(b || c)", "d == \"x && y\""});
  CHECK(classad::conjuncts("a && b || c") == Parts{"a && b || c"});
  CHECK(classad::conjuncts("a") == Parts{"a"});
  CHECK(classad::conjuncts("a ? b && c : d") == Parts{"a ? b && c : d"});
}

TEST_CASE("references written anew") {
  auto const marked = [](std::string const& expression) {
    return with_references(expression, [](std::string_view scope, std::string_view name) {
      return std::string("<") + std::string(scope) + ":" + std::string(name) + ">";
    });
  };
  CHECK(marked("a>=1&&MY.b == Target.'c d'") == "<:a>>=1&&<MY:b> == <Target:c d>");
  CHECK(marked("f(a, \"a\") is undefined || 2.5k < a.b.c") ==
        "f(<:a>, \"a\") is undefined || 2.5k < <:a>.b.c");
  CHECK(marked("'MY'.a /* a */ ? true : {b}") == "<:MY>.a /* a */ ? true : {<:b>}");
}

}  // namespace gridcast::classad
