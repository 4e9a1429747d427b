// The published ImageNet campaigns on the OSPool: unpacking, epochs, and streaming instead.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sim/base/statistics.hpp"
#include "sim/training/estimate.hpp"
#include "tests/training/published/source_table.hpp"
#include "tests/training/published/unpack_fit.hpp"

namespace gridcast::training::published {
namespace {

constexpr Bytes archive(137e9);

std::vector<PublishedExecution> all_executions(SourceFiles const& files) {
  auto const folder = files.data / "osg-imagenet";
  auto executions = executions_of(history::read_job_tables({folder / "imagenet-5epoch-100jobs.csv",
                                                            folder / "imagenet-5epoch-pilot.csv"}),
                                  5);
  for (auto const& execution :
       executions_of(history::read_job_table(folder / "imagenet-20epoch-pilot.csv"), 20)) {
    executions.push_back(execution);
  }
  return executions;
}

/// So many jobs share one cache, each streaming while it trains, or each copying first.
void add_streaming(SourceTable& table, SourceFiles const& files, int jobs) {
  scenario::Hardware hardware = files.hardware();
  scenario::Profile const copying = files.profile("resnet50-imagenet-osg");
  scenario::Profile const streaming = files.profile("resnet50-imagenet-osg-stream");
  scenario::StorageSpec const cache = scenario::find_storage(hardware, streaming.storage);
  BytesPerSecond const share = std::min(cache.stream_bandwidth, cache.bandwidth / jobs);
  for (scenario::StorageSpec& storage : hardware.storage) {
    if (storage.name == cache.name) storage.bandwidth = cache.bandwidth / jobs;
  }
  for (int const epochs : {1, 5, 20}) {
    TrainingRequest request;
    request.epochs = epochs;
    auto const time_of = [&](scenario::Profile const& profile) {
      return estimate_training(training_setup(profile, hardware, request)).total;
    };
    Seconds const copied = archive / share + time_of(copying);
    Seconds const streamed = time_of(streaming);
    table.rows.push_back({fmt::format("jobs: {}, epochs: {}", jobs, epochs), "one of them", "s",
                          copied.value(), streamed.value(), 0, true,
                          streamed < copied ? "streaming is faster" : "copying is faster"});
  }
}

}  // namespace

SourceTable osg_table(SourceFiles const& files) {
  SourceTable table{
      "OSG: unpacking and epochs at three sites",
      "One fit of T = unpack + epochs x t to all 5-epoch and 20-epoch executions (least absolute "
      "deviations), with the executions that ended right after unpacking as runs of no "
      "epochs. In the source's column: medians of the published executions.",
      {},
      "GP-ARGO's times spread from 12,467 to 58,683 s, and its fit, like CHTC's, rests on one "
      "20-epoch run: only PDX's unpacking was seen by itself."};
  auto const executions = all_executions(files);
  for (SiteTimes const& site : fit_unpack_and_epochs(executions)) {
    double const after_unpacking = median_time(executions, site.site, 0);
    table.rows.push_back(
        {site.site, "unpacking", "s", after_unpacking, site.unpack.value(), 0.01, true,
         std::isnan(after_unpacking) ? fmt::format("137 GB at {}", to_text(archive / site.unpack))
                                     : "the executions that found no network"});
    table.rows.push_back({site.site, "epoch", "s", not_published, site.epoch.value(), 0, true,
                          fmt::format("{:.0f} images/s; {} executions",
                                      1281167 / site.epoch.value(), site.executions)});
    for (int const epochs : {5, 20}) {
      table.rows.push_back({site.site, fmt::format("{} epochs, median", epochs), "s",
                            median_time(executions, site.site, epochs), site.of(epochs).value(),
                            0.02, true, ""});
    }
  }
  return table;
}

SourceTable osg_executions_table(SourceFiles const& files) {
  SourceTable table{
      "OSG: every execution of the published tables",
      "The fit above for each row of the 5-epoch and 20-epoch tables that has an "
      "execution time. The effects of node and neighbours on an execution are not predicted: the "
      "simulation draws it from the site's calibrated spread.",
      {},
      ""};
  auto const executions = all_executions(files);
  std::vector<double> misses;
  for (SiteTimes const& site : fit_unpack_and_epochs(executions)) {
    for (PublishedExecution const& one : executions) {
      if (one.site != site.site) continue;
      table.rows.push_back({one.job + ", " + one.site, fmt::format("{} epochs", one.epochs), "s",
                            one.time.value(), site.of(one.epochs).value(), 0, true,
                            one.epochs == 0 ? "ended after unpacking: no network" : ""});
      misses.push_back(std::abs(table.rows.back().difference()));
    }
  }
  table.after = fmt::format("Half of the {} executions are within {:.1f} % of the fit.",
                            misses.size(), 100 * median(misses));
  return table;
}

SourceTable streaming_table(SourceFiles const& files) {
  SourceTable table{
      "OSG: streaming while training, or copying first",
      "Profile resnet50-imagenet-osg-stream against resnet50-imagenet-osg with the archive's "
      "transfer at a cache's 300 MB/s. The published campaign always copied.",
      {},
      "A streaming job needs 64 MB/s for as long as it trains, so a cache of 40 Gbit/s feeds 77 "
      "of them; with fewer, streaming saves the copy and the unpacking, with more they wait for "
      "the same bytes again in each epoch, and copying wins the longer they train. Jobs are taken "
      "to start together.",
      "copied, unpacked",
      "streamed"};
  for (int const jobs : {1, 50, 100, 200}) add_streaming(table, files, jobs);
  return table;
}

}  // namespace gridcast::training::published
