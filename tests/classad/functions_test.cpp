#include "sim/classad/functions.hpp"

#include <chrono>
#include <string>
#include <vector>

#include "sim/classad/expression.hpp"
#include "tests/test.hpp"

namespace gridcast::classad {
namespace {

struct Call {
  char const* expression;
  char const* value;
};

void check_calls(std::vector<Call> const& pairs) {
  Ad const nothing;
  for (auto const& [expression, value] : pairs) {
    INFO(expression);
    CHECK(evaluate(parse(expression), {nothing, nullptr, 1'000'000}).to_text() == value);
  }
}

}  // namespace

TEST_CASE("functions of types", "[functions]") {
  check_calls({{"isUndefined(x)", "true"},   {"isUndefined(error)", "false"},
               {"isError(1/0)", "true"},     {"isString(\"\")", "true"},
               {"isInteger(1)", "true"},     {"isReal(1)", "false"},
               {"isBoolean(1 < 2)", "true"}, {"isList({})", "true"},
               {"isClassAd([])", "true"},    {"int(3.9)", "3"},
               {"int(-3.9)", "-3"},          {"int(\"42\")", "42"},
               {"int(\"4x\")", "error"},     {"int(true)", "1"},
               {"int(1e30)", "error"},       {"int(undefined)", "undefined"},
               {"real(\"2.5\")", "2.5"},     {"real(2)", "2.0"},
               {"real({})", "error"},        {"string(1.0)", "\"1.0\""},
               {"string(true)", "\"true\""}, {"string(\"a\")", "\"a\""},
               {"bool(\"TRUE\")", "true"},   {"bool(0)", "false"},
               {"bool(\"x\")", "error"},     {"floor(2.7)", "2"},
               {"floor(-2.1)", "-3"},        {"ceiling(2.1)", "3"},
               {"round(2.5)", "2"},          {"round(3.5)", "4"},
               {"round(-1.6)", "-2"},        {"floor(\"2.5\")", "2"}});
}

TEST_CASE("functions of numbers", "[functions]") {
  // The examples of quantize() are the HTCondor manual's.
  check_calls({{"quantize(3, 8)", "8"},
               {"quantize(3, 2)", "4"},
               {"quantize(0, 4)", "0"},
               {"quantize(1.5, 6.8)", "6.8"},
               {"quantize(6.8, 1.2)", "7.199999999999999"},
               {"quantize(10, 5.1)", "10.2"},
               {"quantize(0, {4})", "4"},
               {"quantize(2, {1, 2, \"A\"})", "2"},
               {"quantize(3, {1, 2, 0.5})", "3.0"},
               {"quantize(2.7, {1, 2, 0.5})", "3.0"},
               {"quantize(3, {1, 2, \"A\"})", "error"},
               {"sum({1, 2, undefined})", "3"},
               {"sum({1, 2.5})", "3.5"},
               {"sum({})", "0"},
               {"sum({undefined})", "undefined"},
               {"sum({\"a\"})", "error"},
               {"avg({1, 2})", "1.5"},
               {"avg({})", "0.0"},
               {"min({3, 1, 2})", "1"},
               {"min({})", "undefined"},
               {"max({1, 2.0})", "2.0"},
               {"max({1.0, 2})", "2.0"},
               {"pow(2, 10)", "1024"},
               {"pow(2, -1)", "0.5"},
               {"pow(0, 0)", "1"},
               {"pow(2, 70)", "error"}});
}

TEST_CASE("functions of texts", "[functions]") {
  check_calls({{"strcat(\"a\", 1, 2.5, true)", "\"a12.5true\""},
               {"strcat()", "\"\""},
               {"strcat(\"a\", undefined)", "undefined"},
               {"join(\", \", \"a\", \"b\")", "\"a, b\""},
               {"join(split(\"a b c\"))", "\"abc\""},
               {"join(\";\", split(\"a b c\"))", "\"a;b;c\""},
               {"join(\"-\", \"a\", undefined, \"b\")", "\"a-b\""},
               {"substr(\"abcdef\", 2)", "\"cdef\""},
               {"substr(\"abcdef\", 1, 2)", "\"bc\""},
               {"substr(\"abcdef\", -3)", "\"def\""},
               {"substr(\"abcdef\", 1, -2)", "\"bcd\""},
               {"substr(\"abc\", 9)", "\"\""},
               {"substr(\"abc\", -9, 2)", "\"ab\""},
               {"strcmp(\"a\", \"a\")", "0"},
               {"strcmp(\"B\", \"a\") < 0", "true"},
               {"stricmp(\"B\", \"a\") > 0", "true"},
               {"toLower(\"AbC\")", "\"abc\""},
               {"toUpper(1 == 1)", "\"TRUE\""},
               {"size(\"abc\")", "3"},
               {"size({1,2})", "2"},
               {"size([a=1])", "1"},
               {"size(5)", "error"}});
}

TEST_CASE("functions of lists", "[functions]") {
  check_calls({{"member(\"A\", {\"a\", 1})", "true"},
               {"member(1, {\"a\"})", "false"},
               {"member(1, 2)", "error"},
               {"member({}, {})", "error"},
               {"member(undefined, {1})", "undefined"},
               {"identicalMember(\"A\", {\"a\"})", "false"},
               {"identicalMember(undefined, {undefined})", "true"},
               {"split(\"a, b,,c\")", "{\"a\",\"b\",\"c\"}"},
               {"split(\"a:b c\", \":\")", "{\"a\",\"b c\"}"},
               {"stringListSize(\"a, b c\")", "3"},
               {"stringListSize(3)", "error"},
               {"stringListMember(\"b\", \"a,b\")", "true"},
               {"stringListMember(\"B\", \"a,b\")", "false"},
               {"stringListIMember(\"B\", \"a,b\")", "true"},
               {"stringListMember(\"b c\", \"a;b c\", \";\")", "true"},
               {"stringListsIntersect(\"a,b\", \"b,c\")", "true"},
               {"stringListSubsetMatch(\"a\", \"b,a\")", "true"},
               {"stringListSubsetMatch(undefined, \"b\")", "true"}});
}

TEST_CASE("functions that compare the items of a list", "[functions]") {
  check_calls({{"anyCompare(\"<\", {1, 5}, 3)", "true"},
               {"allCompare(\"<\", {1, 5}, 3)", "false"},
               {"anyCompare(\">\", {1, 2}, 3)", "false"},
               {"allCompare(\"!=\", {1, 2}, 3)", "true"},
               {"anyCompare(\"==\", {}, 3)", "false"},
               {"allCompare(\"==\", {}, 3)", "true"},
               {"anyCompare(\"is\", {undefined}, undefined)", "true"},
               {"anyCompare(\"isnt\", {\"A\"}, \"a\")", "true"},
               {"anyCompare(\"!-\", {1}, 1)", "error"},
               {"anyCompare(\"<\", 1, 1)", "error"},
               {"allCompare(\"<\", {1}, {1})", "error"},
               {"allCompare(\"<\", undefined, 1)", "undefined"}});
}

TEST_CASE("functions of the numbers in a string", "[functions]") {
  check_calls({{"stringListSum(\"1, 2,3\")", "6"},
               {"stringListSum(\"1.5;2\", \";\")", "3.5"},
               {"stringListSum(\"\")", "0.0"},
               {"stringListSum(\"1,x\")", "error"},
               {"stringListSum(undefined)", "error"},
               {"stringListAvg(\"10, 20, 30, 40\")", "25"},
               {"stringListAvg(\"1,2\")", "1"},
               {"stringListAvg(\"1,2.0\")", "1.5"},
               {"stringListAvg(\"\")", "0.0"},
               {"stringListMin(\"1 , 4.5, -5\")", "-5.0"},
               {"stringListMax(\"1,3,2\")", "3"},
               {"stringListMax(\"-5,-3\")", "-3"},
               {"stringListMax(\"\")", "undefined"},
               {"stringListMin(\"1;2\", true)", "error"}});
}

TEST_CASE("functions of names and intervals", "[functions]") {
  check_calls({{"splitSlotName(\"slot1@node@x\")", "{\"slot1\",\"node@x\"}"},
               {"splitSlotName(\"node\")", "{\"\",\"node\"}"},
               {"splitUserName(\"ann@x.org\")", "{\"ann\",\"x.org\"}"},
               {"splitUserName(\"ann\")", "{\"ann\",\"\"}"},
               {"splitUserName(1)", "error"},
               {"splitSlotName(\"slot1@bad.host\")[1]", "\"bad.host\""},
               {"interval(67)", "\"1:07\""},
               {"interval(7)", "\"7\""},
               {"interval(3723)", "\"1:02:03\""},
               {"interval(1472523)", "\"17+1:02:03\""},
               {"interval(\"67\")", "error"}});
}

TEST_CASE("functions of patterns", "[functions]") {
  check_calls({{R"~(regexp("^slot\d+@", "slot12@host"))~", "true"},
               {"regexp(\"^A\", \"abc\")", "false"},
               {"regexp(\"^A\", \"abc\", \"i\")", "true"},
               {"regexp(\"(\", \"a\")", "error"},
               {"regexp(\"a\", 1)", "error"},
               {"regexp(\"a\", undefined)", "undefined"},
               {R"~(regexps("(\w+)@(\w+)", "a@b", "\2 of \1"))~", "\"b of a\""},
               {"regexps(\"x\", \"a\", \"b\")", "\"\""},
               {"replace(\"o\", \"foo\", \"0\")", "\"f0o\""},
               {"replaceAll(\"o\", \"foo\", \"0\")", "\"f00\""},
               {"replaceAll(\"\", \"ab\", \"-\")", "\"-a-b-\""},
               {"regexpMember(\"^b\", {\"a\", \"bc\"})", "true"},
               {"regexpMember(\"x\", {\"a\", undefined})", "undefined"},
               {"stringList_regexpMember(\"^b\", \"a, bc\")", "true"},
               // Would take longer than the universe has.
               {R"~(regexp("^(a+)+$", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab"))~", "false"}});
}

TEST_CASE("a search that would never end is no match", "[functions]") {
  auto const begin = std::chrono::steady_clock::now();
  std::string const many(60, 'a');
  std::string const long_text(20'000, 'a');
  Ad const nothing;
  for (std::string const& call :
       {"regexp(\"(a+)+$\", \"" + many + "!\")", "regexp(\"(a|aa)+$\", \"" + many + "!\")",
        "regexp(\"(a?){12}b\", \"" + long_text + "\")"}) {
    CHECK(evaluate(parse(call), {nothing, nullptr, 0}).to_text() == "false");
  }
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(60));
}

TEST_CASE("versions compare as the manual's sequence does", "[functions]") {
  std::vector<std::string> const rising = {"000", "00", "01", "010", "09", "0", "1", "9", "10"};
  Ad const nothing;
  for (std::size_t i = 0; i + 1 < rising.size(); ++i) {
    INFO(rising[i] << " " << rising[i + 1]);
    std::string const call = "(\"" + rising[i] + "\", \"" + rising[i + 1] + "\")";
    CHECK(holds(evaluate(parse("versionLT" + call), {nothing})));
    CHECK(holds(evaluate(parse("versioncmp" + call + " < 0"), {nothing})));
  }
  check_calls({{"versionGE(\"23.10.1\", \"23.9.6\")", "true"},
               {"versionEQ(\"7.9\", \"7.9\")", "true"},
               {"versionGT(\"7.x\", \"7.y\")", "false"},
               {"versionLE(\"7.9\", \"7.10\")", "true"},
               {"version_in_range(\"8.5\", \"8.4\", \"8.6\")", "true"},
               {"versionEQ(7, 7)", "error"}});
}

TEST_CASE("functions of time", "[functions]") {
  check_calls({{"time()", "1000000"},
               {"formatTime(0, \"%Y-%m-%d %H:%M\")", "\"1970-01-01 00:00\""},
               {"formatTime(\"a\")", "error"},
               {"eval(\"1 + \" + 1)", "error"},
               {"eval(strcat(\"1 + \", 1))", "2"},
               {"eval(\"(\")", "error"}});
}

TEST_CASE("a call of constants has its value when it is parsed, and one that needs the time not") {
  auto const settled = [](char const* text) { return parse(text).root().constant; };
  for (char const* text : {"formatTime(0, \"%Y\")", "size(strcat(\"a\", string(1 + 2)))",
                           "ifThenElse(true, 1, 2)", "max({1, 2})", "int(undefined)"}) {
    CAPTURE(text);
    CHECK(settled(text));
    CHECK_FALSE(parse(text).reads_clock());
    CHECK(parse(text).functions().size() > 0);
  }
  for (char const* text : {"formatTime()", "formatTime(time())", "eval(\"time()\")", "int(x)",
                           "strcat(MY.a, \"b\")", "none(1)", "string(eval(\"1\"))"}) {
    CAPTURE(text);
    CHECK_FALSE(settled(text));
  }
  CHECK(parse("1 + int(formatTime())").reads_clock());
  Ad const nothing;
  Expression const now = parse("strcat(formatTime(0, \"%Y\"), string(time()))");
  CHECK(evaluate(now, {nothing, nullptr, 7}).to_text() == "\"19707\"");
}

TEST_CASE("there are no functions of other names", "[functions]") {
  CHECK(find_function("STRINGLISTMEMBER"));
  CHECK_FALSE(find_function("random"));
  CHECK_FALSE(find_function(""));
}

}  // namespace gridcast::classad
