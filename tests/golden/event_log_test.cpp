// Event logs of campaigns so small that every time in them can be worked out by hand:
//
//   negotiation  first full minute after the submission at 0                       t = 60
//   input        10 GB; fill 100 MB/s: 100 s, own flow 200 MB/s: 50 s, side by side  t = 160
//   execution    unpack 100 s + 2 epochs of 450 s                                    t = 1160
//   output       10 s                                                                t = 1170
//
// and under a strategy that holds: a transfer that stalls, is noticed 3,600 s later, and is held.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <unistd.h>

#include <fmt/format.h>

#include "sim/base/text.hpp"
#include "sim/condor/log/read_log.hpp"
#include "sim/condor/write/event_log_writer.hpp"
#include "sim/engine/replica.hpp"
#include "tests/test.hpp"

namespace gridcast {
namespace {

// A distribution that always gives (but for a part in 10^9) its scale.
Distribution always(double value) { return {Family::lognormal, 1e-12, value, 0}; }

scenario::Pool one_gpu_pool() {
  scenario::Pool pool;
  pool.caches.push_back({.name = "cache", .disk = Bytes(1e12)});
  scenario::SiteSpec site;
  site.name = "SITE";
  site.gpus = 1;
  site.disk = Bytes(1e12);
  site.caches = {Id<scenario::Cache>(0)};
  pool.sites.push_back(site);
  pool.origin = {"origin", BytesPerSecond(100e6), BytesPerSecond(100e6)};
  return pool;
}

scenario::Campaign one_job() {
  scenario::Campaign campaign;
  campaign.submit = {{Seconds(0), 1}};
  campaign.input = {{"osdf:///data/input.tar", Bytes(10e9)}};
  campaign.work = {"profile", scenario::JobSource::processes, 2};
  return campaign;
}

scenario::ParameterDraw quiet_draw() {
  scenario::ParameterDraw draw;
  scenario::SiteParameters site;
  site.gpus = 1;
  site.unpack = Seconds(100);
  site.epoch = always(450);
  site.stream_limit = BytesPerSecond(200e6);
  site.link_capacity = BytesPerSecond(1e9);
  draw.sites["SITE"] = site;
  draw.outages.bad_duration = hours(1);
  draw.outages.bad_fraction = 1e-12;
  draw.teardown = always(10);
  draw.release_delay = always(1);
  return draw;
}

// The first lines of all events, times of day only.
std::vector<std::string> first_lines(history::JobHistory const& history) {
  std::ostringstream log;
  condor::write_event_log(history, log);
  std::vector<std::string> lines;
  bool first = true;
  for (std::string const& line : split(log.str(), '\n')) {
    if (first && !line.empty()) {
      std::string text = line.substr(0, 3) + " " + line.substr(29);
      lines.push_back(text.substr(0, text.find(": <")));
    }
    first = line == "...";
  }
  return lines;
}

// Kinds, whole seconds and reasons.
std::vector<std::string> reported(history::JobHistory const& history) {
  std::vector<std::string> lines;
  for (history::JobEvent const& event : history.events) {
    lines.push_back(fmt::format("{:.0f} {} {}", std::floor(event.at.value()),
                                static_cast<int>(event.kind), history::name(event.reason)));
  }
  return lines;
}

}  // namespace

TEST_CASE("a job that succeeds leaves the log that was worked out by hand") {
  scenario::Strategy published;
  engine::Replica const replica =
      engine::simulate(one_gpu_pool(), one_job(), published, quiet_draw(), RandomStreams(1, 0));
  // 000 (001.000.000) 2024-08-12 09:00:00 ...; 09:00:00 is t = 0.
  CHECK(first_lines(replica.history) ==
        std::vector<std::string>{
            "000 09:00:00 Job submitted from host",
            "040 09:01:00 Entered queue to transfer input files",
            "040 09:01:00 Started transferring input files",
            "040 09:02:40 Finished transferring input files", "001 09:02:40 Job executing on host",
            "040 09:19:20 Started transferring output files",
            "040 09:19:30 Finished transferring output files", "005 09:19:30 Job terminated."});
}

TEST_CASE("a job that stalls and is held leaves the log that was worked out by hand") {
  scenario::Strategy hold;
  hold.transfer.first_check = Seconds(0);
  scenario::ParameterDraw draw = quiet_draw();
  draw.hold_on_stall = 1;
  draw.outages.stall_when_quiet = 1;
  engine::Replica const replica =
      engine::simulate(one_gpu_pool(), one_job(), hold, draw, RandomStreams(1, 0));
  CHECK(first_lines(replica.history) ==
        std::vector<std::string>{"000 09:00:00 Job submitted from host",
                                 "040 09:01:00 Entered queue to transfer input files",
                                 "040 09:01:00 Started transferring input files",
                                 "007 10:01:00 Shadow exception!", "012 10:01:00 Job was held."});
}

// Contact is lost as soon as the job has its slot, and found at once; from the program's end on
// five tries of 7 s, each of which but the last cuts the connection. The job does not run again
// before the horizon.
TEST_CASE("a job that is found again and loses its files leaves HTCondor's log, which reads back") {
  scenario::ParameterDraw draw = quiet_draw();
  draw.sites["SITE"].disconnect_per_second = 1 / 500.0;
  draw.files_lost = 1;
  draw.output_try = always(7);
  engine::ReplicaOptions options;
  options.horizon = Seconds(1198.5);
  history::JobHistory const history =
      engine::simulate(one_gpu_pool(), one_job(), scenario::Strategy(), draw, RandomStreams(1, 0),
                       options)
          .history;
  std::vector<std::string> lines = first_lines(history);
  auto const first_try = std::find_if(lines.begin(), lines.end(), [](std::string const& line) {
    return line.starts_with("022 09:19");
  });
  CHECK(std::vector<std::string>(first_try, lines.end()) ==
        std::vector<std::string>{"022 09:19:27 Job disconnected, attempting to reconnect",
                                 "023 09:19:27 Job reconnected to slot1_1@glidein_1_0@SITE",
                                 "022 09:19:34 Job disconnected, attempting to reconnect",
                                 "023 09:19:34 Job reconnected to slot1_1@glidein_1_0@SITE",
                                 "022 09:19:41 Job disconnected, attempting to reconnect",
                                 "023 09:19:41 Job reconnected to slot1_1@glidein_1_0@SITE",
                                 "022 09:19:48 Job disconnected, attempting to reconnect",
                                 "023 09:19:48 Job reconnected to slot1_1@glidein_1_0@SITE",
                                 "021 09:19:55 Error from starter on slot1_1@glidein_1_0@SITE:",
                                 "004 09:19:55 Job was evicted.", "009 09:19:58 Job was aborted."});
  auto const file = std::filesystem::temp_directory_path() /
                    fmt::format("gridcast-without-files-{}.log", ::getpid());
  {
    std::ofstream out(file);
    condor::write_event_log(history, out);
  }
  history::JobHistory const read = condor::read_logs({file}).history;
  std::filesystem::remove(file);
  std::vector<std::string> kept = reported(history), again = reported(read);
  kept.pop_back();  // at the horizon, for no reason that a log could show
  again.pop_back();
  CHECK(again == kept);
}

}  // namespace gridcast
