// --report FILE.html: the page that a verb writes beside what it prints.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sim/cli/command_line.hpp"
#include "sim/report/page/report_page.hpp"
#include "sim/scenario/scenario.hpp"

namespace gridcast::cli {

struct ReportArguments {
  std::filesystem::path file;  // empty: none
  std::string deadline;        // as given: "3 d"
  std::string kind = {};       // of the page, where it is not its first result's
};

/// --report and, of studies, --deadline.
void add_report_option(Verb& verb, ReportArguments& arguments, bool with_deadline);

/// Before any work: the page's template is there, and the file can be written and is not there yet
/// (unless `force`). InputError otherwise. Nothing for an empty file.
void prepare_report(ReportArguments const& arguments, bool force);

/// A request with the command line, version and deadline filled in.
report::ReportRequest report_request(ReportArguments const& arguments);

/// Scenario, pool and calibration as inputs of a page.
std::vector<report::InputFileFact> inputs_of(scenario::Scenario const& scenario);
std::vector<report::InputFileFact> inputs_of(std::string const& what,
                                             std::vector<std::filesystem::path> const& files);

void write_report(ReportArguments const& arguments, report::ReportDocument const& document);
void write_report(ReportArguments const& arguments, report::ReportRequest const& request);

}  // namespace gridcast::cli
