#include "sim/engine/job_ad.hpp"
#include "tests/test.hpp"

namespace gridcast::engine {

namespace {

struct Case {
  scenario::JobPolicy policy;
  scenario::Request request;
  std::vector<scenario::SiteSpec> sites{2};
  JobAd ad;
  Seconds now = Seconds(1000.9);

  Case() {
    sites[0].name = "SITE-A";
    sites[1].name = "SITE-B";
  }
  std::string operator()(std::string const& expression) const {
    JobFacts const facts{policy, request, sites};
    JobScope const scope(facts, {7, 3}, ad, now);
    SlotScope const slot(sites[1]);
    auto const value =
        classad::evaluate(classad::parse(expression), {scope, &slot, scope.unix_now()});
    return value.to_text();
  }
};

}  // namespace

TEST_CASE("A fresh job's ad has its ids, counters of zero, and nothing of attempts") {
  Case const ad;
  CHECK(ad("ClusterId * 10 + ProcId") == "73");
  CHECK(ad("JobStatus") == "1");
  CHECK(ad("numholds + NumJobStarts + NumShadowStarts + NumJobMatches + NumSystemHolds") == "0");
  CHECK(ad("time() - QDate") == "1000");
  CHECK(ad("CurrentTime == time()") == "true");
  for (char const* attribute : {"ExitCode", "JobStartDate", "HoldReasonCode", "LastRemoteHost",
                                "JobMaxRetries", "MachineAttrGLIDEIN_ResourceName0", "Nonsense"}) {
    CHECK(ad(attribute) == "undefined");
  }
}

TEST_CASE("Hold codes are there while a job is held") {
  Case ad;
  ad.ad.hold_code = {13, 256};
  CHECK(ad("HoldReasonCode") == "undefined");
  ad.ad.status = history::JobStatus::held;
  ad.ad.entered_status = Seconds(400.2);
  CHECK(ad("HoldReasonCode == 13 && HoldReasonSubCode == 256") == "true");
  CHECK(ad("time() - EnteredCurrentStatus > 599") == "true");
  CHECK(ad("time() - EnteredCurrentStatus > 600") == "false");
}

TEST_CASE("The ad of a job shows its past") {
  Case ad;
  ad.policy.max_retries = 3;
  ad.ad.last_slot = {Id<history::Site>(0), 4, 2};
  ad.ad.exit_code = 1;
  ad.ad.completions = 2;
  ad.ad.first_start = Seconds(10);
  ad.ad.last_start = Seconds(500);
  CHECK(ad("MachineAttrGLIDEIN_ResourceName0") == "\"SITE-A\"");
  CHECK(ad("LastRemoteHost") == "\"slot1@glidein_4_2@SITE-A\"");
  CHECK(ad("GLIDEIN_ResourceName") == "\"SITE-B\"");  // the slot's
  ad.sites[0].resource = "A";                         // SITE-A is an entry of that site
  CHECK(ad("MachineAttrGLIDEIN_ResourceName0") == "\"A\"");
  CHECK(ad("ExitCode == 1 && ExitBySignal == false") == "true");
  CHECK(ad("NumJobCompletions > JobMaxRetries") == "false");
  CHECK(ad("JobCurrentStartDate - JobStartDate") == "490");
}

TEST_CASE("The ad of a slot shows its site and its resources") {
  Case ad;
  CHECK(ad("TARGET.GLIDEIN_ResourceName") == "\"SITE-B\"");
  CHECK(ad("TARGET.GLIDEIN_Site") == "\"SITE-B\"");
  CHECK(ad("TARGET.Arch") == "\"X86_64\"");
  CHECK(ad("TARGET.OpSys == \"LINUX\"") == "true");
  CHECK(ad("TARGET.HasSingularity && TARGET.HasFileTransfer") == "true");
  CHECK(ad("TARGET.Disk") == "undefined");
  CHECK(ad("TARGET.GPUs_DeviceName") == "undefined");
  CHECK(ad("TARGET.GPUs") == "0");
  CHECK(ad("TARGET.GPUs_Capability >= 8") == "undefined");
  ad.sites[1].gpus = 3;
  ad.sites[1].gpu_capability = 8.6;
  ad.sites[1].gpu_memory = Bytes(40e9);
  ad.sites[1].gpu = "A100";
  ad.sites[1].gpus_per_node = 2;
  ad.sites[1].disk = Bytes(1024 * 7e6);
  CHECK(ad("TARGET.GPUs") == "2");
  CHECK(ad("TARGET.TotalGPUs") == "2");
  CHECK(ad("TARGET.Disk") == "7000000");  // KiB
  CHECK(ad("TARGET.GPUs_Capability >= 8 && GPUs_GlobalMemoryMb > 38000") == "true");
  CHECK(ad("regexp(\"A1\", TARGET.GPUs_DeviceName)") == "true");
  ad.sites[1].gpus = 1;  // of a node with one, no less
  CHECK(ad("TARGET.GPUs_GlobalMemoryMb") == std::to_string(40'000'000'000 / 1'048'576));
  CHECK(ad("TARGET.CUDACapability == 8.6") == "true");
  CHECK(ad("TARGET.CUDAGlobalMemoryMb") == ad("TARGET.GPUs_GlobalMemoryMb"));
  // Slots of a record that does not name their GPUs.
  ad.sites[1].gpu_capability = 0;
  ad.sites[1].gpu_memory = Bytes();
  CHECK(ad("TARGET.GPUs_Capability") == "0.0");
  ad.sites[1].slots = 1;
  CHECK(ad("TARGET.GPUs_Capability") == "undefined");
  CHECK(ad("TARGET.CUDACapability") == "undefined");
  CHECK(ad("TARGET.GPUs_GlobalMemoryMb") == "undefined");
}

}  // namespace gridcast::engine
