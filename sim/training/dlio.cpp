#include "sim/training/dlio.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/base/error.hpp"
#include "sim/base/files.hpp"
#include "sim/base/text.hpp"
#include "sim/scenario/yaml/values.hpp"

namespace gridcast::training {

namespace {

/// Why a key that DLIO knows makes no difference; the longest matching beginning counts.
std::string reason(std::string const& key) {
  static std::map<std::string, std::string> const reasons = {
      {"checkpoint.", "where and how files are written does not change how much is"},
      {"dataset.", "how the data is laid out or made does not change how much is read"},
      {"dataset.record_length_bytes_resize", "a sample's copy in memory is not read again"},
      {"defaults", "Hydra's own"},
      {"evaluation.", "workflow.evaluation is off"},
      {"framework", "follows from the data loader"},
      {"generation", "data is not generated"},
      {"hydra.", "Hydra's own"},
      {"model.", "only the checkpoint's size matters"},
      {"output.", "gridcast's own option names the output"},
      {"profiling.", "nothing is profiled"},
      {"reader.", "it does not change the order of the reads"},
      {"data_reader.", "it does not change the order of the reads"},
      {"storage.", "choose a store with gridcast profile --storage"},
      {"train.", "random seeds are gridcast's own"},
      {"workflow.", "not a step of training"},
      {"metric.", "not the utilisation"}};
  std::string best, why = "not a key that gridcast knows of DLIO";
  for (auto const& [beginning, text] : reasons) {
    if (!key.starts_with(beginning) || beginning.size() < best.size()) continue;
    best = beginning;
    why = text;
  }
  return why;
}

YAML::Node node_at(std::vector<std::pair<std::string, YAML::Node>> const& leaves,
                   std::string const& path) {
  for (auto const& [name, node] : leaves) {
    if (name == path) return node;
  }
  return YAML::Node();
}

/// 1_000_000 is a number to Python's YAML, which DLIO reads its files with.
void remove_underscores(YAML::Node node) {
  if (!node.IsScalar()) return;
  std::string digits = node.Scalar();
  bool const grouped = digits.find('_') != std::string::npos &&
                       digits.find_first_not_of("0123456789_-.") == std::string::npos;
  if (!grouped) return;
  digits.erase(std::remove(digits.begin(), digits.end(), '_'), digits.end());
  node = digits;  // its place in the file stays
}

/// The file while it is read: the keys that were used, and their problems.
class DlioFile {
 public:
  DlioFile(std::filesystem::path const& file, std::string const& text) : document_(file, text) {
    if (document_.has_problems()) return;
    YAML::Node const root = document_.root();
    if (!root.IsMap()) {
      document_.add(document_.at(""), "no workload in it", "a group of keys is wanted", "");
      return;
    }
    YAML::Node const below = root["workload"];
    if (below && !below.IsMap()) {
      document_.add(document_.at(below.Mark()),
                    "workload: it names a workload and does not hold one", "",
                    "Give the workload's own file (configs/workload/NAME.yaml).");
      return;
    }
    if (below) root_ = "workload.";
    index({document_, root, ""}, 0);
    static std::vector<std::string> const sections = {"dataset", "reader",     "data_reader",
                                                      "train",   "checkpoint", "model"};
    good_ =
        std::ranges::any_of(sections, [this](std::string const& section) { return has(section); });
    for (auto const& [path, node] : leaves_) {
      std::string const name = path.starts_with(root_) ? path.substr(root_.size()) : path;
      bool const is_section = contains(sections, name);
      if (!is_section || node.IsMap() || node.IsNull() || name == "model") continue;
      document_.add(document_.at(path),
                    fmt::format("{}: {} where keys are wanted", path, scenario::shown(node)), "",
                    "Write {key: value, ...}.");
    }
    if (good_) return;
    document_.add(document_.at(""), "no workload in it",
                  fmt::format("it has none of {}", fmt::join(sections, ", ")),
                  "Give a file like DLIO's configs/workload/unet3d.yaml.");
  }

  scenario::YamlDocument& document() { return document_; }
  /// True if there is a workload to read; missing parts have been complained of.
  bool good() const { return good_; }

  bool has(std::string const& path) const { return document_.has(root_ + path); }

  double number(std::string const& path, double fallback, scenario::Bounds const& bounds = {}) {
    if (!has(path)) return fallback;
    used_.insert(root_ + path);
    scenario::YamlValue const value{document_, node_at(leaves_, root_ + path), root_ + path};
    remove_underscores(value.node);
    if (value.node.IsNull()) return fallback;
    double number = fallback;
    scenario::read_value(value, bounds, number);
    return number;
  }

