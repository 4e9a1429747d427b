#include "sim/cli/optimum_answer.hpp"

#include <algorithm>

#include "sim/cli/terminal.hpp"
#include "sim/cli/verb_files.hpp"
#include "sim/optimize/scoreboard.hpp"
#include "sim/report/text/optimum_text.hpp"
#include "sim/scenario/strategy_variant.hpp"

namespace gridcast::cli {
namespace {

namespace fs = std::filesystem;

optimize::Party party_named(std::string const& name) {
  auto const& names = optimize::party_names;
  return static_cast<optimize::Party>(std::find(names.begin(), names.end(), name) - names.begin());
}

/// The scenario with the recommended strategy, if there is one.
std::string variant_text(scenario::Scenario const& scenario, optimize::Optimum const& optimum,
                         fs::path const& out) {
  auto variant = optimum.recommended;
  variant.name = "optimized";
  variant.description.about = optimum.changes.empty()
                                  ? "No change: gridcast optimize found nothing better."
                                  : "The change that gridcast optimize recommends.";
  fs::path const folder = out.parent_path();
  return scenario::with_variant(
      scenario, optimum.current, variant,
      {from_folder(scenario.pool_path, folder), from_folder(scenario.calibration.file, folder)});
}

}  // namespace

optimize::OptimizeOptions optimize_options(std::string const& as, std::string const& budget,
                                           study::StudyOptions const& study) {
  optimize::OptimizeOptions options;
  options.as = party_named(as);
  options.replicas = optimize::campaigns_in(budget);
  options.time = parse_seconds(budget).value_or(options.time);
  options.study = study;
  return options;
}

int answer(StudyArguments const& arguments, scenario::Scenario const& scenario,
           optimize::Optimum const& optimum, fs::path const& out) {
  auto const shown = screen();
  print_results(arguments.json      ? report::optimum_json(optimum)
                : arguments.details ? report::optimum_text(optimum, shown)
                                    : report::brief_optimum(optimum, shown));
  if (!out.empty()) {
    write_output(out.parent_path(),
                 {{out.filename().string(), variant_text(scenario, optimum, out)}});
  }
  if (optimum.interrupted) return exit_code::interrupted;
  return optimum.failed > 0 ? exit_code::incomplete : exit_code::done;
}

}  // namespace gridcast::cli
