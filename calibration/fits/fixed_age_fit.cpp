#include "calibration/fits/fixed_age_fit.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "calibration/inference/partial_pooling.hpp"
#include "calibration/records/pilot_records.hpp"
#include "sim/base/random.hpp"
#include "sim/base/statistics.hpp"

namespace gridcast::calibration {

namespace {

constexpr double factor_for_one_age = 20;     // Bayes factor
constexpr std::size_t fewest_at_one_age = 3;  // ends at that age
constexpr double same_shutdown_s = 60;        // seconds, or
constexpr double same_share = 0.02;           // of the age
constexpr double reach_of_ages = 4;           // deviations
constexpr int sigma_steps = 6, steps_of_sigma = 4, hazard_steps = 12;
constexpr double least_age_sigma = 0.005, most_age_sigma = 0.1;
constexpr double log_range_of_ages = 4 * std::numbers::ln10;  // of ages beforehand
constexpr std::size_t most_lives_compared = 500;

double age_of(Life const& life) { return std::max((life.end - life.begin).value(), 0.5); }

/// So many of them at most, evenly chosen, and the number that each stands for.
struct Ages {
  std::vector<double> log_ages;
  double weight = 1;
};

Ages ages_of(std::vector<Life const*> const& lives) {
  Ages ages;
  std::size_t const kept = std::min(lives.size(), most_lives_compared);
  for (std::size_t i = 0; i < kept; ++i) {
    ages.log_ages.push_back(std::log(age_of(*lives[i * lives.size() / kept])));
  }
  if (kept > 0) ages.weight = static_cast<double>(lives.size()) / static_cast<double>(kept);
  return ages;
}

double near_to(Life const& life) { return std::max(same_shutdown_s, same_share * age_of(life)); }

/// One of each group that began and ended together, in order of their ends.
std::vector<Life const*> apart(std::vector<Life> const& lives) {
  std::vector<Life const*> ended;
  double widest = 0;
  for (Life const& life : lives) {
    if (!life.ended) continue;
    ended.push_back(&life);
    widest = std::max(widest, near_to(life));
  }
  std::stable_sort(ended.begin(), ended.end(),
                   [](Life const* a, Life const* b) { return a->end < b->end; });
  std::vector<Life const*> found;
  std::size_t recent = 0;
  for (Life const* const life : ended) {
    while (recent < found.size() && (life->end - found[recent]->end).value() > widest) ++recent;
    auto const together = [life](Life const* other) {
      return (life->end - other->end).value() <= near_to(*life) &&
             std::abs((life->begin - other->begin).value()) <= near_to(*life);
    };
    if (std::none_of(found.begin() + static_cast<std::ptrdiff_t>(recent), found.end(), together))
      found.push_back(life);
  }
  return found;
}

std::vector<double> hazards_beforehand(double ends, double exposure) {
  std::vector<double> found;
  double const least = std::log(0.1 / exposure), most = std::log(10 * ends / exposure);
  for (int i = 0; i < hazard_steps; ++i) {
    found.push_back(std::exp(least + (most - least) * (i + 0.5) / hazard_steps));
  }
  return found;
}

/// Density and survival function at an age.
struct Law {
  double density = 0, survival = 0;
};

// y = ln L - e, e exponential with mean r: with z = (m - y) / s and g = exp((y - m) / r + s^2 / (2
// r^2)) Phi(z - s / r) the density of y is g / r and its survival Phi(z) - g. If r is next to
// nothing, y is ln L.
Law law_at(double log_age, FixedAge const& law) {
  auto const phi = [](double z) { return 0.5 * std::erfc(-z / std::numbers::sqrt2); };
  double const z = (law.log_age - log_age) / law.sigma, r = law.late, s = law.sigma;
  double const at = std::exp(log_age);
  if (r < s / 5) {
    return {std::exp(-z * z / 2) / (s * std::sqrt(2 * std::numbers::pi) * at), phi(z)};
  }
  double const g = std::exp((log_age - law.log_age) / r + s * s / (2 * r * r)) * phi(z - s / r);
  return {g / (r * at), std::max(phi(z) - g, 0.0)};
}

/// ln of the mean of exp.
double log_mean(std::vector<double> const& logs) {
  double const most = *std::max_element(logs.begin(), logs.end());
  double sum = 0;
  for (double const each : logs) sum += std::exp(each - most);
  return most + std::log(sum / static_cast<double>(logs.size()));
}

class Comparison {
 public:
  Comparison(std::vector<Life> const& lives, std::vector<double> const& lates)
      : lates_(lates), ended_(ages_of(apart(lives))) {
    std::vector<Life const*> others;
    for (Life const& life : lives) {
      if (!life.ended) others.push_back(&life);
    }
    others_ = ages_of(others);
    for (Ages const* ages : {&ended_, &others_}) {
      for (double const log_age : ages->log_ages) {
        exposure_ += ages->weight * std::exp(log_age);
        longest_ = std::max(longest_, log_age);
      }
    }
    ends_ = ended_.weight * static_cast<double>(ended_.log_ages.size());
    hazards_ = hazards_beforehand(ends_, exposure_);
  }

