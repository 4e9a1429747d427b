#include "sim/scenario/profile_writer.hpp"

#include <cmath>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "sim/base/text.hpp"

namespace gridcast::scenario {
namespace {

/// Shortest text that reads back as the same number.
std::string text_of(double value) { return fmt::format("{}", value); }
std::string text_of(int value) { return fmt::format("{}", value); }
std::string text_of(bool value) { return value ? "true" : "false"; }
// The readers know no exponents in quantities, and need none at these magnitudes.
std::string text_of(Seconds value) {
  return fmt::format("{:.12f}", value.value()).substr(0, 18) + " s";
}
std::string text_of(Bytes value) { return fmt::format("{:.3f}", value.value()) + " B"; }

std::string quoted(std::string const& text) {
  std::string escaped;
  for (char const c : text) {
    if (c == '"' || c == '\\') escaped += '\\';
    escaped += c;
  }
  return "\"" + escaped + "\"";
}

/// "name: {key: value, ...}" with the values that are not the defaults, or that have a source of
/// their own.
class Group {
 public:
  Group(std::string name, Profile const& profile) : name_(std::move(name)), profile_(profile) {}

  template <class T>
  Group& add(std::string const& key, T const& value, T const& fallback) {
    bool const has_source = profile_.sources.contains(name_ + "." + key);
    if (value == fallback && !has_source) return *this;
    return put(key, text_of(value));
  }
  template <class T>
  Group& always(std::string const& key, T const& value) {
    return put(key, text_of(value));
  }
  Group& put(std::string const& key, std::string const& value) {
    text_ += (text_.empty() ? "" : ", ") + key + ": " + value;
    return *this;
  }
  std::string str() const { return text_.empty() ? "" : name_ + ": {" + text_ + "}\n"; }

