// Every event is held against the Trace Event Format, by rules written from its document.
#include "sim/report/data/chrome_trace.hpp"

#include <map>
#include <set>
#include <sstream>

#include <nlohmann/json.hpp>

#include "tests/condor/random_history.hpp"
#include "tests/history/history_builder.hpp"
#include "tests/test.hpp"

namespace gridcast::report {
namespace {

using Json = nlohmann::json;
using enum history::EventKind;
using test::HistoryBuilder;

Json trace_of(history::JobHistory const& history, TraceContext const& context) {
  std::ostringstream out;
  write_chrome_trace(history, context, out);
  return Json::parse(out.str());
}

class Validator {
 public:
  void check(Json const& trace) {
    for (Json const& event : trace.at("traceEvents")) check_event(event);
    for (auto const& [counter, value] : counters_) {
      INFO(counter.second);
      REQUIRE(value == 0);
    }
    for (auto const& [pid, tid] : threads_) {
      REQUIRE(processes_.count(pid) == 1);
      REQUIRE(thread_names_.count({pid, tid}) == 1);
    }
  }

  std::size_t slices() const { return slices_; }
  std::int64_t slice_time() const { return slice_time_; }
  std::set<std::string> const& counter_names() const { return counter_names_; }
  std::map<std::int64_t, std::string> const& processes() const { return processes_; }

 private:
  void check_event(Json const& event) {
    INFO(event.dump());
    std::string const ph = event.at("ph");
    std::int64_t const pid = event.at("pid"), tid = event.at("tid");
    REQUIRE(event.at("name").is_string());
    if (ph == "M") return check_name(event, pid, tid);
    REQUIRE(event.at("ts").is_number_integer());
    std::int64_t const ts = event.at("ts");
    REQUIRE(ts >= last_);
    last_ = ts;
    if (ph == "X") return check_slice(event, pid, tid, ts);
    REQUIRE(ph == "C");
    for (auto const& [series, value] : event.at("args").items()) {
      REQUIRE(value.is_number());
      REQUIRE(value >= 0);
      counters_[{pid, std::string(event.at("name")) + series}] = value;
    }
    counter_names_.insert(std::string(event.at("name")));
    REQUIRE(processes_.count(pid) == 1);
  }

  void check_name(Json const& event, std::int64_t pid, std::int64_t tid) {
    if (event.at("name") == "process_name") processes_[pid] = event.at("args").at("name");
    if (event.at("name") == "thread_name") {
      REQUIRE(thread_names_.insert({pid, tid}).second);
      REQUIRE(thread_numbers_.insert(tid).second);
    }
  }

  // Slices of a thread may nest; ours are one after the other.
  void check_slice(Json const& event, std::int64_t pid, std::int64_t tid, std::int64_t ts) {
    std::int64_t const dur = event.at("dur");
    REQUIRE(dur > 0);
    REQUIRE(ts >= busy_until_[{pid, tid}]);
    busy_until_[{pid, tid}] = ts + dur;
    threads_.insert({pid, tid});
    REQUIRE(event.at("args").at("job").is_string());
    REQUIRE(event.at("cat").is_string());
    slice_time_ += dur;
    ++slices_;
  }

  std::int64_t last_ = 0;
  std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> busy_until_;
  std::map<std::pair<std::int64_t, std::string>, double> counters_;
  std::set<std::pair<std::int64_t, std::int64_t>> threads_, thread_names_;
  std::set<std::int64_t> thread_numbers_;
  std::map<std::int64_t, std::string> processes_;
  std::set<std::string> counter_names_;
  std::size_t slices_ = 0;
  std::int64_t slice_time_ = 0;
};

Json const* slice_named(Json const& trace, std::string const& name) {
  for (Json const& event : trace.at("traceEvents")) {
    if (event.at("ph") == "X" && event.at("name") == name) return &event;
  }
  return nullptr;
}

}  // namespace

TEST_CASE("phases stand where and when they happened", "[chrome_trace]") {
  HistoryBuilder h({{7, 3}}, {"A", "B \"quoted\"\n\xff"});
  h.add(0, 0, submitted).add(1.5, 0, matched).on(1, 2);
  h.add(2, 0, transfer_input_started).on(1, 2);
  h.add(3602, 0, shadow_exception, history::Reason::transfer_stalled).on(1, 2);
  h.add(3700, 0, held, history::Reason::policy);
  h.add(4000, 0, aborted, history::Reason::manual);
  Json const trace =
      trace_of(h.get(), {"title", {"cache"}, {Bytes(100)}, {{Seconds(2500), 0, Bytes(60)}}});
  Validator validator;
  validator.check(trace);
  CHECK(validator.slices() == 5);
  Json const* const stalled = slice_named(trace, "stalled");
  REQUIRE(stalled != nullptr);
  CHECK(stalled->at("ts") == 2'000'000);
  CHECK(stalled->at("dur") == 3'600'000'000);
  CHECK(stalled->at("args").at("job") == "7.3");
  CHECK(stalled->at("args").at("attempt") == 1);
  CHECK(stalled->at("args").at("reason") == "input transfer ended by the stall timer");
  std::int64_t const pid = stalled->at("pid");
  CHECK(validator.processes().at(pid).substr(0, 10) == "B \"quoted\"");
  Json const* const held_slice = slice_named(trace, "held");
  REQUIRE(held_slice != nullptr);
  CHECK(validator.processes().at(held_slice->at("pid")) == "queue");
  CHECK(validator.counter_names() == std::set<std::string>{"input transfers", "all input transfers",
                                                           "waiting", "held", "cache used bytes"});
}

TEST_CASE("every event of any history is valid", "[chrome_trace]") {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    auto const history = test::RandomHistory(seed, condor::CondorVersion::v25, 1'700'000'000).get();
    Validator validator;
    validator.check(trace_of(history, {"random", {}, {}, {}}));
    std::int64_t time = 0;
    for (history::PhaseSpan const& span : history::phases_of(history)) {
      time += std::llround((span.end - span.begin).value() * 1e6);
    }
    REQUIRE(validator.slice_time() == time);
  }
}

TEST_CASE("a history of nothing is a trace of nothing", "[chrome_trace]") {
  Validator validator;
  validator.check(trace_of({}, {"", {}, {}, {}}));
  CHECK(validator.slices() == 0);
}

}  // namespace gridcast::report
