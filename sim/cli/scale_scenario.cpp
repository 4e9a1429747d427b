// gridcast scale-scenario: a campaign of any size, to see what a machine can carry.
#include "sim/scenario/scale_scenario.hpp"

#include <iostream>
#include <utility>

#include "sim/base/files.hpp"
#include "sim/cli/verb_files.hpp"
#include "sim/cli/verbs.hpp"

namespace gridcast::cli {
namespace {

struct ScaleScenarioOptions {
  scenario::ScaleParameters parameters;
  std::filesystem::path out;
  bool force = false, quiet = false;
};

int run_scale_scenario(ScaleScenarioOptions const& options) {
  scenario::ScaleParameters parameters = options.parameters;
  parameters.failures = !options.quiet;
  std::vector<report::NamedText> files;
  std::vector<std::string> names;
  for (auto& [name, text] : scenario::scale_scenario(parameters)) {
    names.push_back(name);
    files.push_back({name, std::move(text)});
  }
  VerbFiles all(if_there(options.force));
  all.writes(options.out, names);
  all.prepare();
  if (!parameters.name.empty()) prepare_folder(options.out / "parts");
  write_output(options.out, files);
  std::cout << "Written: " << (options.out / names.front()).string()
            << " with its pool and calibration\n";
  return exit_code::done;
}

}  // namespace

void add_scale_scenario(Verb& program) {
  auto options = std::make_shared<ScaleScenarioOptions>();
  Verb verb = program.verb("scale-scenario", "A scenario of any size, for benchmarks");
  auto const number = [&](char const* name, std::uint32_t& value, char const* what, double most) {
    verb.option(name, &value, what, "N")
        .whole_number(1, static_cast<std::uint64_t>(most))
        .shows_default();
  };
  number("--jobs", options->parameters.jobs, "Jobs, submitted at once", 1e7);
  number("--slots", options->parameters.slots, "Slots of all sites", 1e6);
  number("--sites", options->parameters.sites, "Sites", 4000);
  number("--caches", options->parameters.caches, "OSDF caches", 1000);
  verb.option("--load", &options->parameters.load, "Offered load of the sites' links", "RHO")
      .shows_default();
  verb.flag("--quiet", options->quiet, "Nothing stalls, fails or is evicted");
  verb.option("--name", &options->parameters.name,
              "NAME.yaml, and its pool and calibration in DIR/parts (default: scenario.yaml)",
              "NAME");
  verb.option("-o,--out", &options->out, "Folder for the three files", "DIR").required();
  verb.flag("--force", options->force, "Replace files that are already in DIR");
  verb.footer(
      "Examples:\n"
      "  gridcast scale-scenario --jobs 100000 --slots 1000 -o large\n"
      "  gridcast run large/scenario.yaml");
  verb.runs([options] { return run_scale_scenario(*options); });
}

}  // namespace gridcast::cli
