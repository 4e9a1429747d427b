#include <iterator>
#include <set>
#include <string>

#include "sim/history/job_history.hpp"
#include "tests/test.hpp"

namespace gridcast::history {
namespace {

TEST_CASE("hold codes are HTCondor's, for each reason that can hold a job") {
  struct Row {
    Reason reason;
    int code, subcode;
  };
  constexpr Row rows[] = {
      {Reason::none, 0, 0},
      {Reason::transfer_stalled, 13, 62},
      {Reason::transfer_failed, 13, 256},
      {Reason::not_found, 13, 256},
      {Reason::no_progress, 13, 256},
      {Reason::input_too_large, 32, 0},
      {Reason::execution_too_long, 47, 0},
      {Reason::pilot_ended, 0, 0},
      {Reason::site_network_down, 0, 0},
      {Reason::corrupt_input, 0, 0},
      {Reason::manual, 1, 0},
      {Reason::policy, 3, 0},
      {Reason::transfer_timeout, 13, 62},
      {Reason::output_missing, 12, 2},
      {Reason::output_failed, 12, 256},
      {Reason::checkpoint_failed, 36, 0},
      {Reason::exit_code, 0, 0},
      {Reason::killed_by_signal, 0, 0},
      {Reason::vacated, 0, 0},
      {Reason::lost_contact, 0, 0},
      {Reason::out_of_resources, 34, 0},
      {Reason::job_too_long, 46, 0},
      {Reason::system, 0, 0},
      {Reason::unknown, 0, 0},
      {Reason::not_begun, 0, 0},
      {Reason::end_not_recorded, 0, 0},
      {Reason::node_failed, 0, 0},
  };
  REQUIRE(std::size(rows) == reason_count);
  for (std::size_t i = 0; i < reason_count; ++i) {
    INFO(name(rows[i].reason));
    REQUIRE(rows[i].reason == static_cast<Reason>(i));
    REQUIRE(hold_code(rows[i].reason).code == rows[i].code);
    REQUIRE(hold_code(rows[i].reason).subcode == rows[i].subcode);
  }
}

TEST_CASE("each reason has a name of its own") {
  std::set<std::string> names;
  for (std::size_t i = 0; i < reason_count; ++i) names.emplace(name(static_cast<Reason>(i)));
  REQUIRE(names.size() == reason_count);
  REQUIRE(reason_count == static_cast<std::size_t>(Reason::node_failed) + 1);
  REQUIRE(names.count("") == 0);
  REQUIRE(name(Reason::none) == "none");
  REQUIRE(name(Reason::policy) == "policy");
  REQUIRE(name(Reason::checkpoint_failed) == "checkpoint_failed");
  REQUIRE(name(Reason::out_of_resources) == "out_of_resources");
  REQUIRE(name(Reason::unknown) == "unknown");
}

}  // namespace
}  // namespace gridcast::history
