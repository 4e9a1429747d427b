#include <cmath>
#include <limits>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/scenario/profile_reader.hpp"
#include "sim/training/estimate.hpp"
#include "sim/training/read_cost.hpp"
#include "sim/training/source_csv.hpp"
#include "sim/training/source_table.hpp"

namespace gridcast {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

std::map<std::string, std::string> const& profile_of_workload() {
  static std::map<std::string, std::string> const names = {
      {"imagenet", "darshan-imagenet"},
      {"cosmic_tagger", "darshan-cosmic-tagger"},
      {"flood_filling_network", "darshan-flood-filling"},
      {"climate_segmentation", "darshan-climate-segmentation"},
      {"cosmoflow", "darshan-cosmoflow"},
      {"candle", "darshan-candle"},
      {"l2hmc", "darshan-l2hmc"},
      {"bert", "darshan-bert"},
      {"mmaADSP", "darshan-mmaadsp"},
      {"frnn", "darshan-frnn"}};
  return names;
}

/// Which value, that the source does not give, makes the I/O share what it is; empty: none does.
std::string free_number(std::string const& workload) {
  static std::map<std::string, std::string> const numbers = {
      {"imagenet", "time of an open"},           {"cosmic_tagger", "size of an image"},
      {"flood_filling_network", "reads a step"}, {"cosmoflow", "compute time a step"},
      {"l2hmc", "compute time a step"},          {"frnn", "time of an open"}};
  auto const found = numbers.find(workload);
  return found == numbers.end() ? "" : found->second;
}

std::string share_note(std::string const& workload) {
  std::string const number = free_number(workload);
  if (number.empty()) return "predicted from the notes' own numbers";
  return "reproduced by choosing the " + number + ", which the notes do not give";
}

/// Bandwidth of one read, as Darshan divides bytes by time in calls.
double read_bandwidth(TrainingSetup const& setup) {
  ReadCost const cost = sample_cost(setup, setup.storage, 0);
  return cost.size / read_time(setup.storage, setup.profile.reader, cost.size) / BytesPerSecond(1);
}

/// The size that most reads have.
double commonest_read(TrainingEstimate const& estimate) {
  Operations best;
  for (Operations const& reads : estimate.reads) {
    if (reads.count > best.count) best = reads;
  }
  return best.size.value();
}

std::string sizes_note(TrainingEstimate const& estimate) {
  std::vector<std::string> parts;
  for (Operations const& reads : estimate.reads) {
    parts.push_back(fmt::format("{:.0f} reads of {:.0f} B", reads.count, reads.size.value()));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string assumed_note(Profile const& profile) {
  std::vector<std::string> keys;
  for (auto const& [path, source] : profile.sources) {
    if (source.starts_with(assumed_word)) keys.push_back(path);
  }
  return keys.empty() ? "nothing assumed" : fmt::format("assumed: {}", fmt::join(keys, ", "));
}

void add_step(SourceTable& table, NumberRow const& row, TrainingEstimate const& estimate) {
  table.rows.push_back({row.text("workload"), "seconds per step", "s", row.number("step_s"),
                        estimate.step_mean.value(), 0.02, true, ""});
}

void add_bandwidth(SourceTable& table, NumberRow const& row, TrainingSetup const& setup) {
  double const published = row.number("io_bandwidth_bytes_per_s");
  if (std::isnan(published)) return;
  // The notes' figure for CosmoFlow is what all its ranks reach together.
  bool const together = row.text("workload") == "cosmoflow";
  double const model = read_bandwidth(setup) * (together ? setup.gpus : 1);
  table.rows.push_back(
      {row.text("workload"), "bandwidth", "MB/s", published / 1e6, model / 1e6, 0.02, true,
       together ? "of 128 ranks together (the number of ranks is assumed)" : "of one read"});
}

void add_bytes(SourceTable& table, NumberRow const& row, TrainingEstimate const& estimate,
               TrainingSetup const& setup) {
  std::string const& workload = row.text("workload");
  double const read = row.number("bytes_read");
  std::string note;
  if (workload == "imagenet") {
    double const needed = 120. * 8 * 512 * setup.profile.dataset.sample_size.value();
    note = fmt::format(
        "120 steps (10 of warm-up) x 8 ranks x 512 images need {:.1f} GB of 40 GB; "
        "46 % of the reads are done twice by prefetching",
        needed / 1e9);
  }
  double const scale = std::isnan(read) || read >= 1e6 ? 1e9 : 1;
  table.rows.push_back({workload, "bytes read", scale > 1 ? "GB" : "B", read / scale,
                        estimate.from_store.value() / scale, 0.01, true, note});
  if (estimate.written > Bytes(0)) {
    double const published = workload == "climate_segmentation" ? 96 : unknown;
    table.rows.push_back({workload, "bytes written", "MB", published,
                          estimate.written.value() / 1e6, 0.01, true, ""});
  }
  double const set = row.number("dataset_bytes");
  if (!std::isnan(set)) {
    table.rows.push_back(
        {workload, "size of the data set", "GB", set / 1e9,
         setup.profile.dataset_size().value() / 1e9, workload == "mmaADSP" ? 0 : 0.01, true,
         workload == "mmaADSP" ? "10,000 records of 8 KB are 82 MB of the file" : ""});
  }
}

void add_sizes(SourceTable& table, NumberRow const& row, TrainingEstimate const& estimate) {
  if (estimate.reads.empty()) return;
  bool const at_start_only = row.text("workload") == "climate_segmentation";
  table.rows.push_back({row.text("workload"), "size of most reads", "B",
                        at_start_only ? unknown : row.number("access_bytes"),
                        commonest_read(estimate), 0.01, true, sizes_note(estimate)});
}

}  // namespace

SourceTable darshan_table(SourceFiles const& files) {
  SourceTable table{
      "Darshan: the I/O of ten workloads",
      "Profiles darshan-*. The I/O share is the time that a rank spends in I/O calls, over the run "
      "time, hidden behind computing or not, as Darshan counts it. Where the notes leave out a "
      "number that the share depends on, that number was chosen to give the share, and the row "
      "says so: it is a description then, not a test.",
      {},
      ""};
  Hardware const hardware = read_hardware(files.profiles / "hardware.yaml");
  for (NumberRow const& row :
       read_number_rows(files.data / "training" / "darshan-dl-workloads.csv")) {
    std::string const& workload = row.text("workload");
    Profile const profile = find_profile(files.profiles, profile_of_workload().at(workload));
    TrainingSetup const setup = training_setup(profile, hardware, {});
    TrainingEstimate const estimate = estimate_training(setup);
    table.rows.push_back({workload, "I/O share", "%", 100 * row.number("io_fraction"),
                          100 * estimate.io_share, 2, false, share_note(workload)});
    add_step(table, row, estimate);
    add_bytes(table, row, estimate, setup);
    add_sizes(table, row, estimate);
    add_bandwidth(table, row, setup);
    if (workload == "candle") {
      table.rows.push_back(
          {workload, "seconds per epoch", "s", 46.27, estimate.epoch.value(), 0.02, true, ""});
    }
    table.rows.push_back({workload, "training waits for I/O", "%", unknown,
                          100 * estimate.wait_share, 0, false, assumed_note(profile)});
  }
  return table;
}

}  // namespace gridcast
