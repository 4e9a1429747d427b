#include "sim/cli/import_dlio.hpp"

#include <filesystem>
#include <iostream>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "sim/base/files.hpp"
#include "sim/cli/shipped.hpp"
#include "sim/scenario/profile_hardware.hpp"
#include "sim/scenario/profile_writer.hpp"
#include "sim/training/dlio.hpp"

namespace gridcast::cli {

int run_import_dlio(ImportDlioOptions const& options) {
  if (!options.gpu.empty()) {
    auto const catalogue = shipped_scenario().parent_path() / "profiles" / "hardware.yaml";
    scenario::find_gpu(scenario::read_hardware(catalogue), options.gpu);
  }
  training::DlioImport const import = training::import_dlio(options.file, options.gpu);
  std::string const name = std::filesystem::path(options.file).filename().string();
  std::string const text =
      scenario::profile_yaml(import.profile, "Made from " + name + " by gridcast import dlio.");
  if (options.out.empty()) {
    std::cout << text;
  } else {
    write_file(options.out, text);
  }
  for (training::IgnoredKey const& ignored : import.ignored) {
    fmt::print(stderr, "{}:{}: ignored {} ({})\n", options.file, ignored.line, ignored.key,
               ignored.why);
  }
  return 0;
}

void add_import_dlio(CLI::App& import_group, Select select) {
  auto options = std::make_shared<ImportDlioOptions>();
  CLI::App* verb = import_group.add_subcommand(
      "dlio", "A workload file of DLIO or MLPerf Storage, as a profile for gridcast train");
  verb->add_option("FILE", options->file, "Workload file (YAML)")->required()->type_name("");
  verb->add_option("--gpu", options->gpu,
                   "What it emulates (default: told by the file's name, else an A100)")
      ->type_name("NAME");
  verb->add_option("--out", options->out, "Write the profile to this file")->type_name("FILE");
  verb->footer(
      "Examples:\n"
      "  gridcast import dlio unet3d_a100.yaml --out unet3d.yaml\n"
      "  gridcast train unet3d.yaml --storage nvme");
  verb->callback([options, select = std::move(select)] {
    select([options] { return run_import_dlio(*options); });
  });
}

}  // namespace gridcast::cli
