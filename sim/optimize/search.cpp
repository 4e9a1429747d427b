#include "sim/optimize/search.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include <fmt/format.h>
#include <nlopt.hpp>

#include "sim/base/error.hpp"
#include "sim/base/random.hpp"
#include "sim/base/statistics.hpp"
#include "sim/optimize/additive_model.hpp"
#include "sim/optimize/knob.hpp"

namespace gridcast::optimize {
namespace {

/// Searches, and the choice between their points, have seeds that are far from each other, as each
/// uses a few of the next ones (optimum.cpp).
std::uint64_t seed_of_search(std::uint64_t seed, std::uint32_t search) {
  constexpr std::uint64_t apart = 1000;
  return seed + apart * (std::uint64_t{search} + 1);
}

study::Record record_of(std::vector<Point> const& points) {
  study::Record record;
  for (std::size_t i = 0; i < points_kept; ++i) {
    for (auto const& value : points[i < points.size() ? i : 0]) {
      record.push_back(value.value_or(nan));
    }
  }
  return record;
}

Point point_in(study::SharedRecord const& record, std::size_t place) {
  std::size_t const settings = record.size() / points_kept;
  Point point;
  for (std::size_t i = 0; i < settings; ++i) {
    double const value = record[place * settings + i];
    point.push_back(std::isnan(value) ? std::nullopt : std::optional(value));
  }
  return point;
}

/// The point with the best mean; NaN is worse than any.
std::size_t leader_of(Scoreboard const& board, std::vector<Point> const& points) {
  std::size_t best = 0;
  double score = board.mean_score(points.front());
  for (std::size_t i = 1; i < points.size(); ++i) {
    double const own = board.mean_score(points[i]);
    if (std::isnan(own) || own <= score) continue;
    best = i;
    score = own;
  }
  return best;
}

/// Drops the points that are worse than the leader; whether one of the others may still be better
/// or worse than it by more than the indifference.
bool drop_losers(Scoreboard const& board, std::vector<Point>& left, SelectionOptions const& options,
                 double error) {
  Point const leader = left[leader_of(board, left)];
  bool open = false;
  std::erase_if(left, [&](Point const& point) {
    if (point == leader) return false;
    auto const behind = board.differences(leader, point);
    if (behind.size() < 2) return false;
    auto const interval = mean_interval(behind, 1 - 2 * error);
    if (interval.low > 0) return true;
    open = open || interval.high > options.indifference;
    return false;
  });
  return open && left.size() > 1;
}

/// Refines the real numbers of a point together: Subplex (Rowan 1990; LN_SBPLX of NLopt) on the
/// mean score of the same replicas at each point, which is a function without noise.
struct Refinement {
  SearchSpace const& space;
  Scoreboard& board;
  std::vector<std::size_t> numbers;
  std::size_t replicas;
  Point best;
  nlopt::opt* search = nullptr;

  Point at(std::vector<double> const& shares) const {
    Point point = best;
    for (std::size_t k = 0; k < numbers.size(); ++k) {
      point[numbers[k]] = space.value_at(numbers[k], shares[k]);
    }
    return space.canonical(std::move(point));
  }
};

double worse(std::vector<double> const& shares, std::vector<double>&, void* data) {
  auto& refinement = *static_cast<Refinement*>(data);
  Point const point = refinement.at(shares);
  if (!refinement.board.extend({point}, refinement.replicas)) refinement.search->force_stop();
  double const score = refinement.board.mean_score(point);
  bool const whole = refinement.board.scores(point).size() >= refinement.replicas;
  if (whole && score > refinement.board.mean_score(refinement.best)) refinement.best = point;
  return std::isnan(score) ? 1e300 : -score;
}

/// The best point that was seen. `step`: of a number, as a share of its range.
Point refine(SearchSpace const& space, Scoreboard& board, Point const& from, double step,
             std::size_t replicas) {
  Refinement refinement{space, board, {}, replicas, from};
  std::vector<double> shares;
  for (std::size_t i = 0; i < space.size(); ++i) {
    if (space.dimension(i).scale != Scale::logarithmic || !from[i]) continue;
    refinement.numbers.push_back(i);
    shares.push_back(std::clamp(space.share_of(i, *from[i]), 0.0, 1.0));
  }
  if (shares.empty() || !board.extend({from}, replicas)) return from;
  constexpr int tries_a_number = 25;
  nlopt::opt search(nlopt::LN_SBPLX, static_cast<unsigned>(shares.size()));
  search.set_min_objective(worse, &refinement);
  search.set_lower_bounds(0.0);
  search.set_upper_bounds(1.0);
  search.set_initial_step(step);
  search.set_xtol_abs(step / 20);
  search.set_maxeval(tries_a_number * static_cast<int>(shares.size()));
  refinement.search = &search;
  double least = 0;
  try {
    search.optimize(shares, least);
  } catch (nlopt::forced_stop const&) {
    // The budget ended; `best` is the best so far.
  } catch (nlopt::roundoff_limited const&) {
    // No smaller step changes the score.
  }
  return refinement.best;
}

constexpr std::size_t levels = 3;
constexpr double first_step = 0.125, smallest_step = 0.015;
constexpr std::size_t draws_a_round = 8, rounds_in_vain = 4, most_finalists = 8;
constexpr std::size_t most_parents = 20, children_a_round = 10;
constexpr std::size_t bred_a_child = 25;  // of which the model chooses one
constexpr double drawn_anew = 0.15;       // of a child's settings
constexpr std::size_t drawn_first = 40, most_leaders = 8;
constexpr double drawn_share = 0.5;         // of the settings of a point that is drawn
constexpr std::uint32_t search_stream = 3;  // simulations draw nothing from it
constexpr std::size_t most_combined = 5;
/// Of a point; each round of draws in vain doubles the most.
constexpr std::size_t first_replicas = 4, bred_replicas = 8, most_replicas = 3200;

class Search {
 public:
  Search(SearchSpace const& space, Scoreboard& board, SearchOptions const& options)
      : space_(space), board_(board), options_(options), bests_(board.weightings(), space.start()) {
    selection_.indifference = options.indifference;
    selection_.first = selection_.block = first_replicas;
    selection_.most = first_replicas;
  }

