
#include "sim/condor/write/event_log_text.hpp"

#include <set>
#include <sstream>

#include "tests/condor/log_text.hpp"
#include "tests/history/history_builder.hpp"
#include "tests/test.hpp"

namespace gridcast::condor {
namespace {

using test::HistoryBuilder;
using test::log_of;

std::string first_line(double at = 0, EventLogOptions const& options = {}) {
  HistoryBuilder h({{1, 0}}, {});
  h.add(at, 0, history::EventKind::released);
  auto const log = log_of(h.get(), options);
  return log.substr(0, log.find(" Job"));
}

TEST_CASE("dates are of whole or split seconds") {
  CHECK(first_line() == "013 (001.000.000) 2024-08-12 09:00:00");
  CHECK(first_line(61.9) == "013 (001.000.000) 2024-08-12 09:01:01");
  EventLogOptions options;
  options.sub_second = true;
  CHECK(first_line(61.9, options) == "013 (001.000.000) 2024-08-12 09:01:01.900");
}

TEST_CASE("time zero is the caller's, else the history's") {
  HistoryBuilder h({{1, 0}}, {});
  h.add(5, 0, history::EventKind::released);
  h.get().start_unix = 1735689590;  // ten seconds before 2025
  CHECK_THAT(log_of(h.get()), test::has_text(" 2024-12-31 23:59:55 "));
  EventLogOptions options;
  options.start = std::chrono::sys_days(std::chrono::year(2024) / 2 / 29);
  CHECK_THAT(log_of(h.get(), options), test::has_text(" 2024-02-29 00:00:05 "));
}

TEST_CASE("a stamp is cut off, before time zero too") {
  CHECK(EventLogText::stamp(Seconds(1.9996)).seconds == 1);
  CHECK(EventLogText::stamp(Seconds(1.9996)).milliseconds == 999);
  CHECK(EventLogText::stamp(Seconds(-0.25)).seconds == -1);
  CHECK(EventLogText::stamp(Seconds(-0.25)).milliseconds == 750);
}

TEST_CASE("numbers of jobs that need more than three digits have them") {
  HistoryBuilder h({{12634379, 1234}}, {});
  h.add(0, 0, history::EventKind::released);
  CHECK_THAT(log_of(h.get()), test::has_text("013 (12634379.1234.000) "));
}

TEST_CASE("a site's name stays whole as an attribute, and fits where a host's name has to be") {
  HistoryBuilder h({{1, 0}}, {"My \"best\" <site>\n"});
  h.add(0, 0, history::EventKind::matched).on(0).add(1, 0, history::EventKind::executing).on(0);
  auto const log = log_of(h.get());
  CHECK_THAT(log, test::has_text("GLIDEIN_ResourceName = \"My \\\"best\\\" <site> \"\n"));
  CHECK_THAT(log, test::has_text("SlotName: slot1_1@glidein_1_1@My--best---site--\n"));
  CHECK_THAT(log, test::has_text("&alias=My--best---site--&noUDP&sock=startd_1001_0001>\n"));
}

// The GPUs of a slot of METL's campaign (calibration/data/metl-campaign), with two attempts: the
// match names the GPUs of one, and the other has the request of the jobs.
TEST_CASE("an attempt has its slot's GPUs, and each of them its ad") {
  using enum history::EventKind;
  HistoryBuilder h({{1, 0}}, {"pool/2xA40"});
  h.add(0, 0, matched).on(0, 3).add(1, 0, executing).on(0, 3).add(9, 0, evicted).on(0, 3);
  h.get().events.front().gpus = h.get().gpus_like({"NVIDIA A40", 2, Bytes(45739 * 1048576.), 9});
  h.add(20, 0, matched).on(0, 4).add(21, 0, executing).on(0, 4);
  EventLogOptions options;
  options.resources = {"pool"};
  auto const log = log_of(h.get(), options);
  std::string const of_gpu =
      "; Capability = 9.0; DeviceName = \"NVIDIA A40\"; GlobalMemoryMb = 45739 ]\n";
  CHECK_THAT(test::events_of(log, "001"),
             test::has_text("\tSlotName: slot1_1@glidein_1_3@pool\n"
                            "\tAvailableGPUs = { GPUs_GPU_00010003,GPUs_GPU_000100030001 }\n"
                            "\tCpus = 1\n"
                            "\tDisk = 341796875\n"
                            "\tGLIDEIN_ResourceName = \"pool\"\n"
                            "\tGPUs = 2\n"
                            "\tGPUs_GPU_00010003 = [ Id = \"GPU-00010003\"" +
                            of_gpu + "\tGPUs_GPU_000100030001 = [ Id = \"GPU-000100030001\"" +
                            of_gpu + "\tMemory = 16384\n") &&
                 test::has_text("\tGLIDEIN_ResourceName = \"pool\"\n\tGPUs = 1\n\tMemory"));
  CHECK_THAT(test::events_of(log, "004"),
             test::has_text("\t   GPUs                 :                  2         2 "
                            "\"GPU-00010003,GPU-000100030001\"\n"));
}

TEST_CASE("slots have the names that the history knows them by") {
  HistoryBuilder h({{1, 0}}, {"A"});
  h.add(0, 0, history::EventKind::matched)
      .on(0, 1)
      .add(1, 0, history::EventKind::executing)
      .on(0, 1);
  h.get().slots = {"unknown", "slot1_2@glidein_4001_1@host.example"};
  CHECK_THAT(log_of(h.get()), test::has_text("SlotName: slot1_2@glidein_4001_1@host.example\n"));
  h.get().slots[1] = "unknown";
  CHECK_THAT(log_of(h.get()), test::has_text("SlotName: slot1_1@glidein_1_1@A\n"));
}

TEST_CASE("an attempt at an unknown place is not at the one before") {
  HistoryBuilder h({{1, 0}}, {"A"});
  h.add(0, 0, history::EventKind::matched).on(0, 1).add(9, 0, history::EventKind::evicted).on(0, 1);
  h.add(50, 0, history::EventKind::matched).add(51, 0, history::EventKind::transfer_input_started);
  CHECK_THAT(test::events_of(log_of(h.get()), "040"), test::has_text("alias=unknown&"));
}

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
  add_reason(log, reason, {{Id<history::Site>(0), 5}, 3620});
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

TEST_CASE("the text uses the words of the pool's daemons") {
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
  CHECK(reported_by_starter(ended(history::EventKind::held, history::Reason::not_found)));
  CHECK(reported_by_starter(ended(history::EventKind::evicted, history::Reason::transfer_stalled)));
  CHECK_FALSE(reported_by_starter(ended(history::EventKind::held, history::Reason::manual)));
  CHECK_FALSE(reported_by_starter(ended(history::EventKind::evicted, history::Reason::vacated)));
}

}  // namespace

}  // namespace gridcast::condor
