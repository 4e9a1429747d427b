// Made-up campaigns of known parameters, as event logs show them: a small generator of its own,
// which knows nothing of the simulator, so that fits and simulator cannot share a mistake.
#pragma once

#include <algorithm>
#include <cmath>
#include <queue>
#include <string>
#include <vector>

#include "sim/base/random.hpp"
#include "sim/history/job_history.hpp"

namespace gridcast::test {

struct MadeSite {
  std::string name;
  int slots = 4;
  double url_median = 2, url_sigma = 0.4, url_failure = 0.05;
  double speed = 1, crash = 0.05, evict = 0;  // evict: a second
};

struct MadeCampaign {
  std::vector<MadeSite> sites = {{"SITE-A", 6, 2, 0.4, 0.02, 1.0, 0.03, 0},
                                 {"SITE-B", 4, 4, 0.6, 0.10, 1.5, 0.05, 1.0 / 40},
                                 {"SITE-C", 4, 1, 0.3, 0.05, 0.8, 0.10, 1.0 / 120},
                                 {"SITE-D", 2, 1.5, 0.5, 0.30, 1.2, 0.25, 0}};
  int jobs = 80;
  double work = 16, job_sigma = 0.3, release_shift = 2, release_mean = 15, match_mean = 1.3;
  bool ads = true;
};

/// Plays it slot by slot, stamps rounded down to seconds.
class MadePlay {
 public:
  MadePlay(MadeCampaign const& campaign, std::uint64_t seed)
      : campaign_(campaign), random_(RandomStreams(seed, 0).stream(Purpose::test, 1)) {}

  history::JobHistory run_all() {
    for (auto const& site : campaign_.sites) history_.site_named(site.name);
    history_.urls = {"osdf:///input"};
    for (int j = 0; j < campaign_.jobs; ++j) {
      history_.jobs.push_back({1, static_cast<std::uint32_t>(j)});
      log(0, static_cast<std::size_t>(j), history::EventKind::submitted);
      factors_.push_back(std::exp(campaign_.job_sigma * normal()));
      idle_.push({0, static_cast<std::size_t>(j)});
    }
    starts_.resize(static_cast<std::size_t>(campaign_.jobs));
    for (std::size_t s = 0; s < campaign_.sites.size(); ++s) {
      for (int i = 0; i < campaign_.sites[s].slots; ++i) {
        std::size_t const slot = history_.slots.size();
        history_.slots.push_back("slot1_" + std::to_string(i + 1) + "@glidein_" +
                                 std::to_string(s) + "@host");
        free_.push({0, slot});
        site_of_.push_back(s);
      }
    }
    while (!idle_.empty()) {
      auto const [free, slot] = free_.top();
      auto const [ready, job] = idle_.top();
      free_.pop();
      idle_.pop();
      attempt(std::max(free, ready) - campaign_.match_mean * std::log(random_.uniform()), job,
              slot);
    }
    std::stable_sort(history_.events.begin(), history_.events.end(),
                     [](auto const& a, auto const& b) { return a.at < b.at; });
    return history_;
  }

 private:
  struct At {
    double time;
    std::size_t what;
    bool operator<(At const& other) const {
      return time != other.time ? time > other.time : what > other.what;
    }
  };

  double normal() {
    double const u = random_.uniform();
    return std::sqrt(-2 * std::log(u)) * std::cos(2 * M_PI * random_.uniform());
  }

  void log(double at, std::size_t job, history::EventKind kind,
           history::Reason reason = history::Reason::none) {
    history::JobEvent event;
    event.at = Seconds(std::floor(at));
    event.job = Id<history::Job>(job);
    event.kind = kind;
    event.reason = reason;
    if (kind != history::EventKind::submitted && kind != history::EventKind::released) {
      event.site = Id<history::Site>(site_of_[slot_]);
      event.slot = static_cast<std::uint32_t>(slot_);
    }
    history_.events.push_back(event);
  }

  void attempt(double start, std::size_t job, std::size_t slot) {
    slot_ = slot;
    MadeSite const& site = campaign_.sites[site_of_[slot]];
    ++starts_[job];
    log(start, job, history::EventKind::transfer_input_started);
    double const evicted =
        site.evict > 0 ? start - std::log(random_.uniform()) / site.evict : HUGE_VAL;
    bool const fails = random_.chance(site.url_failure);
    double const whole = site.url_median * std::exp(site.url_sigma * normal());
    double const transfer = fails ? whole / 2 : whole;
    bool const crashes = random_.chance(site.crash);
    double const share = random_.uniform();
    double const compute = campaign_.work * factors_[job] / site.speed * (crashes ? share : 1);
    double const ready = start + transfer;
    double const end = ready + (fails ? 0 : compute);
    if (campaign_.ads && ready < evicted) {
      history_.transfers.push_back({Id<history::Job>(job), starts_[job], 0, false, !fails,
                                    Seconds(std::floor(start)), Seconds(std::floor(ready)),
                                    Seconds(transfer), Bytes(200000)});
    }
    if (!fails && ready < evicted) log(ready, job, history::EventKind::executing);
    if (evicted < end) {
      log(evicted, job, history::EventKind::evicted, history::Reason::vacated);
      idle_.push({evicted, job});
      free_.push({evicted, slot});
      return;
    }
    free_.push({end, slot});
    if (fails) {
      log(end, job, history::EventKind::held, history::Reason::transfer_failed);
      double const released =
          end + campaign_.release_shift - campaign_.release_mean * std::log(random_.uniform());
      log(released, job, history::EventKind::released);
      idle_.push({released, job});
      return;
    }
    log(end, job, history::EventKind::transfer_output_started);
    log(end, job, crashes ? history::EventKind::requeued : history::EventKind::terminated,
        crashes ? history::Reason::exit_code : history::Reason::none);
    if (crashes) idle_.push({end, job});
  }

  MadeCampaign const& campaign_;
  RandomStream random_;
  history::JobHistory history_;
  std::vector<double> factors_;
  std::vector<std::uint32_t> starts_;
  std::vector<std::size_t> site_of_;
  std::priority_queue<At> free_, idle_;
  std::size_t slot_ = 0;
};

/// The true values that the fits should find, by parameter.
inline std::vector<std::pair<std::string, double>> truth_of(MadeCampaign const& campaign) {
  double log_speed = 0;
  for (auto const& site : campaign.sites) log_speed += std::log(site.speed);
  double const mean = std::exp(log_speed / static_cast<double>(campaign.sites.size()));
  std::vector<std::pair<std::string, double>> truth = {
      {"work_s", campaign.work / mean},
      {"job_sigma", campaign.job_sigma},
      {"release_delay_mean_s", campaign.release_shift + campaign.release_mean}};
  for (auto const& site : campaign.sites) {
    truth.push_back({"latency_s." + site.name, site.url_median});
    truth.push_back({"rate_sigma." + site.name, site.url_sigma});
    truth.push_back({"url_failure." + site.name, site.url_failure});
    truth.push_back({"speed." + site.name, site.speed / mean});
    truth.push_back({"crash." + site.name, site.crash});
    truth.push_back({"evict_per_s." + site.name, site.evict});
  }
  return truth;
}

}  // namespace gridcast::test
