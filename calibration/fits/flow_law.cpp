#include "calibration/fits/flow_law.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "calibration/inference/special_functions.hpp"
#include "sim/base/statistics.hpp"

namespace gridcast::calibration {

namespace {

constexpr double least_of_duration = 1e-12;
// A long transfer beside thousands of short ones sees no more than their mean in so many parts.
constexpr std::size_t most_pieces = 64;

double rate(FlowLaw const& law, double flows) {
  return std::min(law.stream_limit, law.link_capacity / std::max(flows, 1.0));
}

/// The stretch, and its derivative by the duration.
struct Stretch {
  double x = 0;
  double slope = 0;
};

Stretch stretch_of(FlowTry const& one, FlowLaw const& law, double until) {
  double const latency = one.urls * law.latency;
  if (until <= 0) return {};
  if (one.bytes <= 0) return {until / latency, 1 / latency};
  double const fixed = one.first_byte ? std::min(*one.first_byte, until) : -1;
  // Backwards from the end: the bytes that have flowed since `at`.
  double const last_rate = rate(law, one.pieces.back().flows);
  double at = until, flowed = 0, piece_begin = one.seconds;
  for (std::size_t i = one.pieces.size(); i-- > 0;) {
    piece_begin -= one.pieces[i].seconds;
    double const from = i == 0 ? 0 : std::max(0.0, piece_begin);
    if (from >= at) continue;
    double const r = rate(law, one.pieces[i].flows);
    if (fixed >= 0) {
      if (from <= fixed) return {(flowed + r * (at - fixed)) / one.bytes, last_rate / one.bytes};
    } else if (one.bytes * from <= latency * (flowed + r * (at - from))) {
      double const begin = latency * (flowed + r * at) / (one.bytes + latency * r);
      return {(flowed + r * (at - begin)) / one.bytes, last_rate / (latency * r + one.bytes)};
    }
    flowed += r * (at - from);
    at = from;
  }
  return {flowed / one.bytes, last_rate / one.bytes};
}

/// All in one walk back over the pieces, as their rates are the expensive part.
StampTimes stretches_of(FlowTry const& one, FlowLaw const& law, StampTimes const& untils) {
  StampTimes x{};
  StampTimes beyond{};  // flow from the recorded end to `until`; negative before it
  if (one.bytes <= 0 || one.first_byte) {
    std::ranges::transform(untils, x.begin(),
                           [&](double until) { return stretch_of(one, law, until).x; });
    return x;
  }
  double const latency = one.urls * law.latency;
  double flowed = 0, end = one.seconds;
  std::size_t entered = 0, done = 0;
  for (std::size_t i = one.pieces.size(); i-- > 0 && done < untils.size();) {
    double const begin = end - one.pieces[i].seconds;
    double const from = i == 0 ? 0 : std::max(0.0, begin);
    double const r = rate(law, one.pieces[i].flows);
    for (; entered < untils.size() && untils[entered] > from; ++entered) {
      beyond[entered] = r * (untils[entered] - end) - flowed;
    }
    flowed += r * (end - from);
    for (; done < entered && one.bytes * from <= latency * (flowed + beyond[done]); ++done) {
      double const since = flowed + beyond[done];
      double const first = latency * (since + r * from) / (one.bytes + latency * r);
      x[done] = (since - r * (first - from)) / one.bytes;
    }
    end = from;
  }
  return x;
}

/// Steps of the load of one site's link.
class SiteLoad {
 public:
  void add(double from, double to, double load) {
    if (load <= 0 || to <= from) return;
    steps_.emplace_back(from, load);
    steps_.emplace_back(to, -load);
  }

  void settle() {
    std::ranges::sort(steps_);
    double sum = 0;
    for (auto& [at, load] : steps_) load = sum += load;
  }

