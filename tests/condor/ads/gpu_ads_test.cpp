// GPUs in ads, alone and beside a log; and the table of resources in a log's 004 and 005.
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "sim/condor/ads/ad_history.hpp"
#include "sim/condor/ads/merge_ads.hpp"
#include "tests/condor/log_files.hpp"
#include "tests/test.hpp"

namespace gridcast::test {
namespace {

condor::JobAds read_ads(std::string const& text) {
  condor::JobAds ads;
  condor::add_job_ads(text, "ads", ads);
  condor::settle_job_ads(ads);
  return ads;
}

// A job that ran once, from 10 to 50.
std::string ran(std::string const& gpus) {
  return "ClusterId = 1\nProcId = 0\nQDate = 1767225600\nJobStatus = 4\nExitCode = 0\n"
         "NumShadowStarts = 1\nNumJobStarts = 1\nJobCurrentStartDate = 1767225610\n"
         "JobCurrentStartExecutingDate = 1767225610\nCompletionDate = 1767225650\n" +
         gpus;
}

history::JobHistory alone(std::string const& ads) {
  condor::MergeReport report;
  return condor::history_from_ads(read_ads(ads), report);
}

// Each execution's; a count of -1 if none are recorded.
std::vector<history::GpuShare> executed_on(history::JobHistory const& history) {
  std::vector<history::GpuShare> shares;
  for (history::JobEvent const& event : history.events) {
    if (event.kind != history::EventKind::executing) continue;
    auto const* const gpus = history.gpus_of(event);
    shares.push_back(gpus != nullptr ? *gpus : history::GpuShare{"", -1});
  }
  return shares;
}

history::GpuShare only(std::string const& gpus) {
  auto const shares = executed_on(alone(ran(gpus)));
  REQUIRE(shares.size() == 1);
  return shares.front();
}

std::string logged(std::string const& gpus_of_001, std::string const& resources) {
  return event(0, 0, "Job submitted from host: <192.0.2.1:9618>") +
         event(1, 10, "Job executing on host: <192.0.2.2:9618>",
               "\tSlotName: slot1_1@glidein_1@h\n\tGLIDEIN_ResourceName = \"A\"\n" + gpus_of_001) +
         event(5, 50, "Job terminated.",
               "\t(1) Normal termination (return value 0)\n"
               "\tPartitionable Resources :       Usage   Request Allocated Assigned\n"
               "\t   Cpus                 :        0.54         8         8\n" +
                   resources);
}

std::optional<int> on_gpus(std::string const& log) {
  auto const shares = executed_on(read_text(log).history);
  REQUIRE(shares.size() == 1);
  return shares.front().count;
}

// Job 1.1 beside it, which ran on four GPUs.
std::string const on_four =
    "000 (001.001.000) 2026-01-01 00:00:00 Job submitted from host: <192.0.2.1:9618>\n...\n"
    "001 (001.001.000) 2026-01-01 00:00:10 Job executing on host: <192.0.2.3:9618>\n"
    "\tSlotName: slot1_1@glidein_2@h\n\tCpus = 8\n\tGPUs = 4\n...\n"
    "005 (001.001.000) 2026-01-01 00:00:50 Job terminated.\n"
    "\t(1) Normal termination (return value 0)\n...\n";

std::optional<int> beside_four(std::string const& log) {
  auto const shares = executed_on(read_text(log + on_four).history);
  REQUIRE(shares.size() == 2);
  return shares.front().count == 4 ? shares.back().count : shares.front().count;
}

}  // namespace

TEST_CASE("The slot's number of GPUs counts before the job's request; zero shows nothing") {
  CHECK(only("RequestGPUs = 2\nGPUsProvisioned = 4\n").count == 4);
  CHECK(only("RequestGPUs = 1\nAssignedGPUs = \"GPU-1a,GPU-2b,GPU-3c\"\n").count == 3);
  CHECK(only("RequestGPUs = 2\n").count == 2);
  CHECK(only("GPUsProvisioned = 2\n").count == 2);
  CHECK(only("GPUsProvisioned = 0\n").count == -1);
  CHECK(only("RequestGPUs = -3\n").count == -1);
  CHECK(only("GPUsProvisioned = 0\nRequestGPUs = 0\nGPUs_DeviceName = \"NVIDIA L4\"\n").count ==
        -1);
}

TEST_CASE("Model, memory and capability stand at the top, in an ad of each GPU, or are kept") {
  history::GpuShare const a100{"NVIDIA A100-SXM4-40GB", 2, Bytes(40536 * 1048576.), 8.0};
  std::string const two = "GPUsProvisioned = 2\n";
  CHECK(only(two + "GPUs_DeviceName = \"NVIDIA A100-SXM4-40GB\"\nGPUs_GlobalMemoryMb = 40536\n"
                   "GPUs_Capability = 8.0\n") == a100);
  CHECK(only(two + "MachineAttrGPUs_DeviceName0 = \"NVIDIA A100-SXM4-40GB\"\n"
                   "MachineAttrGPUs_GlobalMemoryMb0 = 40536\nMachineAttrGPUs_Capability0 = 8.0\n"
                   "MachineAttrGPUs_DeviceName1 = \"another slot's\"\n") == a100);
  std::string const nested =
      "[ DeviceName = \"NVIDIA A100-SXM4-40GB\"; GlobalMemoryMb = 40536; Capability = 8.0 ]";
  CHECK(only(two + "GPUs_GPU_1a2b3c4d = " + nested + "\n") == a100);
  CHECK(only(two + "AvailableGPUs = { " + nested + ", " + nested + " }\n") == a100);
}

TEST_CASE("Earlier attempts of a job's own ad had as many as the job asked for") {
  auto const history = alone(
      "ClusterId = 1\nProcId = 0\nQDate = 1767225600\nJobStatus = 4\nExitCode = 0\n"
      "NumShadowStarts = 2\nNumJobStarts = 2\nJobStartDate = 1767225600\n"
      "RemoteWallClockTime = 60\nLastRemoteWallClockTime = 40\nJobCurrentStartDate = 1767225700\n"
      "JobCurrentStartExecutingDate = 1767225700\nCompletionDate = 1767225740\n"
      "RequestGPUs = 2\nGPUsProvisioned = 4\n");
  CHECK(executed_on(history) ==
        std::vector<history::GpuShare>{history::GpuShare{"", 2}, history::GpuShare{"", 4}});
  CHECK(history.gpus_per_job == 2);
}

TEST_CASE("Ads beside a log add the GPUs that its event 001 lacks, and complete the others") {
  auto const merged = [](std::string const& log, std::string const& gpus) {
    condor::MergeReport report;
    auto const shares =
        executed_on(condor::merge(read_text(log), read_ads(ran(gpus)), report).history);
    REQUIRE(shares.size() == 1);
    return shares.front();
  };
  CHECK(merged(logged("", ""), "RequestGPUs = 4\n").count == 4);
  CHECK(merged(logged("\tGPUs = 1\n", ""), "RequestGPUs = 4\n").count == 1);
  CHECK(merged(logged("\tGPUs = 1\n", ""), "GPUsProvisioned = 4\nGPUs_DeviceName = \"L4\"\n") ==
        history::GpuShare{"L4", 1});
}

TEST_CASE("Resources without GPUs show that there were none, where another job's have some") {
  for (std::string const cpus : {"\tCpus = 8\n", "\tCpus = 8\n\tGPUs = 0\n", ""}) {
    CAPTURE(cpus);
    CHECK(on_gpus(logged(cpus, "")) == -1);
    CHECK(beside_four(logged(cpus, "")) == 0);
    CHECK(beside_four(logged(cpus, "\t   GPUs                 :          2         2 \n")) == 2);
  }
}

TEST_CASE("A shadow that took over a running job lists no GPUs, of a job that had some") {
  std::string const again =
      event(1, 10, "Job executing on host: <192.0.2.2:9618>", "\tCpus = 8\n\tGPUs = 2\n") +
      event(4, 20, "Job was evicted.",
            "\tPartitionable Resources :    Usage  Request Allocated\n"
            "\t   Cpus                 :        0        1         1\n") +
      event(4, 25, "Job was evicted.") + event(1, 30, "Job executing on host: <192.0.2.2:9618>") +
      event(5, 50, "Job terminated.",
            "\t(1) Normal termination (return value 0)\n"
            "\tPartitionable Resources :    Usage  Request Allocated\n"
            "\t   Cpus                 :        0        1         1\n");
  auto const shares = executed_on(
      read_text(event(0, 0, "Job submitted from host: <192.0.2.1:9618>") + again).history);
  CHECK(shares == std::vector<history::GpuShare>{history::GpuShare{"", 2}, {"", -1}});
}

TEST_CASE("In ads, jobs without a request for GPUs have none beside jobs with one") {
  std::string const other =
      "\nClusterId = 2\nProcId = 0\nQDate = 1767225600\nJobStatus = 4\nExitCode = 0\n"
      "NumShadowStarts = 1\nNumJobStarts = 1\nJobCurrentStartDate = 1767225610\n"
      "JobCurrentStartExecutingDate = 1767225610\nCompletionDate = 1767225650\n";
  auto const beside = [&](std::string const& gpus) {
    auto const shares = executed_on(alone(ran("RequestGPUs = 4\n") + other + gpus));
    REQUIRE(shares.size() == 2);
    REQUIRE(std::count(shares.begin(), shares.end(), history::GpuShare{"", 4}) == 1);
    return shares.front().count == 4 ? shares.back().count : shares.front().count;
  };
  CHECK(beside("RequestGPUs = 0\n") == 0);
  CHECK(beside("GPUsProvisioned = 0\n") == 0);
  CHECK(beside("CpusProvisioned = 1\n") == 0);
  CHECK(beside("") == -1);
}

TEST_CASE("Without GPUs in 001 the table of resources shows them: allocated, else requested") {
  CHECK(on_gpus(logged("", "\t   GPUs                 :                     2         4 \n")) == 4);
  CHECK(on_gpus(logged("",
                       "\t   GPUs                 :        0.9         2         4 "
                       "\"GPU-1,GPU-2\"\n")) == 4);
  CHECK(on_gpus(logged("", "\t   GPUs                 :                     2         0 \n")) == 2);
  CHECK(on_gpus(logged("", "\t   GPUs                 :                               0 \n")) ==
        -1);
  CHECK(on_gpus(logged("\tGPUs = 1\n",
                       "\t   GPUs                 :                     2         4 \n")) == 1);
}

TEST_CASE("Names of resources are read whatever their case") {
  for (char const* const label : {"GPUs          ", "Gpus          ", "Gpus (Average)"}) {
    CAPTURE(label);
    std::string const row =
        "\t   " + std::string(label) + "       :     0.98        2         4 \"CUDA0,CUDA1\"\n";
    CHECK(on_gpus(logged("", row)) == 4);
  }
  CHECK(on_gpus(logged("\tGpus = 2\n", "")) == 2);
  std::string const begin =
      "{\"MyType\":\"SubmitEvent\",\"EventTypeNumber\":0,\"EventTime\":\"2026-01-01T00:00:00\","
      "\"Cluster\":1,\"Proc\":0,\"Subproc\":0}\n"
      "{\"MyType\":\"ExecuteEvent\",\"EventTypeNumber\":1,\"EventTime\":\"2026-01-01T00:00:10\","
      "\"Cluster\":1,\"Proc\":0,\"Subproc\":0,\"ExecuteHost\":\"<192.0.2.2:9618>\"}\n"
      "{\"MyType\":\"JobTerminatedEvent\",\"EventTypeNumber\":5,"
      "\"EventTime\":\"2026-01-01T00:00:50\",\"Cluster\":1,\"Proc\":0,\"Subproc\":0,"
      "\"TerminatedNormally\":true,\"ReturnValue\":0";
  CHECK(on_gpus(begin + ",\"RequestGpus\":3}\n") == 3);
  CHECK(on_gpus(begin + ",\"RequestGpus\":3,\"GpusUsage\":0.9,\"Gpus\":4}\n") == 4);
}

TEST_CASE("The request of most runs stands for attempts that show none") {
  std::string const four = "\t   GPUs                 :                     4         4 \n";
  CHECK(read_text(logged("", four)).history.gpus_per_job == 4);
  CHECK(read_text(logged("", "")).history.gpus_per_job == 1);
  // A reader that keeps no events gets the number with the end of the attempt.
  TemporaryFile const log(logged("", four));
  std::optional<std::uint16_t> at_end;
  auto const streamed = condor::stream_logs({log.path()}, [&](history::JobEvent const& event) {
    if (event.kind == history::EventKind::terminated) at_end = event.gpus;
  });
  REQUIRE(at_end == 1);
  CHECK(streamed.history.gpus.front().count == 4);
}

}  // namespace gridcast::test