  AgeComparison run() const {
    std::vector<double> without;
    for (double const hazard : hazards_) {
      without.push_back(ends_ * std::log(hazard) - hazard * exposure_);
    }
    AgeComparison found;
    std::vector<double> all;
    auto const reach = static_cast<int>(reach_of_ages * steps_of_sigma);
    for (double const late : lates_) {
      for (int i = 0; i < sigma_steps; ++i) {
        double const sigma = least_age_sigma * std::pow(most_age_sigma / least_age_sigma,
                                                        static_cast<double>(i) / (sigma_steps - 1));
        // Prior probability of a step of the grid of m.
        double const prior = std::log(sigma / steps_of_sigma / log_range_of_ages / sigma_steps /
                                      static_cast<double>(lates_.size()));
        for (int j = -reach; j <= reach; ++j) {
          FixedAge age{longest_ + j * sigma / steps_of_sigma, sigma, late};
          age.probability = log_likelihood(age) + prior;
          all.push_back(age.probability);
          found.ages.push_back(age);
        }
      }
    }
    found.log_factor =
        log_mean(all) + std::log(static_cast<double>(all.size())) - log_mean(without);
    to_probabilities(found.ages, &FixedAge::probability);
    summarize(found);
    return found;
  }

 private:
  double log_likelihood(FixedAge const& age) const {
    double of_others = 0;
    for (double const seen : others_.log_ages) {
      of_others += std::log(std::max(law_at(seen, age).survival, 1e-300));
    }
    std::vector<Law> ends;
    for (double const at : ended_.log_ages) ends.push_back(law_at(at, age));
    std::vector<double> logs;
    for (double const hazard : hazards_) {
      double sum = others_.weight * of_others - hazard * exposure_;
      for (Law const& end : ends) {
        sum += ended_.weight * std::log(hazard * end.survival + end.density + 1e-300);
      }
      logs.push_back(sum);
    }
    return log_mean(logs);
  }

  static void summarize(AgeComparison& found) {
    for (FixedAge const& each : found.ages) {
      found.age += each.probability * each.log_age;
      found.spread += each.probability * (reach_of_ages * each.sigma + 3 * each.late);
    }
    found.age = std::exp(found.age);
  }

  std::vector<double> const& lates_;
  Ages ended_, others_;
  double exposure_ = 0, ends_ = 0, longest_ = -HUGE_VAL;
  std::vector<double> hazards_;
};

/// The lives of a pilot's name, from its first job to its end, or to where it was last seen.
std::vector<Life> lives_of(PilotRecord const& pilot, AttemptRecords const& records) {
  std::vector<Life> lives;
  std::vector<std::pair<Seconds, bool>> ends;
  for (Seconds const at : pilot.deaths) ends.emplace_back(at, false);
  for (Seconds const at : pilot.shut_down) ends.emplace_back(at, true);
  std::sort(ends.begin(), ends.end());
  auto next = ends.begin();
  bool fresh = true;
  for (std::size_t const i : pilot.attempts) {
    AttemptRecord const& attempt = records.attempts[i];
    for (; next != ends.end() && attempt.start >= next->first; ++next) fresh = true;
    if (fresh) lives.push_back({.begin = attempt.start, .end = attempt.slot_end(), .attempts = {}});
    fresh = false;
    Life& life = lives.back();
    life.end = std::max(life.end, attempt.slot_end());
    if (next == ends.end()) continue;
    life.ended = true;
    life.end = next->first;
    life.reported = next->second;
    bool const with_it = std::abs((attempt.slot_end() - life.end).value()) <= same_instant.value();
    if (with_it) life.attempts.push_back(i);
  }
  return lives;
}

std::vector<std::vector<Life>> lives_of_pilots(history::JobHistory const& history,
                                               AttemptRecords const& records) {
  std::vector<std::vector<Life>> by_site(history.sites.size());
  for (PilotRecord const& pilot : make_pilot_records(history, records).pilots) {
    if (!records.attempts[pilot.attempts.front()].slot_known) continue;
    auto const lives = lives_of(pilot, records);
    auto& site = by_site[pilot.site.index()];
    site.insert(site.end(), lives.begin(), lives.end());
  }
  return by_site;
}

/// A site with too few evictions has none.
std::vector<std::vector<Life>> lives_of_claims(AttemptRecords const& records, std::size_t sites) {
  std::vector<std::size_t> taken(sites);
  for (AttemptRecord const& attempt : records.attempts) {
    if (attempt.site.valid() && taken_from_slot(attempt)) ++taken[attempt.site.index()];
  }
  std::vector<std::vector<Life>> by_site(sites);
  for (std::size_t i = 0; i < records.attempts.size(); ++i) {
    AttemptRecord const& attempt = records.attempts[i];
    if (!attempt.site.valid() || taken[attempt.site.index()] < fewest_at_one_age) continue;
    Life& life = by_site[attempt.site.index()].emplace_back();
    life.begin = attempt.start;
    life.end = attempt.slot_end();
    life.ended = taken_from_slot(attempt);
    if (life.ended) life.attempts.push_back(i);
  }
  return by_site;
}

/// Whether there are factor_for_one_age ends that may be at one age: near to that of the longest
/// observed life.
bool may_have_one(std::vector<Life> const& lives) {
  double longest = 0;
  for (Life const& life : lives) longest = std::max(longest, age_of(life));
  double const least = longest * std::exp(-2 * reach_of_ages * most_age_sigma);
  return static_cast<std::size_t>(std::count_if(lives.begin(), lives.end(), [&](Life const& life) {
           return life.ended && age_of(life) >= least;
         })) >= fewest_at_one_age;
}

struct Kind {
  char const *column, *sigma, *what, *are;
  std::vector<double> lates;
};
Kind const of_pilots{"pilot_life_s", "pilot_life_sigma", "pilots", "pilots that ended",
                     lates_of_pilots};
Kind const of_claims{"evict_after_s", "evict_sigma", "evictions", "claims that were vacated", {0}};

class FixedAges {
 public:
  FixedAges(history::JobHistory const& history, AttemptRecords& records, std::size_t draws,
            RandomStreams const& streams)
      : history_(history), records_(records), draws_(draws), streams_(streams) {}

