#include "sim/training/what_if.hpp"

#include <functional>
#include <iterator>

#include "sim/scenario/profile_reader.hpp"
#include "sim/training/estimate.hpp"

namespace gridcast::training {
namespace {

/// Changes a profile or the store that it reads.
using Change = std::function<void(TrainingSetup&)>;

struct Suggestion {
  char const* profile;
  char const* suggestion;
  char const* change;
  Change apply;
};

constexpr Bytes kibibytes(double n) { return Bytes(n * 1024); }

Change transfer(Bytes size) {
  return [size](TrainingSetup& setup) {
    setup.profile.reader.transfer_size = size;
    setup.profile.reader.other_share = 0;
  };
}

Change stripe(Bytes size) {
  return [size](TrainingSetup& setup) { setup.storage.stripe_size = size; };
}

Change both(Change first, Change second) {
  return [first = std::move(first), second = std::move(second)](TrainingSetup& setup) {
    first(setup);
    second(setup);
  };
}

Change threads(int count) {
  return [count](TrainingSetup& setup) { setup.profile.reader.threads = count; };
}

Change prefetch(int depth) {
  return [depth](TrainingSetup& setup) { setup.profile.reader.prefetch = depth; };
}

/// The data is copied to the node's own store first, and read from there.
Change stage_to(scenario::StorageSpec store) {
  return [store = std::move(store)](TrainingSetup& setup) {
    setup.source = setup.storage;
    setup.storage = store;
  };
}

std::vector<Suggestion> of_imagenet(scenario::Hardware const& hardware) {
  auto const own = [&hardware](char const* name) { return scenario::find_storage(hardware, name); };
  return {
      {"darshan-imagenet", "smaller Lustre stripes", "stripe size 1 MiB -> 64 KiB",
       stripe(kibibytes(64))},
      {"darshan-imagenet", "aggressive prefetching", "1 -> 300 batches of read-ahead, none dropped",
       [](TrainingSetup& setup) {
         setup.profile.reader.prefetch = 300;
         setup.profile.reader.read_ahead = 3;
         setup.profile.reader.read_twice = 0;
       }},
      {"darshan-imagenet", "read parallelism of 128", "64 -> 128 threads", threads(128)},
      {"darshan-imagenet", "larger operations", "reads of 256 KiB -> 4 MiB, stripes of 64 KiB",
       both(transfer(kibibytes(4096)), stripe(kibibytes(64)))},
      {"darshan-imagenet", "fewer files", "473 -> 8 files",
       [](TrainingSetup& setup) { setup.profile.dataset.files = 8; }},
      {"darshan-imagenet", "staging to node-local SSD", "copied to nvme first",
       stage_to(own("nvme"))},
      {"darshan-imagenet", "staging to a RAM buffer", "copied to memory first",
       stage_to(own("memory"))}};
}

std::vector<Suggestion> of_cosmic_tagger(scenario::Hardware const& hardware) {
  auto const own = [&hardware](char const* name) { return scenario::find_storage(hardware, name); };
  return {{"darshan-cosmic-tagger", "reads of several megabytes",
           "2 and 6 KB -> 4 MiB, stripes of 64 KiB",
           both(transfer(kibibytes(4096)), stripe(kibibytes(64)))},
          {"darshan-cosmic-tagger", "cache the file in memory", "copied to memory first",
           stage_to(own("memory"))},
          {"darshan-cosmic-tagger", "staging and prefetching",
           "copied to nvme first, 2 batches ahead", both(stage_to(own("nvme")), prefetch(2))},
          {"darshan-cosmic-tagger", "several threads", "1 -> 8 threads, 2 batches ahead each",
           both(threads(8), prefetch(2))}};
}

/// A rank that trains on its own part needs fewer steps for a pass over the data.
Change sharded(bool shard) {
  return [shard](TrainingSetup& setup) {
    int const ranks = shard ? setup.gpus : 1;
    setup.profile.reader.all_read_all = !shard;
    setup.profile.train.steps = static_cast<int>(setup.samples) / ranks;
  };
}

std::vector<Suggestion> of_flood_filling(scenario::Hardware const& hardware) {
  auto const own = [&hardware](char const* name) { return scenario::find_storage(hardware, name); };
  return {{"darshan-flood-filling", "reads of 1 to 4 MB", "28 KB -> 4 MiB, stripes of 64 KiB",
           both(transfer(kibibytes(4096)), stripe(kibibytes(64)))},
          {"darshan-flood-filling", "staging to a local SSD", "copied to nvme first",
           stage_to(own("nvme"))},
          {"darshan-flood-filling", "several threads", "1 -> 8 threads, 2 batches ahead each",
           both(threads(8), prefetch(2))}};
}

std::vector<Suggestion> of_others(scenario::Hardware const& hardware) {
  auto const own = [&hardware](char const* name) { return scenario::find_storage(hardware, name); };
  return {
      {"darshan-climate-segmentation", "read the statistics in one call", "50 reads -> 8",
       [](TrainingSetup& setup) {
         setup.profile.reader.start_read_size =
             setup.profile.reader.start_read_size * setup.profile.reader.start_reads;
         setup.profile.reader.start_reads = 1;
       }},
      {"darshan-cosmoflow", "num_parallel_reads", "1 -> 4 readers a process", threads(4)},
      {"darshan-cosmoflow", "prefetching",
       "read while training, 2 samples ahead, instead of before it",
       [](TrainingSetup& setup) { setup.profile.reader.when = scenario::ReadWhen::each_step; }},
      {"darshan-cosmoflow", "larger buffer_size", "reads of 256 KiB -> 4 MiB",
       transfer(kibibytes(4096))},
      {"darshan-candle", "sharding instead of every rank reading all", "each rank reads an eighth",
       [](TrainingSetup& setup) { setup.profile.reader.all_read_all = false; }},
      {"darshan-l2hmc", "checkpoints on local SSD", "destination nvme",
       [nvme = own("nvme")](TrainingSetup& setup) { setup.save_to = nvme; }},
      {"darshan-l2hmc", "larger checkpoints on local SSD", "10 times the size, destination nvme",
       [nvme = own("nvme")](TrainingSetup& setup) {
         setup.save_to = nvme;
         setup.profile.checkpoint.size = setup.profile.checkpoint.size * 10;
       }},
      {"darshan-bert", "TFRecord instead of CSV", "reads of 200 B -> 256 KiB, while training",
       [](TrainingSetup& setup) {
         setup.profile.reader.transfer_size = kibibytes(256);
         setup.profile.reader.when = scenario::ReadWhen::each_step;
       }}};
}

WhatIf compare(Suggestion const& suggestion, TrainingSetup before, TrainingSetup after) {
  auto const now = estimate_training(before);
  auto const then = estimate_training(after);
  return {suggestion.profile,
          suggestion.suggestion,
          suggestion.change,
          now.total * now.io_share,
          then.total * then.io_share,
          now.total,
          then.total};
}

/// A pass over the data, every rank reading the same and each its own part.
WhatIf sharding(TrainingSetup const& setup) {
  Suggestion const suggestion{"darshan-flood-filling",
                              "ranks divide the data",
                              "a pass over all 4,096 samples, shared by 8 ranks",
                              {}};
  TrainingSetup before = setup, after = setup;
  sharded(false)(before);
  sharded(true)(after);
  return compare(suggestion, before, after);
}

}  // namespace

std::vector<WhatIf> what_ifs(std::filesystem::path const& profiles,
                             scenario::Hardware const& hardware) {
  std::vector<WhatIf> rows;
  auto const setup_of = [&](std::string const& name) {
    return training_setup(scenario::find_profile(profiles, name), hardware, {});
  };
  for (auto const& suggestions : {of_imagenet(hardware), of_cosmic_tagger(hardware),
                                  of_flood_filling(hardware), of_others(hardware)}) {
    for (Suggestion const& suggestion : suggestions) {
      TrainingSetup const before = setup_of(suggestion.profile);
      TrainingSetup after = before;
      suggestion.apply(after);
      rows.push_back(compare(suggestion, before, after));
    }
  }
  rows.push_back(sharding(setup_of("darshan-flood-filling")));
  return rows;
}

}  // namespace gridcast::training
