// The scores of points in replicas: replica k has the same random numbers at each point, so scores
// compare pair by pair. A score that is known is never simulated again.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/statistics.hpp"
#include "sim/optimize/knob.hpp"

namespace gridcast::optimize {

// The budget of a search: a number of simulated campaigns, or a time. With a number the search is a
// function of its seed. A time depends on the machine. It becomes a number where fix() is called:
// the whole is then what it would have been with this number.

/// "5000 campaigns", or "5000". Nothing for another text, such as a time.
std::optional<std::size_t> campaigns_in(std::string const& text);

class Budget {
 public:
  using Clock = std::chrono::steady_clock;

  static Budget of_replicas(std::size_t replicas);
  static Budget of_time(std::chrono::duration<double> time);

  /// Share that was used after the last campaigns, and whether the current part is used up. 1: all.
  double used() const;
  bool over() const { return interrupted_ || late() || used() >= part_; }
  /// From now on the budget ends at this share of it.
  void set_part(double share) { part_ = share; }
  /// Makes a time a number of campaigns, of which the current part has had its share. If the part
  /// has not used it all, the number is that which the rest of the time allows.
  void fix();
  /// The number of a fixed budget. None if the time has cut off a part of it since.
  std::optional<std::size_t> fixed() const;

  /// The number of campaigns to simulate next, of so many that are wanted: those that are left, and
  /// not more than a second's.
  std::size_t next_batch(std::size_t wanted) const;
  /// So many campaigns were simulated since `from`.
  void spend(std::size_t replicas, Clock::time_point from);
  std::size_t spent() const { return spent_; }
  /// The number of campaigns that are left in this part, as far as is known.
  std::size_t left() const;

  void interrupt() { interrupted_ = true; }
  bool interrupted() const { return interrupted_; }
  bool has_time() const { return replicas_ == 0; }

 private:
  /// True if a fixed budget is slower than its time allows.
  bool late() const;
  double pace() const { return static_cast<double>(spent_) / simulating_.count(); }

  std::size_t replicas_ = 0;               // 0: a time
  std::chrono::duration<double> time_{0};  // 0: none
  double time_used_ = 0;                   // share after the last campaigns
  Clock::time_point started_ = Clock::now();
  double part_ = 1;
  std::size_t spent_ = 0;
  std::chrono::duration<double> simulating_{0};
  bool interrupted_ = false;
};

struct Trial {
  Point point;
  std::uint32_t replica = 0;
};

/// The score of each trial: more is better, NaN if the replica failed. Empty: it was interrupted.
using Simulate = std::function<std::vector<double>(std::vector<Trial> const&)>;

// Several goals can be weighted in several ways. A trial is simulated once and has a score by each
// weighting. The board shows the scores by one of them at a time, at first the first one.
class Scoreboard {
 public:
  /// One function for each weighting. The first one simulates; the others score the same trials.
  Scoreboard(std::vector<Simulate> weightings, Budget& budget)
      : weightings_(std::move(weightings)), budget_(budget), scores_(weightings_.size()) {}
  Scoreboard(Simulate simulate, Budget& budget)
      : Scoreboard(std::vector<Simulate>{std::move(simulate)}, budget) {}

  std::size_t weightings() const { return weightings_.size(); }
  void weigh_by(std::size_t weighting) { shown_ = weighting; }

  /// Simulates until each point has so many replicas. False if the budget ends before.
  bool extend(std::vector<Point> const& points, std::size_t replicas);

  std::vector<double> const& scores(Point const& point) const;
  /// NaN without scores.
  double mean_score(Point const& point) const;
  /// By their means. Points without scores come last, in their order.
  void sort_best_first(std::vector<Point>& points) const;
  /// x - y in the replicas that both have.
  std::vector<double> differences(Point const& x, Point const& y) const;
  /// All points that have a replica, the best means among those with at least `replicas` first.
  std::vector<Point> ranked(std::size_t replicas) const;
  std::size_t points() const { return scores_.front().size(); }
  Budget const& budget() const { return budget_; }

 private:
  bool score(std::vector<Trial> const& batch);

  std::vector<Simulate> weightings_;
  Budget& budget_;
  std::vector<std::map<Point, std::vector<double>>> scores_;  // by weighting
  std::size_t shown_ = 0;
};

}  // namespace gridcast::optimize
