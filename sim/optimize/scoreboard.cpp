#include "sim/optimize/scoreboard.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "sim/base/text.hpp"

namespace gridcast::optimize {
namespace {

constexpr std::size_t first_batch = 8, largest_batch = 2000;
/// The share of a time that campaigns are planned for. The rest is for those that take longer.
constexpr double planned = 0.83;
constexpr double most_fixed = 1e9;

}  // namespace

std::optional<std::size_t> campaigns_in(std::string const& text) {
  constexpr std::size_t most_digits = 9;
  auto const digits = std::min(text.find_first_not_of("0123456789"), text.size());
  auto const unit = trim(std::string_view(text).substr(digits));
  if (digits > most_digits || (unit != "campaigns" && unit != "campaign")) return std::nullopt;
  return text_as<std::size_t>(std::string_view(text).substr(0, digits));
}

Budget Budget::of_replicas(std::size_t replicas) {
  Budget budget;
  budget.replicas_ = std::max<std::size_t>(1, replicas);
  return budget;
}

Budget Budget::of_time(std::chrono::duration<double> time) {
  Budget budget;
  budget.time_ = time;
  return budget;
}

double Budget::used() const {
  if (has_time()) return time_used_ / planned;
  return static_cast<double>(spent_) / static_cast<double>(replicas_);
}

bool Budget::late() const {
  return !has_time() && time_.count() > 0 && time_used_ >= planned * part_ + 1 - planned;
}

void Budget::fix() {
  if (!has_time() || interrupted_ || spent_ == 0) return;
  bool const is_used_up = over();
  double const of_part = static_cast<double>(spent_) / part_;
  double const rest = pace() * std::max(0.0, planned - time_used_) * time_.count();
  double const all =
      is_used_up ? of_part : std::max(of_part + 1, static_cast<double>(spent_) + rest);
  replicas_ = static_cast<std::size_t>(std::min(std::ceil(all), most_fixed));
}

std::optional<std::size_t> Budget::fixed() const {
  if (has_time() || interrupted_ || late()) return std::nullopt;
  return replicas_;
}

std::size_t Budget::left() const {
  if (over()) return 0;
  double const share = part_ - used();
  if (!has_time()) {
    return static_cast<std::size_t>(std::ceil(share * static_cast<double>(replicas_) - 1e-9));
  }
  if (spent_ == 0) return first_batch;
  constexpr double no_end = 1e12;
  return static_cast<std::size_t>(
      std::clamp(pace() * share * planned * time_.count(), 1.0, no_end));
}

std::size_t Budget::next_batch(std::size_t wanted) const {
  std::size_t most = largest_batch;
  if (time_.count() > 0) {
    most = first_batch;
    if (spent_ > 0) {
      most =
          static_cast<std::size_t>(std::clamp(pace(), double{first_batch}, double{largest_batch}));
    }
  }
  return std::min({wanted, left(), most});
}

void Budget::spend(std::size_t replicas, Clock::time_point from) {
  spent_ += replicas;
  simulating_ += Clock::now() - from;
  if (time_.count() > 0) time_used_ = (Clock::now() - started_) / time_;
}

/// False if it was interrupted.
bool Scoreboard::score(std::vector<Trial> const& batch) {
  for (std::size_t w = 0; w < weightings_.size(); ++w) {
    auto const found = weightings_[w](batch);
    if (found.size() != batch.size()) return false;
    for (std::size_t i = 0; i < batch.size(); ++i) scores_[w][batch[i].point].push_back(found[i]);
  }
  return true;
}

bool Scoreboard::extend(std::vector<Point> const& points, std::size_t replicas) {
  std::set<Point> const distinct(points.begin(), points.end());
  std::vector<Trial> missing;
  // Replica by replica, so that all points have about as many when the budget ends.
  for (std::size_t k = 0; k < replicas; ++k) {
    for (Point const& point : distinct) {
      if (scores(point).size() <= k) missing.push_back({point, static_cast<std::uint32_t>(k)});
    }
  }
  std::size_t next = 0;
  while (next < missing.size()) {
    if (budget_.over()) return false;
    std::size_t const n = budget_.next_batch(missing.size() - next);
    if (n == 0) return false;
    auto const from = Budget::Clock::now();
    auto const begin = missing.begin() + static_cast<std::ptrdiff_t>(next);
    std::vector<Trial> const batch(begin, begin + static_cast<std::ptrdiff_t>(n));
    if (!score(batch)) {
      budget_.interrupt();
      return false;
    }
    budget_.spend(n, from);
    next += n;
  }
  return true;
}

std::vector<double> const& Scoreboard::scores(Point const& point) const {
  static std::vector<double> const none;
  auto const* const found = find_in(scores_[shown_], point);
  return found == nullptr ? none : *found;
}

double Scoreboard::mean_score(Point const& point) const {
  double sum = 0, n = 0;
  for (double const score : scores(point)) {
    if (std::isnan(score)) continue;
    sum += score;
    ++n;
  }
  return n > 0 ? sum / n : nan;
}

void Scoreboard::sort_best_first(std::vector<Point>& points) const {
  std::ranges::stable_sort(points, std::greater<>(), [this](Point const& point) {
    double const mean = mean_score(point);
    return std::isnan(mean) ? -infinity : mean;
  });
}

std::vector<double> Scoreboard::differences(Point const& x, Point const& y) const {
  auto const& of_x = scores(x);
  auto const& of_y = scores(y);
  std::vector<double> result;
  for (std::size_t i = 0; i < std::min(of_x.size(), of_y.size()); ++i) {
    if (!std::isnan(of_x[i]) && !std::isnan(of_y[i])) result.push_back(of_x[i] - of_y[i]);
  }
  return result;
}

std::vector<Point> Scoreboard::ranked(std::size_t replicas) const {
  std::vector<std::pair<double, Point>> order;
  for (auto const& [point, scores] : scores_[shown_]) {
    double const mean = mean_score(point);
    if (scores.size() >= replicas && !std::isnan(mean)) order.emplace_back(mean, point);
  }
  std::ranges::stable_sort(order, [](auto const& a, auto const& b) { return a.first > b.first; });
  std::vector<Point> points;
  for (auto& [mean, point] : order) points.push_back(std::move(point));
  return points;
}

}  // namespace gridcast::optimize