  int integer(std::string const& path, int fallback, scenario::Bounds const& bounds = {}) {
    double const number = this->number(path, fallback, bounds);
    return static_cast<int>(std::min(2e9, std::floor(number)));
  }

  /// A list; none where the key is absent.
  std::vector<double> numbers(std::string const& path) {
    std::vector<double> list;
    if (!has(path)) return list;
    used_.insert(root_ + path);
    for (auto const& item : node_at(leaves_, root_ + path)) {
      double value = 0;
      scenario::read_value({document_, item, root_ + path}, scenario::positive(), value);
      list.push_back(value);
    }
    return list;
  }

  bool truth(std::string const& path, bool fallback) {
    if (!has(path)) return fallback;
    std::string const text = lower(this->text(path, fallback ? "true" : "false"));
    static std::vector<std::string> const yes = {"true", "yes", "on", "1"};
    return contains(yes, text);
  }

  std::string text(std::string const& path, std::string fallback) {
    if (!has(path)) return fallback;
    used_.insert(root_ + path);
    YAML::Node const node = node_at(leaves_, root_ + path);
    return node.IsScalar() ? node.Scalar() : fallback;
  }

  /// One of the choices, letter case aside (DLIO's own files mix it).
  std::string word(std::string const& path, std::string fallback,
                   std::vector<std::string> const& choices) {
    if (!has(path)) return fallback;
    std::string const text = lower(this->text(path, fallback));
    if (contains(choices, text)) return text;
    document_.add(document_.at(root_ + path),
                  fmt::format("{}: unknown '{}'", root_ + path, this->text(path, "")), "",
                  suggestion(text, choices));
    return fallback;
  }

  /// Mean of a time that may be a number or a distribution {type, mean, stdev, ...}; its standard
  /// deviation, relative to the mean, to `spread`.
  Seconds time(std::string const& path, double& spread) {
    spread = 0;
    double const stdev = number(path + "_stdev", 0);
    if (!document_.has(root_ + path + ".type") && !document_.has(root_ + path + ".mean")) {
      double const mean = number(path, 0);
      if (mean > 0) spread = stdev / mean;
      return Seconds(mean);
    }
    static std::vector<std::string> const kinds = {"normal", "uniform", "gamma", "exponential",
                                                   "poisson"};
    std::string const kind = word(path + ".type", "normal", kinds);
    double mean = number(path + ".mean", 0), sd = number(path + ".stdev", stdev);
    if (kind == "uniform") {
      double const low = number(path + ".min", 0), high = number(path + ".max", 0);
      mean = (low + high) / 2;
      sd = (high - low) / std::sqrt(12.);
    } else if (kind == "gamma") {
      double const shape = number(path + ".shape", 1), scale = number(path + ".scale", 1);
      mean = shape * scale;
      sd = std::sqrt(shape) * scale;
    } else if (kind == "exponential") {
      mean = sd = number(path + ".scale", 1);
    } else if (kind == "poisson") {
      mean = number(path + ".lam", 1);
      sd = std::sqrt(mean);
    }
    if (mean > 0) spread = sd / mean;
    return Seconds(mean);
  }

  /// True if any key of the file was used.
  bool is_used() const { return !used_.empty(); }
  /// Leaves that were not used.
  std::vector<IgnoredKey> ignored() const {
    std::vector<IgnoredKey> ignored;
    for (auto const& [path, node] : leaves_) {
      if (path.ends_with('.') || used_.contains(path)) continue;
      std::string const key = path.starts_with(root_) ? path.substr(root_.size()) : path;
      ignored.push_back({path, document_.at(path).line, reason(key)});
    }
    return ignored;
  }

 private:
  void index(scenario::YamlValue const& value, int depth) {
    // DLIO's own files are five levels deep; an alias within its own value has no end.
    constexpr int deepest = 12;
    constexpr std::size_t most = 10000;
    if (depth > deepest || leaves_.size() > most) {
      if (!document_.has_problems()) {
        value.complain("too many keys, or too deep", "a workload has about fifty", "");
      }
      return;
    }
    std::set<std::string> seen;
    for (auto const& entry : value.node) {
      if (!entry.first.IsScalar()) continue;
      std::string const key = entry.first.Scalar();
      if (!seen.insert(key).second) {
        document_.add(document_.at(entry.first.Mark()), fmt::format("key '{}' is given twice", key),
                      "", "Remove one.");
        continue;
      }
      scenario::YamlValue const child = value.child(key, entry.second);
      if (entry.second.IsMap() && entry.second.size() > 0) {
        leaves_.emplace_back(child.path + ".", entry.second);
        index(child, depth + 1);
      } else {
        leaves_.emplace_back(child.path, entry.second);
      }
    }
  }

