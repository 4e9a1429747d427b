#include "sim/report/page/provenance.hpp"

#include <fmt/format.h>

#include "sim/report/page/shown.hpp"

namespace gridcast::report {
namespace {

void add_result(ReportSection& section, Result const& result, std::string const& prefix) {
  auto const fact = [&](std::string_view name, std::string const& value) {
    if (!value.empty()) section.facts.push_back({prefix + std::string(name), value});
  };
  fact("scenario", result.scenario);
  fact("SHA-256 of scenario and pool", result.scenario_sha256);
  fact("SHA-256 of the calibration", result.calibration_sha256);
  fact("strategy", result.strategy);
  if (result.seed) fact("seed", std::to_string(*result.seed));
  if (result.replica) fact("replica", std::to_string(*result.replica));
  if (result.requested > 0) {
    fact("replicas", fmt::format("{} of {}", result.replicas, result.requested));
  }
  if (!result.version.empty()) fact("made by", "gridcast " + result.version);
}

}  // namespace

ReportSection provenance(std::vector<Result> const& results, std::string const& created_by,
                         std::string const& command, std::vector<InputFileFact> const& inputs) {
  ReportSection section{"provenance", "Provenance", {}, {}, {}, {}, {}};
  section.text.emplace_back(
      "The same program, input and seed give the same figures, on any number of cores.");
  section.facts = {{"command", command}, {"page made by", created_by}};
  for (auto const& result : results) {
    add_result(section, result, results.size() > 1 ? one_line(result.source) + ": " : "");
  }
  ReportTable table;
  table.id = "inputs";
  table.title = "What went in";
  table.says = fmt::format("{} file{}, each with its SHA-256.", inputs.size(),
                           inputs.size() == 1 ? "" : "s");
  table.data.columns = {{"what", "what", "", "text"},
                        {"file", "file", "", "text"},
                        {"sha256", "SHA-256", "", "text"}};
  for (auto const& input : inputs) {
    table.data.rows.push_back({input.what, input.file, input.sha256});
    if (!input.text.empty()) section.facts.push_back({input.file, input.text});
  }
  if (!inputs.empty()) section.table = std::move(table);
  return section;
}

}  // namespace gridcast::report
