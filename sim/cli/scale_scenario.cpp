#include "sim/cli/scale_scenario.hpp"

#include <iostream>
#include <memory>
#include <utility>

#include "sim/base/files.hpp"
#include "sim/cli/exit_code.hpp"
#include "sim/cli/output_folder.hpp"

namespace gridcast::cli {

int run_scale_scenario(ScaleScenarioOptions const& options) {
  scenario::ScaleParameters parameters = options.parameters;
  parameters.failures = !options.quiet;
  std::vector<report::NamedText> files;
  std::vector<std::string> names;
  for (auto& [name, text] : scenario::scale_scenario(parameters)) {
    names.push_back(name);
    files.push_back({name, std::move(text)});
  }
  prepare_output(options.out, names, options.force);
  if (!parameters.name.empty()) prepare_folder(options.out / "parts");
  write_output(options.out, files);
  std::cout << "Written: " << (options.out / names.front()).string()
            << " with its pool and calibration\n";
  return exit_code::done;
}

void add_scale_scenario(CLI::App& app, Select select) {
  auto options = std::make_shared<ScaleScenarioOptions>();
  CLI::App* verb = app.add_subcommand("scale-scenario", "A scenario of any size, for benchmarks");
  auto const number = [&](char const* name, std::uint32_t& value, char const* what, double most) {
    verb->add_option(name, value, what)
        ->check(whole_number(1, static_cast<std::uint64_t>(most)))
        ->type_name("N")
        ->capture_default_str();
  };
  number("--jobs", options->parameters.jobs, "Jobs, submitted at once", 1e7);
  number("--slots", options->parameters.slots, "Slots of all sites", 1e6);
  number("--sites", options->parameters.sites, "Sites", 4000);
  number("--caches", options->parameters.caches, "OSDF caches", 1000);
  verb->add_option("--load", options->parameters.load, "Offered load of the sites' links")
      ->type_name("RHO")
      ->capture_default_str();
  verb->add_flag("--quiet", options->quiet, "Nothing stalls, fails or is evicted");
  verb->add_option("--name", options->parameters.name,
                   "NAME.yaml, and its pool and calibration in DIR/parts (default: scenario.yaml)")
      ->type_name("NAME");
  verb->add_option("-o,--out", options->out, "Folder for the three files")
      ->required()
      ->type_name("DIR");
  verb->add_flag("--force", options->force, "Replace files that are already in DIR");
  verb->footer(
      "Examples:\n"
      "  gridcast scale-scenario --jobs 100000 --slots 1000 -o large\n"
      "  gridcast run large/scenario.yaml");
  verb->callback([options, select = std::move(select)] {
    select([options] { return run_scale_scenario(*options); });
  });
}

}  // namespace gridcast::cli