  scenario::YamlDocument document_;
  std::string root_;  // "workload." or nothing
  std::vector<std::pair<std::string, YAML::Node>> leaves_;
  std::set<std::string> used_;
  bool good_ = false;
};

scenario::Bounds at_least_one() { return scenario::between(1, 1e12); }

/// "resnet50_a100.yaml" was timed on an A100.
std::string gpu_of_name(std::string const& stem) {
  if (stem.find("v100") != std::string::npos) return "V100-16GB";
  if (stem.find("h100") != std::string::npos) return "H100";
  return "A100-80GB";
}

/// Bytes of a transformer's checkpoint: its parameters in the model's type, and three copies in the
/// optimiser's (master weights and Adam's two moments, Rajbhandari et al. 2020). With a hidden
/// width h each layer has h^2 (2 + 2 kv_heads / heads) of attention (queries and output; grouped
/// keys and values), 3 h ffn_hidden of the gated feed-forward network and 2 h of norms; in addition
/// 2 vocabulary h to embed, and a last norm of h (DLIO, checkpointing/base_checkpointing.py,
/// get_num_parameters). A model of another kind has its model_size, its layers' layer_parameters,
/// and its optimization_groups three times (the same file).
Bytes transformer_checkpoint(double layers, double hidden, double ffn_hidden, double heads,
                             double kv_heads, double vocabulary, double model_bytes,
                             double optimizer_bytes) {
  double const attention = hidden * hidden * (2 + 2 * kv_heads / heads);
  double const feed_forward = 3 * hidden * ffn_hidden;
  double const norms = 2 * hidden;
  double const parameters =
      layers * (attention + feed_forward + norms) + 2 * vocabulary * hidden + hidden;
  return Bytes(parameters * (model_bytes + 3 * optimizer_bytes));
}

class Importer {
 public:
  Importer(std::filesystem::path const& path, std::string const& text, std::string const& gpu)
      : file_(path, text), stem_(path.stem().string()) {
    profile_.compute.gpu = gpu.empty() ? gpu_of_name(stem_) : gpu;
  }

  DlioImport run() {
    if (file_.good()) {
      describe();
      trains_ = file_.truth("workflow.train", true);
      if (trains_) {
        dataset();
        reader();
        train();
        evaluation();
      }
      checkpoint();
      profile_.au_threshold = file_.number("metric.au", 0, scenario::between(0, 1));
      check_batch();
      if (!file_.is_used()) {
        file_.document().add(file_.document().at(""), "no workload in it",
                             "none of its keys is one of DLIO's",
                             "Give a file like DLIO's configs/workload/unet3d.yaml.");
      }
    }
    if (file_.document().has_problems()) throw InputError(file_.document().problems());
    sources();
    return {profile_, file_.ignored()};
  }

 private:
  void describe() {
    std::string const name = file_.text("model.name", file_.text("model", stem_));
    file_.text("model.type", "");
    file_.word("framework", "pytorch", {"pytorch", "tensorflow"});
    profile_.name = stem_;
    profile_.title = "DLIO workload " + name;
    profile_.machine = "emulated";
    profile_.storage = "fast-store";
    // DLIO's stores are its own business; the file describes nothing else of them.
    profile_.reader.page_cache = false;
  }

  void dataset() {
    scenario::DatasetSpec& data = profile_.dataset;
    data.files = file_.number("dataset.num_files_train", 8, at_least_one());
    data.samples = data.files * file_.number("dataset.num_samples_per_file", 1, at_least_one());
    double const older = file_.number("dataset.record_length", 65536, scenario::positive());
    data.sample_size =
        Bytes(file_.number("dataset.record_length_bytes", older, scenario::positive()));
    double const older_spread = file_.number("dataset.record_length_stdev", 0);
    data.sample_spread =
        Bytes(std::max(0., file_.number("dataset.record_length_bytes_stdev", older_spread)));
    data.format = file_.word("dataset.format", "tfrecord",
                             {"tfrecord", "hdf5", "csv", "npz", "npy", "hdf5_opt", "jpeg", "png",
                              "parquet", "indexed_binary", "mmap_indexed_binary", "synthetic"});
  }

