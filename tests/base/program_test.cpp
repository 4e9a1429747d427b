#include "sim/base/program.hpp"

#include "tests/test.hpp"

namespace gridcast::inline base {

TEST_CASE("a program knows its file", "[program]") {
  CHECK(std::filesystem::is_regular_file(program_file()));
  CHECK(program_file().is_absolute());
}

}  // namespace gridcast::inline base
