// gridcast profile: how long one training job takes, and where its time goes.
#include "sim/scenario/profile.hpp"

#include <algorithm>
#include <cstdint>
#include <iostream>
#include <map>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "sim/base/error.hpp"
#include "sim/base/files.hpp"
#include "sim/base/text.hpp"
#include "sim/cli/input_kind.hpp"
#include "sim/cli/study_arguments.hpp"
#include "sim/cli/terminal.hpp"
#include "sim/cli/verb_files.hpp"
#include "sim/report/text/json_tables.hpp"
#include "sim/report/text/train_text.hpp"
#include "sim/scenario/catalogue.hpp"
#include "sim/scenario/tables.hpp"
#include "sim/training/estimate.hpp"
#include "sim/training/fit/fitted_profile.hpp"
#include "sim/training/fit/training_fit.hpp"
#include "sim/training/setup.hpp"

namespace gridcast::cli {
namespace {

// gridcast profile --fit: a profile from a table of runs, of training or of a store.

struct FitRequest {
  std::string table;      // CSV
  std::string out;        // where the fitted profile goes; empty: nowhere
  std::string family;     // of the profile; empty: the one with the most rows
  int most_nodes = 0;     // rows on more are predicted, not fitted to; 0: all are fitted to
  bool smallest = false;  // each family is fitted to at its smallest scale, its others predicted
  std::uint64_t seed = 1;
  bool force = false;
};

struct ProfileOptions {
  std::string profile;  // of a fit: the source of the parameters that are not fitted; empty: none
  training::TrainingRequest request;   // its GPU is also that of a table's rows without one
  std::vector<std::string> overrides;  // of the profile, "PATH=VALUE"
  std::string scaling;                 // "1..128"
  bool json = false, details = false;
  bool list = false;
  FitRequest fit;
};

/// The answer in its form: JSON, the same as tables below the brief one, or that alone. The last
/// line of a brief answer names the command for more.
void print(ProfileOptions const& options, Json const& all, std::string const& brief) {
  std::cout << (options.json      ? json_text(all)
                : options.details ? brief.substr(0, brief.rfind("Next: ")) + "\n" +
                                        report::json_tables(all, screen())
                                  : brief);
}

/// A profile for runs of an unknown workload. Training never waits for data, and the gradients have
/// a usual size.
scenario::Profile unknown_workload() {
  scenario::Profile profile;
  profile.storage = "memory";
  profile.reader.when = scenario::ReadWhen::never;
  constexpr double usual_gradient = 100e6;
  profile.exchange.gradient = Bytes(usual_gradient);
  profile.sources = {{"storage", "assumed: the runs' times hold what reading took"},
                     {"dataset", "the runs"},
                     {"train", "the runs"},
                     {"reader", "assumed: the runs' times hold what reading took"},
                     {"exchange", "assumed: 100 MB of gradients"}};
  return profile;
}

scenario::Profile base_of(ProfileOptions const& options, fs::path const& profiles) {
  if (options.profile.empty()) return unknown_workload();
  return scenario::find_profile(profiles, options.profile);
}

std::size_t chosen(std::string const& wanted, std::vector<std::string> const& families,
                   std::vector<std::size_t> const& sizes) {
  if (wanted.empty()) {
    return static_cast<std::size_t>(std::ranges::max_element(sizes) - sizes.begin());
  }
  if (auto const at = position_of(families, wanted)) return *at;
  refuse({}, fmt::format("--family: no rows of '{}'", wanted), "", suggestion(wanted, families));
}

/// The GPU of a fitted profile is one that the catalogue or the profile describes.
void check_gpu(std::string const& gpu, scenario::Hardware const& hardware,
               std::string const& file) {
  auto const names = scenario::names_of(hardware.gpus);
  if (is_one_of(gpu, names)) return;
  refuse({file}, gpu.empty() ? "runs of which GPU?" : fmt::format("unknown GPU '{}'", gpu),
         "a profile names the GPU that it was measured on",
         gpu.empty() ? "Add a column 'gpu', or --gpu NAME (gridcast profile --list)."
                     : suggestion(gpu, names) +
                           " gridcast profile --list shows them all. A profile can describe "
                           "another in 'hardware' (gridcast profile PROFILE --fit).");
}

void write_profile(FitRequest const& request, scenario::Profile const& profile) {
  write_file(request.out,
             scenario::profile_yaml(
                 profile, fmt::format("Fitted to {} by gridcast profile --fit.", request.table)));
  print_notes(fmt::format("{}: written\n", request.out));
}

std::string one_row(std::string const& file) {
  return file + ": one row: it scales as other systems do, and intervals are wide";
}

/// Notes on the table as a whole: unknown GPUs, contradictions, a single row.
void add_notes(training::RunTable& table, scenario::Hardware const& hardware) {
  std::map<std::string, int> families;
  std::set<std::string> unknown;
  for (training::RunRow const& row : table.rows) {
    ++families[row.family];
    if (!row.gpu.empty() && !scenario::gpu_of_name(hardware, row.gpu)) unknown.insert(row.gpu);
  }
  for (std::string const& gpu : unknown) {
    table.notes.push_back(fmt::format(
        "{}: unknown GPU '{}': its runs are fitted, but nothing is known of it beside others",
        table.file, gpu));
  }
  auto const contradictions = training::contradictions(table.file, table.rows);
  table.notes.insert(table.notes.end(), contradictions.begin(), contradictions.end());
  if (families.size() == 1 && table.rows.size() == 1) table.notes.push_back(one_row(table.file));
}

template <class Row>
struct Split {
  std::vector<Row> fitted, held;
};

/// The size of a run within its family.
double scale(training::RunRow const& row) { return row.nodes; }
double scale(training::StorageRow const& row) { return row.on_host(); }

int nodes(training::RunRow const& row) { return row.nodes; }
int nodes(training::StorageRow const& row) { return row.hosts; }

/// A family that has only larger runs is not fitted, so its runs are not predicted either.
template <class Row>
void note_unfitted_families(Split<Row> const& split, int most_nodes,
                            std::vector<std::string>& notes) {
  std::map<std::string, int> left;
  for (Row const& row : split.held) ++left[row.family];
  for (Row const& row : split.fitted) left.erase(row.family);
  for (auto const& [family, rows] : left) {
    notes.push_back(fmt::format("'{}' has no run on {} nodes or fewer to fit to: {} row{} not used",
                                family, most_nodes, rows, rows == 1 ? " is" : "s are"));
  }
}

template <class Row>
Split<Row> split_rows(std::vector<Row> const& rows, FitRequest const& request,
                      std::vector<std::string>& notes) {
  std::map<std::string, double> least;
  for (Row const& row : rows) {
    auto const [at, fresh] = least.emplace(row.family, scale(row));
    if (!fresh) at->second = std::min(at->second, scale(row));
  }
  Split<Row> split;
  for (Row const& row : rows) {
    bool const within = request.most_nodes == 0 || nodes(row) <= request.most_nodes;
    bool const is_small = !request.smallest || scale(row) <= least.at(row.family);
    (within && is_small ? split.fitted : split.held).push_back(row);
  }
  if (split.fitted.empty()) {
    refuse({request.table}, fmt::format("no run on {} nodes or fewer", request.most_nodes),
           "nothing is left to fit to", "Take a larger --most-nodes.");
  }
  note_unfitted_families(split, request.most_nodes, notes);
  return split;
}

void fit_training_table(ProfileOptions const& options, fs::path const& profiles) {
  FitRequest const& request = options.fit;
  scenario::Profile const base = base_of(options, profiles);
  training::RunTable table =
      training::read_runs(request.table, base.dataset.samples,
                          options.request.gpu.empty() ? base.compute.gpu : options.request.gpu);
  scenario::Hardware hardware = scenario::read_hardware(profiles / "hardware.yaml");
  hardware.gpus.insert(hardware.gpus.begin(), base.hardware.gpus.begin(), base.hardware.gpus.end());
  for (training::RunRow& row : table.rows) {
    if (auto const* const gpu = scenario::gpu_of_name(hardware, row.gpu)) row.gpu = gpu->name;
  }
  training::separate_gpus(table);
  add_notes(table, hardware);
  auto const split = split_rows(table.rows, request, table.notes);
  std::vector<std::string> names, gpus;  // of families
  std::vector<std::size_t> sizes;
  for (training::RunRow const& row : split.fitted) {
    auto const at = static_cast<std::size_t>(std::ranges::find(names, row.family) - names.begin());
    if (at == names.size()) {
      names.push_back(row.family);
      gpus.push_back(row.gpu);
      sizes.push_back(0);
    }
    ++sizes[at];
  }
  std::size_t const family = chosen(request.family, names, sizes);
  if (!request.out.empty()) check_gpu(gpus[family], hardware, request.table);
  training::FitOptions fitting;
  fitting.seed = request.seed;
  training::TrainingFit const fit = training::fit_training(split.fitted, base, fitting);
  if (!request.out.empty()) {
    write_profile(request, training::fitted_profile(fit, family, request.table));
  }
  print(options, report::fit_json(fit, split.held, table.notes),
        report::brief_fit(fit, split.held, table.notes, screen()));
}

void fit_storage_table(ProfileOptions const& options, fs::path const& profiles) {
  FitRequest const& request = options.fit;
  training::StorageTable table = training::read_storage_rows(request.table);
  auto const contradictions = training::contradictions(table.file, table.rows);
  table.notes.insert(table.notes.end(), contradictions.begin(), contradictions.end());
  if (table.rows.size() == 1) table.notes.push_back(one_row(table.file));
  auto const split = split_rows(table.rows, request, table.notes);
  auto const fits = training::fit_storage(split.fitted, request.seed);
  std::vector<std::string> names;
  std::vector<std::size_t> sizes;
  for (auto const& fit : fits) {
    names.push_back(fit.family);
    sizes.push_back(fit.rows.size());
  }
  std::size_t const family = chosen(request.family, names, sizes);
  if (!request.out.empty()) {
    if (options.profile.empty()) {
      refuse({}, "--out: which workload is it?", "runs of a store do not contain the workload",
             "Name a profile too: gridcast profile dlio-unet3d --fit storage.csv "
             "--out mine.yaml.");
    }
    write_profile(
        request, training::fitted_profile(fits[family], base_of(options, profiles), request.table));
  }
  print(options, report::fit_json(fits, split.held, table.notes),
        report::brief_fit(fits, split.held, table.notes, screen()));
}

/// Exit code.
void fit_table(ProfileOptions const& options, fs::path const& profiles) {
  VerbFiles all(if_there(options.fit.force));
  all.reads(options.fit.table);
  if (scenario::is_profile_file(options.profile)) all.reads(options.profile);
  all.writes(options.fit.out).prepare();
  return training::is_storage_table(read_text_file(options.fit.table))
             ? fit_storage_table(options, profiles)
             : fit_training_table(options, profiles);
}

constexpr int most_gpus = 1 << 20;
constexpr int most_samples = 1000000000;

int count_in(std::string_view text, std::string const& all) {
  auto const count = text_as<int>(text);
  if (count && *count >= 1 && *count <= most_gpus) return *count;
  refuse({}, fmt::format("--scaling: '{}' is not a range of GPUs", all), "",
         "Write 1..128, or 1,2,4.");
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

void show_catalogue(ProfileOptions const& options, fs::path const& folder) {
  scenario::Hardware const hardware = scenario::read_hardware(folder / "hardware.yaml");
  std::vector<scenario::Profile> const profiles =
      each_of(scenario::profile_names(folder),
              [&](auto const& name) { return scenario::find_profile(folder, name); });
  std::cout << (options.json ? report::catalogue_json(profiles, hardware)
                             : report::catalogue_text(profiles, hardware, screen()));
}

/// A training that exceeds the longest time of a file, or whose time is not a number, is an error.
void check_total(training::TrainingEstimate const& estimate, std::string const& profile) {
  if (estimate.total <= days(36525)) return;
  refuse({profile}, "the training takes more than a hundred years", "",
         "Look for a step, an exchange or a bandwidth that cannot be meant.");
}

report::ScalingRow scaling_row(training::TrainingRequest request, int gpus,
                               scenario::Profile const& profile,
                               scenario::Hardware const& hardware) {
  request.gpus = gpus;
  auto [setup, estimate] =
      training::typical_training(training::training_setup(profile, hardware, request));
  check_total(estimate, profile.name);
  auto interval = training::training_interval(setup);
  return {std::move(setup), std::move(estimate), interval};
}

/// A range goes as far as the machine and the data do; numbers that are listed all have to fit.
void show_scaling(ProfileOptions const& options, scenario::Profile const& profile,
                  scenario::Hardware const& hardware) {
  bool const is_range = options.scaling.find("..") != std::string::npos;
  std::vector<report::ScalingRow> rows;
  for (int const gpus : gpu_counts(options.scaling)) {
    try {
      rows.push_back(scaling_row(options.request, gpus, profile, hardware));
    } catch (InputError const& error) {
      if (!is_range || rows.empty()) throw;
      print_notes(fmt::format("--scaling {} ends at {} GPUs: {}\n", options.scaling,
                              rows.back().setup.gpus, error.problems().front().to_text()));
      break;
    }
  }
  print(options, report::scaling_json(rows), report::brief_scaling(rows, screen()));
}

void show_job(ProfileOptions const& options, scenario::Profile const& profile,
              scenario::Hardware const& hardware) {
  auto const [setup, estimate] =
      training::typical_training(training::training_setup(profile, hardware, options.request));
  check_total(estimate, profile.name);
  auto const interval = training::training_interval(setup);
  print(options, report::training_json(setup, estimate, interval),
        report::brief_training(setup, estimate, interval, screen()));
}

std::string wrong_if_empty(std::string const& text) { return text.empty() ? "it is empty" : ""; }

/// Options that describe a job, and have no effect without one.
struct JobOptions {
  Option gpu;  // or of the runs that are fitted to
  std::vector<Option> others;
};

/// Options that change the profile.
JobOptions add_request(Verb& verb, training::TrainingRequest& request) {
  std::vector<Option> all;
  auto const count = [&](char const* name, std::optional<int>& value, char const* help,
                         int most = most_gpus) {
    all.push_back(verb.option(name, &value, help, "N").whole_number(1, most));
  };
  count("--nodes", request.nodes, "Nodes (default: as few as it takes)");
  count("--batch", request.batch, "Samples a step of one GPU", most_samples);
  count("--epochs", request.epochs, "Passes over the data");
  auto const name = [&](char const* option, std::string& value, char const* help) {
    return verb.option(option, &value, help, "NAME").check(wrong_if_empty);
  };
  Option const gpu = name("--gpu", request.gpu, "Another GPU of the catalogue");
  all.push_back(name("--machine", request.machine, "Another machine of the catalogue"));
  all.push_back(name("--storage", request.storage, "Another store of the catalogue"));
  all.push_back(
      name("--stage", request.stage, "Copy the data to this store first; 'none': do not"));
  all.push_back(
      verb.flag("--weak", request.weak, "The data set grows with the GPUs (weak scaling)"));
  return {gpu, all};
}

JobOptions add_job(Verb& verb, ProfileOptions& options) {
  Option const gpus = verb.option("--gpus", &options.request.gpus, "GPUs of the job", "N")
                          .whole_number(1, most_gpus);
  JobOptions job = add_request(verb, options.request);
  Option const scaling = verb.option("--scaling", &options.scaling,
                                     "A table over numbers of GPUs, as 1..128 or 1,2,4", "RANGE")
                             .check(wrong_if_empty)
                             .excludes(gpus);
  job.others.insert(job.others.end(),
                    {gpus, scaling,
                     add_set_option(verb, options.overrides,
                                    "Another value than the profile's, such as train.batch=64")});
  return job;
}

/// Adds the options of a fit. Returns --fit.
Option add_fit(Verb& verb, FitRequest& fit) {
  Option const table =
      verb.option("--fit", &fit.table, "Fit to a table of runs (CSV), of training or of a store",
                  "FILE")
          .check(wrong_if_empty);
  verb.option("-o,--out", &fit.out, "With --fit: write the fitted profile there", "FILE")
      .check(wrong_if_empty)
      .needs(table);
  verb.flag("--force", fit.force, "Replace a profile (--out) that is there");
  verb.option("--family", &fit.family, "With --fit: the rows that it is of (default: the most)",
              "NAME")
      .check(wrong_if_empty)
      .needs(table);
  verb.option("--most-nodes", &fit.most_nodes,
              "With --fit: predict the rows on more nodes\ninstead of fitting to them", "N")
      .whole_number(1, most_gpus)
      .needs(table);
  verb.flag("--smallest", fit.smallest,
            "With --fit: fit each family's smallest scale alone,\nand predict its others")
      .needs(table);
  return table;
}

void add_options(Verb& verb, ProfileOptions& options) {
  Option const profile =
      verb.positional("PROFILE", &options.profile, "Profile: a name (--list), or a file (YAML)");
  JobOptions const job = add_job(verb, options);
  Option const seed =
      verb.option("--seed", &options.fit.seed, "Seed of a fit's random numbers", "N")
          .whole_number(0);
  Option fit = add_fit(verb, options.fit);
  for (Option const& of_job : job.others) fit.excludes(of_job);
  std::vector<Option> not_listed = job.others;
  not_listed.insert(not_listed.end(), {profile, job.gpu, seed, fit});
  add_details_option(verb, options.details);
  verb.flag("--json", options.json, "One JSON object on standard output");
  Option list = verb.flag("--list", options.list, "All profiles, GPUs, machines and stores");
  for (Option const& other : not_listed) list.excludes(other);
}

void run_profile(ProfileOptions const& options) {
  fs::path const profiles = shipped_hardware().parent_path();
  if (options.list) return show_catalogue(options, profiles);
  if (!options.fit.table.empty()) return fit_table(options, profiles);
  if (options.profile.empty()) {
    refuse({}, "gridcast profile: no profile is given", "",
           "gridcast profile --list shows them all.");
  }
  refuse_other_kinds({options.profile}, "profile", "the profile of a training",
                     {InputKind::profile});
  scenario::Hardware const hardware = scenario::read_hardware(profiles / "hardware.yaml");
  scenario::Profile const profile =
      scenario::find_profile(profiles, options.profile, options.overrides);
  if (!options.scaling.empty()) return show_scaling(options, profile, hardware);
  return show_job(options, profile, hardware);
}

}  // namespace

void add_profile(Verb& program) {
  auto options = std::make_shared<ProfileOptions>();
  Verb verb = program.verb("profile", "How long a training job takes, and where its time goes");
  add_options(verb, *options);
  verb.footer(
      "  gridcast profile resnet50-imagenet-kempner --gpus 64\n"
      "  gridcast profile resnet50-imagenet-kempner --scaling 1..128\n"
      "  gridcast profile dlio-unet3d --storage slow-store\n"
      "  gridcast profile --fit runs.csv --out mine.yaml\n"
      "  gridcast profile mine.yaml --gpus 64");
  verb.runs([options] { return run_profile(*options); });
}

}  // namespace gridcast::cli
