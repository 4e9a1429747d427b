#include "sim/cli/import_trace.hpp"

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "sim/base/error.hpp"
#include "sim/cli/exit_code.hpp"
#include "sim/cli/output_folder.hpp"
#include "sim/import/swf.hpp"
#include "sim/import/wfformat.hpp"

namespace gridcast::cli {
namespace {

struct Options {
  std::filesystem::path file, out;
  std::optional<std::uint32_t> slots;
  std::string rate = "100 MB/s";
  bool force = false, verbose = false;
};

std::optional<int> slots_of(Options const& options) {
  return options.slots ? std::optional(static_cast<int>(*options.slots)) : std::nullopt;
}

void show_notes(std::vector<import::TraceNote> const& notes, Options const& options) {
  constexpr std::size_t shown = 10;
  for (auto const& line : import::summary(notes, options.verbose ? 0 : shown)) {
    fmt::print(stderr, "{}\n", line);
  }
}

int write_campaign(Options const& options, import::TraceCampaign campaign) {
  std::size_t const jobs = campaign.jobs.size();
  int const slots = campaign.slots;
  std::vector<report::NamedText> files;
  for (auto& [name, text] : import::trace_scenario(std::move(campaign))) {
    files.push_back({name, std::move(text)});
  }
  prepare_output(options.out, {"scenario.yaml", "pool.yaml", "calibration.yaml"}, options.force);
  write_output(options.out, files);
  std::cout << fmt::format("Written: {} with its pool and calibration: {} jobs, {} slots\n",
                           (options.out / "scenario.yaml").string(), jobs, slots);
  return exit_code::done;
}

int run_swf(Options const& options) {
  import::SwfLog const log = import::read_swf(options.file);
  import::TraceCampaign campaign = import::import_swf(log, options.file, {slots_of(options)});
  show_notes(log.notes, options);
  for (std::size_t i = 1; i < campaign.comments.size(); ++i) {
    fmt::print(stderr, "{}\n", campaign.comments[i]);
  }
  return write_campaign(options, std::move(campaign));
}

int run_wfformat(Options const& options) {
  auto const rate = parse_rate(options.rate);
  if (!rate || *rate <= BytesPerSecond(0)) {
    throw InputError(Problem{{},
                             fmt::format("--rate '{}' is no rate above 0", options.rate),
                             "",
                             "Write --rate '100 MB/s'."});
  }
  import::WfInstance const instance = import::read_wfformat(options.file);
  show_notes(instance.notes, options);
  if (instance.edges > 0) {
    fmt::print(stderr,
               "{}: {} dependencies are not simulated: each task is submitted when its parents can "
               "be done at the earliest, and waits for none.\n",
               options.file.string(), instance.edges);
  }
  return write_campaign(
      options, import::import_wfformat(instance, options.file, {slots_of(options), *rate}));
}

void add_options(CLI::App& verb, Options& options, char const* file) {
  constexpr std::uint64_t most_slots = 1'000'000;
  verb.add_option("FILE", options.file, file)->required()->type_name("");
  verb.add_option("-o,--out", options.out, "Folder for scenario.yaml, pool.yaml, calibration.yaml")
      ->required()
      ->type_name("DIR");
  verb.add_flag("--force", options.force, "Replace files that are already in DIR");
  verb.add_option("--slots", options.slots, "Slots of the pool (default: from FILE)")
      ->check(whole_number(1, most_slots))
      ->type_name("N");
  verb.add_flag("--verbose", options.verbose, "Name each row that is left out, not ten of a kind");
}

}  // namespace

void add_import_traces(CLI::App& import_group, Select const& select) {
  auto swf = std::make_shared<Options>();
  CLI::App* verb = import_group.add_subcommand(
      "swf", "A log in the Standard Workload Format, as a campaign of its jobs");
  add_options(*verb, *swf, "A log, as of the Parallel Workloads Archive, unpacked");
  verb->footer(
      "Example:\n"
      "  gridcast import swf NASA-iPSC-1993-3.1-cln.swf -o nasa\n"
      "  gridcast run nasa/scenario.yaml");
  verb->callback([swf, select] { select([swf] { return run_swf(*swf); }); });

  auto wf = std::make_shared<Options>();
  verb = import_group.add_subcommand(
      "wfformat", "A workflow instance of WfCommons (WfFormat 1.5), as a campaign of its tasks");
  add_options(*verb, *wf, "An instance that was executed (JSON)");
  verb->add_option("--rate", wf->rate, "At which a task's input comes")
      ->type_name("RATE")
      ->capture_default_str();
  verb->footer(
      "Example:\n"
      "  gridcast import wfformat montage.json -o montage\n"
      "  gridcast run montage/scenario.yaml");
  verb->callback([wf, select] { select([wf] { return run_wfformat(*wf); }); });
}

}  // namespace gridcast::cli
