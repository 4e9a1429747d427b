// Input transfers that the starter's stall timer ended, and tries that the transfer client gave up,
// in the logs of a real pool (calibration/data/htcondor-transfer), counted by the pool itself.
#include "sim/condor/ads/merge_ads.hpp"
#include "sim/ledger/ledger.hpp"
#include "tests/test.hpp"

namespace gridcast::test {
namespace {

std::filesystem::path transfer_campaign(std::string const& name, std::string const& file) {
  return source_dir() / "calibration/data/htcondor-transfer" / name / file;
}

ledger::Ledger ledger_of(std::string const& name) {
  condor::MergeReport report;
  auto const log =
      condor::merge(condor::read_logs({transfer_campaign(name, name + ".log")}),
                    condor::read_job_ads({transfer_campaign(name, "epochs.INPUT.json")}), report);
  return ledger::account(log.history);
}

}  // namespace

TEST_CASE("Transfers that the stall timer ended are stalls, not evictions") {
  struct Campaign {
    char const* name;
    std::size_t by_timer, evicted_or_dead, by_client;
  };
  // By the pool: 021 "stalled" of each user log; vacated or lost with a pilot; TransferErrorN.
  for (Campaign const& campaign : {Campaign{"w1.r1", 41, 8, 0}, Campaign{"w3.r1", 0, 9, 52},
                                   Campaign{"w5.r1", 8, 8, 0}, Campaign{"g1.r1", 138, 19, 0}}) {
    CAPTURE(campaign.name);
    ledger::Ledger const ledger = ledger_of(campaign.name);
    CHECK(ledger.total.stalls == campaign.by_timer);
    CHECK(ledger.total.evictions == campaign.evicted_or_dead);
    REQUIRE(ledger.client_stalls);
    CHECK(*ledger.client_stalls == campaign.by_client);
    CHECK(ledger.total.succeeded == 72);
  }
}

}  // namespace gridcast::test
