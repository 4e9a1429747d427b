#include "sim/cli/train_fit.hpp"

#include <algorithm>
#include <iostream>
#include <map>
#include <set>

#include <fmt/format.h>

#include "sim/base/closest.hpp"
#include "sim/base/error.hpp"
#include "sim/base/files.hpp"
#include "sim/cli/terminal.hpp"
#include "sim/cli/verb_files.hpp"
#include "sim/cli/verbs.hpp"
#include "sim/report/text/fit_text.hpp"
#include "sim/scenario/catalogue.hpp"
#include "sim/training/fit/contradictions.hpp"
#include "sim/training/fit/fitted_profile.hpp"
#include "sim/training/setup.hpp"

namespace gridcast::cli {
namespace {

/// Where nothing but the runs is known: data never waits, and gradients are of a usual size, so that
/// links are told relative to it.
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
                     {"exchange", "assumed: 100 MB of gradients; links are relative to it"}};
  return profile;
}

scenario::Profile base_of(FitRequest const& request, training::SourceFiles const& files) {
  if (request.profile.empty()) return unknown_workload();
  return scenario::find_profile(files.profiles, request.profile);
}

std::size_t chosen(std::string const& wanted, std::vector<std::string> const& families,
                   std::vector<std::size_t> const& sizes) {
  if (wanted.empty()) {
    return static_cast<std::size_t>(std::max_element(sizes.begin(), sizes.end()) - sizes.begin());
  }
  auto const at = std::find(families.begin(), families.end(), wanted);
  if (at != families.end()) return static_cast<std::size_t>(at - families.begin());
  throw InputError(Problem{
      {}, fmt::format("--family: no rows of '{}'", wanted), "", suggestion(wanted, families)});
}

/// The GPU of a fitted profile has to be one that a question can be asked about.
void check_gpu(std::string const& gpu, scenario::Hardware const& hardware,
               std::string const& file) {
  std::vector<std::string> names;
  for (auto const& known : hardware.gpus) names.push_back(known.name);
  if (std::find(names.begin(), names.end(), gpu) != names.end()) return;
  throw InputError(
      Problem{{file},
              gpu.empty() ? "runs of which GPU?" : fmt::format("unknown GPU '{}'", gpu),
              "a profile names the GPU that it was measured on",
              gpu.empty() ? "Add a column 'gpu', or --gpu NAME (gridcast train --list)."
                          : suggestion(gpu, names) +
                                " gridcast train --list shows them all. A profile can describe "
                                "another in 'hardware' (gridcast train PROFILE --fit)."});
}

void write_profile(FitRequest const& request, scenario::Profile const& profile) {
  write_file(request.out,
             scenario::profile_yaml(
                 profile, fmt::format("Fitted to {} by gridcast train --fit.", request.table)));
  std::cerr << fmt::format("{}: written\n", request.out);
}

std::string one_row(std::string const& file) {
  return file + ": one row: how it scales is what the priors say, and intervals are wide";
}

/// What the rows are as a whole: GPUs that nobody knows, contradictions, how little one row says.
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
  auto const told = training::contradictions(table.file, table.rows);
  table.notes.insert(table.notes.end(), told.begin(), told.end());
  if (families.size() == 1 && table.rows.size() == 1) table.notes.push_back(one_row(table.file));
}

template <class Row>
struct Split {
  std::vector<Row> fitted, held;
};

/// How large a run is among its family's.
double scale(training::RunRow const& row) { return row.nodes; }
double scale(training::StorageRow const& row) { return row.on_host(); }

template <class Row, class Within>
Split<Row> split_rows(std::vector<Row> const& rows, bool smallest, Within const& within) {
  std::map<std::string, double> least;
  for (Row const& row : rows) {
    auto const [at, fresh] = least.emplace(row.family, scale(row));
    if (!fresh) at->second = std::min(at->second, scale(row));
  }
  Split<Row> split;
  for (Row const& row : rows) {
    bool const is_small = !smallest || scale(row) <= least.at(row.family);
    (within(row) && is_small ? split.fitted : split.held).push_back(row);
  }
  return split;
}

/// Nothing is said of the larger runs of a family that has no smaller ones.
template <class Row>
void tell_of_unfitted(Split<Row> const& split, int most_nodes, std::vector<std::string>& notes) {
  std::map<std::string, int> left;
  for (Row const& row : split.held) ++left[row.family];
  for (Row const& row : split.fitted) left.erase(row.family);
  for (auto const& [family, rows] : left) {
    notes.push_back(fmt::format("'{}' has no run on {} nodes or fewer to fit to: {} row{} not used",
                                family, most_nodes, rows, rows == 1 ? " is" : "s are"));
  }
}

template <class Row>
void check_left(Split<Row> const& split, FitRequest const& request) {
  if (!split.fitted.empty()) return;
  throw InputError(Problem{{request.table},
                           fmt::format("no run on {} nodes or fewer", request.most_nodes),
                           "nothing is left to fit to",
                           "Take a larger --most-nodes."});
}