  SearchResult run() {
    by_each_weighting([&] { change_one_by_one(); });
    draw_anywhere();
    breed();
    std::size_t in_vain = 0;
    while (!over() && in_vain < rounds_in_vain) {
      by_leading_weightings([&] {
        simplify();
        descend();
      });
      in_vain = draw() ? 0 : in_vain + 1;
    }
    by_each_weighting([&] { simplify(); });
    bool const converged = !over();
    auto const points = finalists();
    return {points.front(), points, converged};
  }

 private:
  bool over() const { return board_.budget().over(); }

  /// The best point by the current weighting.
  Point& best() { return bests_[weighting_]; }
  Point const& best() const { return bests_[weighting_]; }

  /// The first weighting comes last: the board shows its scores afterwards.
  void by_each_weighting(std::function<void()> const& step) {
    for (std::size_t w = board_.weightings(); w-- > 0;) {
      weighting_ = w;
      board_.weigh_by(w);
      step();
    }
  }

  /// By the first weighting, and by each other one that leads.
  void by_leading_weightings(std::function<void()> const& step) {
    by_each_weighting([&] {
      if (weighting_ == 0 || leads()) step();
    });
  }

  /// True if the best point is materially better, by the scores of its weighting, than the best one
  /// of the first weighting. Else that one takes its place.
  bool leads() {
    constexpr double material = 2;  // indifferences
    if (best() == bests_.front()) return false;
    auto const ahead = board_.differences(best(), bests_.front());
    if (!ahead.empty() && mean(ahead) > material * options_.indifference) return true;
    best() = bests_.front();
    return false;
  }

  /// Takes the best of the points if it is better than the best one so far. True if it is.
  bool take_better(std::vector<Point> const& others) {
    std::vector<Point> points = {best()};
    points.insert(points.end(), others.begin(), others.end());
    Point const next = select(board_, std::move(points), selection_);
    bool const better = next != best();
    best() = next;
    return better;
  }

  void change_one_by_one() {
    Point const start = best();
    auto const singles = space_.single_changes(start, levels);
    if (singles.empty()) return;
    take_better(singles);
    auto const combined = combinations(start, helpful(start, singles));
    if (!combined.empty() && !over()) take_better(combined);
  }

  /// The best change of each setting, if it helps; the most helpful first.
  std::vector<Point> helpful(Point const& start, std::vector<Point> const& singles) const {
    struct Change {
      double gain;
      std::size_t setting;
      Point point;
    };
    std::vector<Change> changes;
    for (Point const& point : singles) {
      auto const gains = board_.differences(point, start);
      if (gains.empty() || !(mean(gains) > 0)) continue;
      std::size_t setting = 0;
      while (point[setting] == start[setting]) ++setting;
      changes.push_back({mean(gains), setting, point});
    }
    std::ranges::stable_sort(changes, std::greater<>(), &Change::gain);
    std::vector<Point> best;
    std::vector<std::size_t> seen;
    for (Change const& change : changes) {
      bool const known = contains(seen, change.setting);
      if (known || best.size() == most_combined) continue;
      seen.push_back(change.setting);
      best.push_back(change.point);
    }
    return best;
  }

