#include "sim/scenario/profile.hpp"

#include <algorithm>
#include <system_error>

#include <fmt/format.h>

#include "sim/base/error.hpp"
#include "sim/base/files.hpp"
#include "sim/base/text.hpp"
#include "sim/scenario/lesson.hpp"
#include "sim/scenario/tables.hpp"
#include "sim/scenario/yaml/document.hpp"
#include "sim/scenario/yaml/fields.hpp"

namespace gridcast::scenario {
namespace {

constexpr char profile_schema_name[] = "gridcast.profile/1";

Bounds from_one() { return between(1, 1e9); }

Table<DatasetSpec> const& dataset_table() {
  static Table<DatasetSpec> const table =
      Table<DatasetSpec>("The data that are read")
          .required("samples", &DatasetSpec::samples, "Samples in one pass over the data",
                    positive())
          .required("sample_size", &DatasetSpec::sample_size, "As stored, on average")
          .optional("sample_spread", &DatasetSpec::sample_spread, "Its standard deviation")
          .optional("files", &DatasetSpec::files, "That hold them", positive())
          .optional("format", &DatasetSpec::format, "For people");
  return table;
}

Table<TrainSpec> const& train_table() {
  static Table<TrainSpec> const table =
      Table<TrainSpec>("How long it trains")
          .optional("epochs", &TrainSpec::epochs, "Passes over the data", from_one())
          .required("batch", &TrainSpec::batch, "Samples a step of one GPU", from_one())
          .optional("steps", &TrainSpec::steps, "Steps of an epoch; 0: from the data set")
          .optional("drop_last", &TrainSpec::drop_last, "An incomplete last batch is dropped")
          .optional("warm_up_steps", &TrainSpec::warm_up_steps, "Before the first epoch's")
          .optional("warm_up_slowdown", &TrainSpec::warm_up_slowdown, "Slowdown of those steps",
                    between(1, 1e6))
          .optional("validation_samples", &TrainSpec::validation_samples,
                    "After each epoch, shared among the GPUs")
          .optional("learning_rate", &TrainSpec::learning_rate, "At `batch` on one GPU");
  return table;
}

Table<ComputeSpec> const& compute_table() {
  static Table<ComputeSpec> const table =
      Table<ComputeSpec>("The GPU's time for a step")
          .required("gpu", &ComputeSpec::gpu, "On which it was measured")
          .required("step_time", &ComputeSpec::step_time, "Forward and backward of one batch")
          .optional("step_overhead", &ComputeSpec::step_overhead,
                    "The part of it that does not grow with the batch")
          .optional("forward_share", &ComputeSpec::forward_share, "Share of the step's time",
                    between(0, 1))
          .optional("optimizer", &ComputeSpec::optimizer, "After the exchange")
          .optional("spread", &ComputeSpec::spread, "Spread of a rank's compute time, sd / mean",
                    between(0, 10))
          .optional("slowest", &ComputeSpec::slowest,
                    "One of several ranks takes so many times as long, all along", between(1, 1e6))
          .optional("slow_per_doubling", &ComputeSpec::slow_per_doubling,
                    "Compute time added by each doubling of the GPUs, as a share", between(0, 1e6))
          .optional("slow_across_nodes", &ComputeSpec::slow_across_nodes,
                    "Compute time added by more than one node, as a share", between(0, 1e6))
          .optional("start", &ComputeSpec::start, "Once a job: unpacking, imports")
          .optional("epoch_overhead", &ComputeSpec::epoch_overhead, "Once an epoch")
          .optional("group_overhead", &ComputeSpec::group_overhead,
                    "Once an epoch with more than one GPU")
          .optional("model_memory", &ComputeSpec::model_memory,
                    "For each GPU: weights, gradients and the optimizer's state")
          .optional("sample_memory", &ComputeSpec::sample_memory,
                    "For each GPU and sample of the batch; 0 B: not known");
  return table;
}

Table<ExchangeSpec> const& exchange_table() {
  static Table<ExchangeSpec> const table =
      Table<ExchangeSpec>("The exchange of gradients")
          .optional("gradient", &ExchangeSpec::gradient, "Gradient of one copy of the model")
          .optional("bucket", &ExchangeSpec::bucket, "Gradients are sent in pieces of this size",
                    positive())
          .optional("overlap", &ExchangeSpec::overlap,
                    "Share of the backward pass during which they can be on their way",
                    between(0, 1))
          .choice("algorithm", &ExchangeSpec::algorithm,
                  {{"automatic", Collective::automatic},
                   {"ring", Collective::ring},
                   {"tree", Collective::tree}},
                  "How gradients are added up across ranks")
          .optional("unhidden", &ExchangeSpec::unhidden,
                    "Time of a step on several nodes that no overlap hides")
          .optional("unhidden_per_doubling", &ExchangeSpec::unhidden_per_doubling,
                    "Time added to that by each doubling of the nodes");
  return table;
}

void add_times_beside_reads(Table<ReaderSpec>& table) {
  table.optional("decode", &ReaderSpec::decode, "Processor time of one sample")
      .optional("read_overhead", &ReaderSpec::read_overhead, "Time of the library for each read")
      .optional("open_overhead", &ReaderSpec::open_overhead, "Time of the library for each open")
      .optional("unhidden", &ReaderSpec::unhidden,
                "In each step, with any prefetching: the framework's hand-over")
      .optional("unhidden_shared", &ReaderSpec::unhidden_shared,
                "Time added by one rank on one host; ranks and hosts add more")
      .optional("unhidden_ranks", &ReaderSpec::unhidden_ranks,
                "Power by which that grows with the ranks of a host", between(0, 5))
      .optional("unhidden_hosts", &ReaderSpec::unhidden_hosts,
                "Power by which that grows with the hosts", between(0, 5));
}

Table<ReaderSpec> const& reader_table() {
  static Table<ReaderSpec> const table =
      Table<ReaderSpec>("How it is read")
          .choice("when", &ReaderSpec::when,
                  {{"each_step", ReadWhen::each_step},
                   {"epoch_start", ReadWhen::epoch_start},
                   {"job_start", ReadWhen::job_start},
                   {"never", ReadWhen::never}},
                  "When a job reads")
          .choice("by", &ReaderSpec::by, {{"batch", ReadBy::batch}, {"sample", ReadBy::sample}},
                  "The unit of work of the threads")
          .optional("threads", &ReaderSpec::threads, "Readers of one rank",
                    between(1, most_readers))
          .optional("prefetch", &ReaderSpec::prefetch,
                    "Batches (of each thread, by batch); 0: read, then compute",
                    between(0, most_readers))
          .optional("transfer_size", &ReaderSpec::transfer_size, "Size of one read", positive())
          .optional("other_size", &ReaderSpec::other_size, "Size of some other reads")
          .optional("other_share", &ReaderSpec::other_share, "Share of those", between(0, 1))
          .optional("sequential", &ReaderSpec::sequential, "Reads run on across samples")
          .optional("shared_file", &ReaderSpec::shared_file, "One file for all ranks")
          .optional("all_read_all", &ReaderSpec::all_read_all, "Every rank reads everything")
          .optional("read_twice", &ReaderSpec::read_twice, "Share of reads that are done twice",
                    between(0, 1))
          .optional("read_ahead", &ReaderSpec::read_ahead, "Reads under way beyond the one wanted")
          .optional("page_cache", &ReaderSpec::page_cache, "Off for direct I/O")
          .choice("shuffle", &ReaderSpec::shuffle,
                  {{"off", Shuffle::off}, {"shard", Shuffle::shard}, {"all", Shuffle::all}},
                  "In which order samples come")
          .with(add_times_beside_reads)
          .optional("start_reads", &ReaderSpec::start_reads, "Reads of a rank at the job's start")
          .optional("start_read_size", &ReaderSpec::start_read_size, "Size of one of those");
  return table;
}

Table<CheckpointSpec> const& checkpoint_table() {
  static Table<CheckpointSpec> const table =
      Table<CheckpointSpec>("The saved state; an interval of 0 is none")
          .required("size", &CheckpointSpec::size, "All files of one, of each rank that writes")
          .optional("files", &CheckpointSpec::files, "Files of one checkpoint", from_one())
          .optional("every_steps", &CheckpointSpec::every_steps, "Interval")
          .optional("every_epochs", &CheckpointSpec::every_epochs, "Interval")
          .optional("first_epoch", &CheckpointSpec::first_epoch, "0: as every_epochs")
          .optional("every", &CheckpointSpec::every, "Interval, of training time")
          .optional("at_end", &CheckpointSpec::at_end, "One when the job ends")
          .optional("all_ranks", &CheckpointSpec::all_ranks, "Each rank writes its own")
          .choice("mode", &CheckpointSpec::mode,
                  {{"wait", SaveMode::wait}, {"overlap", SaveMode::overlap}},
                  "Training during a save")
          .optional("destination", &CheckpointSpec::destination,
                    "A storage of the catalogue; without: where the data is");
  return table;
}

Table<MeasuredRun> const& measured_table() {
  static Table<MeasuredRun> const table =
      Table<MeasuredRun>("Runs that were measured")
          .required("gpus", &MeasuredRun::gpus, "", from_one())
          .optional("nodes", &MeasuredRun::nodes, "", from_one())
          .optional("batch", &MeasuredRun::batch, "Batch of one GPU")
          .optional("learning_rate", &MeasuredRun::learning_rate, "As chosen")
          .optional("wall", &MeasuredRun::wall, "Duration of the job")
          .optional("epoch", &MeasuredRun::epoch, "Duration of one epoch")
          .optional("accuracy_top1", &MeasuredRun::accuracy_top1, "Per cent", between(0, 100))
          .optional("accuracy_top5", &MeasuredRun::accuracy_top5, "Per cent", between(0, 100));
  return table;
}

Table<StepDraw> const& step_draw_table() {
  static Table<StepDraw> const table =
      Table<StepDraw>("Joint values of the parameters fitted to runs")
          .required("step_time", &StepDraw::step_time, "As compute.step_time", positive())
          .required("step_overhead", &StepDraw::step_overhead, "As compute.step_overhead")
          .optional("overlap", &StepDraw::overlap, "As exchange.overlap", between(0, 1))
          .required("intra_bandwidth", &StepDraw::intra_bandwidth, "In a node", positive())
          .required("inter_bandwidth", &StepDraw::inter_bandwidth, "Between nodes", positive())
          .optional("inter_latency", &StepDraw::inter_latency, "Latency of one hop between nodes")
          .optional("slow_per_doubling", &StepDraw::slow_per_doubling, "As compute's")
          .optional("slow_across_nodes", &StepDraw::slow_across_nodes, "As compute's")
          .optional("unhidden", &StepDraw::unhidden, "As exchange.unhidden")
          .optional("unhidden_per_doubling", &StepDraw::unhidden_per_doubling, "As exchange's")
          .optional("group_overhead", &StepDraw::group_overhead, "As compute's")
          .optional("noise", &StepDraw::noise, "Noise of a configuration, sd of ln(time)",
                    between(0, 1000));
  return table;
}

Table<StoreDraw> const& store_draw_table() {
  static Table<StoreDraw> const table =
      Table<StoreDraw>("Joint values of the parameters fitted to a store's runs")
          .optional("unhidden", &StoreDraw::unhidden, "As reader.unhidden")
          .optional("unhidden_shared", &StoreDraw::unhidden_shared, "As reader.unhidden_shared")
          .optional("unhidden_ranks", &StoreDraw::unhidden_ranks, "As reader.unhidden_ranks")
          .optional("unhidden_hosts", &StoreDraw::unhidden_hosts, "As reader.unhidden_hosts")
          .optional("open_latency", &StoreDraw::open_latency, "Latency of each open")
          .required("stream_bandwidth", &StoreDraw::stream_bandwidth, "Bandwidth of one reader",
                    positive())
          .optional("node_bandwidth", &StoreDraw::node_bandwidth,
                    "Bandwidth of one node; 0: no limit")
          .optional("bandwidth", &StoreDraw::bandwidth,
                    "Bandwidth of all readers together; 0: no limit")
          .optional("decode", &StoreDraw::decode, "As reader.decode")
          .optional("noise", &StoreDraw::noise, "Sd of ln(waiting)", between(0, 1000));
  return table;
}

Table<GpuFactor> const& gpu_factor_table() {
  static Table<GpuFactor> const table =
      Table<GpuFactor>("Other GPU models that this workload was measured on")
          .required("factor", &GpuFactor::factor, "Compute time there over that here", positive())
          .optional("variation", &GpuFactor::variation, "Sd of its logarithm", between(0, 1000));
  return table;
}

Table<Profile> const& profile_table() {
  static Table<Profile> const table = [] {
    Table<Profile> profile("A workload: the input, computing and checkpoints of one training job");
    profile.schema(profile_schema_name)
        .required("title", &Profile::title, "A title")
        .required("machine", &Profile::machine, "Its machine, by the catalogue's name")
        .required("storage", &Profile::storage, "Store of the data, by the catalogue's name")
        .optional("stage", &Profile::stage, "Store to which the data are copied first")
        .optional("gpus", &Profile::gpus, "Ranks, unless given otherwise", from_one())
        .optional("nodes", &Profile::nodes, "Nodes of those", from_one())
        .group("dataset", true, &Profile::dataset, dataset_table())
        .group("train", true, &Profile::train, train_table())
        .group("compute", true, &Profile::compute, compute_table())
        .group("exchange", false, &Profile::exchange, exchange_table())
        .group("reader", false, &Profile::reader, reader_table())
        .group("checkpoint", false, &Profile::checkpoint, checkpoint_table())
        .optional("au_threshold", &Profile::au_threshold, "Demanded by a benchmark", between(0, 1))
        .list("measured", &Profile::measured, measured_table(), false)
        .group("hardware", false, &Profile::hardware, hardware_table())
        .optional("fitted_gpus", &Profile::fitted_gpus, "The most GPUs of the runs fitted to")
        .optional("fitted_batch", &Profile::fitted_batch, "The smallest batch of these runs")
        .list("fitted", &Profile::fitted, step_draw_table(), false)
        .list("fitted_store", &Profile::fitted_store, store_draw_table(), false)
        .named("gpu_factors", &Profile::gpu_factors, gpu_factor_table(), false)
        .add(lesson_key(), read_and_forget_lesson<Profile>)
        .add({"sources", Form::named_sections, "Where each value is from", true},
             read_sources<Profile>, write_sources<Profile>);
    return profile;
  }();
  return table;
}

namespace fs = std::filesystem;

/// "compute.gpu" is below "compute" and itself.
bool is_below(std::string const& path, std::string const& group) {
  return path == group || (path.starts_with(group) && path[group.size()] == '.');
}

/// Keys that describe the file, not a measurement.
bool needs_no_source(std::string const& key) {
  return key == "schema" || key == "title" || key == "sources" || key == "lesson";
}

bool has_source(Profile const& profile, std::string const& path) {
  return std::ranges::any_of(profile.sources,
                             [&path](auto const& source) { return is_below(path, source.first); });
}

void check_value(YamlDocument& document, Profile const& profile, std::string const& path) {
  if (has_source(profile, path)) return;
  document.complain(path, "no source", "every value needs its source",
                    fmt::format("Write '{}: ...' below 'sources', or 'assumed: why'.", path));
}

/// Hardware that the profile's sources leave out has sources of its own, as in the
/// catalogue.
void check_own_hardware(YamlDocument& document, Profile const& profile) {
  Hardware own = profile.hardware;
  auto const leave_out = [&profile](auto& parts, std::string const& group) {
    std::erase_if(parts, [&](auto const& part) {
      return has_source(profile, "hardware." + group + "." + part.name);
    });
  };
  leave_out(own.gpus, "gpus");
  leave_out(own.storage, "storage");
  leave_out(own.machines, "machines");
  check_hardware_sources(document, document.root()["hardware"], "hardware.", own);
}

/// Every value has a source, and every source is of a value.
void check_sources(YamlDocument& document, Profile const& profile) {
  for (auto const& entry : document.root()) {
    std::string const key = entry.first.Scalar();
    if (needs_no_source(key)) continue;
    if (key == "hardware") {
      check_own_hardware(document, profile);
      continue;
    }
    if (!entry.second.IsMap()) {
      check_value(document, profile, key);
      continue;
    }
    for (auto const& value : entry.second) {
      check_value(document, profile, key + "." + value.first.Scalar());
    }
  }
  for (auto const& [path, text] : profile.sources) {
    if (document.has(path)) continue;
    document.add(document.at("sources." + path),
                 fmt::format("sources: there is no value '{}'", path), "", "Remove the line.");
  }
}

void check_intervals(YamlDocument& document, CheckpointSpec const& checkpoint) {
  int const intervals = (checkpoint.every_steps > 0) + (checkpoint.every_epochs > 0) +
                        (checkpoint.every > Seconds(0));
  if (intervals <= 1) return;
  document.complain("checkpoint", "more than one interval",
                    "steps, epochs and time exclude each other", "Keep one of them.");
}

void check_buckets(YamlDocument& document, ExchangeSpec const& exchange) {
  constexpr double most = 1e6;
  if (exchange.gradient / exchange.bucket <= most) return;
  document.complain(
      "exchange", "more than a million buckets",
      fmt::format("{} in pieces of {}", to_text(exchange.gradient), to_text(exchange.bucket)));
}

void check_batch(YamlDocument& document, Profile const& profile) {
  if (document.is_bad("train.batch") || document.is_bad("dataset.samples")) return;
  if (profile.dataset.samples <= 0 || profile.train.batch <= profile.dataset.samples) return;
  document.complain("train.batch",
                    fmt::format("{} is more than the data set has, {}", profile.train.batch,
                                profile.dataset.samples),
                    "a batch is a part of the data set");
}

/// Complains of a workload file of DLIO, once instead of key by key.
bool is_of_dlio(YamlDocument& document) {
  if (!document.is_yaml() || !document.root().IsMap() || document.root()["schema"]) return false;
  YAML::Node const root = document.root();  // const: a look at a key must not make it
  YAML::Node const dataset = root["dataset"];
  bool const has_files = dataset && dataset.IsMap() && dataset["num_files_train"];
  if (!has_files && !root["workload"] && !root["workflow"]) return false;
  Location const where = document.at("");
  document.add(where, "a workload file of DLIO where a profile is wanted", "",
               fmt::format("Make one of it: gridcast init {} -o PROFILE.yaml.", where.file));
  return true;
}

// Quantities have no exponents when they are read, and need none at these magnitudes.
std::string in_seconds(Seconds time) {
  return fmt::format("{:.12f}", time.value()).substr(0, 18) + " s";
}
std::string in_bytes(Bytes size) { return fmt::format("{:.3f} B", size.value()); }

/// Groups in a line each. Values that have a source of their own are written in any case, and so
/// are the keys of the reading of data.
YamlLayout layout_of(Profile const& profile) {
  YamlLayout layout;
  layout.text = in_quotes;
  layout.time = in_seconds;
  layout.size = in_bytes;
  layout.shape = [](std::string_view path) {
    static std::vector<std::string> const groups = {
        "measured", "sources",      "hardware",          "hardware.gpus", "hardware.storage",
        "fitted",   "fitted_store", "hardware.machines", "gpu_factors"};
    return is_one_of(path, groups) ? YamlShape::lines : YamlShape::line;
  };
  layout.kept = [&profile](std::string_view path) {
    return path == "reader.when" || path == "reader.by" || path == "reader.shuffle" ||
           profile.sources.contains(std::string(path));
  };
  return layout;
}

}  // namespace

Profile read_profile_text(fs::path const& file, std::string const& text,
                          std::vector<std::string> const& overrides) {
  YamlDocument document(file, text);
  apply_overrides(parse_overrides(overrides), document);
  Profile profile;
  profile.name = file.stem().string();
  if (!is_of_dlio(document) && check_schema(document, profile_schema_name)) {
    profile_table().read({document, document.root(), ""}, profile);
    if (!document.has_problems()) check_sources(document, profile);
    check_intervals(document, profile.checkpoint);
    check_batch(document, profile);
    check_buckets(document, profile.exchange);
  }
  if (document.has_problems()) throw InputError(document.problems());
  return profile;
}

Profile read_profile(fs::path const& file, std::vector<std::string> const& overrides) {
  return read_profile_text(file, read_text_file(file), overrides);
}

std::vector<std::string> profile_names(fs::path const& folder) {
  std::vector<std::string> names;
  std::error_code ignored;
  for (auto const& entry : fs::directory_iterator(folder, ignored)) {
    fs::path const& path = entry.path();
    if (path.extension() != ".yaml" || path.stem() == "hardware") continue;
    names.push_back(path.stem().string());
  }
  std::ranges::sort(names);
  return names;
}

bool is_profile_file(std::string const& name) {
  return name.ends_with(".yaml") || name.ends_with(".yml");
}

Profile find_profile(fs::path const& folder, std::string const& name,
                     std::vector<std::string> const& overrides) {
  if (is_profile_file(name)) return read_profile(name, overrides);
  auto const names = profile_names(folder);
  if (is_one_of(name, names)) return read_profile(folder / (name + ".yaml"), overrides);
  std::error_code ignored;
  if (fs::exists(name, ignored)) {
    throw InputError(Problem{{name},
                             "is no profile",
                             "the profile of a training is a YAML file (schema: "
                             "gridcast.profile/1)",
                             "gridcast profile --list shows those that are shipped."});
  }
  if (name.find_first_of("/.") != name.npos) throw InputError(missing_file(name));
  refuse({}, fmt::format("unknown profile '{}'", name), "",
         suggestion(name, names) + " gridcast profile --list shows them all.");
}

std::string profile_yaml(Profile const& profile, std::string const& comment) {
  std::string text;
  for (auto const& line : split(comment, '\n')) text += yaml_comment(line) + "\n";
  Profile written = profile;
  if (written.checkpoint.size == Bytes()) written.checkpoint = {};  // it saves nothing
  return text + profile_table().text(written, layout_of(profile));
}

}  // namespace gridcast::scenario
