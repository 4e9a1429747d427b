// gridcast train: how long one training job takes, and where its time goes.
#include <charconv>
#include <iostream>
#include <utility>

#include <fmt/format.h>

#include "sim/base/error.hpp"
#include "sim/base/tell.hpp"
#include "sim/base/text.hpp"
#include "sim/cli/report_file.hpp"
#include "sim/cli/terminal.hpp"
#include "sim/cli/train_fit.hpp"
#include "sim/cli/verb_files.hpp"
#include "sim/cli/verbs.hpp"
#include "sim/engine/training/rank_simulation.hpp"
#include "sim/report/page/training_page.hpp"
#include "sim/report/text/train_text.hpp"
#include "sim/scenario/profile.hpp"
#include "sim/training/setup.hpp"
#include "sim/training/uncertainty.hpp"

namespace gridcast::cli {
namespace {

struct TrainOptions {
  std::string profile;
  training::TrainingRequest request;
  std::string scaling;  // "1..128"
  std::string detail;   // "steps"
  std::uint64_t seed = 1;
  bool json = false;
  bool list = false;
  bool sources = false;
  bool markdown = false;
  FitRequest fit;
  ReportArguments report = {};
};

namespace fs = std::filesystem;

constexpr int most_gpus = 1 << 20;
constexpr int most_samples = 1000000000;

training::SourceFiles shipped_files() {
  fs::path const scenarios = shipped_scenario().parent_path();
  return {scenarios.parent_path() / "calibration" / "data", scenarios / "profiles"};
}

int count_in(std::string_view text, std::string const& all) {
  int count = 0;
  auto const* const end = text.data() + text.size();
  auto const [stop, error] = std::from_chars(text.data(), end, count);
  if (stop == end && error == std::errc() && count >= 1 && count <= most_gpus) return count;
  throw InputError(Problem{{},
                           fmt::format("--scaling: '{}' is not a range of GPUs", all),
                           "",
                           "Write 1..128, or 1,2,4."});
}

/// "1..128": 1, 2, 4, ... 128; "1,2,6": these. InputError otherwise.
std::vector<int> gpu_counts(std::string const& text) {
  std::vector<int> counts;
  auto const dots = text.find("..");
  if (dots == std::string::npos) {
    for (auto const& part : split(text, ',')) counts.push_back(count_in(trim(part), text));
    return counts;
  }
  int const first = count_in(text.substr(0, dots), text);
  int const last = count_in(text.substr(dots + 2), text);
  for (int gpus = first; gpus < last; gpus *= 2) counts.push_back(gpus);
  if (first <= last) counts.push_back(last);
  if (counts.empty()) count_in("", text);
  return counts;
}

int show_catalogue(TrainOptions const& options, training::SourceFiles const& files) {
  scenario::Hardware const hardware = scenario::read_hardware(files.profiles / "hardware.yaml");
  std::vector<scenario::Profile> profiles;
  for (auto const& name : scenario::profile_names(files.profiles)) {
    profiles.push_back(scenario::find_profile(files.profiles, name));
  }
  std::cout << (options.json ? report::catalogue_json(profiles, hardware)
                             : report::catalogue_text(profiles, hardware, screen()));
  return exit_code::done;
}

int show_sources(TrainOptions const& options, training::SourceFiles const& files) {
  auto const tables = training::source_tables(files);
  std::cout << (options.json       ? report::sources_json(tables)
                : options.markdown ? report::sources_markdown(tables)
                                   : report::sources_text(tables, screen()));
  return exit_code::done;
}

report::ScalingRow scaling_row(training::TrainingRequest request, int gpus,
                               scenario::Profile const& profile,
                               scenario::Hardware const& hardware) {
  request.gpus = gpus;
  auto [setup, estimate] =
      training::typical_training(training::training_setup(profile, hardware, request));
  auto interval = training::training_interval(setup);
  return {std::move(setup), std::move(estimate), interval};
}

/// A range goes as far as the machine and the data do; numbers that are listed all have to fit.
int show_scaling(TrainOptions const& options, scenario::Profile const& profile,
                 scenario::Hardware const& hardware) {
  bool const is_range = options.scaling.find("..") != std::string::npos;
  std::vector<report::ScalingRow> rows;
  for (int const gpus : gpu_counts(options.scaling)) {
    try {
      rows.push_back(scaling_row(options.request, gpus, profile, hardware));
    } catch (InputError const& error) {
      if (!is_range || rows.empty()) throw;
      tell(fmt::format("--scaling {} ends at {} GPUs: {}\n", options.scaling,
                       rows.back().setup.gpus, error.problems().front().to_text()));
      break;
    }
  }
  std::cout << (options.json ? report::scaling_json(rows) : report::scaling_text(rows, screen()));
  return exit_code::done;
}

void check_detail(training::TrainingSetup const& setup) {
  constexpr double most = 3e7;
  double const epochs = setup.profile.train.epochs;
  double const steps = epochs * training::epoch_plan(setup).steps() * setup.gpus;
  if (steps <= most) return;
  throw InputError(Problem{{},
                           fmt::format("--detail: {:.3g} steps of all ranks", steps),
                           "simulated one by one that would take minutes",
                           "Take fewer --epochs, or the closed form alone."});
}

/// Where the job's time goes, and its first steps. Nothing without --report.
void write_training_report(ReportArguments const& arguments, fs::path const& file,
                           training::TrainingSetup const& setup,
                           training::TrainingEstimate const& estimate) {
  if (arguments.file.empty()) return;
  auto const common = report_request(arguments);
  auto const& profile = setup.profile;
  std::string const outcome = fmt::format("{} on {} GPU{}.", to_text(estimate.total), setup.gpus,
                                          setup.gpus == 1 ? "" : "s");
  write_report(arguments,
               report::training_page(setup, estimate,
                                     {"training", profile.name, "", common.created_by,
                                      common.command, outcome, inputs_of("profile", {file})}));
}

int show_job(TrainOptions const& options, fs::path const& file, scenario::Profile const& profile,
             scenario::Hardware const& hardware) {
  auto const [setup, estimate] =
      training::typical_training(training::training_setup(profile, hardware, options.request));
  std::optional<training::SimulatedTraining> steps;
  if (options.detail == "steps") {
    check_detail(setup);
    steps =
        engine::simulate_ranks(setup, RandomStreams(options.seed, 0).stream(Purpose::execution, 0));
  }
  auto const interval = training::training_interval(setup);
  std::cout << (options.json ? report::training_json(setup, estimate, steps, interval)
                             : report::training_text(setup, estimate, steps, interval, screen()));
  write_training_report(options.report, file, setup, estimate);
  return exit_code::done;
}

/// What else to change about the profile.
void add_request(Verb& verb, training::TrainingRequest& request) {
  auto const count = [&verb](char const* name, std::optional<int>& value, char const* help,
                             int most = most_gpus) {
    verb.option(name, &value, help, "N").whole_number(1, most);
  };
  count("--nodes", request.nodes, "Nodes (default: as few as it takes)");
  count("--batch", request.batch, "Samples a step of one GPU", most_samples);
  count("--epochs", request.epochs, "Passes over the data");
  auto const name = [&verb](char const* option, std::string& value, char const* help) {
    verb.option(option, &value, help, "NAME");
  };
  name("--gpu", request.gpu, "Another GPU of the catalogue");
  name("--machine", request.machine, "Another machine of the catalogue");
  name("--storage", request.storage, "Another store of the catalogue");
  name("--stage", request.stage, "Copy the data to this store first; 'none': do not");
  verb.flag("--weak", request.weak, "The data set grows with the GPUs (weak scaling)");
}

void add_fit(Verb& verb, FitRequest& fit, Option const& scaling) {
  Option const table =
      verb.option("--fit", &fit.table, "Fit to a table of runs (CSV), of training or of a store",
                  "FILE")
          .excludes(scaling);
  verb.option("--out", &fit.out, "With --fit: write the fitted profile there", "FILE").needs(table);
  verb.flag("--force", fit.force, "Replace a profile (--out) or a page (--report) that is there");
  verb.option("--family", &fit.family, "With --fit: the rows that it is of (default: the most)",
              "NAME")
      .needs(table);
  verb.option("--most-nodes", &fit.most_nodes,
              "With --fit: predict the rows on more nodes\ninstead of fitting to them", "N")
      .whole_number(1, most_gpus)
      .needs(table);
  verb.flag("--smallest", fit.smallest,
            "With --fit: fit each family's smallest scale alone,\nand predict its others")
      .needs(table);
}

void add_options(Verb& verb, TrainOptions& options) {
  Option const profile =
      verb.positional("PROFILE", &options.profile, "Profile: a name (--list), or a file (YAML)");
  Option const gpus = verb.option("--gpus", &options.request.gpus, "GPUs of the job", "N")
                          .whole_number(1, most_gpus);
  add_request(verb, options.request);
  Option const scaling = verb.option("--scaling", &options.scaling,
                                     "A table over numbers of GPUs, as 1..128 or 1,2,4", "RANGE")
                             .excludes(gpus);
  verb.option("--detail", &options.detail,
              "steps: simulate the job step by step as well,\nranks sharing the store", "WORD")
      .one_of({"steps"})
      .excludes(scaling);
  verb.option("--seed", &options.seed, "Of the steps that are drawn", "N");
  add_fit(verb, options.fit, scaling);
  verb.option("--report", &options.report.file,
              "A report page of the job: one HTML file, opens offline", "FILE")
      .excludes(scaling);
  Option const json = verb.flag("--json", options.json, "One JSON object on standard output");
  Option const list =
      verb.flag("--list", options.list, "The profiles, GPUs, machines and stores there are")
          .excludes(profile);
  Option const sources =
      verb.flag("--sources", options.sources, "Every row of the source documents, beside ours")
          .excludes(profile)
          .excludes(list);
  verb.flag("--markdown", options.markdown, "With --sources: as docs/sources.md")
      .needs(sources)
      .excludes(json);
}

int run_train(TrainOptions const& options) {
  training::SourceFiles const files = shipped_files();
  if (options.list) return show_catalogue(options, files);
  if (options.sources) return show_sources(options, files);
  if (!options.fit.table.empty()) {
    FitRequest request = options.fit;
    request.profile = options.profile;
    request.gpu = options.request.gpu;
    request.seed = options.seed;
    request.json = options.json;
    return fit_table(request, files);
  }
  if (options.profile.empty()) {
    throw InputError(Problem{
        {}, "gridcast train: no profile is given", "", "gridcast train --list shows them all."});
  }
  scenario::Hardware const hardware = scenario::read_hardware(files.profiles / "hardware.yaml");
  scenario::Profile const profile = scenario::find_profile(files.profiles, options.profile);
  fs::path const file = scenario::is_profile_file(options.profile)
                            ? fs::path(options.profile)
                            : files.profiles / (options.profile + ".yaml");
  VerbFiles outputs(if_there(options.fit.force));
  outputs.reads(file);
  prepare_report(options.report, outputs);
  outputs.prepare();
  if (!options.scaling.empty()) return show_scaling(options, profile, hardware);
  return show_job(options, file, profile, hardware);
}

}  // namespace

void add_train(Verb& program) {
  auto options = std::make_shared<TrainOptions>();
  Verb verb = program.verb("train", "How long a training job takes, and where its time goes");
  add_options(verb, *options);
  verb.footer(
      "Examples:\n"
      "  gridcast train resnet50-imagenet-kempner --gpus 64\n"
      "  gridcast train resnet50-imagenet-kempner --scaling 1..128\n"
      "  gridcast train dlio-unet3d --storage slow-store --detail steps\n"
      "  gridcast train --fit runs.csv --out mine.yaml\n"
      "  gridcast train mine.yaml --gpus 64\n"
      "  gridcast train --sources --markdown > docs/sources.md");
  verb.runs([options] { return run_train(*options); });
}

}  // namespace gridcast::cli