  Point together(Point const& start, Point const& one, Point const& other) const {
    Point point = one;
    for (std::size_t i = 0; i < point.size(); ++i) {
      if (other[i] != start[i]) point[i] = other[i];
    }
    return space_.canonical(std::move(point));
  }

  std::vector<Point> combinations(Point const& start, std::vector<Point> const& changes) const {
    std::vector<Point> points;
    Point all = start;
    for (std::size_t a = 0; a < changes.size(); ++a) {
      all = together(start, all, changes[a]);
      if (a > 1) points.push_back(all);
      for (std::size_t b = 0; b < a; ++b) points.push_back(together(start, changes[a], changes[b]));
    }
    return points;
  }

  /// Points over the whole space: some changes are good only together.
  void draw_anywhere() {
    auto stream = RandomStreams(options_.seed, round_++).stream(Purpose::bootstrap, search_stream);
    std::vector<Point> drawn;
    for (std::size_t i = 0; i < drawn_first; ++i) {
      drawn.push_back(space_.random_from(space_.start(), drawn_share, stream));
    }
    by_each_weighting([&] { take_better(drawn); });
  }

  /// All points, the best first by the estimates of the model: a few campaigns flatter the best of
  /// many.
  std::vector<Point> estimated(AdditiveModel const& model) const {
    std::vector<std::pair<double, Point>> order;
    for (Point const& point : board_.ranked(1)) order.emplace_back(model.estimated(point), point);
    std::ranges::stable_sort(order, [](auto const& a, auto const& b) { return a.first > b.first; });
    std::vector<Point> points;
    for (auto& [score, point] : order) points.push_back(std::move(point));
    return points;
  }

  /// Crosses the best points so far, with some settings drawn anew, until no child is better.
  /// Changes that are good only together meet.
  void breed() {
    std::size_t in_vain = 0;
    selection_.first = selection_.block = bred_replicas;
    selection_.most = bred_replicas;
    while (!over() && in_vain < rounds_in_vain) {
      // The best have more campaigns each time: in a few the best of many has been lucky.
      selection_.most = std::min(selection_.most + bred_replicas / 4, most_replicas);
      bool better = false;
      by_leading_weightings([&] {
        auto leaders = estimated({space_, board_});
        leaders.resize(std::min(leaders.size(), most_leaders));
        board_.extend(leaders, selection_.most);
        better = take_better(children()) || better;
      });
      in_vain = better ? 0 : in_vain + 1;
    }
  }

  std::vector<Point> children() {
    auto stream = RandomStreams(options_.seed, round_++).stream(Purpose::bootstrap, search_stream);
    AdditiveModel const model(space_, board_);
    auto parents = estimated(model);
    parents.resize(std::min(parents.size(), most_parents));
    if (parents.empty()) parents = {best()};
    std::vector<Point> chosen;
    for (std::size_t i = 0; i < children_a_round; ++i) {
      // The model chooses half of them; the others show it what it does not know.
      std::size_t const bred = i % 2 == 0 ? bred_a_child : 1;
      std::optional<std::pair<double, Point>> best;
      for (std::size_t k = 0; k < bred; ++k) {
        Point child = space_.random_from(crossed(parents, stream), drawn_anew, stream);
        double const score = model.predicted(child);
        if (!best || score > best->first) best = {score, std::move(child)};
      }
      chosen.push_back(std::move(best->second));
    }
    return chosen;
  }

  /// Each setting of one of two parents; better ones are parents more often.
  Point crossed(std::vector<Point> const& parents, RandomStream& stream) const {
    auto const any = [&] {
      double const u = stream.uniform() * stream.uniform();
      return parents[static_cast<std::size_t>(u * static_cast<double>(parents.size()))];
    };
    Point child = any();
    Point const other = any();
    for (std::size_t i = 0; i < child.size(); ++i) {
      if (stream.chance(0.5)) child[i] = other[i];
    }
    return space_.canonical(std::move(child));
  }

  /// Steps up and down until the smallest step finds nothing better; then all numbers together.
  void descend() {
    double step = first_step;
    while (!over() && step > smallest_step) {
      if (!take_better(space_.steps_from(best(), step))) step /= 2;
    }
    if (over()) return;
    auto const replicas = std::max<std::size_t>(selection_.most, 20);
    best() = refine(space_, board_, best(), first_step / 2, replicas);
  }

  /// True if a point that is drawn is better.
  bool draw() {
    if (over()) return false;
    selection_.most = std::min(2 * selection_.most, most_replicas);
    bool better = false;
    by_leading_weightings([&] { better = take_better(drawn_around()) || better; });
    return better;
  }

