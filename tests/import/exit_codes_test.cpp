// Exit codes of a record's failures, and actions of a DAG that none of them causes.
#include <algorithm>

#include "sim/import/needs_of_record.hpp"
#include "tests/test.hpp"

namespace gridcast::import {
namespace {

using history::EventKind;

history::JobEvent exit_with(int code, EventKind kind = EventKind::terminated) {
  return {.job = Id<history::Job>(0),
          .kind = kind,
          .useful = code == 0,
          .exit_code = static_cast<std::int16_t>(code)};
}

TEST_CASE("failed programs of a record give their exit codes", "[exit_codes]") {
  history::JobHistory history;
  history.events = {exit_with(3), exit_with(0), exit_with(-9, EventKind::requeued),
                    exit_with(7, EventKind::evicted), exit_with(3)};
  CHECK(failed_exit_codes(history) == std::vector{-9, 3, 3});
  CHECK(failed_exit_codes({}).empty());
}

TEST_CASE("a hundred of many exit codes have their shares", "[exit_codes]") {
  history::JobHistory history;
  for (int i = 0; i < 3000; ++i) history.events.push_back(exit_with(i % 4 == 0 ? 137 : 1));
  auto const codes = failed_exit_codes(history);
  CHECK(codes.size() == 100);
  CHECK(std::count(codes.begin(), codes.end(), 137) == 25);
}

SubmitImport aborting_on(int code) {
  SubmitImport import;
  import.campaign.submit.resize(2);
  import.campaign.submit[0].abort_on = code;
  import.campaign.submit[1].unless_exit = 2;
  return import;
}

TEST_CASE("actions on an exit code act on the codes of the record, else on 1", "[exit_codes]") {
  SubmitImport known = aborting_on(3), unknown = aborting_on(1), other = aborting_on(3);
  set_exit_codes(known, {2, 3}, "a.dag");
  CHECK(known.campaign.work.exit_codes == std::vector{2, 3});
  CHECK(known.notes.empty());
  set_exit_codes(unknown, {}, "a.dag");
  CHECK(unknown.campaign.work.exit_codes.empty());
  REQUIRE(unknown.notes.size() == 1);
  CHECK_THAT(unknown.notes[0].what, test::has_text("UNLESS-EXIT 2: no effect") &&
                                        test::has_text("campaign.work.exit_codes"));
  set_exit_codes(other, {1, 1}, "a.dag");
  CHECK(other.campaign.work.exit_codes.empty());
  REQUIRE(other.notes.size() == 1);
  CHECK_THAT(other.notes[0].what, test::has_text("ABORT-DAG-ON 3, UNLESS-EXIT 2: no effect"));
}

}  // namespace
}  // namespace gridcast::import
