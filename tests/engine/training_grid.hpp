// Campaigns that train a workload of the catalogue on a quiet grid.
#pragma once

#include "sim/scenario/catalogue.hpp"
#include "tests/engine/quiet_grid.hpp"

namespace gridcast::test {

/// 10 epochs of 100 samples of 1 MB, 10 a step of 1 s: 100 s of training, of 10 MB/s.
inline scenario::CatalogueWork small_work() {
  scenario::CatalogueWork work;
  work.profile.name = "small";
  work.profile.machine = "pool-slot";
  work.profile.storage = "slot-disk";
  work.profile.dataset = {100, Bytes(1e6), 100, "raw"};
  work.profile.train.epochs = 10;
  work.profile.train.batch = 10;
  work.profile.compute.gpu = "gpu";
  work.profile.compute.step_time = Seconds(1);
  work.profile.reader.page_cache = false;
  work.profile.checkpoint.destination = "remote";
  scenario::StorageSpec store;
  store.name = "slot-disk";
  store.stream_bandwidth = store.write_bandwidth = BytesPerSecond(1e15);
  scenario::StorageSpec remote = store;
  remote.name = "remote";
  remote.write_bandwidth = BytesPerSecond(1e6);
  work.hardware.storage = {store, remote};
  work.hardware.gpus = {{"gpu", Bytes(1e10), 100}};
  scenario::MachineSpec machine;
  machine.name = "pool-slot";
  machine.memory = Bytes(1e9);
  machine.intra_bandwidth = machine.inter_bandwidth = BytesPerSecond(1e9);
  work.hardware.machines = {machine};
  return work;
}

/// Jobs start at 1 s, with input that takes no time.
inline Grid training_grid(int gpus, int jobs, scenario::CatalogueWork const& work) {
  Grid grid = quiet_grid(gpus, jobs);
  grid.pool.sites[0].gpu = "gpu";
  grid.campaign.input = {{"osdf:///input", Bytes(1)}};
  grid.campaign.work.catalogue = std::make_shared<scenario::CatalogueWork>(work);
  grid.campaign.work.epochs = 0;  // as the profile says
  grid.site().stream_limit = BytesPerSecond(1e12);
  return grid;
}

}  // namespace gridcast::test
