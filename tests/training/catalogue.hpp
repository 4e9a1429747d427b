// The shipped profiles and hardware, for tests.
#pragma once

#include <filesystem>
#include <string>

#include "sim/scenario/profile.hpp"
#include "sim/training/setup.hpp"
#include "tests/training/published/source_table.hpp"

namespace gridcast::test {

inline training::published::SourceFiles shipped_files() {
  std::filesystem::path const root = test::source_dir();
  return {root / "calibration" / "data", root / "scenarios" / "profiles"};
}

inline scenario::Hardware const& catalogue() {
  static scenario::Hardware const hardware =
      scenario::read_hardware(shipped_files().profiles / "hardware.yaml");
  return hardware;
}

inline scenario::Profile shipped_profile(std::string const& name) {
  return scenario::find_profile(shipped_files().profiles, name);
}

/// A job whose every part can be worked out by hand: 100 samples of 1 MB in 100 files, batches of
/// 10 on one GPU, 1 s a step, data on a store without limits.
inline training::TrainingSetup plain_setup() {
  training::TrainingSetup setup;
  setup.profile.name = "plain";
  setup.profile.dataset = {100, Bytes(1e6), 100, "raw"};
  setup.profile.train.batch = 10;
  setup.profile.compute.step_time = Seconds(1);
  setup.profile.reader.transfer_size = Bytes(1e6);
  setup.profile.reader.sequential = false;
  setup.samples = 100;
  setup.measured_batch = 10;
  setup.storage.stream_bandwidth = BytesPerSecond(1e6);
  setup.storage.write_bandwidth = BytesPerSecond(1e6);
  setup.save_to = setup.storage;
  setup.machine.nodes = 64;
  setup.machine.gpus_per_node = 4;
  setup.machine.memory = Bytes(1e9);
  setup.machine.intra_bandwidth = setup.machine.inter_bandwidth = BytesPerSecond(1e9);
  return setup;
}

}  // namespace gridcast::test
