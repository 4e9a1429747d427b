#include "sim/engine/job_queue.hpp"

#include <cmath>
#include <numeric>

namespace gridcast::engine {
namespace {

// Slices that are a whole number of slots, except for rounding, are whole.
constexpr double rounding = 1e-3;

/// Matches of one submitter in one spin; true if there was one.
bool take_slice(Submitter& submitter, double slice, std::function<MatchResult()> const& match) {
  int taken = 0;
  auto const allowed = [&] {
    return taken + 1 <= slice + rounding || (taken == 0 && slice > rounding);
  };
  while (submitter.idle > 0 && allowed()) {
    if (match() == MatchResult::no_slot) {
      submitter.idle = 0;  // no slot suits it in this cycle
      break;
    }
    ++taken;
    ++submitter.running;
    --submitter.idle;
  }
  return taken > 0;
}

}  // namespace

double real_priority_after(double before, int slots, Seconds elapsed, Seconds half_life) {
  double const beta = std::pow(0.5, elapsed / half_life);
  return std::max(least_real_priority, beta * before + (1 - beta) * slots);
}

std::vector<double> slices(std::vector<Submitter> const& submitters, int slots) {
  double sum = 0;
  for (Submitter const& each : submitters) {
    if (each.idle > 0) sum += 1 / each.effective_priority;
  }
  std::vector<double> limits;
  for (Submitter const& each : submitters) {
    double const share = each.idle > 0 ? 1 / each.effective_priority / sum : 0;
    limits.push_back(std::max(0.0, share * slots - each.running));
  }
  return limits;
}

void spin_pie(std::vector<Submitter> submitters, int slots,
              std::function<MatchResult(std::size_t)> const& match) {
  std::vector<std::size_t> order(submitters.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return submitters[a].effective_priority < submitters[b].effective_priority;
  });
  auto const wanting = [&] {
    return std::ranges::count_if(submitters, [](Submitter const& each) { return each.idle > 0; });
  };
  for (bool goes_on = true; goes_on;) {
    auto const before = wanting();
    auto const limits = slices(submitters, slots);
    bool matched = false;
    for (std::size_t const i : order) {
      if (take_slice(submitters[i], limits[i], [&] { return match(i); })) matched = true;
    }
    goes_on = matched || wanting() < before;
  }
}

IdleJobs::IdleJobs(scenario::Campaign const& campaign)
    : as_numbered_(!scenario::has_nodes(campaign) &&
                   std::ranges::is_sorted(campaign.submit, {}, &scenario::Submission::at)) {
  if (!as_numbered_) place_.resize(static_cast<std::size_t>(campaign.jobs()), nowhere);
}

void IdleJobs::submitted(Id<history::Job> job) {
  if (as_numbered_) return;
  erase(job);
  place_[job.index()] = static_cast<std::uint32_t>(job_at_.size());
  job_at_.push_back(job);
}

std::vector<Id<history::Job>> IdleJobs::all() const {
  std::vector<Id<history::Job>> jobs;
  for (Id<history::Job> const job : *this) jobs.push_back(job);
  return jobs;
}

UserQueues::UserQueues(Clock const& clock, scenario::Campaign const& campaign, Seconds half_life)
    : clock_(clock), half_life_(half_life) {
  for (scenario::Submission const& submission : campaign.submit) number_of(submission);
  if (!several()) return;
  user_of_ = scenario::by_job(campaign, [this](auto const& each) { return number_of(each); });
  claimed_.resize(user_of_.size());
}

std::uint32_t UserQueues::number_of(scenario::Submission const& submission) {
  auto const user = std::find_if(users_.begin(), users_.end(),
                                 [&](User const& each) { return each.name == submission.user; });
  auto const number = static_cast<std::uint32_t>(std::distance(users_.begin(), user));
  if (user != users_.end()) return number;
  User& added = users_.emplace_back();
  added.name = submission.user;
  added.factor = submission.priority_factor;
  return number;
}

void UserQueues::update(User& user) const {
  user.real_priority = real_priority_after(user.real_priority, user.running,
                                           clock_.now() - user.updated, half_life_);
  user.updated = clock_.now();
}

void UserQueues::count(Id<history::Job> job, bool claimed) {
  if (claimed_[job.index()] == claimed) return;
  claimed_[job.index()] = claimed;
  User& user = users_[user_of_[job.index()]];
  update(user);
  user.running += claimed ? 1 : -1;
}

