// Holds of a record, in a replay: rules meet them with the code that the record has.
#include <algorithm>

#include "sim/engine/replay.hpp"
#include "sim/ledger/accountant.hpp"
#include "sim/ledger/ledger.hpp"
#include "tests/test.hpp"

namespace gridcast::test {
namespace {

using enum history::EventKind;

constexpr std::size_t job_count = 10;

/// Jobs that are held for good 1,000 s after their start, or before it in the queue.
history::JobHistory held_jobs(history::Reason reason, history::HoldCode code, bool in_queue) {
  history::JobHistory history;
  Id<history::Site> const north = history.site_named("north");
  for (std::size_t j = 0; j < job_count; ++j) {
    history.jobs.push_back({1, static_cast<std::uint32_t>(j)});
    Id<history::Job> const job(j);
    history.events.push_back({.job = job, .kind = submitted});
    if (!in_queue) {
      history.events.push_back({.at = Seconds(10), .job = job, .kind = matched, .site = north});
      history.events.push_back({.at = Seconds(15), .job = job, .kind = executing, .site = north});
    }
    history.events.push_back({.at = Seconds(1015),
                              .job = job,
                              .kind = held,
                              .reason = reason,
                              .code = static_cast<std::int16_t>(code.code),
                              .subcode = code.subcode});
    if (!in_queue) history.events.back().site = north;
  }
  std::ranges::stable_sort(history.events, {}, &history::JobEvent::at);
  return history;
}

/// The number of releases under a rule.
std::ptrdiff_t releases(history::JobHistory const& record, std::string const& rule) {
  scenario::Strategy strategy;
  strategy.retry.policy.periodic_release = classad::parse(rule);
  auto const replayed =
      engine::replay(record, {{}, Bytes(1e9)}, strategy, {}, RandomStreams(1, 0)).history;
  return std::ranges::count(replayed.events, released, &history::JobEvent::kind);
}

}  // namespace

TEST_CASE("a rule on hold codes meets the codes of the record", "[replay]") {
  using history::Reason;
  bool const in_queue = GENERATE(false, true);
  for (int const code : {6, 16, 21, 22, 26, 35, 43}) {
    auto const record = held_jobs(Reason::unknown, {code, 7}, in_queue);
    auto const released = [&](std::string const& rule) { return releases(record, rule) > 0; };
    CHECK(released("HoldReasonCode == " + std::to_string(code)));
    CHECK(released("HoldReasonSubCode == 7"));
    CHECK(!released("HoldReasonCode == 0"));
    CHECK(!released("HoldReasonCode =!= " + std::to_string(code)));
  }
}

TEST_CASE("periodic_release leaves jobs alone that a person held", "[replay]") {
  bool const in_queue = GENERATE(false, true);
  CHECK(releases(held_jobs(history::Reason::manual, {1, 0}, in_queue), "true") == 0);
  CHECK(releases(held_jobs(history::Reason::unknown, {26, 0}, in_queue), "true") > 0);
}

TEST_CASE("a job that needs more memory than it requests is held after each release", "[replay]") {
  history::JobHistory record = held_jobs(history::Reason::out_of_resources, {34, 102}, false);
  Id<history::Site> const north = record.site_named("north");
  Id<history::Job> const good(job_count);
  record.jobs.push_back({1, job_count});
  record.events.push_back({.at = Seconds(2000), .job = good, .kind = submitted});
  record.events.push_back({.at = Seconds(2010), .job = good, .kind = executing, .site = north});
  record.events.push_back({.at = Seconds(3000), .job = good, .kind = terminated, .site = north});
  scenario::Strategy strategy;
  strategy.retry.policy.periodic_release = classad::parse("HoldReasonCode == 34 && NumHolds < 3");
  auto const ledger = ledger::account(
      engine::replay(record, {{}, Bytes(1e9)}, strategy, {}, RandomStreams(1, 0)).history);
  CHECK(ledger.total.succeeded == 1);
  CHECK(ledger.total.executions == 1 + 3 * job_count);
}

TEST_CASE("another periodic_release decides in place of the record's", "[replay]") {
  // The record's rule released the jobs after 1,200 s.
  history::JobHistory record = held_jobs(history::Reason::unknown, {12, 0}, false);
  Id<history::Site> const north = record.site_named("north");
  for (std::size_t j = 0; j < job_count; ++j) {
    Id<history::Job> const job(j);
    record.events.push_back(
        {.at = Seconds(2215), .job = job, .kind = released, .reason = history::Reason::policy});
    record.events.push_back({.at = Seconds(2300), .job = job, .kind = executing, .site = north});
    record.events.push_back({.at = Seconds(2500), .job = job, .kind = terminated, .site = north});
  }
  std::ranges::stable_sort(record.events, {}, &history::JobEvent::at);
  engine::ReplayGrid grid{{}, Bytes(1e9)};
  auto const rule = [](char const* text) {
    scenario::Strategy strategy;
    strategy.retry.policy.periodic_release = classad::parse(text);
    return strategy;
  };
  grid.recorded = rule("time() - EnteredCurrentStatus > 1200");
  auto const succeeded = [&](char const* text) {
    auto const history = engine::replay(record, grid, rule(text), {}, RandomStreams(1, 0)).history;
    return ledger::account(history).total.succeeded;
  };
  CHECK(succeeded("time() - EnteredCurrentStatus > 1200") == job_count);
  CHECK(succeeded("time() - EnteredCurrentStatus > 14400") == job_count);
  CHECK(succeeded("false") == 0);
}

TEST_CASE("a job that a limit stops needs the same time after each release", "[replay]") {
  // Half of the jobs compute for 200 s and end within a limit of 500 s, the others need 1,000 s.
  history::JobHistory record;
  Id<history::Site> const north = record.site_named("north");
  for (std::size_t j = 0; j < 20; ++j) {
    record.jobs.push_back({1, static_cast<std::uint32_t>(j)});
    Id<history::Job> const job(j);
    Seconds const end(10 + (j % 2 == 0 ? 200 : 1000));
    record.events.push_back({.job = job, .kind = submitted});
    record.events.push_back({.at = Seconds(5), .job = job, .kind = matched, .site = north});
    record.events.push_back({.at = Seconds(10), .job = job, .kind = executing, .site = north});
    record.events.push_back({.at = end, .job = job, .kind = terminated, .site = north});
  }
  std::ranges::stable_sort(record.events, {}, &history::JobEvent::at);
  scenario::Strategy limited;
  limited.retry.policy.allowed_execute_duration = Seconds(500);
  limited.retry.policy.periodic_release = classad::parse("NumJobStarts < 4");
  auto const ledger = ledger::account(
      engine::replay(record, {{}, Bytes(1e9)}, limited, {}, RandomStreams(1, 0)).history);
  CHECK(ledger.total.succeeded == 10);
  CHECK(ledger.total.executions == 10 + 10 * 4);
}

}  // namespace gridcast::test
