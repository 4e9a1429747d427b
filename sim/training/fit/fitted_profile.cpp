#include "sim/training/fit/fitted_profile.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

#include <fmt/format.h>

#include "sim/base/statistics.hpp"

namespace gridcast::training {
namespace {

constexpr std::size_t kept = 100;  // draws in the file
constexpr std::size_t strata = 10;
constexpr char measured_machine[] = "measured";
constexpr char measured_store[] = "measured-store";
constexpr int many_nodes = 4096;  // a question is not refused for want of nodes

/// A run of the smallest one's nodes, on so many times as many as the largest had, each GPU with a
/// batch so many times smaller than the smallest.
RunRow probe(FamilyFit const& fit, int times) {
  RunRow const* least = &fit.rows.front();
  int batch = fit.batch, nodes = 1;
  for (RunRow const& row : fit.rows) {
    if (row.gpus < least->gpus) least = &row;
    batch = std::min(batch, row.batch);
    nodes = std::max(nodes, row.nodes);
  }
  RunRow run = *least;
  run.batch = std::max(1, batch / times);
  run.nodes = nodes * times;
  run.gpus = std::max(1, least->gpus / least->nodes) * run.nodes;
  run.samples = std::max(run.samples, static_cast<double>(run.gpus) * run.batch);
  return run;
}

/// A representative part of the draws: sorted by their forecast of a run far beyond the measured
/// ones, in strata, and within each by that of a nearer one. Every so many of that order has the
/// quantiles of all of them.
template <class Draw, class Far, class Near>
std::vector<Draw> representative(std::vector<Draw> const& draws, Far const& far, Near const& near) {
  std::vector<std::array<double, 2>> said;
  std::vector<std::size_t> order;
  for (Draw const& draw : draws) {
    order.push_back(order.size());
    said.push_back({far(draw), near(draw)});
  }
  auto const by = [&said](std::size_t which) {
    return [&said, which](std::size_t a, std::size_t b) {
      return std::tuple(said[a][which], a) < std::tuple(said[b][which], b);
    };
  };
  std::ranges::sort(order, by(0));
  std::vector<Draw> chosen;
  for (std::size_t s = 0; s < strata; ++s) {
    auto const at = [&](std::size_t i) {
      return order.begin() + static_cast<std::ptrdiff_t>(i * order.size() / strata);
    };
    std::vector<std::size_t> stratum(at(s), at(s + 1));
    std::ranges::sort(stratum, by(1));
    constexpr std::size_t of_stratum = kept / strata;
    for (std::size_t i = 0; i < of_stratum; ++i) {
      chosen.push_back(draws[stratum[(2 * i + 1) * stratum.size() / (2 * of_stratum)]]);
    }
  }
  return chosen;
}

std::vector<scenario::StepDraw> representative(FamilyFit const& fit,
                                               scenario::Profile const& base) {
  constexpr int beyond = 8;
  auto const said = [&](RunRow const& run) {
    return [&fit, &base, run](scenario::StepDraw const& draw) {
      return epoch_of(draw, fit.batch, base, run).value();
    };
  };
  return representative(fit.draws, said(probe(fit, beyond)), said(probe(fit, 1)));
}

std::vector<scenario::StoreDraw> representative(StorageFit const& fit) {
  StorageRow most = fit.rows.front();
  for (StorageRow const& row : fit.rows) {
    if (row.on_host() > most.on_host()) most = row;
  }
  StorageRow more = most;
  constexpr int beyond = 4;
  more.accelerators *= beyond;
  auto const said = [](StorageRow const& row) {
    return [&row](scenario::StoreDraw const& draw) { return waiting_of(draw, row).value(); };
  };
  return representative(fit.draws, said(more), said(most));
}

double number_of(double value) { return value; }
double number_of(auto const& quantity) { return quantity.value(); }

/// The draw of a list whose value is in the middle.
template <class Draw, class Said>
Draw const& central(std::vector<Draw> const& draws, Said const& said) {
  std::vector<std::pair<double, std::size_t>> all;
  for (Draw const& draw : draws) all.emplace_back(said(draw), all.size());
  auto const middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
  std::nth_element(all.begin(), middle, all.end());
  return draws[middle->second];
}

scenario::MachineSpec machine_of(FamilyFit const& fit) {
  scenario::MachineSpec machine;
  machine.name = measured_machine;
  for (RunRow const& row : fit.rows) {
    machine.gpus_per_node = std::max(machine.gpus_per_node, (row.gpus + row.nodes - 1) / row.nodes);
  }
  machine.nodes = many_nodes;
  machine.gpu = fit.gpu;
  constexpr double assumed_memory = 512e9, assumed_share = 0.5;
  machine.memory = Bytes(assumed_memory);
  machine.cache_share = assumed_share;
  machine.intra_bandwidth = machine.inter_bandwidth = unlimited_link;
  machine.sources = {{"nodes", "assumed: as many as are requested"},
                     {"gpus_per_node, gpu", "the runs"},
                     {"memory, cache_share", "assumed: the runs do not show it"},
                     {"intra_bandwidth, inter_bandwidth",
                      "no limit: the time of the exchange is part of the losses"}};
  return machine;
}

/// Compute times of a sample without the overhead: medians, and the spread of their logarithms.
std::vector<scenario::GpuFactor> factors(TrainingFit const& fit, FamilyFit const& own) {
  auto const per_sample = [](FamilyFit const& family, std::size_t i) {
    scenario::StepDraw const& draw = family.draws[i % family.draws.size()];
    return std::log((draw.step_time - draw.step_overhead) / Seconds(family.batch));
  };
  std::vector<scenario::GpuFactor> factors;
  for (FamilyFit const& other : fit.families) {
    bool const given =
        std::ranges::any_of(factors, [&](auto const& factor) { return factor.name == other.gpu; });
    if (other.gpu == own.gpu || other.gpu.empty() || given) continue;
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

scenario::MachineSpec hosts_of(StorageRow const& row, std::string const& gpu) {
  scenario::MachineSpec hosts;
  hosts.name = measured_machine;
  hosts.nodes = hosts.gpus_per_node = many_nodes;
  hosts.gpu = gpu;
  hosts.cores = row.cores;
  constexpr double assumed_memory = 256e9, assumed_bandwidth = 20e9;
  hosts.memory = Bytes(assumed_memory);
  hosts.intra_bandwidth = hosts.inter_bandwidth = BytesPerSecond(assumed_bandwidth);
  hosts.sources = {{"nodes, gpus_per_node", "assumed: as many as are requested"},
                   {"gpu", "the profile"},
                   {"cores", "the runs"},
                   {"memory, intra_bandwidth, inter_bandwidth",
                    "assumed: accelerators are emulated, and nothing is exchanged"}};
  return hosts;
}

void note_fitted(scenario::Profile& profile, std::string const& from,
                 std::initializer_list<char const*> groups) {
  std::string const fitted = fmt::format("fitted to {} (gridcast profile --fit)", from);
  for (char const* group : groups) profile.sources[group] = fitted;
}

int most_accelerators(StorageFit const& fit) {
  return std::ranges::max(fit.rows, {}, &StorageRow::accelerators).accelerators;
}

}  // namespace

scenario::Profile fitted_profile(TrainingFit const& fit, std::size_t family,
                                 std::string const& from) {
  FamilyFit const& own = fit.families[family];
  scenario::Profile profile = fit.base;
  profile.fitted = representative(own, fit.base);
  scenario::StepDraw const& draw = central(profile.fitted, [&](scenario::StepDraw const& one) {
    return epoch_of(one, own.batch, fit.base, probe(own, 1)).value();
  });
  RunRow const& first = own.rows.front();
  if (profile.title.empty()) {
    profile.title = fmt::format("Fitted to {} runs of {}", own.rows.size(), own.family);
  }
  if (profile.dataset.samples <= 0) profile.dataset.samples = first.samples;
  profile.train.batch = own.batch;
  profile.machine = measured_machine;
  profile.compute.gpu = own.gpu;
  profile.compute.step_time = draw.step_time;
  profile.compute.step_overhead = draw.step_overhead;
  profile.compute.slow_per_doubling = draw.slow_per_doubling;
  profile.compute.slow_across_nodes = draw.slow_across_nodes;
  profile.compute.group_overhead = Seconds();
  profile.compute.spread = 0;  // differences between ranks are in the losses
  profile.exchange.overlap = 1;
  profile.exchange.unhidden = profile.exchange.unhidden_per_doubling = Seconds();
  profile.hardware.machines = {machine_of(own)};
  profile.fitted_batch = own.batch;
  profile.fitted_gpus = 0;  // of these runs, not of an earlier fit
  for (RunRow const& row : own.rows) {
    profile.fitted_gpus = std::max(profile.fitted_gpus, row.gpus);
    profile.fitted_batch = std::min(profile.fitted_batch, row.batch);
  }
  profile.gpu_factors = factors(fit, own);
  note_fitted(profile, from,
              {"machine", "train.batch", "compute", "exchange.overlap", "exchange.unhidden",
               "exchange.unhidden_per_doubling", "hardware", "fitted", "fitted_gpus",
               "fitted_batch", "gpu_factors"});
  if (profile.gpu_factors.empty()) profile.sources.erase("gpu_factors");
  return profile;
}

scenario::Profile fitted_profile(StorageFit const& fit, scenario::Profile const& base,
                                 std::string const& from) {
  auto const middle = [&fit](auto scenario::StoreDraw::*part) {
    std::vector<double> values;
    for (scenario::StoreDraw const& draw : fit.draws) values.push_back(number_of(draw.*part));
    return std::decay_t<decltype(fit.draws.front().*part)>(median(values));
  };
  scenario::Profile profile = base;
  if (profile.title.empty()) profile.title = "Fitted to runs of " + fit.family;
  scenario::ReaderSpec& reader = profile.reader;
  reader.when = scenario::ReadWhen::each_step;
  reader.threads = fit.rows.front().threads;
  reader.unhidden = middle(&scenario::StoreDraw::unhidden);
  reader.unhidden_shared = middle(&scenario::StoreDraw::unhidden_shared);
  reader.unhidden_ranks = middle(&scenario::StoreDraw::unhidden_ranks);
  reader.unhidden_hosts = middle(&scenario::StoreDraw::unhidden_hosts);
  reader.decode = middle(&scenario::StoreDraw::decode);
  profile.storage = measured_store;
  scenario::StorageSpec store;
  store.name = measured_store;
  store.stream_bandwidth = middle(&scenario::StoreDraw::stream_bandwidth);
  store.node_bandwidth = middle(&scenario::StoreDraw::node_bandwidth);
  store.bandwidth = middle(&scenario::StoreDraw::bandwidth);
  store.open_latency = middle(&scenario::StoreDraw::open_latency);
  store.write_bandwidth = store.stream_bandwidth;
  store.sources = {{"stream_bandwidth, node_bandwidth, bandwidth, open_latency", "fitted"},
                   {"write_bandwidth", "assumed: as reading"}};
  profile.hardware.storage = {store};
  profile.hardware.machines = {hosts_of(fit.rows.front(), profile.compute.gpu)};
  profile.machine = measured_machine;
  // A fit of the computing stays beside this one.
  int const measured = profile.fitted.empty() ? 0 : profile.fitted_gpus;
  profile.fitted_gpus = std::max(measured, most_accelerators(fit));
  profile.fitted_store = representative(fit);
  note_fitted(profile, from,
              {"machine", "storage", "reader.when", "reader.threads", "reader.unhidden",
               "reader.unhidden_shared", "reader.unhidden_ranks", "reader.unhidden_hosts",
               "reader.decode", "hardware", "fitted_gpus", "fitted_store"});
  return profile;
}

}  // namespace gridcast::training
