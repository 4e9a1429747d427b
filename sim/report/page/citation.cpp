// How to cite the program and a report of it. CITATION.cff has the same references.
#include <fmt/format.h>

#include "sim/report/page/report_page.hpp"

namespace gridcast::report {
namespace {

/// So many digits of a SHA-256 distinguish files.
constexpr std::size_t digits_of_hash = 16;

std::string facts_of(Result const& result) {
  std::string text;
  auto const add = [&](std::string const& fact) { text += (text.empty() ? "" : ", ") + fact; };
  if (result.seed) add(fmt::format("seed {}", *result.seed));
  if (result.replicas > 0) add(fmt::format("{} campaigns for each strategy", result.replicas));
  if (!result.scenario_sha256.empty()) {
    add("scenario SHA-256 " + result.scenario_sha256.substr(0, digits_of_hash));
  }
  if (!result.calibration_sha256.empty()) {
    add("calibration SHA-256 " + result.calibration_sha256.substr(0, digits_of_hash));
  }
  return text;
}

}  // namespace

std::vector<std::string> citation(ReportDocument const& document,
                                  std::vector<Result> const& results) {
  std::vector<std::string> text = {
      fmt::format("The program: The gridcast developers. {}: a discrete-event simulator that "
                  "forecasts machine-learning training campaigns on a grid. MIT licence.",
                  document.created_by),
      "It is built on SimGrid: H. Casanova, A. Giersch, A. Legrand, M. Quinson and F. Suter. "
      "Versatile, scalable, and accurate simulation of distributed applications and platforms. "
      "Journal of Parallel and Distributed Computing 74 (10), 2899-2917, 2014. "
      "doi:10.1016/j.jpdc.2014.06.008."};
  std::string report =
      fmt::format("This report: \"{}\". Made by {}", document.title, document.created_by);
  if (!document.command.empty()) report += fmt::format(" with `{}`", document.command);
  for (auto const& result : results) {
    auto const facts = facts_of(result);
    if (!facts.empty()) report += "; " + facts;
  }
  text.push_back(report + ". The same inputs and seed give the same figures.");
  return text;
}

}  // namespace gridcast::report
