#include "sim/history/job_event.hpp"

#include <set>
#include <string>

#include "tests/test.hpp"

namespace gridcast::history {
namespace {

TEST_CASE("hold codes are HTCondor's") {
  REQUIRE(hold_code(Reason::not_found).code == 13);
  REQUIRE(hold_code(Reason::not_found).subcode == 256);
  REQUIRE(hold_code(Reason::transfer_failed).code == 13);
  REQUIRE(hold_code(Reason::input_too_large).code == 32);
  REQUIRE(hold_code(Reason::execution_too_long).code == 47);
  REQUIRE(hold_code(Reason::execution_too_long).subcode == 0);
  REQUIRE(hold_code(Reason::manual).code == 1);
  REQUIRE(hold_code(Reason::policy).code == 3);
  REQUIRE(hold_code(Reason::none).code == 0);
}

TEST_CASE("each reason has a name of its own") {
  std::set<std::string> names;
  for (int i = 0; i <= static_cast<int>(Reason::policy); ++i) {
    names.emplace(name(static_cast<Reason>(i)));
  }
  REQUIRE(names.size() == static_cast<std::size_t>(Reason::policy) + 1);
}

}  // namespace
}  // namespace gridcast::history
