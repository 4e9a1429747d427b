// The budget of a search: a number of simulated campaigns, or a time. With a number the search is a
// function of its seed. A time depends on the machine, and so does the result.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>

namespace gridcast::optimize {

/// "5000 campaigns", or "5000". Nothing for another text, such as a time.
std::optional<std::size_t> campaigns_in(std::string const& text);

class Budget {
 public:
  using Clock = std::chrono::steady_clock;

  static Budget of_replicas(std::size_t replicas);
  static Budget of_time(std::chrono::duration<double> time);

  /// Share that is used, and whether the current part is used up. 1: all.
  double used() const;
  bool over() const { return interrupted_ || used() >= part_; }
  /// From now on the budget ends at this share of it.
  void set_part(double share) { part_ = share; }

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
  std::size_t replicas_ = 0;  // 0: a time
  std::chrono::duration<double> time_{0};
  Clock::time_point started_ = Clock::now();
  double part_ = 1;
  std::size_t spent_ = 0;
  std::chrono::duration<double> simulating_{0};
  bool interrupted_ = false;
};

}  // namespace gridcast::optimize
