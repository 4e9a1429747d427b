#include "sim/condor/event_log_reasons.hpp"

#include <set>
#include <sstream>

#include "tests/test.hpp"

namespace gridcast::condor {
namespace {

constexpr auto last_reason = history::Reason::unknown;

history::JobEvent ended(history::EventKind kind, history::Reason reason, int code = 0) {
  history::JobEvent event;
  event.kind = kind;
  event.reason = reason;
  event.code = static_cast<std::int16_t>(code);
  return event;
}

std::string words(history::Reason reason, EventLogOptions const& options = {}) {
  history::JobHistory history;
  history.sites = {"SITE"};
  std::ostringstream out;
  EventLogText log(history, out, options);
  add_reason(log, options, reason, {{Id<history::Site>(0), 5}, 3620});
  log.flush();
  return out.str();
}

TEST_CASE("every reason has words of its own, on one line") {
  std::set<std::string> seen;
  for (int i = 0; i <= static_cast<int>(last_reason); ++i) {
    auto const reason = static_cast<history::Reason>(i);
    auto const text = words(reason);
    INFO(history::name(reason));
    CHECK(text.empty() != has_words(reason));
    CHECK(text.find('\n') == std::string::npos);
    bool const exit =
        reason == history::Reason::exit_code || reason == history::Reason::killed_by_signal;
    if (!text.empty()) CHECK((seen.insert(text).second || exit));
  }
}

TEST_CASE("words are those of the pool's daemons") {
  CHECK(words(history::Reason::transfer_stalled) ==
        "Error from slot1_1@glidein_1_5@SITE: Input File transfer stalled for 3620 seconds");
  CHECK(words(history::Reason::lost_contact) ==
        "Job disconnected too long: JobLeaseDuration (2400 seconds) expired");
  EventLogOptions options = options_of_unknown_jobs();
  CHECK(words(history::Reason::not_found, options) ==
        "Transfer input files failure at execution point slot1_1@glidein_1_5@SITE using protocol "
        "osdf. Details: Pelican Client Error: 404 page not found|");
  CHECK(words(history::Reason::out_of_resources, options) ==
        "Error from slot1_1@glidein_1_5@SITE: Job has gone over cgroup memory limit");
}

TEST_CASE("vacate codes are the manual's, unless the source gave one") {
  CHECK(vacate_code(ended(history::EventKind::evicted, history::Reason::pilot_ended)).code == 1013);
  CHECK(vacate_code(ended(history::EventKind::evicted, history::Reason::vacated)).code == 1004);
  CHECK(vacate_code(ended(history::EventKind::evicted, history::Reason::policy)).code == 1000);
  CHECK(vacate_code(ended(history::EventKind::reconnect_failed, history::Reason::lost_contact))
            .code == 1008);
  CHECK(vacate_code(ended(history::EventKind::evicted, history::Reason::transfer_stalled)).code ==
        1007);
  CHECK(vacate_code(ended(history::EventKind::evicted, history::Reason::vacated, 1018)).code ==
        1018);
}

TEST_CASE("hold codes are the reason's, unless the source gave one") {
  CHECK(logged_hold_code(ended(history::EventKind::held, history::Reason::not_found)).code == 13);
  CHECK(logged_hold_code(ended(history::EventKind::held, history::Reason::not_found)).subcode ==
        256);
  CHECK(logged_hold_code(ended(history::EventKind::held, history::Reason::system, 26)).code == 26);
}

TEST_CASE("the starter counts transfers the other way round") {
  CHECK(starter_code({13, 256}).code == 12);
  CHECK(starter_code({12, 2}).code == 13);
  CHECK(starter_code({12, 2}).subcode == 2);
  CHECK(starter_code({34, 102}).code == 0);
  CHECK(told_by_starter(ended(history::EventKind::held, history::Reason::not_found)));
  CHECK(told_by_starter(ended(history::EventKind::evicted, history::Reason::transfer_stalled)));
  CHECK_FALSE(told_by_starter(ended(history::EventKind::held, history::Reason::manual)));
  CHECK_FALSE(told_by_starter(ended(history::EventKind::evicted, history::Reason::vacated)));
}

}  // namespace
}  // namespace gridcast::condor
