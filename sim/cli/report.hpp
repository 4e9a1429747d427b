// --report FILE.html: the page that a verb writes beside what it prints.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sim/cli/command_line.hpp"
#include "sim/cli/verb_files.hpp"
#include "sim/report/page/report_page.hpp"
#include "sim/scenario/scenario.hpp"

namespace gridcast::cli {

struct ReportArguments {
  std::filesystem::path file;  // empty: none
  std::string deadline;        // as given: "3 d"
  std::string kind = {};       // of the page, where it is not its first result's
};

void add_report_option(Verb& verb, ReportArguments& arguments);
/// --deadline, of studies.
void add_deadline_option(Verb& verb, ReportArguments& arguments);

/// As given by --deadline; none without it. InputError if it is no time.
std::optional<Seconds> deadline_of(ReportArguments const& arguments);

/// Before any work: the deadline is a time, and the page's template is there; the page is one of
/// the verb's outputs. InputError otherwise. Nothing for an empty file.
void prepare_report(ReportArguments const& arguments, VerbFiles& files);

/// A request with the command line, version and deadline filled in.
report::ReportRequest report_request(ReportArguments const& arguments);

/// Scenario, pool and calibration as inputs of a page.
std::vector<report::InputFileFact> inputs_of(scenario::Scenario const& scenario);
std::vector<report::InputFileFact> inputs_of(std::string const& what,
                                             std::vector<std::filesystem::path> const& files);

void write_report(ReportArguments const& arguments, report::ReportDocument const& document);
void write_report(ReportArguments const& arguments, report::ReportRequest const& request);

}  // namespace gridcast::cli