void UserQueues::negotiate(IdleJobs const& idle, int free,
                           std::function<bool(Id<history::Job>)> const& match) {
  std::vector<std::vector<Id<history::Job>>> waiting(users_.size());
  for (Id<history::Job> const job : idle) waiting[user_of_[job.index()]].push_back(job);
  std::vector<Submitter> submitters;
  int slots = free;
  for (std::size_t i = 0; i < users_.size(); ++i) {
    User& user = users_[i];
    update(user);
    submitters.push_back(
        {user.real_priority * user.factor, user.running, static_cast<int>(waiting[i].size())});
    slots += user.running;
  }
  std::vector<std::size_t> next(users_.size());
  spin_pie(std::move(submitters), slots, [&](std::size_t i) {
    while (next[i] < waiting[i].size()) {
      bool const matched = match(waiting[i][next[i]++]);
      if (matched) return MatchResult::matched;
    }
    return MatchResult::no_slot;
  });
}

history::OccupiedSlots occupied_slots(scenario::Campaign const& campaign) {
  history::OccupiedSlots occupied;
  for (scenario::Submission const& submission : campaign.submit) {
    occupied.add(static_cast<std::size_t>(submission.jobs), submission.slots);
  }
  return occupied;
}

std::vector<std::string> users_by_job(scenario::Campaign const& campaign) {
  bool const several = std::any_of(
      campaign.submit.begin(), campaign.submit.end(),
      [&](scenario::Submission const& each) { return each.user != campaign.submit.front().user; });
  if (!several) return {};
  return scenario::by_job(campaign, [](auto const& submission) { return submission.user; });
}

DagQueue::DagQueue(scenario::Campaign const& campaign)
    : campaign_(campaign), used_(scenario::has_nodes(campaign)) {
  if (!used_) return;
  order_ = scenario::node_order(campaign);
  add_dags();
  std::map<std::string, std::size_t> dag_of = {{"", 0}};
  for (std::size_t i = 0; i < campaign.dags.size(); ++i) dag_of[campaign.dags[i].name] = i + 1;
  std::size_t first = 0;
  for (std::size_t i = 0; i < campaign.submit.size(); ++i) {
    int const jobs = campaign.submit[i].jobs;
    NodeState& node = nodes_.emplace_back();
    node.first = first;
    node.waits_for = order_.parents[i].size();
    node.left = jobs;
    node.dag = dag_of.at(campaign.submit[i].dag);
    for (std::size_t dag = node.dag;; dag = dags_[dag].in) {
      ++dags_[dag].open;
      dags_[dag].nodes.push_back(i);
      if (dag == 0) break;
    }
    if (campaign.submit[i].last) last_ = i;
    if (order_.parents[i].empty() && last_ != i) make_ready(i);
    first += static_cast<std::size_t>(jobs);
  }
  for (scenario::NodeCategory const& each : campaign.categories) most_[each.name] = each.max_jobs;
}

void DagQueue::add_dags() {
  dags_.push_back({.max_nodes = campaign_.max_nodes, .running = true});
  std::map<std::string, std::size_t> number = {{"", 0}};
  for (scenario::InnerDag const& each : campaign_.dags) {
    number[each.name] = dags_.size();
    dags_.push_back(
        {.in = number.at(each.in), .category = each.category, .max_nodes = each.max_nodes});
  }
}

std::size_t DagQueue::node_of(Id<history::Job> job) const {
  auto const after =
      std::upper_bound(nodes_.begin(), nodes_.end(), job.index(),
                       [](std::size_t index, NodeState const& node) { return index < node.first; });
  return static_cast<std::size_t>(std::distance(nodes_.begin(), after)) - 1;
}

void DagQueue::make_ready(std::size_t node) {
  NodeState& state = nodes_[node];
  state.state = State::ready;
  state.ready_as = ever_ready_++;
  ready_[{state.dag, campaign_.submit[node].category}].emplace(state.ready_as, node);
}

bool DagQueue::has_room_in(std::size_t dag, std::string const& category) const {
  DagState const& state = dags_[dag];
  if (state.max_nodes > 0 && state.in_queue >= state.max_nodes) return false;
  auto const most = most_.find(category);
  auto const now = in_category_.find(category);
  return most == most_.end() || now == in_category_.end() || now->second < most->second;
}

/// The first node of an inner DAG needs room for that DAG too.
bool DagQueue::has_room(std::size_t dag, std::string const& category) const {
  if (!has_room_in(dag, category)) return false;
  for (; !dags_[dag].running; dag = dags_[dag].in) {
    if (!has_room_in(dags_[dag].in, dags_[dag].category)) return false;
  }
  return true;
}

