#include "sim/condor/ads/ad_text.hpp"

#include <vector>

#include "sim/base/error.hpp"
#include "sim/classad/expression.hpp"
#include "tests/condor/log_files.hpp"
#include "tests/test.hpp"

namespace gridcast::test {
namespace {

struct Read {
  std::vector<condor::TextAd> ads;
  condor::LogReport report;
};

Read read(std::string_view text) {
  Read result;
  condor::LogWarnings warnings(result.report);
  warnings.in_file("ads");
  condor::read_ad_text(text, "ads", warnings,
                       [&](condor::TextAd&& ad) { result.ads.push_back(std::move(ad)); });
  return result;
}

// "ProcId=3" of each ad that has it, with its line.
std::string procs(Read const& result) {
  std::string text;
  for (condor::TextAd const& ad : result.ads) {
    for (auto const& [name, value] : ad.attributes) {
      if (name == "ProcId") text += std::to_string(ad.line) + ":" + value.to_text() + " ";
    }
  }
  return text;
}

TEST_CASE("Ads come as an array, an object a line, one after another, or in old syntax") {
  CHECK(procs(read("[\n{\n\"ProcId\": 1\n},\n{\"ProcId\": 2}\n]\n")) == "2:1 5:2 ");
  CHECK(procs(read("{\"ProcId\": 1}\n{\"ProcId\": 2}\n")) == "1:1 2:2 ");
  CHECK(procs(read("{\"ProcId\": 1} {\"ProcId\": 2}")) == "1:1 1:2 ");
  CHECK(procs(read("ProcId = 1\nA = 2\n\n\nProcId = 2\n")) == "1:1 5:2 ");
  CHECK(procs(read("ProcId = 1\r\n\r\nProcId = 2\r\n")) == "1:1 3:2 ");
  Read const commented = read("-- Schedd: ap\n# a = b\nProcId=1\n# c\nA=2\n\n# d\nProcId=2\n");
  CHECK(procs(commented) == "3:1 8:2 ");
  CHECK(commented.report.lines_not_understood == 0);
}

TEST_CASE("A banner ends an ad, says its type, and its ids if the ad does not") {
  Read const result = read(
      "NumShadowStarts = 2\n"
      "*** INPUT ClusterId=4 ProcId=1 RunInstanceId=1 Owner=\"alice\" CurrentTime=1795238249\n"
      "ProcId = 2\n"
      "*** EPOCH ClusterId=4 ProcId=2 RunInstanceId=0\n"
      "ProcId = 3\n"
      "*** Offset = 120 ClusterId = 4 ProcId = 3\n");
  REQUIRE(result.ads.size() == 3);
  CHECK(result.ads[0].type == "INPUT");
  CHECK(result.ads[1].type == "EPOCH");
  CHECK(result.ads[2].type == "");
  CHECK_THAT(procs(result), has_text("1:1 "));
  CHECK(result.report.lines_not_understood == 0);
}

TEST_CASE("Values are literals, ads and lists; expressions are undefined in both forms") {
  for (char const* text :
       {"{\"I\": 3, \"R\": 2.5, \"S\": \"a \\\"b\\\"\", \"T\": true, \"N\": {\"In\": 1}, "
        "\"L\": [{\"U\": 7}], \"E\": \"\\/Expr(a + 1)\\/\", \"Z\": null}",
        "I = 3\nR = 2.5\nS = \"a \\\"b\\\"\"\nT = true\nN = [ In = 1 ]\nL = { [ U = 7 ] }\n"
        "E = a + 1\nZ = undefined\n"}) {
    Read const result = read(text);
    REQUIRE(result.ads.size() == 1);
    classad::Ad ad;
    for (auto const& [name, value] : result.ads[0].attributes) ad.set(name, value);
    CHECK(ad.lookup("I").number() == 3);
    CHECK(ad.lookup("r").number() == 2.5);
    CHECK(*ad.lookup("S").as<std::string>() == "a \"b\"");
    CHECK(*ad.lookup("T").as<bool>());
    REQUIRE(ad.lookup("N").as_ad() != nullptr);
    CHECK(ad.lookup("N").as_ad()->lookup("In").number() == 1);
    REQUIRE(ad.lookup("L").as_list() != nullptr);
    CHECK(ad.lookup("L").as_list()->at(0).as_ad()->lookup("U").number() == 7);
    CHECK(ad.lookup("E").is_undefined());
    CHECK(ad.lookup("Z").is_undefined());
  }
}

TEST_CASE("The reader counts text that is cut off, broken or nested without end, with its line") {
  Read const cut = read("[\n{\"ProcId\": 1},\n{\"ProcId\": 2, \"A\": [1,\n");
  CHECK(procs(cut) == "2:1 ");
  CHECK(cut.report.lines_not_understood == 1);
  REQUIRE(cut.report.warnings.size() == 1);
  CHECK(cut.report.warnings[0].where.line == 3);

  Read const broken = read("{\"ProcId\": }\n{\"ProcId\": 2}\n");
  CHECK(procs(broken) == "2:2 ");
  CHECK(warned(broken.report, "no JSON object"));

  std::string const deep = "{\"A\": " + std::string(100000, '[') + std::string(100000, ']') + "}";
  CHECK(read(deep + "\n{\"ProcId\": 2}").ads.size() == 1);

  Read const unended = read("[\n{\"A\": {\n{\"ProcId\": 2}\n]");
  CHECK(procs(unended) == "3:2 ");

  Read const odd = read("ProcId = 1\nno attribute\n\nProcId = 2\n");
  CHECK(procs(odd) == "1:1 4:2 ");
  CHECK(odd.report.lines_not_understood == 1);
  CHECK(odd.report.warnings[0].where.line == 2);
}

TEST_CASE("A last ad that lacks the end of the others is reported unless an empty line ends it") {
  std::string const two = "Args = \"a\"\nProcId = 1\nUserLog = \"l\"\n\nArgs = \"a\"\nProcId = 2\n";
  Read const cut = read(two);
  CHECK(procs(cut) == "1:1 5:2 ");
  REQUIRE(cut.report.warnings.size() == 1);
  CHECK(cut.report.warnings[0].where.line == 5);
  CHECK(warned(cut.report,
               "lacks the attribute that ends the ads before it (UserLog); is the file cut off?"));
  for (auto const& whole : {two + "\n", two + "UserLog = \"l\"\n", std::string("ProcId = 1\n")}) {
    CHECK(read(whole).report.warnings.empty());
  }
}

TEST_CASE("Documents of Elasticsearch have an ad each, in a dump and in an answer") {
  std::string const document = R"({"_index": "a", "_source": {"ClusterId": 4, "ProcId": 1}})";
  for (std::string const& text :
       {document + "\n" + document,
        R"({"took": 3, "hits": {"total": 2, "hits": [)" + document + ", " + document + "]}}"}) {
    auto const ads = read(text).ads;
    REQUIRE(ads.size() == 2);
    CHECK(ads[1].attributes.size() == 2);
    CHECK(ads[1].attributes[1].first == "ProcId");
  }
}

TEST_CASE("MONIT keeps an ad beside its metadata") {
  std::string const ad = R"({"metadata": {"type": "raw"}, "data": {"ClusterId": 4, "ProcId": 1}})";
  for (std::string const& text : {ad, R"({"_index": "a", "_source": )" + ad + "}"}) {
    auto const ads = read(text).ads;
    REQUIRE(ads.size() == 1);
    CHECK(ads[0].attributes.size() == 2);
  }
  // "data" alone is a member like others.
  CHECK(read(R"({"data": {"ClusterId": 4}, "ClusterId": 5})").ads.at(0).attributes.size() == 2);
}

TEST_CASE("A byte that is no UTF-8 does not cost its ad") {
  auto const ads = read("{\"Cmd\": \"caf\xe9\"}").ads;
  REQUIRE(ads.size() == 1);
  CHECK(*ads[0].attributes[0].second.as<std::string>() == "caf\xc3\xa9");
}

TEST_CASE("Many objects without an end take no time") {
  std::string text;
  for (int i = 0; i < 100000; ++i) text += "{\n";
  CHECK(read(text).ads.empty());
}

TEST_CASE("Ads of the new syntax, one or a list, with brackets and texts in values") {
  std::string const ad =
      "[\n  ClusterId = 7;\n  Args = \"a;b]\\\"c\";\n  Held = [ Memory = 1; Disk = 2 ];\n"
      "  Sizes = { 1, 2 }; ProcId = 3\n]\n";
  for (std::string const& text : {ad, "{\n" + ad + ",\n" + ad + "}\n"}) {
    auto const ads = read(text).ads;
    REQUIRE(ads.size() == (text == ad ? 1 : 2));
    auto const& attributes = ads.back().attributes;
    REQUIRE(attributes.size() == 5);
    CHECK(attributes[0].first == "ClusterId");
    CHECK(*attributes[1].second.as<std::string>() == "a;b]\"c");
    CHECK(attributes[4].first == "ProcId");
    CHECK(attributes[4].second.to_text() == "3");
  }
  auto const cut = read("[ A = 1; B = 2 ]\n[ A = 3; B ");
  CHECK(cut.ads.size() == 1);
}

TEST_CASE("An empty text has no ads, and another form is refused with a remedy") {
  CHECK(read("").ads.empty());
  CHECK(read(" \n\n").ads.empty());
  CHECK(read("[\n]\n").ads.empty());
  CHECK_THROWS_WITH(read("<?xml version=\"1.0\"?>"), has_text("begins like XML"));
  CHECK_THROWS_WITH(read("[ada@ap x]$ condor_q -l 7\n"), has_text("is no list of job ads"));
  CHECK_THROWS_WITH(read("hello\nworld\n"), has_text("is no list of job ads"));
}

}  // namespace
}  // namespace gridcast::test
