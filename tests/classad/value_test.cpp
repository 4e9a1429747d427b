#include "sim/classad/value.hpp"

#include <limits>

#include "sim/classad/expression.hpp"
#include "tests/test.hpp"

namespace gridcast::classad {

TEST_CASE("values write themselves so that they read back", "[value]") {
  Ad const nothing;
  Ad ad;
  ad.set("x", 1.25);
  ad.set("y", List{1, "a\"b", Value(), Error(), true});
  for (Value const& value : {Value(), Value(Error()), Value(true), Value(-17), Value(1e300),
                             Value(0.1), Value(2.0), Value("say \"hi\" \\n"), Value(List{}),
                             Value(ad), Value(std::numeric_limits<double>::infinity())}) {
    INFO(value.to_text());
    CHECK(evaluate(parse(value.to_text()), {nothing}).to_text() == value.to_text());
  }
  CHECK(Value("a").to_plain_text() == "a");
  CHECK(Value(List{"a"}).to_plain_text() == "{\"a\"}");
}

TEST_CASE("numbers of values", "[value]") {
  CHECK(Value(3).number() == 3);
  CHECK(Value(3.5).number() == 3.5);
  CHECK(Value("3").number(-1) == -1);
  CHECK(Value(true).number(-1) == -1);
  CHECK_FALSE(Value(true).is_number());
}

}  // namespace gridcast::classad