 private:
  std::string name_;
  Profile const& profile_;
  std::string text_;
};

std::string dataset_text(Profile const& profile) {
  DatasetSpec const& dataset = profile.dataset;
  Group group("dataset", profile);
  group.always("samples", dataset.samples).always("sample_size", dataset.sample_size);
  group.add("files", dataset.files, 1.);
  if (!dataset.format.empty()) group.put("format", quoted(dataset.format));
  return group.str();
}

std::string train_text(Profile const& profile) {
  TrainSpec const& train = profile.train;
  TrainSpec const none;
  return Group("train", profile)
      .add("epochs", train.epochs, none.epochs)
      .always("batch", train.batch)
      .add("steps", train.steps, none.steps)
      .add("drop_last", train.drop_last, none.drop_last)
      .add("warm_up_steps", train.warm_up_steps, none.warm_up_steps)
      .add("warm_up_slowdown", train.warm_up_slowdown, none.warm_up_slowdown)
      .add("validation_samples", train.validation_samples, none.validation_samples)
      .add("learning_rate", train.learning_rate, none.learning_rate)
      .str();
}

std::string compute_text(Profile const& profile) {
  ComputeSpec const& compute = profile.compute;
  ComputeSpec const none;
  return Group("compute", profile)
      .put("gpu", quoted(compute.gpu))
      .always("step_time", compute.step_time)
      .add("step_overhead", compute.step_overhead, none.step_overhead)
      .add("forward_share", compute.forward_share, none.forward_share)
      .add("optimizer", compute.optimizer, none.optimizer)
      .add("spread", compute.spread, none.spread)
      .add("slowest", compute.slowest, none.slowest)
      .add("slow_per_doubling", compute.slow_per_doubling, none.slow_per_doubling)
      .add("start", compute.start, none.start)
      .add("epoch_overhead", compute.epoch_overhead, none.epoch_overhead)
      .add("group_overhead", compute.group_overhead, none.group_overhead)
      .add("model_memory", compute.model_memory, none.model_memory)
      .add("sample_memory", compute.sample_memory, none.sample_memory)
      .str();
}

std::string exchange_text(Profile const& profile) {
  ExchangeSpec const& exchange = profile.exchange;
  ExchangeSpec const none;
  return Group("exchange", profile)
      .add("gradient", exchange.gradient, none.gradient)
      .add("bucket", exchange.bucket, none.bucket)
      .add("first_bucket", exchange.first_bucket, none.first_bucket)
      .add("overlap", exchange.overlap, none.overlap)
      .str();
}

std::string word(ReadWhen when) {
  static char const* const words[] = {"each_step", "epoch_start", "job_start", "never"};
  return words[static_cast<int>(when)];
}
std::string word(Shuffle shuffle) {
  static char const* const words[] = {"off", "shard", "all"};
  return words[static_cast<int>(shuffle)];
}

std::string reader_text(Profile const& profile) {
  ReaderSpec const& reader = profile.reader;
  ReaderSpec const none;
  return Group("reader", profile)
      .put("when", word(reader.when))
      .put("by", reader.by == ReadBy::batch ? "batch" : "sample")
      .add("threads", reader.threads, none.threads)
      .add("prefetch", reader.prefetch, none.prefetch)
      .add("transfer_size", reader.transfer_size, none.transfer_size)
      .add("other_size", reader.other_size, none.other_size)
      .add("other_share", reader.other_share, none.other_share)
      .add("sequential", reader.sequential, none.sequential)
      .add("shared_file", reader.shared_file, none.shared_file)
      .add("all_read_all", reader.all_read_all, none.all_read_all)
      .add("read_twice", reader.read_twice, none.read_twice)
      .add("read_ahead", reader.read_ahead, none.read_ahead)
      .add("page_cache", reader.page_cache, none.page_cache)
      .put("shuffle", word(reader.shuffle))
      .add("decode", reader.decode, none.decode)
      .add("read_overhead", reader.read_overhead, none.read_overhead)
      .add("open_overhead", reader.open_overhead, none.open_overhead)
      .add("start_reads", reader.start_reads, none.start_reads)
      .add("start_read_size", reader.start_read_size, none.start_read_size)
      .str();
}

std::string checkpoint_text(Profile const& profile) {
  CheckpointSpec const& checkpoint = profile.checkpoint;
  if (checkpoint.size == Bytes(0)) return "";
  CheckpointSpec const none;
  Group group("checkpoint", profile);
  group.always("size", checkpoint.size)
      .add("files", checkpoint.files, none.files)
      .add("every_steps", checkpoint.every_steps, none.every_steps)
      .add("every_epochs", checkpoint.every_epochs, none.every_epochs)
      .add("first_epoch", checkpoint.first_epoch, none.first_epoch)
      .add("every", checkpoint.every, none.every)
      .add("at_end", checkpoint.at_end, none.at_end)
      .add("all_ranks", checkpoint.all_ranks, none.all_ranks);
  if (checkpoint.mode == SaveMode::overlap) group.put("mode", "overlap");
  if (!checkpoint.destination.empty()) group.put("destination", quoted(checkpoint.destination));
  return group.str();
}

std::string measured_text(Profile const& profile) {
  auto const& runs = profile.measured;
  if (runs.empty()) return "";
  std::string text = "measured:\n";
  MeasuredRun const none;
  for (MeasuredRun const& run : runs) {
    std::string const one = Group("-", profile)
                                .always("gpus", run.gpus)
                                .add("nodes", run.nodes, none.nodes)
                                .add("batch", run.batch, none.batch)
                                .add("learning_rate", run.learning_rate, none.learning_rate)
                                .add("wall", run.wall, none.wall)
                                .add("epoch", run.epoch, none.epoch)
                                .add("accuracy_top1", run.accuracy_top1, none.accuracy_top1)
                                .add("accuracy_top5", run.accuracy_top5, none.accuracy_top5)
                                .str();
    text += "  - " + one.substr(3);
  }
  return text;
}

}  // namespace

std::string profile_yaml(Profile const& profile, std::string const& comment) {
  std::string text;
  for (auto const& line : split(comment, '\n')) text += line.empty() ? "#\n" : "# " + line + "\n";
  text += "schema: gridcast.profile/1\n";
  text += "title: " + quoted(profile.title) + "\n";
  text += "machine: " + quoted(profile.machine) + "\nstorage: " + quoted(profile.storage) + "\n";
  if (!profile.stage.empty()) text += "stage: " + quoted(profile.stage) + "\n";
  if (profile.gpus != 1) text += fmt::format("gpus: {}\n", profile.gpus);
  if (profile.nodes != 1) text += fmt::format("nodes: {}\n", profile.nodes);
  text += dataset_text(profile) + train_text(profile) + compute_text(profile) +
          exchange_text(profile) + reader_text(profile) + checkpoint_text(profile);
  if (profile.au_threshold > 0) text += "au_threshold: " + text_of(profile.au_threshold) + "\n";
  text += measured_text(profile) + "sources:\n";
  for (auto const& [path, source] : profile.sources) {
    text += "  " + path + ": " + quoted(source) + "\n";
  }
  return text;
}

}  // namespace gridcast::scenario
