#include "sim/study/growing.hpp"

#include <algorithm>
#include <cmath>

#include "sim/base/error.hpp"

namespace gridcast::study {
namespace {

using Clock = std::chrono::steady_clock;

/// Enough for a median that means something, few enough to be there at once.
constexpr std::size_t first_part = 16;

/// How many more are likely to take `part`, given how long the last `played` ones took; but half as
/// many as there are, as each part costs something of its own, and what there is already grows surer
/// by its square root only.
std::size_t next_part(std::size_t all, std::size_t played, Clock::duration took,
                      std::chrono::milliseconds part) {
  double const seconds = std::max(1e-3, std::chrono::duration<double>(took).count());
  double const wanted = std::chrono::duration<double>(part).count();
  double const more = std::floor(static_cast<double>(played) / seconds * wanted);
  return std::max({first_part, all / 2, static_cast<std::size_t>(std::min(more, 1e9))});
}

}  // namespace

Prediction predict_growing(scenario::Scenario const& scenario, scenario::Strategy const& strategy,
                           StudyOptions options, std::chrono::milliseconds part,
                           std::function<void(Prediction const&)> const& seen) {
  check(!options.resume.empty(), "a growing prediction has a journal");
  std::size_t const all = options.replicas;
  std::size_t before = 0;
  options.replicas = std::min(all, first_part);
  while (true) {
    auto const begun = Clock::now();
    Prediction prediction = predict(scenario, strategy, options);
    prediction.requested = all;
    bool const ends = prediction.interrupted || !prediction.trouble.empty();
    if (ends || options.replicas == all) return prediction;
    seen(prediction);
    std::size_t const more =
        next_part(options.replicas, options.replicas - before, Clock::now() - begun, part);
    before = options.replicas;
    options.replicas += std::min(more, all - options.replicas);
  }
}

}  // namespace gridcast::study