  /// From `from` to `to`, with `own` of it the caller's, which counts as one; at least one piece.
  std::vector<FlowPiece> pieces(double from, double to, double own) const {
    auto next =
        std::ranges::upper_bound(steps_, from, {}, [](auto const& step) { return step.first; });
    double load = next == steps_.begin() ? 0 : std::prev(next)->second;
    auto const flows_now = [&] { return std::max(1.0, load - own + 1); };
    std::vector<FlowPiece> pieces;
    if (from >= to) pieces.push_back({0, flows_now()});
    while (from < to) {
      double const until = next == steps_.end() ? to : std::min(to, next->first);
      double const flows = flows_now();
      if (until > from) {
        if (!pieces.empty() && std::abs(pieces.back().flows - flows) < 1e-9) {
          pieces.back().seconds += until - from;
        } else {
          pieces.push_back({until - from, flows});
        }
      }
      from = until;
      if (next != steps_.end()) load = (next++)->second;
    }
    return pieces.size() > most_pieces ? coarse(pieces) : pieces;
  }

 private:
  static std::vector<FlowPiece> coarse(std::vector<FlowPiece> const& fine) {
    auto const total = sum_of<double>(fine, &FlowPiece::seconds);
    double const length = total / static_cast<double>(most_pieces);
    std::vector<FlowPiece> pieces(most_pieces, {length, 0});
    double at = 0;
    for (FlowPiece const& piece : fine) {
      double left = piece.seconds;
      while (left > 1e-12) {
        auto const bin = std::min(most_pieces - 1, static_cast<std::size_t>(at / length));
        double const here = bin + 1 == most_pieces
                                ? left
                                : std::min(left, static_cast<double>(bin + 1) * length - at);
        double const part = std::max(here, 1e-12);
        pieces[bin].flows += piece.flows * part / length;
        at += part;
        left -= part;
      }
    }
    for (FlowPiece& piece : pieces) piece.flows = std::max(1.0, piece.flows);
    return pieces;
  }

