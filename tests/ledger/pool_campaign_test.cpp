// The campaigns of a real HTCondor pool, accounted from their user logs and held against the pool's
// own history ads, which were written by another process than the logs.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <set>

#include <nlohmann/json.hpp>

#include "sim/condor/log/read_log.hpp"
#include "sim/ledger/ledger.hpp"
#include "tests/ledger/userlog_count.hpp"
#include "tests/test.hpp"

namespace gridcast::ledger {
namespace {

using Json = nlohmann::json;

struct Campaign {
  std::string folder, log;
};

std::vector<Campaign> const campaigns = {{"c1-sweep", "c1-sweep.log"}, {"c3-ckpt", "c3-ckpt.log"},
                                         {"c4-retry", "c4-retry.log"}, {"c5-json", "c5-json.log"},
                                         {"c6-xml", "c6-xml.log"},     {"c7-hang", "c7-hang.log"}};

std::filesystem::path folder_of(std::string const& name) {
  return test::source_dir() / "calibration/data/htcondor-pool" / name;
}

condor::LoggedHistory read(Campaign const& campaign) {
  condor::ReadLogOptions options;
  options.year = 2026;
  return condor::read_logs({folder_of(campaign.folder) / campaign.log}, options);
}

/// The ads of condor_history, by job.
std::map<std::string, Json> ads_of(Campaign const& campaign) {
  std::ifstream in(folder_of(campaign.folder) / "history.json");
  std::map<std::string, Json> ads;
  for (auto const& ad : Json::parse(in)) {
    auto const number = [&](char const* key) { return ad.at(key).get<std::uint32_t>(); };
    ads[to_text(history::JobName{number("ClusterId"), number("ProcId")})] = ad;
  }
  return ads;
}

double number(Json const& ad, char const* key) {
  return ad.contains(key) && ad[key].is_number() ? ad[key].get<double>() : 0;
}

Standing standing_in(Json const& ad) {
  constexpr int removed = 3, completed = 4, held = 5;
  int const status = static_cast<int>(number(ad, "JobStatus"));
  if (status == completed) {
    return number(ad, "ExitCode") == 0 && !ad.value("ExitBySignal", false) ? Standing::succeeded
                                                                           : Standing::wrong_output;
  }
  if (status == removed) return Standing::removed;
  return status == held ? Standing::held : Standing::unfinished;
}

TEST_CASE("classes of time add up, job by job") {
  for (auto const& campaign : campaigns) {
    INFO(campaign.folder);
    auto const logged = read(campaign);
    auto const ledger = account(logged.history);
    auto const by_job = history::events_by_job(logged.history);
    TimeClasses sum;
    for (std::size_t j = 0; j < by_job.size(); ++j) {
      INFO(to_text(logged.history.jobs[j]));
      REQUIRE_FALSE(by_job[j].empty());
      auto const& events = logged.history.events;
      Seconds const life = events[by_job[j].back()].at - events[by_job[j].front()].at;
      // Milliseconds have no exact binary form.
      REQUIRE(ledger.jobs[j].classes.total().value() == Approx(life.value()).margin(1e-9));
      sum += ledger.jobs[j].classes;
    }
    REQUIRE(sum.total().value() == Approx(ledger.classes.total().value()).margin(1e-6));
    // All jobs are done, so that the lines end where the classes do.
    REQUIRE(ledger.total.wallclock().value() ==
            Approx(ledger.classes.slot_time().value()).margin(1e-6));
  }
}

// In c3 the schedd was killed at 100 s (campaign.json) and was back at 105 s. It had forgotten what
// it had not yet written of the shadows that ran: when they began, and mostly that their programs
// had started; and it counted the shadows that took over as new ones. The log has all of that. Some
// shadows were killed too (truth.jsonl); the next one on the slot can fail before its first line.
constexpr double schedd_back_s = 105;

struct Forgotten {
  double shadow_time = 0;    // missing from RemoteWallClockTime
  std::size_t attempts = 0;  // at most so many more in NumShadowStarts
  std::size_t starts = 0;    // at most so many fewer in NumJobStarts
};

std::set<std::string> killed_shadows(Campaign const& campaign) {
  std::set<std::string> jobs;
  std::ifstream in(folder_of(campaign.folder) / "truth.jsonl");
  for (std::string line; std::getline(in, line);) {
    auto const deed = Json::parse(line);
    if (deed.at("kind") == "shadow_kill") jobs.insert(deed.at("job").get<std::string>());
  }
  return jobs;
}

Forgotten forgotten_of(Campaign const& campaign, condor::LoggedHistory const& logged,
                       std::size_t job) {
  Forgotten result;
  if (campaign.folder != "c3-ckpt") return result;
  result.attempts = killed_shadows(campaign).count(to_text(logged.history.jobs[job]));
  std::optional<double> began;
  for (auto const& event : logged.history.events) {
    if (event.job.index() != job) continue;
    double const at = event.at.value();
    if (event.kind == history::EventKind::matched) began = at;
    if (!history::ends_attempt(event.kind) || !began) continue;
    if (*began < schedd_back_s && at >= schedd_back_s) {
      result.shadow_time = schedd_back_s - *began;
      ++result.attempts;
      ++result.starts;
    }
    began.reset();
  }
  return result;
}

/// Seconds of attempts that had begun before their first line of log: the claim was activated, and
/// the input transfer had not started (epoch ads, one for each attempt).
double not_in_log(Campaign const& campaign, condor::LoggedHistory const& logged, std::size_t job,
                  std::vector<Json> const& epochs) {
  std::vector<double> logged_starts;
  double const zero = static_cast<double>(*logged.history.start_unix);
  for (auto const& event : logged.history.events) {
    if (event.job.index() != job || event.kind != history::EventKind::matched) continue;
    logged_starts.push_back(zero + event.at.value());
  }
  if (campaign.folder == "c3-ckpt" || logged_starts.size() != epochs.size()) return 0;
  double sum = 0;
  for (std::size_t a = 0; a < epochs.size(); ++a) {
    sum += std::max(0.0, logged_starts[a] - number(epochs[a], "JobCurrentStartDate"));
  }
  return sum;
}

/// The epoch ads of each job, in the order of its attempts.
std::map<std::string, std::vector<Json>> epochs_of(Campaign const& campaign) {
  std::ifstream in(folder_of(campaign.folder) / "epochs.json");
  std::map<std::string, std::vector<Json>> epochs;
  for (auto const& ad : Json::parse(in)) {
    auto const id = [&](char const* key) { return ad.at(key).get<std::uint32_t>(); };
    epochs[to_text(history::JobName{id("ClusterId"), id("ProcId")})].push_back(ad);
  }
  for (auto& [job, ads] : epochs) {
    std::sort(ads.begin(), ads.end(), [](Json const& a, Json const& b) {
      return number(a, "NumShadowStarts") < number(b, "NumShadowStarts");
    });
  }
  return epochs;
}

TEST_CASE("attempts, executions, holds and outcomes agree with the ads") {
  for (auto const& campaign : campaigns) {
    auto const logged = read(campaign);
    auto const ledger = account(logged.history);
    auto const ads = ads_of(campaign);
    REQUIRE(ledger.jobs.size() == ads.size());
    for (std::size_t j = 0; j < ledger.jobs.size(); ++j) {
      auto const name = to_text(ledger.job_names[j]);
      INFO(campaign.folder << " " << name);
      Json const& ad = ads.at(name);
      JobAccount const& job = ledger.jobs[j];
      auto const forgotten = forgotten_of(campaign, logged, j);
      CHECK(number(ad, "NumShadowStarts") >= static_cast<double>(job.attempts));
      CHECK(number(ad, "NumShadowStarts") <=
            static_cast<double>(job.attempts + forgotten.attempts));
      CHECK(number(ad, "NumJobStarts") <= static_cast<double>(job.executions));
      CHECK(number(ad, "NumJobStarts") + static_cast<double>(forgotten.starts) >=
            static_cast<double>(job.executions));
      CHECK(static_cast<double>(job.holds) == number(ad, "NumHolds"));
      CHECK(job.standing == standing_in(ad));
    }
  }
}

TEST_CASE("slot time is RemoteWallClockTime, a second an attempt aside") {
  for (auto const& campaign : campaigns) {
    auto const logged = read(campaign);
    auto const ledger = account(logged.history);
    auto const ads = ads_of(campaign);
    auto const epochs = epochs_of(campaign);
    double expected = 0, reported = 0, attempts = 0;
    for (std::size_t j = 0; j < ledger.jobs.size(); ++j) {
      auto const name = to_text(ledger.job_names[j]);
      INFO(campaign.folder << " " << name);
      JobAccount const& job = ledger.jobs[j];
      double const slot_time = job.classes.slot_time().value();
      double const wall = number(ads.at(name), "RemoteWallClockTime") +
                          forgotten_of(campaign, logged, j).shadow_time;
      double const unlogged = not_in_log(campaign, logged, j, epochs.at(name));
      CHECK(slot_time + unlogged == Approx(wall).margin(static_cast<double>(job.attempts)));
      expected += wall;
      reported += slot_time;
      attempts += static_cast<double>(job.attempts);
    }
    INFO(campaign.folder << ": " << attempts << " attempts");
    CHECK(reported == Approx(expected).margin(attempts));
  }
}

TEST_CASE("counted as condor_userlog counts, its goodput comes out") {
  struct Expected {
    std::string folder, log;
    double goodput;
  };
  for (auto const& expected :
       {Expected{"c1-sweep", "c1-sweep.log", 94.0}, Expected{"c3-ckpt", "c3-ckpt.log", 73.9},
        Expected{"c4-retry", "c4-retry.log", 84.4}}) {
    INFO(expected.folder);
    auto const totals = test::count_userlog(folder_of(expected.folder) / expected.log);
    CHECK(100 * totals.goodput() == Approx(expected.goodput).margin(0.05));
  }
}

TEST_CASE("condor_userlog and the ledger differ in transfers and in saved work") {
  auto const near = [](double seconds) { return Approx(seconds).margin(1.5); };
  for (auto const& [folder, saved] :
       std::map<std::string, double>{{"c1-sweep", 0}, {"c3-ckpt", 257}, {"c4-retry", 0}}) {
    INFO(folder);
    std::string const log = folder + ".log";
    auto const theirs = test::count_userlog(folder_of(folder) / log);
    auto const ledger = account(read({folder, log}).history);
    LedgerLines const& ours = ledger.total;
    double const output = ledger.classes[TimeClass::transfer_output].value();
    Seconds const executed = ours.compute_success + ours.compute_evicted + ours.compute_retried;
    Seconds const transfers =
        ours.transfer_success + ours.transfer_retried + ours.transfer_retried_unsuccessful;
    // Its wall time is execution and what came after it in the slot; input transfers are in ours.
    CHECK(theirs.wall.value() == near(executed.value() + output));
    CHECK(ours.wallclock().value() ==
          near(executed.value() + transfers.value() + ours.overhead.value() +
               ours.contact_lost.value() + ours.checkpoint.value()));
    // Its good time is that of runs that ended with 005; ours is also what checkpoints had saved of
    // runs that did not.
    CHECK(ours.compute_success.value() == near(theirs.good.value() - output + saved));
  }
}

}  // namespace
}  // namespace gridcast::ledger
