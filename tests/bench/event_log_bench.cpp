// Megabytes a second of job event log, written of a campaign in which jobs are evicted, held and
// released. The written text is counted, not kept.
#include <ostream>
#include <streambuf>

#include <benchmark/benchmark.h>

#include "sim/condor/write/event_log_writer.hpp"

namespace gridcast::bench {

namespace {

class Count : public std::streambuf {
 public:
  std::int64_t bytes() const { return bytes_; }

 protected:
  std::streamsize xsputn(char const*, std::streamsize size) override {
    bytes_ += size;
    return size;
  }
  int_type overflow(int_type c) override {
    ++bytes_;
    return c;
  }

 private:
  std::int64_t bytes_ = 0;
};

history::JobEvent happened(double at, std::size_t job, history::EventKind kind,
                           history::Reason reason = history::Reason::none) {
  history::JobEvent event;
  event.at = Seconds(at);
  event.job = Id<history::Job>(job);
  event.kind = kind;
  event.reason = reason;
  bool const idle = kind == history::EventKind::submitted || kind == history::EventKind::released;
  if (!idle) event.site = Id<history::Site>(job % 3);
  event.slot = static_cast<std::uint32_t>(job % 997);
  return event;
}

// Each job: an attempt that is held, one that is evicted, one that succeeds.
history::JobHistory campaign(std::size_t jobs) {
  using enum history::EventKind;
  history::JobHistory history;
  history.sites = {"CHTC-Spark-CE1", "PDX-Coeus-CE1", "GP-ARGO-ksu-backfill"};
  for (std::size_t job = 0; job < jobs; ++job) {
    history.jobs.push_back({794569, static_cast<std::uint32_t>(job)});
    double at = static_cast<double>(job);
    auto const put = [&](history::EventKind kind, history::Reason reason = history::Reason::none) {
      history.events.push_back(happened(at += 60, job, kind, reason));
    };
    put(submitted);
    for (int attempt = 0; attempt < 3; ++attempt) {
      put(matched);
      put(transfer_input_started);
      if (attempt == 0) {
        put(held, history::Reason::transfer_failed);
        put(released, history::Reason::manual);
        continue;
      }
      put(transfer_input_finished);
      put(executing);
      if (attempt == 1) put(evicted, history::Reason::pilot_ended);
    }
    put(transfer_output_started);
    put(transfer_output_finished);
    put(terminated);
  }
  return history;
}

void event_log(benchmark::State& state) {
  history::JobHistory const history = campaign(static_cast<std::size_t>(state.range(0)));
  std::int64_t bytes = 0;
  for (auto _ : state) {
    Count count;
    std::ostream out(&count);
    condor::write_event_log(history, out);
    bytes += count.bytes();
  }
  state.SetBytesProcessed(bytes);
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(history.events.size()));
}

BENCHMARK(event_log)->ArgName("jobs")->Arg(100)->Arg(100000)->Unit(benchmark::kMillisecond);

}  // namespace

}  // namespace gridcast::bench