  std::vector<std::pair<double, double>> steps_;  // from then on so much
};

double load_of(TransferTry const& one, double timer_load) {
  switch (one.end_kind) {
    case TransferEnd::by_client:
    case TransferEnd::hung:
      return 0;
    case TransferEnd::by_timer:
      return timer_load * one.load;
    default:
      return one.load;
  }
}

}  // namespace

double FlowTry::stretch(FlowLaw const& law, double until) const {
  return stretch_of(*this, law, until).x;
}

LogNormal FlowTry::noise(FlowLaw const& law) const {
  if (urls <= 1) return {0, law.sigma};
  double const variance = law.sigma * law.sigma;
  double const of_mean = std::log1p(std::expm1(variance) / urls);
  return {(variance - of_mean) / 2, std::sqrt(of_mean)};
}

double FlowTry::z(FlowLaw const& law, double stretch) const {
  LogNormal const own = noise(law);
  return (std::log(std::max(stretch, 1e-300)) - own.mu) / own.sigma;
}

StampTimes FlowTry::between_stamps() const {
  constexpr double near = 0.2113248654051871, far = 0.7886751345948129;
  return {seconds + far * tick, seconds + near * tick, seconds - near * tick, seconds - far * tick};
}

StampTimes FlowTry::stretches(FlowLaw const& law, StampTimes const& untils) const {
  return stretches_of(*this, law, untils);
}

// Two stamps, each anywhere in its tick: a triangle around the time between them. Computed as the
// second difference of the integral of F, by Gauss's two points for each of the two ticks; its
// variance, a sixth of the tick's square, is exact.
double log_of_stamps(StampTimes const& below) {
  double const p = (below[0] - below[3]) / 2 + (below[1] - below[2]) / 2;
  return std::log(std::max(p, least_of_duration));
}

double FlowTry::log_wait(FlowLaw const& law) const {
  constexpr double resolution = 1e-3;
  if (!first_byte || bytes <= 0) return 0;
  return -*first_byte / law.latency + std::log(-std::expm1(-resolution / law.latency)) -
         std::log(resolution);
}

double FlowTry::log_arrived(FlowLaw const& law) const {
  if (!timed) {
    StampTimes below = stretches(law, between_stamps());
    for (double& x : below) x = x > 0 ? normal_cdf(z(law, x)) : 0;
    return log_of_stamps(below);
  }
  Stretch const own = stretch_of(*this, law, seconds);
  if (own.x <= 0 || own.slope <= 0) return std::log(least_of_duration);
  double const at = z(law, own.x);
  return log_wait(law) - at * at / 2 - std::log(noise(law).sigma * own.x * std::sqrt(2 * M_PI)) +
         std::log(own.slope);
}

// Over u = -ln(fraction), uniform from 0 to w, the mean of Phi(z - u / sigma) and of its density.
double FlowTry::log_slowed(FlowLaw const& law) const {
  double const width = std::log(100.0), sigma = noise(law).sigma, far = width / sigma;
  if (!timed) {
    auto const integral = [](double z) {
      return z * normal_cdf(z) + std::exp(-z * z / 2) / std::sqrt(2 * M_PI);
    };
    StampTimes below = stretches(law, between_stamps());
    for (double& x : below) {
      double const at = x > 0 ? z(law, x) : 0;
      x = x > 0 ? std::min(1.0, (integral(at) - integral(at - far)) / far) : 0;
    }
    return log_of_stamps(below);
  }
  Stretch const own = stretch_of(*this, law, seconds);
  if (own.x <= 0 || own.slope <= 0) return std::log(least_of_duration);
  double const at = std::min(z(law, own.x), far - z(law, own.x));  // symmetric; exact in both tails
  double const within = normal_cdf(at) - normal_cdf(at - far);
  return log_wait(law) + std::log(std::max(within, 1e-300) / width * own.slope / own.x);
}

double FlowTry::log_longer(FlowLaw const& law) const {
  double const x = stretch(law);
  return x > 0 ? log_normal_cdf(-z(law, x)) : 0;
}

std::vector<std::vector<FlowTry>> flow_tries(TransferRecords const& records, std::size_t sites,
                                             double timer_load) {
  std::vector<SiteLoad> loads(sites);
  bool sized = false;
  for (TransferTry const& one : records.tries) {
    sized = sized || one.bytes > Bytes();
    Seconds const from = one.start + one.first_byte.value_or(Seconds());
    loads[one.site.index()].add(from.value(), one.end.value(), load_of(one, timer_load));
  }
  for (SiteLoad& load : loads) load.settle();
  std::vector<std::vector<FlowTry>> tries(sites);
  for (TransferTry const& one : records.tries) {
    FlowTry flow;
    flow.seconds = one.duration().value();
    flow.bytes = one.bytes.value();
    flow.urls = one.urls;
    if (one.first_byte) flow.first_byte = one.first_byte->value();
    flow.timed = one.timed && flow.seconds > 0;
    flow.tick = records.tick;
    flow.end_kind = one.end_kind;
    if (sized && flow.bytes > 0) {
      flow.pieces = loads[one.site.index()].pieces(one.start.value(), one.end.value(),
                                                   load_of(one, timer_load));
    }
    tries[one.site.index()].push_back(std::move(flow));
  }
  return tries;
}

double broken_before(CutView view, TransferEnd end) {
  if (view == CutView::healthy) return 0.02;
  return end == TransferEnd::by_timer ? 0.5 : 0.1;
}

double log_factor(FlowTry const& one, FlowLaw const& law, CutView view) {
  constexpr double slow_before = 0.1;
  switch (one.end_kind) {
    case TransferEnd::arrived: {
      double const healthy = one.log_arrived(law);
      if (view != CutView::slow) return healthy;
      return log_sum_exp(std::log(1 - slow_before) + healthy,
                         std::log(slow_before) + one.log_slowed(law));
    }
    case TransferEnd::by_timer:
    case TransferEnd::cut: {
      double const broken = broken_before(view, one.end_kind);
      return log_sum_exp(std::log(broken), std::log(1 - broken) + one.log_longer(law));
    }
    default:
      return 0;
  }
}

}  // namespace gridcast::calibration
