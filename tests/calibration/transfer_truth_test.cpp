// Links and outages that were fitted to campaigns of a real pool
// (calibration/data/htcondor-transfer), held against the parameters that the pool was run with. It
// prints the table; docs/calibration.md names the command.
#include <fstream>
#include <iostream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "calibration/fits/transfer_fit.hpp"
#include "tests/calibration/transfer_campaigns.hpp"

namespace gridcast::calibration {
namespace {

constexpr std::size_t draws = 200;

struct Judged {
  std::size_t cases = 0, inside = 0;
};

Fit fit_of(std::string const& campaign) {
  auto const history = test::transfer_history(campaign);
  TransferFitInput input;
  input.urls = urls_of(history);
  return transfer_fit(history, make_attempt_records(history), input, draws, RandomStreams(1, 0));
}

Estimate const& line(Fit const& fit, std::string const& name) {
  return *std::find_if(fit.estimates.begin(), fit.estimates.end(),
                       [&](Estimate const& each) { return each.name == name; });
}

void judge(Judged& judged, std::string const& campaign, Estimate const& estimate, double truth) {
  bool const inside = estimate.interval90.low <= truth && truth <= estimate.interval90.high;
  ++judged.cases;
  judged.inside += inside ? 1 : 0;
  std::cout << fmt::format("{:6} {:26} {:>9.4g} {:>9.4g} to {:<9.4g} {:>9.4g} {}\n", campaign,
                           estimate.name, estimate.estimate, estimate.interval90.low,
                           estimate.interval90.high, truth, inside ? "" : "outside");
}

nlohmann::json truth_of(std::string const& campaign) {
  return nlohmann::json::parse(std::ifstream(test::transfer_campaign(campaign) / "sites.json"));
}

void judge_links(Judged& judged, std::string const& campaign, Fit const& fit) {
  auto const sites = truth_of(campaign).at("sites");
  for (auto const& [site, truth] : sites.items()) {
    judge(judged, campaign, line(fit, "link_capacity_Bps." + site),
          1e6 * truth.at("link_mb_s").get<double>());
    judge(judged, campaign, line(fit, "stream_limit_Bps." + site),
          1e6 * truth.at("stream_mb_s").get<double>());
    judge(judged, campaign, line(fit, "rate_sigma." + site), truth.at("xfer_sigma"));
  }
}

/// All caches or paths together: their mean, as the calibration has one law for all.
void judge_outages(Judged& judged, std::string const& campaign, Fit const& fit) {
  auto const data = truth_of(campaign).at("data");
  judge(judged, campaign, line(fit, "stall_when_quiet"), data.at("p_stall_good"));
  if (data.at("p_stall_bad") == data.at("p_stall_good")) return;
  judge(judged, campaign, line(fit, "stall_when_bad"), data.at("p_stall_bad"));
  double fraction = 0, duration = 0;
  auto const& bad = data.at("bad");
  for (auto const& each : bad) {
    fraction += each.at("frac_bad").get<double>() / static_cast<double>(bad.size());
    duration += each.at("mean_bad_s").get<double>() / static_cast<double>(bad.size());
  }
  judge(judged, campaign, line(fit, "stall_bad_fraction"), fraction);
  judge(judged, campaign, line(fit, "stall_bad_duration_s"), duration);
}

double weight(Fit const& fit, std::string const& part) {
  double sum = 0;
  for (HypothesisProbability const& each : fit.hypotheses) {
    if (each.name.find(part) != std::string::npos) sum += each.probability;
  }
  return sum;
}

}  // namespace

TEST_CASE("Links and outages of a real pool against its truth", "[slow]") {
  struct Campaign {
    char const* name;
    char const* scope;  // of the truth; a path is a node here, as each startd asks one cache first
    char const* kind;
  };
  Judged judged;
  std::cout << fmt::format("{:6} {:26} {:>9} {:>9}    {:9} {:>9}\n", "", "parameter", "estimate",
                           "90 %", "interval", "truth");
  for (Campaign const& campaign : {Campaign{"w1.r1", ", cache", "dead"},
                                   {"w3.r1", ", cache", "dead"},
                                   {"w5.r1", ", path", "dead"},
                                   {"g1.r1", "none", "none"}}) {
    CAPTURE(campaign.name);
    Fit const fit = fit_of(campaign.name);
    judge_links(judged, campaign.name, fit);
    judge_outages(judged, campaign.name, fit);
    for (HypothesisProbability const& each : fit.hypotheses) {
      // Outages so rare that nothing shows of them are in the prior of what is dead: of a bad share
      // below 0.05 Beta(1, 2) has a tenth. So no record of congestion is against these by much
      // more.
      bool const may_be_rare =
          std::string_view(campaign.kind) == "none" && each.name.starts_with("dead");
      if (may_be_rare) CHECK(each.log_bayes_factor > -3);
      if (each.probability < 0.005) continue;
      std::cout << fmt::format(
          "{:6} {:42} posterior {:.3f}, prior {:.3f}, ln(Bayes factor) {:.1f}\n", campaign.name,
          each.name, each.probability, each.prior, each.log_bayes_factor);
      bool const right = each.name.find(campaign.scope) != std::string::npos &&
                         each.name.find(campaign.kind) != std::string::npos;
      if (!right) CHECK(each.probability <= 0.8);
    }
    std::string const twin = std::string(campaign.scope) == ", path" ? ", node" : "nothing else";
    CHECK(weight(fit, campaign.scope) + weight(fit, twin) > 0.5);
  }
  std::cout << fmt::format(
      "{} of {} truths inside the 90 % interval: {:.0f} %\n", judged.inside, judged.cases,
      100.0 * static_cast<double>(judged.inside) / static_cast<double>(judged.cases));
  CHECK(judged.cases == 61);
  CHECK(static_cast<double>(judged.inside) >= 0.85 * static_cast<double>(judged.cases));
}

// Without ads all times are whole seconds, and what a job received is all that is known of sizes.
// Links that nothing limits come out as their priors, and hypotheses as far apart as tens of
// transfers can put them.
TEST_CASE("Logs without ads give possible values of links and outages", "[slow]") {
  struct Log {
    char const* path;
    double received;  // bytes, most jobs'
    double least_of_none, most_of_slow;
  };
  for (Log const& log : {Log{"htcondor-transfer/g1.r1/g1.r1.log", 900e6, 0.3, 0.8},
                         {"htcondor-transfer/w1.r1/w1.r1.log", 900e6, 0, 0.8},
                         {"metl-ospool/metl_12636954.log", 0, 0, 1}}) {
    CAPTURE(log.path);
    auto const history = test::history_of_log(log.path);
    TransferFitInput input;
    input.urls = {{Bytes(log.received)}, false};
    Fit const fit =
        transfer_fit(history, make_attempt_records(history), input, draws, RandomStreams(1, 0));
    for (Estimate const& each : fit.estimates) {
      bool const rate = each.name.find("_Bps.") != std::string::npos;
      if (!rate && !each.name.starts_with("latency_s.")) continue;
      CAPTURE(each.name);
      CHECK(each.estimate > (rate ? 1e3 : 1e-4));
      CHECK(each.estimate < (rate ? 1e12 : 1e4));
    }
    for (HypothesisProbability const& each : fit.hypotheses) {
      std::cout << fmt::format("{} {:42} posterior {:.3f}, ln(Bayes factor) {:.1f}\n", log.path,
                               each.name, each.probability, each.log_bayes_factor);
      CHECK(std::abs(each.log_bayes_factor) < 100);
    }
    if (fit.hypotheses.empty()) continue;
    CHECK(weight(fit, "none") >= log.least_of_none);
    CHECK(weight(fit, "slow, ") <= log.most_of_slow);
  }
}

}  // namespace gridcast::calibration