/// The node that has been ready for longest among the categories with room.
std::optional<std::size_t> DagQueue::next_ready() const {
  Ready::value_type const* first = nullptr;
  for (auto const& [place, nodes] : ready_) {
    if (first && nodes.begin()->first > first->first) continue;
    if (has_room(place.first, place.second)) first = &*nodes.begin();
  }
  return first ? std::optional(first->second) : std::nullopt;
}

void DagQueue::no_longer_ready(std::size_t node) {
  auto const found = ready_.find({nodes_[node].dag, campaign_.submit[node].category});
  found->second.erase(nodes_[node].ready_as);
  if (found->second.empty()) ready_.erase(found);
}

void DagQueue::count_in(std::size_t dag, std::string const& category, int change) {
  dags_[dag].in_queue += change;
  in_category_[category] += change;
}

void DagQueue::count(std::size_t node, int change) {
  std::size_t dag = nodes_[node].dag;
  count_in(dag, campaign_.submit[node].category, change);
  for (; !dags_[dag].running; dag = dags_[dag].in) {
    dags_[dag].running = true;
    count_in(dags_[dag].in, dags_[dag].category, 1);
  }
}

/// The node is over; so are the inner DAGs that have no other.
void DagQueue::leave_dags(std::size_t node) {
  bool const failed = nodes_[node].state != State::succeeded;
  for (std::size_t dag = nodes_[node].dag;; dag = dags_[dag].in) {
    dags_[dag].failed = dags_[dag].failed || failed;
    if (--dags_[dag].open == 0 && dag != 0 && dags_[dag].running) {
      count_in(dags_[dag].in, dags_[dag].category, -1);
    }
    if (dag == 0) return;
  }
}

std::vector<DagQueue::Node> DagQueue::take_ready() {
  std::vector<Node> taken;
  if (last_ && dags_[0].open == 1 && nodes_[*last_].state == State::waits) make_ready(*last_);
  while (auto const node = next_ready()) {
    scenario::Submission const& submission = campaign_.submit[*node];
    nodes_[*node].state = State::submitted;
    no_longer_ready(*node);
    count(*node, 1);
    taken.push_back({*node, nodes_[*node].first, submission.jobs, submission.at, submission.delay});
  }
  return taken;
}

/// The node will not be submitted, unless that DAG runs again (0: never).
void DagQueue::drop(std::size_t node, std::size_t rerun, std::vector<Id<history::Job>>& jobs) {
  if (nodes_[node].state == State::ready) no_longer_ready(node);
  nodes_[node].state = rerun != 0 ? State::stuck : State::never;
  leave_dags(node);
  if (rerun != 0) return;
  auto const of_node = jobs_of(node);
  jobs.insert(jobs.end(), of_node.begin(), of_node.end());
}

/// Those outside the DAG that runs again wait on.
void DagQueue::never(std::size_t node, std::size_t rerun, std::vector<Id<history::Job>>& jobs) {
  std::vector<std::size_t> all = {node};
  for (std::size_t next = 0; next < all.size(); ++next) {
    NodeState const& each = nodes_[all[next]];
    if (next > 0 && all[next] == last_) continue;
    if (each.state != State::waits && each.state != State::ready) continue;
    if (!is_within(each.dag, rerun)) continue;
    drop(all[next], rerun, jobs);
    auto const& children = order_.children[all[next]];
    all.insert(all.end(), children.begin(), children.end());
  }
}

void DagQueue::fail_children(std::size_t node, std::vector<Id<history::Job>>& jobs) {
  NodeState const& failed = nodes_[node];
  if (failed.let_go) return;
  std::size_t const rerun = failed.state == State::stuck ? rerun_dag(failed.dag) : 0;
  for (std::size_t const child : order_.children[node]) {
    if (child != last_) never(child, rerun, jobs);
  }
}

std::vector<Id<history::Job>> DagQueue::settled(Id<history::Job> job, Left how) {
  left_queue(job, how, 0);
  return over(node_of(job));
}

std::vector<Id<history::Job>> DagQueue::jobs_of(std::size_t node) const {
  std::vector<Id<history::Job>> jobs;
  for (int i = 0; i < campaign_.submit[node].jobs; ++i) {
    jobs.emplace_back(nodes_[node].first + static_cast<std::size_t>(i));
  }
  return jobs;
}

bool DagQueue::left_queue(Id<history::Job> job, Left how, int exit_code) {
  NodeState& node = nodes_[node_of(job)];
  --node.left;
  if (how == Left::held_for_good) node.held = true;
  if (how != Left::failed || node.failed) return false;
  node.failed = true;
  node.exit_code = exit_code;
  return true;
}

