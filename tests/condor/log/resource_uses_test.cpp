#include "sim/condor/log/resource_rows.hpp"
#include "tests/condor/log_files.hpp"
#include "tests/test.hpp"

namespace gridcast::condor {
namespace {

using history::Resource;
using test::event;
using test::read_text;

std::string const begin =
    event(0, 0, "Job submitted from host: <192.0.2.1:9618>") +
    event(1, 10, "Job executing on host: <192.0.2.2:9618>", "\tSlotName: slot1_1@n1.a.org\n");

history::ResourceUse only_use(std::string const& log) {
  auto const uses = read_text(log).uses;
  REQUIRE(uses.size() == 1);
  return uses.front();
}

}  // namespace

TEST_CASE("The end of a number shows its column of the resource table") {
  auto const use =
      only_use(begin + event(5, 50, "Job terminated.",
                             "\t(1) Normal termination (return value 0)\n"
                             "\t\tUsr 1 02:03:04, Sys 0 00:00:06  -  Run Remote Usage\n"
                             "\t\tUsr 9 00:00:00, Sys 9 00:00:00  -  Total Remote Usage\n"
                             "\tPartitionable Resources :    Usage  Request Allocated \n"
                             "\t   Cpus                 :                 2         4 \n"
                             "\t   Disk (KB)            :   689357 10485760  10486913 \n"
                             "\t   GPUs                 :                           0 \n"
                             "\t   Memory (MB)          :        7     4096      5120 \n"));
  CHECK(use.at == Seconds(50));
  CHECK(use.cpu_time == Seconds(86400 + 2 * 3600 + 3 * 60 + 4 + 6));
  CHECK_FALSE(use.amounts[Resource::cpus].used);
  CHECK(use.amounts[Resource::cpus].requested == 2);
  CHECK(use.amounts[Resource::cpus].allocated == 4);
  CHECK(use.amounts[Resource::disk].used == 689357.0 * 1024);
  CHECK(use.amounts[Resource::disk].allocated == 10486913.0 * 1024);
  CHECK_FALSE(use.amounts[Resource::gpus].requested);
  CHECK(use.amounts[Resource::gpus].allocated == 0);
  CHECK(use.amounts[Resource::memory].used == 7 * 1048576.0);
  CHECK(use.amounts[Resource::memory].requested == 4096 * 1048576.0);
}

TEST_CASE("Blanks in the place of tabs change neither a table of resources nor a reason") {
  auto const use =
      only_use(begin + event(4, 50, "Job was evicted.",
                             "        (0) CPU times\n"
                             "        Partitionable Resources :    Usage  Request Allocated\n"
                             "           Cpus                 :     0.50        2         4\n"
                             "           Memory (MB)          :        7     4096      5120\n"
                             "        Reason: PREEMPT expression : true\n"));
  CHECK(use.amounts[Resource::cpus].used == 0.5);
  CHECK(use.amounts[Resource::cpus].allocated == 4);
  CHECK(use.amounts[Resource::memory].requested == 4096 * 1048576.0);
}

TEST_CASE("GPUs have a mean and names behind the columns") {
  auto const use = only_use(
      begin + event(5, 50, "Job terminated.",
                    "\t(1) Normal termination (return value 0)\n"
                    "\tPartitionable Resources :      Usage  Request Allocated Assigned\n"
                    "\t   GPUs                 :       0.01        1         1 \"GPU-1,GPU-2\"\n"
                    "\t   GpusMemory (MB)      :   74545                       \n"));
  CHECK(use.amounts[Resource::gpus].used == 0.01);
  CHECK(use.amounts[Resource::gpus].requested == 1);
  CHECK_FALSE(use.amounts[Resource::memory].used);
}

TEST_CASE("Memory is the highest of all sizes that 006 and the table give") {
  auto const use = only_use(begin +
                            event(6, 20, "Image size of job updated: 2840232",
                                  "\t15  -  MemoryUsage of job (MB)\n"
                                  "\t604160  -  ResidentSetSize of job (KB)\n") +
                            event(6, 30, "Image size of job updated: 2840232",
                                  "\t503  -  MemoryUsage of job (MB)\n"
                                  "\t1024  -  ResidentSetSize of job (KB)\n") +
                            event(9, 40, "Job was aborted."));
  CHECK(use.amounts[Resource::memory].used == 590 * 1048576.0);
}

TEST_CASE("A hold for memory shows that the job needs more than it had") {
  std::string const over =
      "\tError from slot1_1@n1.a.org: Job has gone over cgroup memory limit of 4096 megabytes. "
      "Peak usage: 4099 megabytes.  Consider resubmitting with a higher request_memory.\n"
      "\tCode 34 Subcode 102\n";
  auto const use = only_use(begin + event(12, 40, "Job was held.", over));
  CHECK(use.amounts[Resource::memory].exceeded);
  CHECK(use.amounts[Resource::memory].used == 4099 * 1048576.0);
  CHECK_FALSE(use.amounts[Resource::disk].exceeded);
  auto const disk = only_use(begin + event(12, 40, "Job was held.",
                                           "\tError from slot1_1@n1.a.org: disk usage exceeded "
                                           "request_disk\n\tCode 34 Subcode 104\n"));
  CHECK(disk.amounts[Resource::disk].exceeded);
  CHECK(only_use(begin + event(12, 40, "Job was held.",
                               "\tMemory usage exceeded request_memory\n\tCode 26 Subcode 103\n"))
            .amounts[Resource::memory]
            .exceeded);
  CHECK(read_text(begin + event(12, 40, "Job was held.", "\tmemory\n\tCode 1 Subcode 0\n"))
            .uses.empty());
}

TEST_CASE("An eviction for memory shows the same, and is one of its own execution") {
  std::string const evicted =
      event(4, 40, "Job was evicted. Code 34 Subcode 102",
            "\t(0) CPU times\n\t\tUsr 0 00:05:00, Sys 0 00:00:00  -  Run Remote Usage\n"
            "\tReason: Error from slot1_1@n1.a.org: Job has gone over cgroup memory limit of 2048 "
            "megabytes. Last measured usage: 1500 megabytes.  Consider resubmitting with a higher "
            "request_memory.\n\tPartitionable Resources :    Usage  Request Allocated\n"
            "\t   Memory (MB)          :     1500     2048      2048\n");
  auto const use = only_use(begin + evicted);
  CHECK(use.amounts[Resource::memory].exceeded);
  CHECK(use.amounts[Resource::memory].used == 2048 * 1048576.0);
  auto const others = only_use(begin + event(4, 40, "Job was evicted. Code 1007 Subcode 102",
                                             "\t(0) CPU times\n\t\tUsr 0 00:05:00, Sys 0 00:00:00  "
                                             "-  Run Remote Usage\n"));
  CHECK_FALSE(others.amounts[Resource::memory].exceeded);
}

TEST_CASE("A hold by a rule of a pool names the CPUs that the job used") {
  std::string const excessive =
      "\tExcessive CPU usage. Job used 4 CPUs, while request_cpus=2. Please verify that the code "
      "is configured to use a limited number of cpus/threads, and matches request_cpus.\n"
      "\tCode 26 Subcode 102\n";
  auto const use = only_use(begin + event(12, 40, "Job was held.", excessive));
  CHECK(use.amounts[Resource::cpus].exceeded);
  CHECK(use.amounts[Resource::cpus].used == 4);
  CHECK_FALSE(use.amounts[Resource::memory].exceeded);
  CHECK(exceeded_request(26, "The CPU usage 1.25 exceeds the requested 1 CPUs") ==
        ExceededRequest{Resource::cpus, 1.25});
  CHECK_FALSE(exceeded_request(13, "Transfer output files failure: Disk quota exceeded"));
  CHECK_FALSE(exceeded_request(1, "The user requested this hold"));
  CHECK(exceeded_request(3,
                         "The job attribute PeriodicHold expression 'ResidentSetSize/1024.0 > "
                         "RequestMemory' evaluated to TRUE")
            ->resource == Resource::memory);
  CHECK_FALSE(exceeded_request(3,
                               "The job attribute PeriodicHold expression 'NumJobStarts > 3' "
                               "evaluated to TRUE"));
}

TEST_CASE("The slot of an execution is the least need where the hold states no number") {
  std::string const slot =
      "\tCpus = 1\n\tDisk = 2098305\n\tGLIDEIN_ResourceName = \"A\"\n\tMemory = 1024\n";
  std::string const starts =
      event(0, 0, "Job submitted from host: <192.0.2.1:9618>") +
      event(1, 10, "Job executing on host: <192.0.2.2:9618>", slot) +
      event(4, 40, "Job was evicted.",
            "\tPartitionable Resources :    Usage  Request Allocated\n"
            "\t   Disk (KB)            :     2048     2048      4096\n") +
      event(1, 60, "Job executing on host: <192.0.2.2:9618>", slot) +
      event(12, 90, "Job was held.", "\tdisk usage exceeded request_disk\n\tCode 21 Subcode 103\n");
  auto const uses = read_text(starts).uses;
  REQUIRE(uses.size() == 2);
  CHECK_FALSE(uses[0].amounts[Resource::disk].exceeded);
  CHECK(uses[1].amounts[Resource::disk].exceeded);
  CHECK_FALSE(uses[1].amounts[Resource::disk].used);
  CHECK(uses[1].amounts[Resource::disk].allocated == 2098305 * 1024.0);
  CHECK(uses[1].amounts[Resource::memory].allocated == 1024 * 1048576.0);
}

TEST_CASE("Each execution has a use of its own") {
  std::string const size = "\t15  -  MemoryUsage of job (MB)\n";
  auto const uses = read_text(begin + event(6, 20, "Image size of job updated: 1", size) +
                              event(7, 25, "Shadow exception!", "\tno more\n") +
                              event(1, 30, "Job executing on host: <192.0.2.2:9618>") +
                              event(6, 40, "Image size of job updated: 1", size))
                        .uses;
  REQUIRE(uses.size() == 2);
  CHECK(uses[0].at == Seconds(20));
  CHECK(uses[1].at == Seconds(40));
}

TEST_CASE("JSON logs contain the same") {
  std::string const json =
      R"({"MyType":"SubmitEvent","Cluster":1,"Proc":0,"Subproc":0,"EventTime":"2026-01-01T00:00:00","EventTypeNumber":0}
{"MyType":"JobTerminatedEvent","Cluster":1,"Proc":0,"Subproc":0,"Memory":128,"RequestMemory":64,"MemoryUsage":16,"GPUs":1,"RequestGPUs":2,"CpusUsage":0.5,"RunRemoteUsage":"Usr 0 00:00:05, Sys 0 00:00:01","EventTime":"2026-01-01T00:00:50","ReturnValue":0,"TerminatedNormally":true,"EventTypeNumber":5}
)";
  auto const use = only_use(json);
  CHECK(use.amounts[Resource::memory].used == 16 * 1048576.0);
  CHECK(use.amounts[Resource::memory].requested == 64 * 1048576.0);
  CHECK(use.amounts[Resource::memory].allocated == 128 * 1048576.0);
  CHECK(use.amounts[Resource::gpus].requested == 2);
  CHECK(use.amounts[Resource::cpus].used == 0.5);
  CHECK(use.cpu_time == Seconds(6));
}

}  // namespace gridcast::condor
