#include "sim/import/ads_of_logs.hpp"

#include <cmath>
#include <cstdint>
#include <map>

namespace gridcast::import {
namespace {

constexpr double widest_zones_s = 26 * 3600;
constexpr double stamps_apart_s = 2;  // of two daemons

bool same_in_some_zone(double a_s, double b_s) {
  constexpr double quarter_s = 900;
  double const apart = std::abs(a_s - b_s);
  return apart <= widest_zones_s + stamps_apart_s &&
         std::abs(std::remainder(apart, quarter_s)) <= stamps_apart_s;
}

/// When a job of the log came and when it was last heard of, Unix seconds by the log's clock.
struct Life {
  double begin = 0, end = 0;
};

std::map<history::JobName, Life> lives_of(history::JobHistory const& log) {
  std::map<history::JobName, Life> lives;
  auto const start = static_cast<double>(log.start_unix.value_or(0));
  for (history::JobEvent const& event : log.events) {
    double const at = start + event.at.value();
    auto const [life, fresh] = lives.try_emplace(log.jobs[event.job.index()], Life{at, at});
    if (!fresh) life->second.end = at;
  }
  return lives;
}

bool is_of(condor::AdsOfJob const& ads, Life const& life) {
  if (ads.facts.q_date) {
    return same_in_some_zone(static_cast<double>(*ads.facts.q_date), life.begin);
  }
  if (ads.transfers.empty()) return false;
  auto const start = static_cast<double>(ads.transfers.front().start);
  return start >= life.begin - widest_zones_s && start <= life.end + widest_zones_s;
}

}  // namespace

bool are_of_log(condor::JobAds const& ads, history::JobHistory const& log) {
  auto const lives = lives_of(log);
  std::size_t known = 0, same = 0;
  for (auto const& [name, job] : ads.jobs) {
    auto const life = lives.find(name);
    if (life == lives.end()) continue;
    ++known;
    same += is_of(job, life->second) ? 1 : 0;
  }
  return same > 0 && 2 * same >= known;
}

}  // namespace gridcast::import
