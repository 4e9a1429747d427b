#include "sim/classad/expression.hpp"
#include "tests/test.hpp"

namespace gridcast::classad {

TEST_CASE("lines of an ad", "[ad]") {
  Ad ad;
  CHECK(parse_attribute("ClusterId = 12", ad));
  CHECK(parse_attribute("Offset=-3.5\r", ad));
  CHECK(parse_attribute("Cmd = \"C:\\bin\\a \\\"b\\\"\"", ad));
  CHECK(parse_attribute("Requirements = TARGET.Memory >= RequestMemory", ad));
  CHECK(parse_attribute("Empty = undefined", ad));
  CHECK(parse_attribute("Ads = { [ a = 1; ], [ a = 2; ] }", ad));
  CHECK(*ad.find("clusterid")->as<std::int64_t>() == 12);
  CHECK(*ad.find("Offset")->as<double>() == -3.5);
  CHECK(*ad.find("Cmd")->as<std::string>() == "C:\\bin\\a \"b\"");
  CHECK_FALSE(ad.find("Requirements"));
  CHECK(ad.expression("REQUIREMENTS")->text() == "TARGET.Memory >= RequestMemory");
  CHECK(ad.lookup("Requirements").is_undefined());
  CHECK(ad.find("Empty")->is_undefined());
  CHECK(ad.lookup("ads").as_list()->size() == 2);
}

TEST_CASE("lines that belong to no ad are recognised", "[ad]") {
  Ad ad;
  for (auto const* const line :
       {"", "no equals", "= 3", "3a = 3", "a b = 3", "a =", "a = (", "a == 3"}) {
    INFO(line);
    CHECK_FALSE(parse_attribute(line, ad));
  }
  CHECK(ad.empty());
}

TEST_CASE("a name occurs once in any case of letters, in its first place", "[ad]") {
  Ad ad;
  ad.set("A", 1);
  ad.set("B", 2);
  ad.set("a", parse("B + 1"));
  CHECK(ad.size() == 2);
  CHECK(ad.attributes()[0].name == "A");
  CHECK(*ad.lookup("A").as<std::int64_t>() == 3);
  CHECK(Value(ad).to_text() == "[ A = B + 1; B = 2; ]");
}

}  // namespace gridcast::classad