  std::string section() const { return file_.has("data_reader") ? "data_reader." : "reader."; }

  void reader() {
    std::string const in = section();
    scenario::ReaderSpec& reader = profile_.reader;
    std::string const loader =
        file_.word(in + "data_loader", "tensorflow",
                   {"tensorflow", "pytorch", "dali", "native_dali", "custom", "none", "synthetic"});
    reader.by = loader == "pytorch" || loader == "custom" ? scenario::ReadBy::batch
                                                          : scenario::ReadBy::sample;
    reader.threads = std::max(
        1, file_.integer(in + "read_threads", 1, scenario::between(0, scenario::most_readers)));
    reader.prefetch =
        file_.integer(in + "prefetch_size", 2, scenario::between(0, scenario::most_readers));
    if (reader.prefetch == 0) reader.prefetch = 2;  // as DLIO does
    reader.transfer_size = Bytes(file_.number(in + "transfer_size", 262144, scenario::positive()));
    streams_or_samples();
    if (file_.word(in + "read_type", "on_demand", {"memory", "on_demand"}) == "memory") {
      reader.when = scenario::ReadWhen::job_start;
    }
    bool const nothing = loader == "none" || loader == "synthetic";
    if (nothing || profile_.dataset.format == "synthetic") reader.when = scenario::ReadWhen::never;
    reader.shared_file = file_.word(in + "file_access", "multi",
                                    {"multi", "shared", "collective", "mpio", "posix"}) != "multi";
    shuffle(in);
    double unused = 0;
    reader.decode = file_.time(in + "preprocess_time", unused);
    if (file_.truth(in + "odirect", false)) reader.page_cache = false;
    profile_.train.batch = file_.integer(in + "batch_size", 1, scenario::between(1, 1e9));
    profile_.train.drop_last = true;
  }

  /// Records of a stream are read on and on; a file of one sample is read in one go.
  void streams_or_samples() {
    scenario::ReaderSpec& reader = profile_.reader;
    static std::vector<std::string> const streams = {"tfrecord", "csv"};
    std::string const& format = profile_.dataset.format;
    reader.sequential = contains(streams, format);
    if (!reader.sequential) reader.transfer_size = profile_.dataset.sample_size;
  }

  void shuffle(std::string const& in) {
    static std::vector<std::string> const choices = {"off", "seed", "random", "false", "true"};
    auto const is_on = [](std::string const& text) { return text != "off" && text != "false"; };
    bool const files = is_on(file_.word(in + "file_shuffle", "off", choices));
    bool const samples = is_on(file_.word(in + "sample_shuffle", "off", choices));
    profile_.reader.shuffle = files     ? scenario::Shuffle::all
                              : samples ? scenario::Shuffle::shard
                                        : scenario::Shuffle::off;
  }

  void train() {
    scenario::TrainSpec& train = profile_.train;
    train.epochs = file_.integer("train.epochs", 1, scenario::between(1, 1e6));
    profile_.compute.step_time = file_.time("train.computation_time", profile_.compute.spread);
    double const steps = file_.number("train.total_training_steps", -1, scenario::between(-1, 2e9));
    if (steps > 0) train.steps = static_cast<int>(steps);
  }

  void evaluation() {
    if (!file_.truth("workflow.evaluation", false)) return;
    double unused = 0;
    Seconds const step = file_.time("evaluation.eval_time", unused);
    double const samples = file_.number("dataset.num_files_eval", 0) *
                           file_.number("dataset.num_samples_per_file", 1, at_least_one());
    double const batch = file_.number(section() + "batch_size_eval", 1, at_least_one());
    double const between_evals = file_.number("evaluation.epochs_between_evals", 1, at_least_one());
    profile_.compute.epoch_overhead = step * (std::floor(samples / batch) / between_evals);
  }

  void checkpoint() {
    if (!file_.truth("workflow.checkpoint", false)) {
      if (!trains_) {
        file_.document().add(file_.document().at("workflow"),
                             "workflow: neither training nor "
                             "checkpoints",
                             "there is nothing to time", "Set workflow.train to True.");
      }
      return;
    }
    scenario::CheckpointSpec& save = profile_.checkpoint;
    save.size = checkpoint_size();
    save.all_ranks =
        file_.word("checkpoint.type", "rank_zero", {"rank_zero", "all_ranks"}) == "all_ranks";
    if (!trains_) return checkpoints_only();
    save.every_steps = std::max(
        0, file_.integer("checkpoint.steps_between_checkpoints", -1, scenario::between(-1, 2e9)));
    if (save.every_steps > 0) return;
    save.every_epochs =
        file_.integer("checkpoint.epochs_between_checkpoints", 1, scenario::between(1, 1e6));
    save.first_epoch =
        file_.integer("checkpoint.checkpoint_after_epoch", 1, scenario::between(1, 1e6));
  }

