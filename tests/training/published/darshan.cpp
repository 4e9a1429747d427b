// The I/O of ten deep-learning workloads that Darshan recorded.
#include <cmath>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/training/estimate.hpp"
#include "sim/training/input_pipeline.hpp"
#include "tests/training/published/source_table.hpp"

namespace gridcast::training::published {
namespace {

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

std::string assumed_note(scenario::Profile const& profile) {
  std::vector<std::string> keys;
  for (auto const& [path, source] : profile.sources) {
    if (source.starts_with("assumed")) keys.push_back(path);
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
    double const published = workload == "climate_segmentation" ? 96 : not_published;
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
  std::string const& workload = row.text("workload");
  // These two are given in words, below.
  bool const in_words = workload == "climate_segmentation" || workload == "cosmic_tagger";
  if (estimate.reads.empty() || in_words) return;
  table.rows.push_back({workload, "size of most reads", "B", row.number("access_bytes"),
                        commonest_read(estimate), 0.01, true, sizes_note(estimate)});
}

/// The conditions of the workload: the inputs of the model, repeated.
void add_inputs(SourceTable& table, NumberRow const& row, TrainingEstimate const& estimate,
                TrainingSetup const& setup) {
  scenario::Profile const& profile = setup.profile;
  bool const saves_only = row.text("workload") == "l2hmc";
  std::vector<std::pair<char const*, double>> const inputs = {
      {"nodes", setup.nodes},
      {"ranks", setup.gpus},
      {"steps", estimate.steps * profile.train.epochs},
      {"batch", profile.train.batch},
      {"files", saves_only ? profile.checkpoint.files : profile.dataset.files}};
  for (auto const& [column, value] : inputs) {
    double const published = row.number(column);
    if (std::isnan(published)) continue;
    table.rows.push_back(
        {row.text("workload"), column, "", published, value, 0.5, false, "what the run was given"});
  }
}

/// The nearest size among the reads.
double size_near(TrainingEstimate const& estimate, double size) {
  double best = not_published;
  for (Operations const& reads : estimate.reads) {
    double const own = reads.size.value();
    if (std::isnan(best) || std::abs(own - size) < std::abs(best - size)) best = own;
  }
  return best;
}

double total_reads(TrainingEstimate const& estimate) {
  double count = 0;
  for (Operations const& reads : estimate.reads) count += reads.count;
  return count;
}

/// Per cent of the reads that have this size.
double share_of_reads(TrainingEstimate const& estimate, Bytes size) {
  double count = 0;
  for (Operations const& reads : estimate.reads) count += reads.size == size ? reads.count : 0;
  return 100 * count / total_reads(estimate);
}

/// Figures that the notes have in their text only.
void add_words(SourceTable& table, std::string const& workload, TrainingEstimate const& estimate,
               scenario::Profile const& profile) {
  auto const add = [&](char const* quantity, char const* unit, double published, double model,
                       double tolerance, std::string note = "") {
    table.rows.push_back({workload, quantity, unit, published, model, tolerance, true, note});
  };
  if (workload == "imagenet") {
    add("reads of 256 KB", "%", 98, share_of_reads(estimate, Bytes(262144)), 0.03,
        "the model has no shorter last reads of a file");
  } else if (workload == "cosmic_tagger") {
    add("size of reads", "B", 6144, size_near(estimate, 6144), 0.01, sizes_note(estimate));
    add("size of reads", "B", 2048, size_near(estimate, 2048), 0.01);
    add("size of the first 50 reads", "B", 13000, size_near(estimate, 13000), 0.01, "of each rank");
  } else if (workload == "climate_segmentation") {
    add("reads", "", 50, total_reads(estimate), 0.01);
    add("size of reads", "B", 500. / 50, commonest_read(estimate), 0.01, sizes_note(estimate));
  } else if (workload == "cosmoflow") {
    add("size of a file", "GB", 2, profile.dataset_size().value() / profile.dataset.files / 1e9,
        0.03);
  } else if (workload == "candle") {
    add("epochs", "", 60, profile.train.epochs, 0.01);
    add("seconds per epoch", "s", 46.27, estimate.epoch.value(), 0.02);
  } else if (workload == "l2hmc") {
    add("bytes of a checkpoint", "MB", 39.005, profile.checkpoint.size.value() / 1e6, 0.01,
        "1 KB + 4 KB + 7 MB + 32 MB; the notes round it to 32 MB");
    add("steps between checkpoints", "", 50, profile.checkpoint.every_steps, 0.01);
  } else if (workload == "bert") {
    add("reading time", "s", 0.016541481, estimate.parts.reading.value(), 0.01);
  } else if (workload == "mmaADSP") {
    add("size of a record", "B", 8192, profile.dataset.sample_size.value(), 0.01);
  }
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
  scenario::Hardware const hardware = files.hardware();
  for (NumberRow const& row : files.rows("darshan-dl-workloads")) {
    std::string const& workload = row.text("workload");
    scenario::Profile const profile = files.profile(profile_of_workload().at(workload));
    TrainingSetup const setup = training_setup(profile, hardware, {});
    TrainingEstimate const estimate = estimate_training(setup);
    table.rows.push_back({workload, "I/O share", "%", 100 * row.number("io_fraction"),
                          100 * estimate.io_share, 2, false, share_note(workload)});
    add_step(table, row, estimate);
    add_bytes(table, row, estimate, setup);
    add_sizes(table, row, estimate);
    add_bandwidth(table, row, setup);
    add_words(table, workload, estimate, profile);
    add_inputs(table, row, estimate, setup);
    table.rows.push_back({workload, "training waits for I/O", "%", not_published,
                          100 * estimate.wait_share, 0, false, assumed_note(profile)});
  }
  return table;
}

}  // namespace gridcast::training::published
