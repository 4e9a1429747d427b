#include "sim/training/fit/fitted_profile.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sim/base/statistics.hpp"

namespace gridcast::training {
namespace {

constexpr std::size_t kept = 100;  // draws in the file
constexpr char measured_machine[] = "measured";
constexpr char measured_store[] = "measured-store";

/// Runs at which draws are compared: the smallest one's node, on more and more nodes.
std::vector<RunRow> probes(FamilyFit const& fit) {
  std::vector<RunRow> probes;
  RunRow run = fit.rows.front();
  for (RunRow const& row : fit.rows) {
    if (row.gpus < run.gpus) run = row;
  }
  run.batch = fit.batch;
  int const on_node = std::max(1, run.gpus / run.nodes);
  for (int const nodes : {1, 2, 4, 8, 16}) {
    run.nodes = nodes;
    run.gpus = on_node * nodes;
    probes.push_back(run);
  }
  return probes;
}

/// The draw whose predictions are nearest to the medians.
FitDraw const& central(FamilyFit const& fit, scenario::Profile const& base) {
  std::vector<double> off(fit.draws.size(), 0);
  for (RunRow const& probe : probes(fit)) {
    std::vector<double> times;
    for (FitDraw const& draw : fit.draws) {
      times.push_back(std::log(epoch_of(draw, fit.batch, base, probe).value()));
    }
    double const middle = median(times);
    for (std::size_t i = 0; i < off.size(); ++i) {
      off[i] += (times[i] - middle) * (times[i] - middle);
    }
  }
  return fit
      .draws[static_cast<std::size_t>(std::min_element(off.begin(), off.end()) - off.begin())];
}

scenario::StepDraw in_profile(FitDraw const& draw) {
  return {
      draw.step,    draw.overhead,     draw.overlap,      draw.inside,   draw.between,
      draw.latency, draw.per_doubling, draw.across_nodes, draw.unhidden, draw.unhidden_per_doubling,
      draw.epoch,   draw.noise};
}

scenario::MachineSpec machine_of(FamilyFit const& fit, FitDraw const& draw) {
  scenario::MachineSpec machine;
  machine.name = measured_machine;
  machine.nodes = 1;
  bool several = false;
  for (RunRow const& row : fit.rows) {
    machine.gpus_per_node = std::max(machine.gpus_per_node, (row.gpus + row.nodes - 1) / row.nodes);
    several = several || row.nodes > 1;
  }
  constexpr int many = 4096;  // a question is not refused for want of nodes
  machine.nodes = many;
  machine.gpu = fit.gpu;
  constexpr double assumed_memory = 512e9, assumed_share = 0.5;
  machine.memory = Bytes(assumed_memory);
  machine.cache_share = assumed_share;
  machine.intra_latency = Seconds(4e-6);
  machine.inter_latency = draw.latency;
  machine.intra_bandwidth = draw.inside;
  machine.inter_bandwidth = draw.between;
  std::string const links = several ? "fitted" : "assumed: no run was on several nodes";
  machine.sources = {{"nodes", "assumed: as many as are asked for"},
                     {"gpus_per_node, gpu", "the runs"},
                     {"memory, cache_share", "assumed: the runs do not tell"},
                     {"intra_latency", "NCCL's tuning.cc"},
                     {"intra_bandwidth", "fitted"},
                     {"inter_latency, inter_bandwidth", links}};
  return machine;
}

/// Of compute times a sample, without the overhead: medians, and the spread of their logarithms.
std::vector<scenario::GpuFactor> factors(TrainingFit const& fit, FamilyFit const& own) {
  auto const per_sample = [](FamilyFit const& family, std::size_t i) {
    FitDraw const& draw = family.draws[i % family.draws.size()];
    return std::log((draw.step - draw.overhead) / Seconds(family.batch));
  };
  std::vector<scenario::GpuFactor> factors;
  for (FamilyFit const& other : fit.families) {
    bool const told = std::any_of(factors.begin(), factors.end(),
                                  [&](auto const& factor) { return factor.name == other.gpu; });
    if (other.gpu == own.gpu || other.gpu.empty() || told) continue;
    std::vector<double> ratios;
    for (FamilyFit const& same : fit.families) {
      if (same.gpu != other.gpu) continue;
      for (std::size_t i = 0; i < own.draws.size(); ++i) {
        ratios.push_back(per_sample(same, i) - per_sample(own, i));
      }
    }
    double const sd = standard_deviation(ratios);
    factors.push_back({other.gpu, std::exp(median(ratios)), sd});
  }
  return factors;
}

}  // namespace

scenario::Profile fitted_profile(TrainingFit const& fit, std::size_t family,
                                 std::string const& from) {
  FamilyFit const& own = fit.families[family];
  FitDraw const& draw = central(own, fit.base);
  scenario::Profile profile = fit.base;
  RunRow const& first = own.rows.front();
  if (profile.title.empty()) {
    profile.title = fmt::format("Fitted to {} runs of {}", own.rows.size(), own.family);
  }
  if (profile.dataset.samples <= 0) profile.dataset.samples = first.samples;
  profile.train.batch = own.batch;
  profile.machine = measured_machine;
  profile.compute.gpu = own.gpu;
  profile.compute.step_time = draw.step;
  profile.compute.step_overhead = draw.overhead;
  profile.compute.slow_per_doubling = draw.per_doubling;
  profile.compute.slow_across_nodes = draw.across_nodes;
  profile.compute.group_overhead = draw.epoch;
  profile.compute.spread = 0;  // what ranks differ by is in the losses
  profile.exchange.overlap = draw.overlap;
  profile.exchange.unhidden = draw.unhidden;
  profile.exchange.unhidden_per_doubling = draw.unhidden_per_doubling;
  profile.hardware.machines = {machine_of(own, draw)};
  profile.fitted_batch = own.batch;
  for (RunRow const& row : own.rows) {
    profile.fitted_gpus = std::max(profile.fitted_gpus, row.gpus);
    profile.fitted_batch = std::min(profile.fitted_batch, row.batch);
  }
  profile.fitted.clear();
  for (std::size_t i = 0; i < kept; ++i) {
    profile.fitted.push_back(in_profile(own.draws[i * own.draws.size() / kept]));
  }
  profile.gpu_factors = factors(fit, own);
  auto& sources = profile.sources;
  std::string const fitted = fmt::format("fitted to {} (gridcast train --fit)", from);
  for (char const* group : {"machine", "train.batch", "compute", "exchange.overlap",
                            "exchange.unhidden", "exchange.unhidden_per_doubling", "hardware",
                            "fitted", "fitted_gpus", "fitted_batch", "gpu_factors"}) {
    sources[group] = fitted;
  }
  if (profile.gpu_factors.empty()) sources.erase("gpu_factors");
  return profile;
}

scenario::Profile fitted_profile(StragglerFit const& fit, scenario::Profile const& base,
                                 std::string const& from) {
  scenario::Profile profile = base;
  scenario::ComputeSpec& to = profile.compute;
  scenario::ComputeSpec const& own = fit.compute;
  to.spread = own.spread;
  to.rank_spread = own.rank_spread;
  to.steady_steps = own.steady_steps;
  to.slow_share = own.slow_share;
  to.slow_by = own.slow_by;
  to.slow_spread = own.slow_spread;
  to.slow_steps = own.slow_steps;
  for (char const* key : {"spread", "rank_spread", "steady_steps", "slow_share", "slow_by",
                          "slow_spread", "slow_steps"}) {
    profile.sources[std::string("compute.") + key] =
        fmt::format("fitted to {} (gridcast train --fit)", from);
  }
  return profile;
}

scenario::Profile fitted_profile(StorageFit const& fit, scenario::Profile const& base,
                                 std::string const& from) {
  StorageRow const& row = fit.rows.front();
  auto const value = [&fit](double (*of)(StorageDraw const&)) {
    std::vector<double> values;
    for (StorageDraw const& draw : fit.draws) values.push_back(of(draw));
    return median(values);
  };
  scenario::Profile profile = base;
  if (profile.title.empty()) profile.title = "Fitted to runs of " + fit.family;
  scenario::ReaderSpec& reader = profile.reader;
  reader.when = scenario::ReadWhen::each_step;
  reader.threads = row.threads;
  reader.unhidden = Seconds(value([](auto const& d) { return d.unhidden.value(); }));
  reader.unhidden_shared = Seconds(value([](auto const& d) { return d.shared.value(); }));
  reader.unhidden_ranks = value([](auto const& d) { return d.ranks; });
  reader.unhidden_hosts = value([](auto const& d) { return d.hosts; });
  reader.decode = Seconds(value([](auto const& d) { return d.sample.value(); }));
  profile.storage = measured_store;
  scenario::StorageSpec store;
  store.name = measured_store;
  store.stream_bandwidth = BytesPerSecond(value([](auto const& d) { return d.stream.value(); }));
  store.node_bandwidth = BytesPerSecond(value([](auto const& d) { return d.host.value(); }));
  store.bandwidth = BytesPerSecond(value([](auto const& d) { return d.store.value(); }));
  store.open_latency = Seconds(value([](auto const& d) { return d.open.value(); }));
  store.write_bandwidth = store.stream_bandwidth;
  store.sources = {{"stream_bandwidth, node_bandwidth, bandwidth, open_latency", "fitted"},
                   {"write_bandwidth", "assumed: as reading"}};
  profile.hardware.storage = {store};
  scenario::MachineSpec hosts;
  hosts.name = measured_machine;
  constexpr int many = 4096;  // a question is not refused for want of hosts
  hosts.nodes = hosts.gpus_per_node = many;
  hosts.gpu = profile.compute.gpu;
  hosts.cores = row.cores;
  constexpr double assumed_memory = 256e9, assumed_bandwidth = 20e9;
  hosts.memory = Bytes(assumed_memory);
  hosts.intra_bandwidth = hosts.inter_bandwidth = BytesPerSecond(assumed_bandwidth);
  hosts.sources = {{"nodes, gpus_per_node", "assumed: as many as are asked for"},
                   {"gpu", "the profile"},
                   {"cores", "the runs"},
                   {"memory, intra_bandwidth, inter_bandwidth",
                    "assumed: accelerators are emulated, and nothing is exchanged"}};
  profile.hardware.machines = {hosts};
  profile.machine = measured_machine;
  for (StorageRow const& own : fit.rows) {
    profile.fitted_gpus = std::max(profile.fitted_gpus, own.accelerators);
  }
  profile.fitted_store.clear();
  for (std::size_t i = 0; i < kept; ++i) {
    StorageDraw const& d = fit.draws[i * fit.draws.size() / kept];
    profile.fitted_store.push_back({d.unhidden, d.shared, d.ranks, d.hosts, d.open, d.stream,
                                    d.host, d.store, d.sample, d.noise});
  }
  std::string const fitted = fmt::format("fitted to {} (gridcast train --fit)", from);
  for (char const* group :
       {"machine", "storage", "reader.when", "reader.threads", "reader.unhidden",
        "reader.unhidden_shared", "reader.unhidden_ranks", "reader.unhidden_hosts", "reader.decode",
        "hardware", "fitted_gpus", "fitted_store"}) {
    profile.sources[group] = fitted;
  }
  return profile;
}

}  // namespace gridcast::training
