// Which jobs ran the same program, from labels and times.
#include "calibration/records/programs.hpp"

#include <cmath>
#include <set>

#include <fmt/format.h>

#include "sim/base/random.hpp"
#include "tests/calibration/log_records.hpp"
#include "tests/calibration/synthetic.hpp"
#include "tests/test.hpp"

namespace gridcast::calibration {

using test::done_at;
using test::test_stream;

namespace {

struct Campaign {
  history::JobHistory history = test::two_sites();
  AttemptRecords records;

  void add(std::string const& node, double seconds, std::size_t slot = 0) {
    std::size_t const job = history.jobs.size();
    history.jobs.push_back({static_cast<std::uint32_t>(job + 1), 0});
    history.labels.push_back({.node = node});
    history::JobEvent submitted;
    submitted.at = Seconds(static_cast<double>(job));
    submitted.job = Id<history::Job>(job);
    history.events.push_back(submitted);
    if (seconds > 0) records.attempts.push_back(done_at(job, slot, 0, 0, seconds));
  }
};

}  // namespace

TEST_CASE("A node's name with its numbers left out, and with one kept") {
  CHECK(node_pattern("run12-train_epoch3", 0) == "run*-train_epoch*");
  CHECK(node_pattern("run12-train_epoch3", 1) == "run12-train_epoch*");
  CHECK(node_pattern("run12-train_epoch3", 2) == "run*-train_epoch3");
  CHECK(node_number("run12-train_epoch3", 2) == 3);
  CHECK(node_pattern("057c8caf-66f6-4612-abf7-cdea5b666b1b_isr_7", 0) == "isr_*");
  CHECK(node_number("057c8caf-66f6-4612-abf7-cdea5b666b1b_isr_7", 1) == 7);
  CHECK_FALSE(node_number("run12", 2));
}

TEST_CASE("Programs are distinguished by the number that sets their time, with a line through it") {
  Campaign campaign;
  for (int epoch = 1; epoch <= 3; ++epoch) {
    for (int run = 0; run < 4; ++run) {
      campaign.add(fmt::format("run{}-train_epoch{}", run, epoch), 20000.0 * epoch + 100 * run);
    }
  }
  campaign.add("run0-train_epoch4", 0);  // not done
  Programs const found = programs_of(campaign.history, campaign.records);
  REQUIRE(found.several());
  CHECK(found.grouped_by == "number 2 of the DAG node's name");
  REQUIRE(found.programs.size() == 4);
  CHECK(found.programs[0].scale == Approx(1. / 3).epsilon(0.02));
  CHECK(found.programs[2].newest);
  CHECK(found.programs[2].scale == Approx(1));
  REQUIRE(found.trend);
  CHECK(found.programs[3].finished == 0);
  CHECK(found.programs[3].scale == Approx(4. / 3).epsilon(0.02));
  CHECK(found.log_scales()[0] == Approx(std::log(1. / 3)).margin(0.02));
}

TEST_CASE(
    "A job that ran for much longer than its program, and did not finish, is none of its own") {
  Campaign campaign;
  for (int run = 0; run < 4; ++run)
    campaign.add(fmt::format("run{}-train_epoch0", run), 1370 + run);
  for (int run = 0; run < 4; ++run)
    campaign.add(fmt::format("run{}-train_epoch1", run), 20000 + run);
  campaign.add("run0-train_epoch0", 42000);
  campaign.records.attempts.back().end_kind = history::EventKind::evicted;
  campaign.records.attempts.back().exit.reset();
  campaign.add("run0-train_epoch1", 21000);
  campaign.records.attempts.back().end_kind = history::EventKind::evicted;
  campaign.records.attempts.back().exit.reset();
  Programs const found = programs_of(campaign.history, campaign.records);
  REQUIRE(found.several());
  CHECK(found.strangers[8]);
  CHECK_FALSE(found.strangers[9]);
  CHECK(std::isnan(found.log_scales()[8]));
  CHECK(found.log_scales()[9] == Approx(0).margin(0.01));
}

TEST_CASE("Jobs that finished ran their program, however long hosts kept them before") {
  Campaign campaign;
  for (std::size_t run = 0; run < 20; ++run) campaign.add("train", 600);
  for (std::size_t run = 0; run < 20; ++run) {  // each was evicted after four times as long
    campaign.records.attempts.push_back(done_at(run, 0, 0, 0, 2400));
    campaign.records.attempts.back().end_kind = history::EventKind::evicted;
    campaign.records.attempts.back().exit.reset();
  }
  Programs const found = programs_of(campaign.history, campaign.records);
  CHECK(found.log_scales().empty());
}

TEST_CASE("An end that was logged days late is no execution of its program") {
  Campaign campaign;
  for (int run = 0; run < 20; ++run) campaign.add("train", 40000 + 50 * run);
  campaign.add("train", 320000);  // late
  campaign.add("train", 400);     // failed at once
  campaign.add("train", 43000);   // cut short
  campaign.records.attempts.back().end_kind = history::EventKind::evicted;
  campaign.records.attempts.back().exit.reset();
  Programs const found = programs_of(campaign.history, campaign.records);
  REQUIRE_FALSE(found.several());
  CHECK(found.strangers[20]);
  CHECK(found.strangers[21]);
  CHECK_FALSE(found.strangers[22]);
  CHECK(std::isnan(found.log_scales()[20]));
  CHECK(found.log_scales()[0] == Approx(0));
}

TEST_CASE("A third of the executions that take far less are another program, and count") {
  Campaign campaign;
  for (int run = 0; run < 12; ++run) campaign.add("a", run % 3 == 0 ? 4000 + run : 40000 + run);
  Programs const found = programs_of(campaign.history, campaign.records);
  REQUIRE_FALSE(found.several());
  CHECK(found.log_scales().empty());
}

TEST_CASE("Sites that differ in speed are no programs") {
  Campaign campaign;
  RandomStream stream = test_stream(1);
  for (int i = 0; i < 24; ++i) {
    // Odd epochs at B, which is three times as fast.
    double const noise = std::exp(0.03 * normal_quantile(stream.uniform()));
    campaign.add(fmt::format("run{}-train_epoch{}", i / 4, i % 4),
                 (i % 8 < 4 ? 30000 : 10000) * noise, i % 8 < 4 ? 0 : 2);
  }
  CHECK_FALSE(programs_of(campaign.history, campaign.records).several());
  CHECK(programs_of(campaign.history, campaign.records).programs.front().jobs == 24);
}

TEST_CASE("A record without labels or finished executions has one program") {
  Campaign campaign;
  campaign.add("a1", 0);
  CHECK_FALSE(programs_of(campaign.history, campaign.records).several());
  campaign.history.labels.clear();
  campaign.records.attempts.push_back(done_at(0, 0, 0, 0, 10));
  CHECK_FALSE(programs_of(campaign.history, campaign.records).several());
}

TEST_CASE("Campaigns without labels are programs of their own where their works differ") {
  auto const two = [](double second, int jobs) {
    Campaign campaign;
    for (int i = 0; i < 2 * jobs; ++i) campaign.add("", i < jobs ? 1000 + 9 * i : second + 9 * i);
    campaign.history.labels.clear();
    return campaign;
  };
  std::vector<std::set<std::uint32_t>> campaigns(2);
  for (std::uint32_t cluster = 1; cluster <= 16; ++cluster) {
    campaigns[cluster <= 8 ? 0 : 1].insert(cluster);
  }
  Campaign const other = two(2000, 8);
  CHECK_FALSE(programs_of(other.history, other.records).several());
  Programs const found = programs_of(other.history, other.records, campaigns);
  REQUIRE(found.several());
  CHECK(found.grouped_by == "campaign");
  REQUIRE(found.programs.size() == 2);
  CHECK(found.programs[0].name == "cluster 1");
  CHECK(found.programs[1].newest);
  CHECK(found.programs[0].scale == Approx(0.5).epsilon(0.05));
  Campaign const same = two(1000, 8);
  CHECK_FALSE(programs_of(same.history, same.records, campaigns).several());
  // With two executions each, differences may be chance.
  campaigns = {{1, 2}, {3, 4}};
  Campaign const few = two(2000, 2);
  CHECK_FALSE(programs_of(few.history, few.records, campaigns).several());
}

}  // namespace gridcast::calibration
