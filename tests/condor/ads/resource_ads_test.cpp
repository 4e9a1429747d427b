#include "sim/condor/ads/job_ads.hpp"
#include "tests/test.hpp"

namespace gridcast::condor {
namespace {

using history::Resource;

JobAds read(std::string_view text) {
  JobAds ads;
  add_job_ads(text, "ads", ads);
  settle_job_ads(ads);
  return ads;
}

history::ResourceUse use_of(std::string const& more) {
  JobAds const ads = read("ClusterId = 5\nProcId = 0\n" + more);
  return ads.jobs.at({5, 0}).facts.last.use;
}

}  // namespace

TEST_CASE("An ad contains the request, the use and the allocation of its job") {
  auto const use = use_of(
      "QDate = 1767225600\nCompletionDate = 1767225700\nEnteredCurrentStatus = 1767225701\n"
      "RequestMemory = 2048\nMemoryProvisioned = 3072\nMemoryUsage = 700\n"
      "RequestDisk = 4096\nDiskUsage = 2000\nDiskUsage_RAW = 1999\nRequestCpus = 2\n"
      "CpusUsage = 1.5\nRequestGPUs = 1\nGPUsAverageUsage = 0.8\nAllowedExecuteDuration = 7200\n"
      "RemoteUserCpu = 100.0\nRemoteSysCpu = 5.0\n");
  CHECK(use.at == Seconds(1767225701));
  CHECK(use.amounts[Resource::memory].requested == 2048 * 1048576.0);
  CHECK(use.amounts[Resource::memory].allocated == 3072 * 1048576.0);
  CHECK(use.amounts[Resource::memory].used == 700 * 1048576.0);
  CHECK(use.amounts[Resource::disk].used == 1999 * 1024.0);
  CHECK(use.amounts[Resource::cpus].used == 1.5);
  CHECK(use.amounts[Resource::gpus].used == 0.8);
  CHECK(use.amounts[Resource::time].requested == 7200);
  CHECK(use.cpu_time == Seconds(105));
}

TEST_CASE("Memory is the resident set where MemoryUsage is the usual expression of it") {
  auto const use = use_of(
      "MemoryUsage = ((ResidentSetSize + 1023) / 1024)\nResidentSetSize = 17500\n"
      "ResidentSetSize_RAW = 16032\nMaxWallTimeMins = 90\n");
  CHECK(use.amounts[Resource::memory].used == 16032 * 1024.0);
  CHECK(use.amounts[Resource::time].requested == 5400);
  CHECK_FALSE(use.cpu_time);
}

TEST_CASE("An amount that none can be is counted by name, and an expression is not") {
  std::string const of_job = "ClusterId = 5\nProcId = 0\nQDate = 1767225600\n";
  for (std::string const name :
       {"MemoryUsage", "RequestMemory", "MemoryProvisioned", "ResidentSetSize_RAW", "DiskUsage",
        "RequestDisk", "CpusUsage", "RequestGPUs", "MaxWallTimeMins", "RemoteUserCpu"}) {
    for (std::string const value : {"99999999999999999999999999", "-5", "1e40"}) {
      CAPTURE(name, value);
      AdsReport const report = read(of_job + name + " = " + value + "\n").report;
      CHECK(report.values_not_understood == 1);
      CHECK_THAT(to_text(report), test::has_text(name + " has a value that it cannot have"));
    }
    for (std::string const value : {"undefined", "3 * JobStatus", "12.5"}) {
      CAPTURE(name, value);
      CHECK(read(of_job + name + " = " + value + "\n").report.values_not_understood == 0);
    }
  }
  std::string const epoch = of_job + "RequestMemory = 1e40\n*** EPOCH ClusterId=5 ProcId=0\n";
  CHECK(read(epoch).report.values_not_understood == 1);
}

TEST_CASE("A hold for disk shows that the job needs more than it requested") {
  auto const use = use_of(
      "JobStatus = 5\nHoldReasonCode = 34\nHoldReason = \"disk usage exceeded request_disk\"\n"
      "RequestDisk = 1000\nDiskUsage = 900\nRequestMemory = 1\n");
  CHECK(use.amounts[Resource::disk].exceeded);
  CHECK(use.amounts[Resource::disk].used == 1000 * 1024.0);
  CHECK_FALSE(use.amounts[Resource::memory].exceeded);
}

}  // namespace gridcast::condor
