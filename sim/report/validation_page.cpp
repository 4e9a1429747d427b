#include "sim/report/validation_page.hpp"

#include <fmt/format.h>

#include "sim/report/page/shown.hpp"

namespace gridcast::report {
namespace {

struct Count {
  std::size_t all = 0, inside = 0;
};

/// Of those that the record has events of.
Count identified(std::vector<KnownParameter> const& parameters) {
  Count count;
  for (auto const& each : parameters) {
    if (each.fitted.events == 0) continue;
    ++count.all;
    count.inside += each.inside ? 1U : 0U;
  }
  return count;
}

std::string verdict(std::vector<KnownParameter> const& parameters) {
  auto const count = identified(parameters);
  return fmt::format(
      "{} of {} true values lie in the 90 % interval that the calibration gives, of the parameters "
      "that the record has events of.",
      count.inside, count.all);
}

ReportSection recovery(std::vector<KnownParameter> const& parameters) {
  ReportSection section{"recovery", "True values and fitted intervals", {}, {}, {}, {}, {}};
  ReportFigure figure;
  figure.id = "recovery";
  figure.title = "Each true value in its fitted interval";
  figure.says = verdict(parameters);
  figure.spec = "coverage";
  figure.data.columns = {{"figure", "parameter", "", "text"},
                         {"observed", "truth"},
                         {"lo", "90 % interval, low"},
                         {"hi", "90 % interval, high"},
                         {"p50", "estimate"},
                         {"inside", "inside", "", "text"},
                         {"events", "events"},
                         {"unit", "unit", "", "text"}};
  for (auto const& each : parameters) {
    figure.data.rows.push_back({each.fitted.name, each.truth, each.fitted.interval90.low,
                                each.fitted.interval90.high, each.fitted.estimate,
                                each.inside ? "yes" : "no", static_cast<double>(each.fitted.events),
                                each.fitted.unit});
  }
  section.figures.push_back(std::move(figure));
  return section;
}

}  // namespace

ReportDocument validation_page(ValidationRequest const& request) {
  ReportDocument document;
  document.kind = "validation";
  document.title = request.title;
  document.subtitle = "A calibration held against the truth of a test pool";
  document.created_by = request.created_by;
  document.command = request.command;
  document.question = "Does the calibration find the parameters that the pool was run with?";
  document.answer = {verdict(request.parameters)};
  std::vector<std::string> outside;
  for (auto const& each : request.parameters) {
    if (!each.inside) outside.push_back(each.fitted.name);
  }
  if (!outside.empty()) document.answer.push_back("Outside: " + list_text(outside) + ".");
  document.assumptions = {
      "Of an honest calibration nine in ten intervals hold the truth, in the long run."};
  document.sections.push_back(recovery(request.parameters));
  for (auto& section : calibration_sections(request.calibration)) {
    document.sections.push_back(std::move(section));
  }
  document.sections.push_back(provenance({}, request.created_by, request.command, request.inputs));
  return document;
}

}  // namespace gridcast::report
