// Reading of simulated event logs: published campaigns one after the other until the log is as
// large as asked for, read into a counter, and `wc -l` on the same file.
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <unistd.h>

#include <benchmark/benchmark.h>

#include "sim/condor/log/read_log.hpp"
#include "sim/condor/write/event_log_writer.hpp"
#include "tests/bench/published_campaign.hpp"

namespace gridcast::bench {

namespace {

class LargeLog {
 public:
  explicit LargeLog(std::uintmax_t bytes)
      : path_(std::filesystem::temp_directory_path() /
              ("gridcast-read-log-" + std::to_string(getpid()))) {
    PublishedCampaign const published;
    std::vector<history::JobHistory> campaigns;
    for (std::uint32_t i = 0; i < 10; ++i) campaigns.push_back(published.run(i).history);
    std::ofstream out(path_, std::ios::binary);
    for (std::uint32_t i = 0; static_cast<std::uintmax_t>(out.tellp()) < bytes; ++i) {
      history::JobHistory& campaign = campaigns[i % campaigns.size()];
      for (history::JobName& job : campaign.jobs) job.cluster += 10;
      condor::write_event_log(campaign, out, {});
    }
  }
  LargeLog(LargeLog const&) = delete;
  LargeLog& operator=(LargeLog const&) = delete;
  ~LargeLog() { std::filesystem::remove(path_); }
  std::filesystem::path const& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

double seconds_of(auto const& work) {
  auto const start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void read_log(benchmark::State& state) {
  LargeLog const log(static_cast<std::uintmax_t>(state.range(0)) * 1'000'000);
  std::string const count_lines = "wc -l '" + log.path().string() + "' >/dev/null";
  double const megabytes = static_cast<double>(std::filesystem::file_size(log.path())) / 1e6;
  double read_s = 0, wc_s = 0;
  std::size_t events = 0, jobs = 0;
  for (auto _ : state) {
    events = 0;
    double const reading = seconds_of([&] {
      jobs = condor::stream_logs({log.path()}, [&](history::JobEvent const&) {
               ++events;
             }).report.jobs;
    });
    wc_s += seconds_of([&] {
      if (std::system(count_lines.c_str()) != 0) state.SkipWithError("wc failed");
    });
    read_s += reading;
    state.SetIterationTime(reading);
  }
  auto const rounds = static_cast<double>(state.iterations());
  state.counters["MB/s"] = megabytes * rounds / read_s;
  state.counters["wc_MB/s"] = megabytes * rounds / wc_s;
  state.counters["times_wc"] = read_s / wc_s;
  state.counters["events"] = static_cast<double>(events);
  state.counters["jobs"] = static_cast<double>(jobs);
}
BENCHMARK(read_log)->ArgName("MB")->Arg(100)->Arg(1000)->UseManualTime()->Unit(
    benchmark::kMillisecond);

}  // namespace

}  // namespace gridcast::bench
