// --report FILE.html: the page that a verb writes beside its printed result. It shows one simulated
// campaign, or a study with its typical replica, and the calibration beside its records.
// `gridcast export html RESULT.json... -o FILE.html` makes the page of results that verbs printed
// with --json.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sim/cli/command_line.hpp"
#include "sim/cli/verb_files.hpp"
#include "sim/engine/replica.hpp"
#include "sim/ledger/ledger.hpp"
#include "sim/report/page/report_page.hpp"
#include "sim/scenario/calibration.hpp"
#include "sim/scenario/calibration_file.hpp"
#include "sim/scenario/scenario.hpp"

namespace gridcast::cli {

struct StudyArguments;

struct ReportArguments {
  fs::path file;          // empty: none
  std::string deadline;   // as given: "3 d"
  std::string kind = {};  // of the page, where it is not its first result's
};

/// The page of that name which comes with the program. InputError if it is not there: "--report
/// needs the report page".
std::string needed_page(std::string const& name, std::string const& who_needs_it);

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
                                             std::vector<fs::path> const& files);

void write_report(ReportArguments const& arguments, report::ReportRequest request);

/// A record that a calibration was made of, as it was named when it was read: from here, or from
/// the calibration's folder or one above it; empty unless it is there with the same bytes.
fs::path find_input(scenario::CalibrationInput const& input, fs::path const& calibration);

/// Which campaign was simulated.
struct ChosenCampaign {
  scenario::Scenario const& scenario;
  scenario::Strategy const& strategy;
  std::uint64_t seed = 1;
  std::uint32_t replica = 0;
};

/// The ledger, with the name of its campaign.
report::Result result_of(ChosenCampaign const& campaign, ledger::Ledger const& ledger,
                         bool with_jobs = false);

/// `simulation`: with its history. Nothing without --report.
void write_run_report(ReportArguments const& arguments, ChosenCampaign const& campaign,
                      engine::Replica const& simulation);

/// "replica 3 of seed 1, strategy published".
std::string words_for(ChosenCampaign const& campaign);

/// The user's inputs of a scenario that the program made.
struct MadeFrom {
  std::vector<report::InputFileFact> files = {};
  bool kept = true;             // scenario, pool and calibration, where they are
  std::string simplified = {};  // as Result's
  std::vector<std::string> assumed = {};
};

/// With the replica of `strategy`, the result's baseline, that is the medoid. Nothing without
/// --report. Files that are not kept are shown by their names alone.
void write_study_report(StudyArguments const& arguments, scenario::Scenario const& scenario,
                        report::Result result, scenario::Strategy const& strategy,
                        MadeFrom made_from = {});

}  // namespace gridcast::cli