bool DagQueue::retry_after(std::size_t number, int exit_code) {
  NodeState& node = nodes_[number];
  if (std::exchange(node.again, false)) return true;
  scenario::Submission const& submission = campaign_.submit[number];
  bool const wanted = (!submission.unless_exit || *submission.unless_exit != exit_code) &&
                      submission.abort_on != exit_code;
  if (!wanted || !has_retries(number)) return false;
  ++node.retries;
  return true;
}

bool DagQueue::retry_node(std::size_t number) {
  NodeState& node = nodes_[number];
  if (!node.failed || !retry_after(number, node.exit_code)) return false;
  node.left = campaign_.submit[number].jobs;
  node.failed = node.held = false;
  return true;
}

void DagQueue::let_go(std::size_t node) {
  if (std::exchange(nodes_[node].let_go, true)) return;
  for (std::size_t const child : order_.children[node]) {
    if (--nodes_[child].waits_for > 0 || child == last_) continue;
    if (nodes_[child].state == State::waits) make_ready(child);
  }
}

void DagQueue::provisioned(std::size_t node) { let_go(node); }

std::vector<Id<history::Job>> DagQueue::over(std::size_t number) {
  NodeState& node = nodes_[number];
  std::vector<Id<history::Job>> lost;
  count(number, -1);
  bool const failed = node.failed || node.held;
  bool const stuck = failed && !node.held && rerun_dag(node.dag) != 0;
  node.state = stuck ? State::stuck : failed ? State::never : State::succeeded;
  leave_dags(number);
  if (!failed) {
    let_go(number);
  } else {
    fail_children(number, lost);
  }
  if (node.held && last_) never(*last_, 0, lost);  // the DAG does not end
  return lost;
}

bool DagQueue::is_within(std::size_t dag, std::size_t outer) const {
  while (dag != outer && dag != 0) dag = dags_[dag].in;
  return dag == outer;
}

bool DagQueue::aborts(Id<history::Job> job, int exit_code) const {
  if (!used_) return false;
  std::size_t const node = node_of(job);
  bool const ends_it = campaign_.submit[node].abort_on == exit_code;
  return ends_it && !is_aborted(node) && !nodes_[node].again;
}

DagQueue::Ending DagQueue::outermost(Ending ending) const {
  while (ending.dag != 0) {
    scenario::InnerDag const& inner = campaign_.dags[ending.dag - 1];
    if (inner.abort_on != ending.code) break;
    ending = {dags_[ending.dag].in, inner.abort_return.value_or(ending.code)};
  }
  return ending;
}

DagQueue::Ending DagQueue::ending_by(std::size_t node) const {
  scenario::Submission const& by = campaign_.submit[node];
  return outermost({nodes_[node].dag, by.abort_return.value_or(by.abort_on.value_or(0))});
}

bool DagQueue::has_second_run(Ending ending) const {
  if (ending.dag == 0 || ending.code == 0 || given_up_) return false;
  scenario::InnerDag const& inner = campaign_.dags[ending.dag - 1];
  return inner.unless_exit != ending.code && dags_[ending.dag].retries < inner.retries;
}

/// The innermost DAG around that may run again; 0: none.
std::size_t DagQueue::rerun_dag(std::size_t dag) const {
  for (; dag != 0 && !given_up_; dag = dags_[dag].in) {
    if (dags_[dag].end == DagEnd::succeeded) return 0;
    bool const again = dags_[dag].retries < campaign_.dags[dag - 1].retries;
    if (again && dags_[dag].end == DagEnd::none) return dag;
  }
  return 0;
}

std::vector<std::size_t> DagQueue::restart(std::size_t number) {
  Ending const ending = ending_by(number);
  if (!has_second_run(ending)) return {};
  run_again(number);
  auto nodes = submitted_with(number);
  run_again_from_rescue(ending.dag);
  if (campaign_.submit[number].jobs == 1) std::erase(nodes, number);
  return nodes;
}

void DagQueue::run_again_from_rescue(std::size_t dag) {
  ++dags_[dag].retries;
  dags_[dag].failed = false;
  for (std::size_t inner = dag + 1; inner < dags_.size(); ++inner) {
    if (!is_within(inner, dag) || dags_[inner].end == DagEnd::succeeded) continue;
    dags_[inner].failed = false;
    dags_[inner].retries = 0;
    dags_[inner].end = DagEnd::none;
  }
  for (std::size_t const node : dags_[dag].nodes) {
    if (nodes_[node].state == State::stuck) comes_again(node);
    if (nodes_[node].state == State::submitted) nodes_[node].retries = 0;
  }
}