int fit_training_table(FitRequest const& request, training::SourceFiles const& files) {
  scenario::Profile const base = base_of(request, files);
  training::RunTable table = training::read_runs(
      request.table, base.dataset.samples, request.gpu.empty() ? base.compute.gpu : request.gpu);
  scenario::Hardware hardware = files.hardware();
  hardware.gpus.insert(hardware.gpus.begin(), base.hardware.gpus.begin(), base.hardware.gpus.end());
  for (training::RunRow& row : table.rows) {
    if (auto const* const gpu = scenario::gpu_of_name(hardware, row.gpu)) row.gpu = gpu->name;
  }
  training::separate_gpus(table);
  add_notes(table, hardware);
  auto const split = split_rows(table.rows, request.smallest, [&](training::RunRow const& row) {
    return request.most_nodes == 0 || row.nodes <= request.most_nodes;
  });
  check_left(split, request);
  tell_of_unfitted(split, request.most_nodes, table.notes);
  std::vector<std::string> names, gpus;  // of families
  std::vector<std::size_t> sizes;
  for (training::RunRow const& row : split.fitted) {
    auto const at =
        static_cast<std::size_t>(std::find(names.begin(), names.end(), row.family) - names.begin());
    if (at == names.size()) {
      names.push_back(row.family);
      gpus.push_back(row.gpu);
      sizes.push_back(0);
    }
    ++sizes[at];
  }
  std::size_t const family = chosen(request.family, names, sizes);
  if (!request.out.empty()) check_gpu(gpus[family], hardware, request.table);
  training::FitOptions options;
  options.seed = request.seed;
  training::TrainingFit const fit = training::fit_training(split.fitted, base, options);
  if (!request.out.empty()) {
    write_profile(request, training::fitted_profile(fit, family, request.table));
  }
  std::cout << (request.json ? report::fit_json(fit, split.held, table.notes)
                             : report::fit_text(fit, split.held, table.notes, screen()));
  return exit_code::done;
}

int fit_storage_table(FitRequest const& request, training::SourceFiles const& files) {
  training::StorageTable table = training::read_storage_rows(request.table);
  auto const told = training::contradictions(table.file, table.rows);
  table.notes.insert(table.notes.end(), told.begin(), told.end());
  if (table.rows.size() == 1) table.notes.push_back(one_row(table.file));
  auto const split = split_rows(table.rows, request.smallest, [&](training::StorageRow const& row) {
    return request.most_nodes == 0 || row.hosts <= request.most_nodes;
  });
  check_left(split, request);
  tell_of_unfitted(split, request.most_nodes, table.notes);
  auto const fits = training::fit_storage(split.fitted, request.seed);
  std::vector<std::string> names;
  std::vector<std::size_t> sizes;
  for (auto const& fit : fits) {
    names.push_back(fit.family);
    sizes.push_back(fit.rows.size());
  }
  std::size_t const family = chosen(request.family, names, sizes);
  if (!request.out.empty()) {
    if (request.profile.empty()) {
      throw InputError(Problem{{},
                               "--out: which workload is it?",
                               "a store's runs do not tell what is trained",
                               "Name a profile too: gridcast train dlio-unet3d --fit storage.csv "
                               "--out mine.yaml."});
    }
    write_profile(request,
                  training::fitted_profile(fits[family], base_of(request, files), request.table));
  }
  std::cout << (request.json ? report::fit_json(fits, split.held, table.notes)
                             : report::fit_text(fits, split.held, table.notes, screen()));
  return exit_code::done;
}

int fit_worker_table(FitRequest const& request, training::SourceFiles const& files) {
  auto const workers = training::read_worker_steps(request.table);
  training::StragglerFit const fit = training::fit_stragglers(workers);
  if (!request.out.empty()) {
    if (request.profile.empty()) {
      throw InputError(Problem{{},
                               "--out: which workload is it?",
                               "workers' steps do not tell what is trained",
                               "Name a profile too: gridcast train PROFILE --fit steps.csv --out "
                               "mine.yaml."});
    }
    write_profile(request, training::fitted_profile(fit, base_of(request, files), request.table));
  }
  std::cout << (request.json ? report::fit_json(fit, training::slowest_of(workers))
                             : report::fit_text(fit, training::slowest_of(workers), screen()));
  return exit_code::done;
}

}  // namespace

int fit_table(FitRequest const& request, training::SourceFiles const& files) {
  VerbFiles all(if_there(request.force));
  all.reads(request.table);
  if (scenario::is_profile_file(request.profile)) all.reads(request.profile);
  all.writes(request.out);
  all.prepare();
  std::string const text = read_text_file(request.table);
  if (training::is_worker_table(text)) return fit_worker_table(request, files);
  return training::is_storage_table(text) ? fit_storage_table(request, files)
                                          : fit_training_table(request, files);
}

}  // namespace gridcast::cli
