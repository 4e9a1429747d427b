// Readers of histories (condor_history -json, and epochs) and of submit files, on those of a real
// pool that the checkout ships.
#include <filesystem>
#include <fstream>
#include <sstream>

#include <benchmark/benchmark.h>

#include "sim/condor/ads/job_ads.hpp"
#include "sim/condor/submit/submit_file.hpp"

namespace gridcast::bench {

namespace {

std::filesystem::path campaign() {
  return std::filesystem::path(GRIDCAST_SOURCE_DIR) / "calibration" / "data" / "htcondor-pool" /
         "c1-sweep";
}

void read_ads(benchmark::State& state) {
  char const* const name = state.range(0) == 0 ? "history.json" : "epochs.json";
  std::ostringstream text;
  text << std::ifstream(campaign() / name, std::ios::binary).rdbuf();
  std::string const ads = text.str();
  for (auto _ : state) {
    condor::JobAds into;
    condor::add_job_ads(ads, name, into);
    condor::settle_job_ads(into);
    benchmark::DoNotOptimize(into);
  }
  state.SetLabel(name);
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(ads.size()));
}
BENCHMARK(read_ads)->DenseRange(0, 1)->Unit(benchmark::kMillisecond);

void read_submit(benchmark::State& state) {
  int jobs = 0;
  for (auto _ : state) jobs = condor::read_submit_file(campaign() / "job.sub", {}).jobs();
  state.counters["jobs"] = jobs;
}
BENCHMARK(read_submit)->Unit(benchmark::kMicrosecond);

}  // namespace

}  // namespace gridcast::bench
