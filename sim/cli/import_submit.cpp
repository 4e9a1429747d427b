#include "sim/cli/import_submit.hpp"

#include <iostream>
#include <memory>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "sim/base/error.hpp"
#include "sim/base/files.hpp"
#include "sim/base/text.hpp"
#include "sim/cli/exit_code.hpp"
#include "sim/cli/shipped.hpp"
#include "sim/import/scenario_text.hpp"
#include "sim/import/submit_commands.hpp"
#include "sim/scenario/scenario.hpp"

namespace gridcast::cli {
namespace {

namespace fs = std::filesystem;

/// URL=SIZE, where a URL may have an equals sign in it and a size has not.
import::KnownSizes known_sizes(std::vector<std::string> const& options){import::KnownSizes sizes;
for (std::string const& option : options) {
  auto const equals = option.rfind('=');
  auto const size =
      equals == std::string::npos ? std::nullopt : parse_bytes(trim(option.substr(equals + 1)));
  if (!size || size->value() <= 0 || equals == 0) {
    throw InputError(Problem{{},
                             fmt::format("--size '{}' is not URL=SIZE", option),
                             "",
                             "Write --size 'osdf:///a/b.tar=137GB'."});
  }
  sizes[option.substr(0, equals)] = *size;
}
return sizes;
}  // namespace

/// As the scenario names it: from its own folder.
std::string from_folder(fs::path const& file, fs::path const& folder) {
  std::error_code error;
  fs::path const relative = fs::proximate(file, folder.empty() ? "." : folder, error);
  return error ? file.string() : relative.generic_string();
}

std::string note_text(condor::SubmitNote const& note) {
  return Problem{note.where, note.what, "", ""}.to_text();
}

struct Sources {
  fs::path calibration, pool;
  import::CalibratedProgram program;
};

Sources find_sources(ImportSubmitOptions const& options) {
  Sources sources;
  sources.calibration = options.calibration;
  if (sources.calibration.empty()) {
    sources.calibration = scenario::read_scenario(shipped_scenario()).calibration.file;
    fmt::print(stderr, "No --calibration: taken from the shipped {}\n",
               sources.calibration.string());
  }
  sources.program = import::read_calibrated_program(sources.calibration);
  sources.pool = options.pool.empty() ? sources.program.pool : options.pool;
  std::error_code error;
  if (sources.pool.empty() || (options.pool.empty() && !fs::exists(sources.pool, error))) {
    throw InputError(Problem{{sources.calibration.string()},
                             sources.pool.empty()
                                 ? "this calibration names no pool"
                                 : fmt::format("its pool {} is not there", sources.pool.string()),
                             "",
                             "Add --pool POOL."});
  }
  return sources;
}

std::string scenario_text(ImportSubmitOptions const& options, import::SubmitImport const& import,
                          Sources const& sources) {
  import::ScenarioText text;
  fs::path const folder = options.out.parent_path();
  text.comments = {fmt::format("Made from {} by gridcast import submit; docs/submit.md says how.",
                               from_folder(options.file, folder))};
  if (!import.executable.empty()) {
    text.comments.push_back(fmt::format("Program: {} {}", import.executable, import.arguments));
  }
  if (!import.notes.empty()) text.comments.emplace_back("Not taken as it stands there:");
  for (condor::SubmitNote const& note : import.notes) {
    condor::SubmitNote shown = note;
    shown.where.file = fs::path(note.where.file).filename().string();
    text.comments.push_back("  " + note_text(shown));
  }
  text.title = import.title;
  text.pool = from_folder(sources.pool, folder);
  text.calibration = from_folder(sources.calibration, folder);
  text.campaign = import.campaign;
  text.strategy = import.strategy;
  return import::scenario_yaml(text);
}

}  // namespace gridcast::cli

int run_import_submit(ImportSubmitOptions const& options) {
  std::error_code error;
  if (fs::exists(options.out, error) && fs::is_regular_file(options.out, error) && !options.force) {
    throw InputError(
        Problem{{options.out.string()}, "is there already", "", "--force writes it anew."});
  }
  import::KnownSizes const sizes = known_sizes(options.sizes);
  condor::SubmitFile const file =
      condor::read_submit_file(options.file, import::deciding_submit_commands());
  import::SubmitImport import = import::import_submit(file, sizes);
  Sources const sources = find_sources(options);
  import::WorkOptions work = options.work;
  if (options.work_scale > 0) work.scale = options.work_scale;
  if (!options.crash_odds.empty())
    work.crash_odds = scenario::parse_factor_range(options.crash_odds);
  import::fit_to_calibration(import, sources.program, options.file);
  import::set_work(import, sources.program, work, options.file);

  fs::path const folder = options.out.parent_path();
  prepare_folder(folder.empty() ? "." : folder);
  write_file(options.out, scenario_text(options, import, sources));
  for (condor::SubmitNote const& note : import.notes) fmt::print(stderr, "{}\n", note_text(note));
  fmt::print("{} jobs in {}, {} notes. Written to {}\n", file.jobs(), options.file.string(),
             import.notes.size(), options.out.string());
  // What cannot be simulated as it stands (no site has so much disk, ...) is told now.
  if (fs::is_regular_file(options.out, error)) scenario::read_scenario(options.out);
  return exit_code::done;
}

void add_import_submit(CLI::App& import_group, Select select) {
  auto options = std::make_shared<ImportSubmitOptions>();
  CLI::App* verb = import_group.add_subcommand("submit", "From an HTCondor submit file");
  verb->add_option("FILE", options->file, "Submit file")->required()->type_name("");
  verb->add_option("--calibration", options->calibration,
                   "Calibration of the grid (default: the shipped one)")
      ->type_name("CAL");
  verb->add_option("--pool", options->pool, "Pool (default: the calibration's own)")
      ->type_name("POOL");
  verb->add_option("--size", options->sizes, "Size of a file, where the submit file tells none")
      ->type_name("URL=SIZE");
  verb->add_option("--work", options->work.profile, "The calibration's profile that the jobs run")
      ->type_name("PROFILE");
  verb->add_option("--work-scale", options->work_scale,
                   "Work of a job as a multiple of the calibrated jobs'")
      ->check(CLI::PositiveNumber)
      ->type_name("X");
  verb->add_option("--crash-odds", options->crash_odds,
                   "Odds of a crash as a multiple of the calibrated jobs', or a range of them")
      ->check(CLI::Validator(
          [](std::string& text) {
            return scenario::parse_factor_range(text) ? std::string() : "write 2, or 0.5..4";
          },
          ""))
      ->type_name("X|LOW..HIGH");
  verb->add_option("--epochs", options->work.epochs, "Pieces of work, a checkpoint after each")
      ->check(whole_number(1, 1000000))
      ->type_name("N");
  verb->add_option("-o,--out", options->out, "Scenario to write")->required()->type_name("OUT");
  verb->add_flag("--force", options->force, "Replace what is there");
  verb->footer(
      "Examples:\n"
      "  gridcast import submit job.sub --calibration my-pool.yaml -o my-campaign.yaml\n"
      "  gridcast import submit calibration/data/htcondor-pool/c4-retry/job.sub \\\n"
      "    --calibration c1.yaml --work-scale 0.625 --crash-odds 1..20 -o c4.yaml");
  verb->callback([options, select = std::move(select)] {
    select([options] { return run_import_submit(*options); });
  });
}

}  // namespace gridcast::cli