  std::vector<Point> drawn_around() {
    auto stream = RandomStreams(options_.seed, round_++).stream(Purpose::bootstrap, search_stream);
    constexpr double few = 0.2, most = 0.6;  // of the settings
    std::vector<Point> drawn;
    for (std::size_t i = 0; i < draws_a_round; ++i) {
      // Half of them near the best point, half anywhere.
      bool const near = i % 2 == 0;
      drawn.push_back(
          space_.random_from(near ? best() : space_.start(), near ? few : most, stream));
    }
    return drawn;
  }

  /// Takes back the changes that are worth less than the indifference.
  void simplify() {
    bool simpler = true;
    while (simpler) {
      simpler = false;
      for (std::size_t const i : space_.changes(best())) {
        Point const without = space_.without(best(), i);
        if (without == best()) continue;
        board_.extend({without}, board_.scores(best()).size());
        auto const worth = board_.differences(best(), without);
        if (worth.size() < 2 || mean(worth) > options_.indifference / 2) continue;
        best() = without;
        simpler = true;
      }
    }
  }

  std::vector<Point> finalists() {
    std::vector<std::vector<Point>> orders(board_.weightings());
    by_leading_weightings([&] {
      auto& order = orders[weighting_];
      order = {best()};
      if (board_.points() == 0) return;
      for (Point const& point : estimated({space_, board_})) order.push_back(point);
    });
    return taken_in_turn(orders, most_finalists);
  }

  SearchSpace const& space_;
  Scoreboard& board_;
  SearchOptions options_;
  SelectionOptions selection_ = {};
  std::vector<Point> bests_;  // by weighting
  std::size_t weighting_ = 0;
  std::uint32_t round_ = 0;
};

}  // namespace

std::vector<std::string> columns_of_searches(scenario::Scenario const& scenario,
                                             scenario::Strategy const& current, Party as) {
  auto const knobs = knobs_of(scenario, current, as);
  std::vector<std::string> columns;
  for (std::size_t place = 1; place <= points_kept; ++place) {
    for (Knob const& knob : knobs) columns.push_back(fmt::format("{}:{}", place, knob.key));
  }
  return columns;
}

std::optional<study::ShardResult> make_searches(study::Shard const& shard,
                                                scenario::Scenario const& scenario,
                                                scenario::Strategy const& current,
                                                OptimizeOptions const& options) {
  study::ShardTimer const timer;
  study::ShardResult result{shard, {}};
  std::size_t const all = shard.to - shard.from;
  for (std::uint32_t search = shard.from; search < shard.to; ++search) {
    OptimizeOptions own = options;
    own.study.seed = seed_of_search(options.study.seed, search);
    own.study.progress = {};
    auto const points = best_points(scenario, current, own);
    if (points.empty()) return std::nullopt;
    result.records.emplace_back(search, record_of(points));
    if (options.study.progress) options.study.progress(result.records.size(), 0, all);
  }
  result.record = timer.record(options.study.seed);
  return result;
}

std::vector<Point> points_of(std::vector<study::ShardResult> const& results) {
  std::vector<Point> points;
  for (std::size_t place = 0; place < points_kept; ++place) {
    for (auto const& result : results) {
      for (auto const& [search, record] : result.records) {
        Point point = point_in(record, place);
        bool const known = contains(points, point);
        if (!known) points.push_back(std::move(point));
      }
    }
  }
  return points;
}

std::vector<Point> taken_in_turn(std::vector<std::vector<Point>> const& orders, std::size_t most) {
  std::vector<Point> taken;
  std::size_t longest = 0;
  for (auto const& order : orders) longest = std::max(longest, order.size());
  for (std::size_t i = 0; i < longest; ++i) {
    for (auto const& order : orders) {
      bool const known = i >= order.size() || contains(taken, order[i]);
      if (!known && taken.size() < most) taken.push_back(order[i]);
    }
  }
  return taken;
}

Point select(Scoreboard& board, std::vector<Point> points, SelectionOptions const& options) {
  check(!points.empty(), "a selection has a point to select");
  Point const first = points.front();
  std::size_t const looks = (options.most - options.first) / options.block + 1;
  double const error = options.alpha / static_cast<double>(points.size() * looks);
  std::vector<Point> left = points;
  std::size_t replicas = options.first;
  while (board.extend(left, replicas) && drop_losers(board, left, options, error)) {
    if (replicas >= options.most) break;
    replicas = std::min(options.most, replicas + options.block);
  }
  // Points without a replica are not known.
  std::erase_if(left, [&](Point const& point) { return board.scores(point).empty(); });
  if (left.empty()) return first;
  Point best = left[leader_of(board, left)];
  auto const ahead = board.differences(best, first);
  bool const better = ahead.empty() || mean(ahead) > options.indifference;
  return better ? best : first;
}

SearchResult search(SearchSpace const& space, Scoreboard& board, SearchOptions const& options) {
  return Search(space, board, options).run();
}

}  // namespace gridcast::optimize