void DagQueue::comes_again(std::size_t number) {
  NodeState& node = nodes_[number];
  node.retries = 0;
  node.left = campaign_.submit[number].jobs;
  node.failed = false;
  node.state = State::waits;
  for (std::size_t dag = node.dag; dag != 0; dag = dags_[dag].in) {
    if (dags_[dag].open == 0) dags_[dag].running = false;
    ++dags_[dag].open;
  }
  ++dags_[0].open;
  if (node.waits_for == 0) make_ready(number);
}

std::vector<std::size_t> DagQueue::submitted_in(std::size_t dag) const {
  std::vector<std::size_t> submitted;
  for (std::size_t const node : dags_[dag].nodes) {
    if (nodes_[node].state == State::submitted) submitted.push_back(node);
  }
  return submitted;
}

// Those outside that wait for an inner DAG wait for some of its nodes: if it has succeeded, none
// of these holds them back.
std::vector<Id<history::Job>> DagQueue::end(Ending ending) {
  bool const succeeded = ending.code == 0;
  std::vector<std::size_t> const& within = dags_[ending.dag].nodes;
  for (std::size_t dag = 0; dag < dags_.size(); ++dag) {
    if (!is_within(dag, ending.dag)) continue;
    dags_[dag].end = succeeded ? DagEnd::succeeded : DagEnd::failed;
  }
  std::vector<Id<history::Job>> lost;
  for (std::size_t const each : within) {
    State const state = nodes_[each].state;
    if (state == State::submitted) ended_.push_back(each);
    if (state == State::stuck) give_up_stuck(each, lost);
    if ((state == State::waits || state == State::ready) && each != last_) {
      drop(each, rerun_dag(nodes_[each].dag), lost);
    }
  }
  for (std::size_t const each : within) {
    State const state = nodes_[each].state;
    if (succeeded) {
      let_go(each);
    } else if (state == State::never || state == State::stuck) {
      fail_children(each, lost);
    }
  }
  return lost;
}

std::optional<int> DagQueue::exit_code_of(std::size_t dag) const {
  if (!dags_[dag].failed) return 0;
  int code = 0;
  for (std::size_t const number : dags_[dag].nodes) {
    NodeState const& node = nodes_[number];
    if (node.state != State::never && node.state != State::stuck) continue;
    std::size_t inner = node.dag;
    while (inner != dag && dags_[inner].end != DagEnd::succeeded) inner = dags_[inner].in;
    if (inner != dag) continue;  // it counts as succeeded, whatever its nodes did
    if (node.held) return std::nullopt;
    code = 1;
  }
  return code;
}

/// No DAG around the node runs again any more.
void DagQueue::give_up_stuck(std::size_t node, std::vector<Id<history::Job>>& jobs) {
  if (rerun_dag(nodes_[node].dag) != 0) return;
  nodes_[node].state = State::never;
  auto const of_node = jobs_of(node);
  jobs.insert(jobs.end(), of_node.begin(), of_node.end());
}

/// Nodes of an inner DAG that wait for its next run wait for that of the one around it, or never
/// come.
void DagQueue::end_for_good(std::size_t dag, std::vector<Id<history::Job>>& jobs) {
  dags_[dag].end = DagEnd::failed;
  for (std::size_t const node : dags_[dag].nodes) {
    if (nodes_[node].state != State::stuck) continue;
    give_up_stuck(node, jobs);
    fail_children(node, jobs);
  }
}

std::vector<Id<history::Job>> DagQueue::end_outer(std::size_t node) {
  std::vector<Id<history::Job>> lost;
  for (std::size_t dag = nodes_[node].dag; dag != 0 && dags_[dag].open == 0; dag = dags_[dag].in) {
    if (dags_[dag].end != DagEnd::none) continue;
    auto const code = exit_code_of(dag);
    Ending const ending = outermost({dag, code.value_or(0)});
    bool const ends_outer = code && ending.dag != dag;
    if (code && has_second_run(ending)) {
      again_ = submitted_in(ending.dag);
      run_again_from_rescue(ending.dag);
      return lost;
    }
    if (code != 0) end_for_good(dag, lost);
    if (!ends_outer) continue;
    auto const outside = end(ending);
    lost.insert(lost.end(), outside.begin(), outside.end());
    return lost;
  }
  return lost;
}

std::vector<Id<history::Job>> DagQueue::give_up() {
  given_up_ = true;
  std::vector<Id<history::Job>> lost;
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (nodes_[i].state == State::stuck) give_up_stuck(i, lost);
    never(i, 0, lost);
  }
  return lost;
}

bool DagQueue::retry(Id<history::Job> job, int exit_code) {
  return used_ && !of_several(job) && retry_after(node_of(job), exit_code);
}

}  // namespace gridcast::engine
