#include "sim/import/submit_commands.hpp"

#include "tests/test.hpp"

namespace gridcast::import {

TEST_CASE("sizes in powers of 1024", "[submit_values]") {
  Bytes const mega(1048576);
  CHECK(submit_size("10", mega) == Bytes(10 * 1048576));
  CHECK(submit_size("10M", Bytes(1024)) == Bytes(10 * 1048576));
  CHECK(submit_size(" 1.5 GB ", mega) == Bytes(1.5 * 1073741824));
  CHECK(submit_size("2gib", mega) == Bytes(2 * 1073741824.0));
  CHECK(submit_size("3 T", mega) == Bytes(3 * 1099511627776.0));
  CHECK(submit_size("7 B", mega) == Bytes(7));
  CHECK(submit_size("1024 * 2", mega) == 2048 * mega);
  CHECK(submit_size("(1024 * 2)", mega) == 2048 * mega);
  for (char const* text : {"", "x", "-5", "5 X", "5 MBs", "inf", "Memory"}) {
    INFO(text);
    CHECK_FALSE(submit_size(text, mega));
  }
}

TEST_CASE("numbers and quotes", "[submit_values]") {
  CHECK(submit_number("3") == 3);
  CHECK(submit_number("60 * 60") == 3600);
  CHECK_FALSE(submit_number("Memory"));
  CHECK_FALSE(submit_number("\"3\""));
  CHECK(unquoted(" \"a b\" ") == "a b");
  CHECK(unquoted("a\"b") == "a\"b");
}

TEST_CASE("URLs and their sizes", "[submit_values]") {
  CHECK(size_in_url("osdf:///a?size=200000") == Bytes(200000));
  CHECK(size_in_url("osdf:///a?x=1&size=5") == Bytes(5));
  for (char const* url : {"osdf:///a", "osdf:///a?size=", "osdf:///a?size=0", "osdf:///a?size=x",
                          "osdf:///a?resize=5"}) {
    INFO(url);
    CHECK_FALSE(size_in_url(url));
  }
  CHECK(is_url("osdf:///a"));
  CHECK(is_url("pelican://x/y"));
  CHECK_FALSE(is_url("dir/file"));
  CHECK_FALSE(is_url("dir/a://b"));
}

}  // namespace gridcast::import
