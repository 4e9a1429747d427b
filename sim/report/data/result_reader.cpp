#include "sim/report/data/result_reader.hpp"

#include <fmt/format.h>

#include "sim/base/files.hpp"
#include "sim/report/data/json_reader.hpp"
#include "sim/report/data/result_parts.hpp"

namespace gridcast::report {
namespace {

struct KnownSchema {
  std::string_view name;
  ResultKind kind;
};

constexpr KnownSchema known[] = {{"gridcast.ledger/1", ResultKind::ledger},
                                 {"gridcast.prediction/1", ResultKind::prediction},
                                 {"gridcast.replay/1", ResultKind::replay},
                                 {"gridcast.comparison/1", ResultKind::comparison}};

std::string known_names() {
  std::string text;
  for (auto const& each : known) text += (text.empty() ? "" : ", ") + std::string(each.name);
  return text;
}

ResultKind kind_of(nlohmann::ordered_json const& json, std::string const& source) {
  std::string const schema =
      json.is_object() && json.contains("schema") && json["schema"].is_string()
          ? json["schema"].get<std::string>()
          : std::string();
  for (auto const& each : known) {
    if (schema == each.name) return each.kind;
  }
  for (auto const& each : known) {
    auto const family = each.name.substr(0, each.name.find('/') + 1);
    if (!schema.starts_with(family)) continue;
    throw InputError(Problem{{source, 0, 0},
                             fmt::format("is a result of schema {}", schema),
                             fmt::format("this gridcast reads {}", each.name),
                             "Use the gridcast that made it, or make it again with this one."});
  }
  throw InputError(
      Problem{{source, 0, 0},
              schema.empty() ? "is no result of gridcast: it names no schema"
                             : fmt::format("is of schema '{}'", schema),
              "a report is made of " + known_names(),
              "Make a result: gridcast run|predict|compare|replay|ledger ... --json."});
}

}  // namespace

Result read_result(std::string const& text, std::string const& source) {
  auto const json = parse_json(text, source);
  Result result;
  result.kind = kind_of(json, source);
  result.source = source;
  std::vector<Problem> problems;
  JsonReader const reader(json, "", source, problems);
  read_head(reader, result);
  switch (result.kind) {
    case ResultKind::ledger:
      read_ledger(reader, result);
      break;
    case ResultKind::prediction:
      read_prediction(reader, result);
      break;
    case ResultKind::replay:
      read_replay(reader, result);
      break;
    case ResultKind::comparison:
      read_comparison(reader, result);
      break;
  }
  if (!problems.empty()) throw InputError(std::move(problems));
  return result;
}

Result read_result(std::filesystem::path const& file) {
  return read_result(read_text_file(file), file.string());
}

void check_alike(std::vector<Result> const& results) {
  Result const* first = nullptr;
  std::vector<Problem> problems;
  for (auto const& result : results) {
    if (result.scenario.empty() && result.scenario_sha256.empty()) continue;
    if (first == nullptr) {
      first = &result;
      continue;
    }
    bool const hashed = !result.scenario_sha256.empty() && !first->scenario_sha256.empty();
    bool const same = hashed ? result.scenario_sha256 == first->scenario_sha256
                             : result.scenario == first->scenario;
    if (same) continue;
    bool const changed = result.scenario == first->scenario;
    problems.push_back(
        {{result.source, 0, 0},
         changed ? fmt::format("is of {} as it was before or after it changed", result.scenario)
                 : fmt::format("is of {}", result.scenario),
         fmt::format("{} is of {}, and figures of different scenarios do not compare",
                     first->source, first->scenario),
         "Give each scenario's results to a `gridcast report` of its own."});
  }
  if (!problems.empty()) throw InputError(std::move(problems));
}

}  // namespace gridcast::report