  Fit run() {
    auto const pilots = lives_of_pilots(history_, records_);
    auto const claims = lives_of_claims(records_, history_.sites.size());
    for (std::size_t s = 0; s < history_.sites.size(); ++s) {
      look_at(of_pilots, pilots[s], history_.sites[s]);
      look_at(of_claims, claims[s], history_.sites[s]);
    }
    return std::move(fit_);
  }

 private:
  void look_at(Kind const& kind, std::vector<Life> const& lives, std::string const& site) {
    if (!may_have_one(lives)) return;
    AgeComparison const found = compare_ages(lives, kind.lates);
    if (found.log_factor < std::log(factor_for_one_age)) return;
    std::vector<Life const*> at_it;
    for (Life const& life : lives) {
      if (life.ended && found.holds(age_of(life))) at_it.push_back(&life);
    }
    if (at_it.size() < fewest_at_one_age) return;
    for (Life const* life : at_it) {
      for (std::size_t const i : life->attempts) records_.attempts[i].at_fixed_age = true;
    }
    auto const ended =
        std::count_if(lives.begin(), lives.end(), [](Life const& life) { return life.ended; });
    std::string const words = fmt::format("{} of {} {} did so at nearly one age, about {:.5g} s",
                                          at_it.size(), ended, kind.are, found.age);
    add_age(kind, site, found, at_it.size(), words);
    if (&kind == &of_pilots) add_reported(site, at_it);
    fit_.tests.push_back({fmt::format("{} at {} come at any age", kind.what, site),
                          "Bayes factor for one age, natural logarithm", found.log_factor, 0,
                          1 / (1 + std::exp(found.log_factor)), "rejected: " + words});
  }

  void add_age(Kind const& kind, std::string const& site, AgeComparison const& found,
               std::size_t events, std::string const& words) {
    std::vector<double> ages, sigmas_of_draws;
    std::string const name = std::string(kind.column) + "." + site;
    auto const drawn = [&](std::string_view stream) {
      return stratified_draws(bootstrap_stream(streams_, stream), draws_,
                              [](double x) { return x; });
    };
    // Uniform within a step of the grid.
    auto const nodes = drawn(name), within = drawn(name + " step");
    for (std::size_t i = 0; i < draws_; ++i) {
      FixedAge const& node = found.ages[pick(found.ages, &FixedAge::probability, nodes[i])];
      ages.push_back(std::exp(node.log_age + (within[i] - 0.5) * node.sigma / steps_of_sigma));
      sigmas_of_draws.push_back(node.sigma);
    }
    Estimate line =
        site_line(kind.column, site, "s",
                  std::string(kind.what) + " at one age, lognormal; posterior on a grid", events);
    line.fit = words;
    add_posterior(fit_, line, ages);
    fit_.draws.add(std::string(kind.sigma) + "." + site, sigmas_of_draws);
  }

  void add_reported(std::string const& site, std::vector<Life const*> const& lives) {
    auto const all = static_cast<double>(lives.size());
    auto const reported = static_cast<double>(
        std::count_if(lives.begin(), lives.end(), [](Life const* life) { return life->reported; }));
    std::string const name = "pilot_life_announced." + site;
    fit_.draws.add(name, stratified_draws(bootstrap_stream(streams_, name), draws_, [&](double u) {
                     return beta_quantile(u, reported + 0.5, all - reported + 0.5);
                   }));
  }

  history::JobHistory const& history_;
  AttemptRecords& records_;
  std::size_t draws_;
  RandomStreams const& streams_;
  Fit fit_;
};

}  // namespace

bool AgeComparison::holds(double at) const { return std::log(at / age) > -spread; }

AgeComparison compare_ages(std::vector<Life> const& lives, std::vector<double> const& lates) {
  return Comparison(lives, lates).run();
}

Fit fixed_age_fit(history::JobHistory const& history, AttemptRecords& records, std::size_t draws,
                  RandomStreams const& streams) {
  return FixedAges(history, records, draws, streams).run();
}

}  // namespace gridcast::calibration
