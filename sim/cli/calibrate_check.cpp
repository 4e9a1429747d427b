// gridcast calibrate --check: scores forecasts of campaigns that took place. --against RECORD...
// forecasts them from a calibration, --leave-one WHAT from the rest of the records.
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/base/nearest_file.hpp"
#include "sim/cli/input_kind.hpp"
#include "sim/cli/report.hpp"
#include "sim/cli/validation_scores.hpp"
#include "sim/cli/verbs.hpp"
#include "sim/import/recorded_campaign.hpp"

namespace gridcast::cli {
namespace {

namespace fs = std::filesystem;

/// InputError with all files that are not there.
void require_files(std::vector<fs::path> const& files) {
  std::vector<Problem> problems;
  for (fs::path const& file : files) {
    std::error_code ignored;
    bool const there = import::is_read_once(file) || fs::exists(file, ignored);
    if (!there) problems.push_back(missing_file(file));
  }
  if (!problems.empty()) throw InputError(std::move(problems));
}

int run_validate(ScoreArguments const& scores) {
  auto const& files = scores.files;
  bool const against = !scores.against.empty(), leave_one = !scores.leave_one.empty();
  if (against && leave_one) {
    refuse({}, "--against and --leave-one cannot be given together",
           "each is a question of its own", "Leave one out.");
  }
  refuse_other_kinds(files, "calibrate --check", "a calibration, or records with --leave-one",
                     {InputKind::calibration, InputKind::record, InputKind::table});
  require_files(files);
  if (leave_one) return score_left_out(scores);
  if (files.size() > 1) {
    refuse({}, "more than one FILE", "several records are for --leave-one or behind --against",
           "Name one calibration.");
  }
  if (against) return score_against(scores);
  refuse({}, "neither --against nor --leave-one",
         "forecasts are compared with campaigns that took place",
         "Give --against RECORD..., or --leave-one campaign with records.");
}

}  // namespace

void add_check(Verb& calibrate) {
  auto options = std::make_shared<ScoreArguments>();
  Verb verb = calibrate.mode("--check", "Score forecasts of campaigns that took place");
  verb.positional("FILE", &options->files, "Calibration file; with --leave-one, records")
      .required();
  add_score_options(verb, *options);
  verb.flag("--force", options->force, "Replace existing files");
  verb.footer(
      "Examples:\n"
      "  gridcast calibrate --check c1.yaml --against calibration/data/htcondor-pool/c4-retry \\\n"
      "    --work-word 1\n"
      "  gridcast calibrate --check calibration/data/htcondor-pool/c6-xml --leave-one part");
  verb.runs([options] { return run_validate(*options); });
}

}  // namespace gridcast::cli
