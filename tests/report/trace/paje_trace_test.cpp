// A trace is read by the definitions in its own header, as a viewer reads it, and each line is held
// against them.
#include <map>
#include <set>
#include <sstream>

#include "sim/report/trace/trace.hpp"
#include "tests/condor/random_history.hpp"
#include "tests/history/history_builder.hpp"
#include "tests/test.hpp"

namespace gridcast::report {
namespace {

using enum history::EventKind;
using test::HistoryBuilder;

struct Definition {
  std::string name;
  std::vector<std::pair<std::string, std::string>> fields;  // name, type
};

std::vector<std::string> words_of_line(std::string const& line) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < line.size();) {
    if (line[at] == ' ') {
      ++at;
    } else if (line[at] == '"') {
      std::size_t const end = line.find('"', at + 1);
      REQUIRE(end != std::string::npos);
      words.push_back(line.substr(at + 1, end - at - 1));
      at = end + 1;
    } else {
      std::size_t const end = std::min(line.find(' ', at), line.size());
      words.push_back(line.substr(at, end - at));
      at = end;
    }
  }
  return words;
}

class Reader {
 public:
  void read(std::string const& text) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      INFO(line);
      if (line[0] == '%') {
        read_definition(line);
      } else if (line[0] != '#') {
        read_line(line);
      }
    }
    REQUIRE(alive_.empty());
    for (auto const& [container, depth] : depth_) REQUIRE(depth == 0);
    for (auto const& [variable, value] : values_) {
      if (variable.first != "FILL") REQUIRE(value == 0);
    }
  }

  std::map<std::string, int> const& seen() const { return seen_; }
  double pushed_time() const { return pushed_time_; }
  std::vector<std::string> const& states() const { return states_; }

 private:
  void read_definition(std::string const& line) {
    auto const words = words_of_line(line.substr(1));
    if (words[0] == "EventDef") {
      current_ = words.at(2);
      REQUIRE(definitions_.emplace(current_, Definition{words[1], {}}).second);
    } else if (words[0] != "EndEventDef") {
      definitions_[current_].fields.emplace_back(words.at(0), words.at(1));
    }
  }

  void read_line(std::string const& line) {
    auto const words = words_of_line(line);
    auto const found = definitions_.find(words.at(0));
    REQUIRE(found != definitions_.end());
    Definition const& definition = found->second;
    REQUIRE(words.size() == definition.fields.size() + 1);
    std::map<std::string, std::string> fields;
    for (std::size_t i = 0; i < definition.fields.size(); ++i) {
      auto const& [name, type] = definition.fields[i];
      fields[name] = words[i + 1];
      if (type == "date" || type == "double") REQUIRE_NOTHROW(std::stod(words[i + 1]));
    }
    ++seen_[definition.name];
    if (fields.count("Time") > 0) {
      double const time = std::stod(fields["Time"]);
      REQUIRE(time >= now_);
      now_ = time;
    }
    play(definition.name, fields);
  }

  void play(std::string const& kind, std::map<std::string, std::string>& f) {
    if (kind.rfind("PajeDefine", 0) == 0) {
      REQUIRE((f["Type"] == "0" || types_.count(f["Type"]) == 1));
      types_[f["Alias"]] = f["Type"];
    } else if (kind == "PajeCreateContainer") {
      REQUIRE((f["Container"] == "0" || alive_.count(f["Container"]) == 1));
      REQUIRE(types_.count(f["Type"]) == 1);
      REQUIRE(alive_.emplace(f["Alias"], f["Type"]).second);
    } else if (kind == "PajeDestroyContainer") {
      REQUIRE(alive_.count(f["Name"]) == 1);
      REQUIRE(alive_.at(f["Name"]) == f["Type"]);
      alive_.erase(f["Name"]);
    } else {
      // The type is one of the container's own.
      REQUIRE(alive_.count(f["Container"]) == 1);
      REQUIRE(types_.at(f["Type"]) == alive_.at(f["Container"]));
      play_in_container(kind, f);
    }
  }

  void play_in_container(std::string const& kind, std::map<std::string, std::string>& f) {
    std::string const& container = f["Container"];
    if (kind == "PajePushState") {
      REQUIRE(types_.at(f["Value"]) == f["Type"]);
      REQUIRE(++depth_[container] == 1);
      since_[container] = now_;
      states_.push_back(f["Value"] + " " + f["Job"] + " " + f["Reason"]);
    } else if (kind == "PajePopState") {
      REQUIRE(--depth_[container] == 0);
      pushed_time_ += now_ - since_[container];
    } else {
      REQUIRE(kind == "PajeSetVariable");
      double const value = std::stod(f["Value"]);
      REQUIRE(value >= 0);
      values_[{f["Type"], container}] = value;
    }
  }

  std::string current_;
  std::map<std::string, Definition> definitions_;
  std::map<std::string, std::string>
      types_;  // of containers, states, variables and values: of what
  std::map<std::string, std::string> alive_;  // containers, with their types
  std::map<std::string, int> depth_;
  std::map<std::string, double> since_;
  std::map<std::pair<std::string, std::string>, double> values_;
  std::map<std::string, int> seen_;
  std::vector<std::string> states_;
  double now_ = 0, pushed_time_ = 0;
};

Reader read_trace(history::JobHistory const& history, TraceContext const& context) {
  std::ostringstream out;
  write_paje_trace(history, context, out);
  Reader reader;
  reader.read(out.str());
  return reader;
}

}  // namespace

TEST_CASE("slots, their states and the caches", "[paje_trace]") {
  HistoryBuilder h({{7, 3}}, {"A", "B \"quoted\"\n"});
  h.add(0, 0, submitted).add(2, 0, matched).on(1, 2);
  h.add(2, 0, transfer_input_started).on(1, 2);
  h.add(3602, 0, shadow_exception, history::Reason::transfer_stalled).on(1, 2);
  h.add(4000, 0, aborted, history::Reason::manual);
  Reader const trace =
      read_trace(h.get(), {"a\ntitle", {"cache"}, {Bytes(100)}, {{Seconds(4500), 0, Bytes(60)}}});
  CHECK(trace.states() ==
        std::vector<std::string>{"stalled 7.3 input transfer ended by the stall timer"});
  CHECK(trace.pushed_time() == Approx(3600));
  CHECK(trace.seen().at("PajeCreateContainer") == 5);  // grid, two sites, a slot, a cache
}

TEST_CASE("every line of any history fits its definition", "[paje_trace]") {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    auto const history = test::RandomHistory(seed, condor::CondorVersion::v25, 1'700'000'000).get();
    double time = 0;
    for (history::PhaseSpan const& span : history::phases_of(history)) {
      if (span.attempt > 0) time += (span.end - span.begin).value();
    }
    REQUIRE(read_trace(history, {"random", {}, {}, {}}).pushed_time() == Approx(time));
  }
}

}  // namespace gridcast::report
