// --report FILE.html: the page that a verb writes beside what it prints.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "sim/report/report_page.hpp"
#include "sim/scenario/scenario.hpp"

namespace gridcast {

struct ReportArguments {
  std::filesystem::path file;  // empty: none
  std::string deadline;        // as given: "3 d"
  std::string kind = {};       // of the page, where it is not its first result's
};

/// --report and, of studies, --deadline.
void add_report_option(CLI::App& verb, ReportArguments& arguments, bool with_deadline);

/// Before any work: the page's template is there, and the file can be written and is not there yet
/// (unless `force`). InputError otherwise. Nothing for an empty file.
void prepare_report(ReportArguments const& arguments, bool force);

/// A request with the command line, version and deadline filled in.
ReportRequest report_request(ReportArguments const& arguments);

/// What a history tells in full.
OneCampaign one_campaign(std::string const& what, JobHistory history, ResourceTrace resources = {});

/// Scenario, pool and calibration as inputs of a page.
std::vector<InputFileFact> inputs_of(Scenario const& scenario);
std::vector<InputFileFact> inputs_of(std::string const& what,
                                     std::vector<std::filesystem::path> const& files);

void write_report(ReportArguments const& arguments, ReportDocument const& document);
void write_report(ReportArguments const& arguments, ReportRequest const& request);

}  // namespace gridcast