  /// Steps of nothing but the time between two checkpoints.
  void checkpoints_only() {
    int const count =
        file_.integer("checkpoint.num_checkpoints_write", 1, scenario::between(-1, 1e6));
    profile_.reader.when = scenario::ReadWhen::never;
    profile_.train.steps = std::max(1, count);
    profile_.dataset.samples = profile_.train.steps;
    profile_.compute.step_time = Seconds(std::max(
        0., file_.number("checkpoint.time_between_checkpoints", 0, scenario::between(-1, 1e9))));
    profile_.checkpoint.every_steps = 1;
  }

  Bytes checkpoint_size() {
    if (file_.has("model.transformer.hidden_size")) {
      auto const number = [this](char const* key, double fallback) {
        return file_.number(std::string("model.") + key, fallback, scenario::positive());
      };
      auto const bytes = [this](char const* key, char const* fallback) {
        return file_.word(std::string("model.") + key, fallback,
                          {"fp64", "fp32", "fp16", "bf16", "fp8", "int8", "uint8"});
      };
      return transformer_checkpoint(
          number("num_layers", 1), number("transformer.hidden_size", 2048),
          number("transformer.ffn_hidden_size", 8192),
          number("transformer.num_attention_heads", 32), number("transformer.num_kv_heads", 8),
          number("transformer.vocab_size", 32000), width(bytes("model_datatype", "fp16")),
          width(bytes("optimizer_datatype", "fp32")));
    }
    // Older files name it below `checkpoint`, and without the unit.
    double const oldest = file_.number("checkpoint.model_size", 10240, scenario::positive());
    double const older = file_.number("model.model_size", oldest, scenario::positive());
    double const model = file_.number("model.model_size_bytes", older, scenario::positive());
    double const layers = file_.number("model.num_layers", 1, at_least_one());
    return Bytes(model + layers * sum("model.layer_parameters") +
                 3 * sum("model.optimization_groups"));
  }

  /// The sum of a list of sizes in bytes.
  double sum(char const* path) { return sum_of<double>(file_.numbers(path), std::identity()); }

  static double width(std::string const& type) {
    if (type == "fp64") return 8;
    if (type == "fp32") return 4;
    return type == "fp16" || type == "bf16" ? 2 : 1;
  }

  void check_batch() {
    if (!trains_ || file_.document().has_problems()) return;
    if (profile_.train.batch <= profile_.dataset.samples) return;
    scenario::YamlDocument& document = file_.document();
    document.add(document.at(section() + "batch_size"),
                 fmt::format("{}batch_size: {} is more than the data set has, {}", section(),
                             profile_.train.batch, profile_.dataset.samples),
                 "a batch is a part of the data set", "");
  }

  void sources() {
    auto& sources = profile_.sources;
    std::string const from = "the DLIO file " + stem_ + ".yaml";
    for (auto const* group : {"dataset", "train", "compute", "reader"}) sources[group] = from;
    sources["machine"] = "assumed: hosts of emulated accelerators";
    sources["storage"] =
        "assumed: DLIO measures the store that it runs on; choose one with --storage";
    sources["compute.gpu"] = "the file's name, or as given; else assumed";
    sources["reader.page_cache"] =
        "MLPerf Storage: the data set is at least five times the hosts' memory";
    sources["reader.by"] =
        "PyTorch's workers prepare batches, tf.data's and DALI's threads samples";
    if (profile_.checkpoint.size > Bytes(0)) sources["checkpoint"] = from;
    if (profile_.au_threshold > 0) sources["au_threshold"] = from;
  }

  DlioFile file_;
  std::string stem_;
  scenario::Profile profile_;
  bool trains_ = true;
};

}  // namespace

DlioImport import_dlio(std::filesystem::path const& file, std::string const& gpu) {
  return import_dlio_text(file, read_text_file(file), gpu);
}

DlioImport import_dlio_text(std::filesystem::path const& file, std::string const& text,
                            std::string const& gpu) {
  return Importer(file, text, gpu).run();
}

}  // namespace gridcast::training
