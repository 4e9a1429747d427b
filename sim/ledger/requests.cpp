#include "sim/ledger/requests.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "sim/base/statistics.hpp"
#include "sim/history/attempts.hpp"

namespace gridcast::ledger {
namespace {

using history::Resource;

constexpr double headroom = 1.1;          // of a recommended request over the highest need
constexpr double most_overshoot = 0.5;    // CPUs or GPUs that a job may use beyond its request
constexpr double most_cpus = 1024;        // of a machine
constexpr double least_cpu_share = 0.01;  // of a job that does not hang
constexpr double worthwhile = 0.2;        // share of the cost that a retry must save

bool is_count(Resource resource) {
  return resource == Resource::cpus || resource == Resource::gpus;
}

/// The need of a job.
struct Need {
  double amount = 0;
  bool exceeded = false;
  double execution_s = 1;  // of the job

  /// A number of CPUs by which a job was held is what it used.
  bool fits(double request, Resource resource) const {
    return exceeded && !is_count(resource) ? amount < request : amount <= request;
  }
};

struct JobNeeds {
  history::ResourceAmounts amounts = {};
  Seconds execution = {};
  bool executed = false, hung = false;
  /// A limit stopped it, and it succeeded later with more.
  std::set<history::Resource> raised = {};
};

bool by_limit(history::Attempt const& attempt) {
  using enum history::Reason;
  constexpr int system_periodic_hold = 26;  // a rule of the access point
  if (attempt.end == history::EventKind::terminated) return false;
  return attempt.code == system_periodic_hold ||
         history::is_one_of(attempt.reason, {execution_too_long, job_too_long, policy});
}

/// Follows the executions of a record together with their uses.
class NeedsOfJobs {
 public:
  NeedsOfJobs(history::JobHistory const& history, std::vector<history::ResourceUse> const& uses)
      : history_(history), needs_(history.jobs.size()), attempts_(history.jobs.size()) {
    for (history::Attempt const& attempt : history::attempts_of(history)) {
      attempts_[attempt.job.index()].push_back(attempt);
      add_time(attempt);
    }
    std::map<history::JobName, std::size_t> index;
    for (std::size_t i = 0; i < history.jobs.size(); ++i) index.emplace(history.jobs[i], i);
    for (history::ResourceUse const& use : uses) {
      if (auto const* found = find_in(index, use.job)) add(*found, use);
    }
    for (Resource const resource : history::all_resources) {
      auto& allocated = allocated_[resource];
      for (auto const& [host, amounts] : hosts_) {
        allocated.push_back(amounts[resource].allocated.value_or(0));
      }
      std::sort(allocated.begin(), allocated.end());
    }
  }

  std::vector<JobNeeds> const& needs() const { return needs_; }
  std::vector<HungJob> const& hung() const { return hung_; }
  std::size_t hosts() const { return hosts_.size(); }

  std::size_t hosts_with(Resource resource, double amount) const {
    auto const& allocated = allocated_.at(resource);
    auto const enough = std::lower_bound(allocated.begin(), allocated.end(), amount);
    return static_cast<std::size_t>(allocated.end() - enough);
  }

 private:
  void add_time(history::Attempt const& attempt) {
    auto const execution = attempt.execution();
    std::string const host = history::machine_of(history_, attempt.slot);
    if (!host.empty()) hosts_[host];
    JobNeeds& job = needs_[attempt.job.index()];
    job.executed = job.executed || attempt.execute_started.has_value();
    if (!execution) return;
    job.execution = std::max(job.execution, *execution);
    history::ResourceAmount& time = job.amounts[Resource::time];
    bool const done = attempt.end == history::EventKind::terminated && attempt.useful;
    bool const limited = history::is_one_of(
        attempt.reason, {history::Reason::execution_too_long, history::Reason::job_too_long});
    if (!done && !limited) return;
    time.used = done ? execution->value() : std::max(time.used.value_or(0), execution->value());
    time.exceeded = !done;
  }

  /// The attempt that the use is of.
  history::Attempt const* attempt_of(std::size_t job, Seconds at) const {
    auto const& attempts = attempts_[job];
    auto const later = std::partition_point(attempts.begin(), attempts.end(),
                                            [at](auto const& each) { return each.matched <= at; });
    if (later != attempts.begin()) return &*(later - 1);
    return attempts.empty() ? nullptr : &attempts.front();
  }

  void add(std::size_t job, history::ResourceUse const& use) {
    history::Attempt const* const attempt = attempt_of(job, use.at);
    auto const execution = attempt != nullptr ? execution_until(*attempt, use.at) : std::nullopt;
    history::ResourceAmounts amounts = use.amounts;
    drop_impossible_gpus(amounts[Resource::gpus]);
    constexpr Seconds least = minutes(1);  // CPU times are whole seconds
    if (use.cpu_time && execution && *execution >= least) {
      double const mean = *use.cpu_time / *execution;
      auto& used = amounts[Resource::cpus].used;
      used = std::max(used.value_or(0), mean);
      drop_impossible_cpus(amounts[Resource::cpus]);
      note_hung(job, *attempt, *use.cpu_time);
    }
    if (!execution) forget_use(amounts);
    note_success(needs_[job], amounts, attempt);
    needs_[job].amounts.merge(amounts);
    if (attempt == nullptr) return;
    std::string const host = history::machine_of(history_, attempt->slot);
    if (!host.empty()) hosts_[host].merge(amounts);
  }

  /// The need of a job that a limit stopped is known if it succeeds later with a higher use.
  static void note_success(JobNeeds& before, history::ResourceAmounts const& now,
                           history::Attempt const* attempt) {
    bool const succeeded =
        attempt != nullptr && attempt->useful && attempt->end == history::EventKind::terminated;
    for (Resource const resource : history::all_resources) {
      auto const& used = now[resource].used;
      auto& amount = before.amounts[resource];
      if (!succeeded || !used || *used <= amount.used.value_or(0)) continue;
      if (amount.exceeded) before.raised.insert(resource);
      amount.exceeded = false;
    }
  }

  /// How long it executed, so far if it still does.
  static std::optional<Seconds> execution_until(history::Attempt const& attempt, Seconds at) {
    if (!attempt.execute_started) return std::nullopt;
    Seconds const end = attempt.execute_ended.value_or(std::max(at, *attempt.execute_started));
    return end - *attempt.execute_started;
  }

  /// HTCondor 10 writes numbers of another unit as the use of GPUs.
  static void drop_impossible_gpus(history::ResourceAmount& gpus) {
    double const most = std::max({1.0, gpus.requested.value_or(0), gpus.allocated.value_or(0)});
    if (gpus.used && *gpus.used > most) gpus.used.reset();
  }

  /// A damaged CPU time is more than any machine gives.
  static void drop_impossible_cpus(history::ResourceAmount& cpus) {
    double const most =
        std::max({most_cpus, cpus.requested.value_or(0), cpus.allocated.value_or(0)});
    if (cpus.used && *cpus.used > most) cpus.used.reset();
  }

  /// The attempt did not execute: its ad has estimates of the submission.
  static void forget_use(history::ResourceAmounts& amounts) {
    for (Resource const resource : history::all_resources) {
      if (!amounts[resource].exceeded) amounts[resource].used.reset();
    }
  }

  void note_hung(std::size_t job, history::Attempt const& attempt, Seconds cpu_time) {
    if (!attempt.execution()) return;
    Seconds const execution = *attempt.execution();
    bool const idle = cpu_time < least_cpu_share * execution;
    if (needs_[job].hung || !idle || execution < minutes(10) || !by_limit(attempt)) return;
    needs_[job].hung = true;
    hung_.push_back({history::name_of_job(history_, Id<history::Job>(job)),
                     execution,
                     cpu_time,
                     {.kind = attempt.end, .reason = attempt.reason}});
  }

  history::JobHistory const& history_;
  std::vector<JobNeeds> needs_;
  std::vector<std::vector<history::Attempt>> attempts_;
  std::map<std::string, history::ResourceAmounts> hosts_;
  std::map<Resource, std::vector<double>> allocated_;  // by a host each, sorted
  std::vector<HungJob> hung_;
};

/// Memory x time of a first request, with a retry at `safe` of those that it holds.
double cost(std::vector<Need> const& needs, double request, double safe) {
  return sum_of<double>(needs, [&](Need const& need) {
    return (request + (need.fits(request, Resource::memory) ? 0 : safe)) * need.execution_s;
  });
}

/// Nothing if it is not known.
std::optional<Need> need_of(JobNeeds const& job, Resource resource) {
  history::ResourceAmount const& amount = job.amounts[resource];
  auto used = amount.used;
  if (!used && amount.exceeded) used = amount.requested ? amount.requested : amount.allocated;
  if (!job.executed || job.hung || !used) return std::nullopt;
  return Need{*used, amount.exceeded, std::max(1.0, job.execution.value())};
}

/// Requests and uses of one resource by the jobs of a program.
class Sizing {
 public:
  Sizing(NeedsOfJobs const& all, std::vector<OfferedSlots> const& offered, Resource resource)
      : all_(all), offered_(offered) {
    of_.resource = resource;
    of_.slots = slots_with(1);
  }

  void add(JobNeeds const& job) {
    history::ResourceAmount const& amount = job.amounts[of_.resource];
    if (auto const& requested = amount.requested) {
      of_.least_requested = std::min(of_.least_requested.value_or(*requested), *requested);
      of_.most_requested = std::max(of_.most_requested.value_or(*requested), *requested);
    }
    if (auto const need = need_of(job, of_.resource)) needs_.push_back(*need);
  }

  std::optional<ResourceRequests> result() {
    if (needs_.empty()) return std::nullopt;
    std::vector<double> amounts;
    for (Need const& need : needs_) {
      amounts.push_back(need.amount);
      of_.exceeded += need.exceeded ? 1 : 0;
    }
    std::sort(amounts.begin(), amounts.end());
    of_.jobs = amounts.size();
    of_.median = quantile(amounts, 0.5);
    of_.p95 = quantile(amounts, 0.95);
    of_.most = amounts.back();
    double const all =
        is_count(of_.resource)
            ? std::max(1.0, std::ceil(of_.exceeded > 0 ? of_.most : enough_for_most(amounts)))
            : request_step(of_.resource, headroom * of_.most);
    bool const no_gpus = of_.resource == Resource::gpus && of_.most <= 0;
    of_.recommended = possible(no_gpus ? 0 : all);
    list_possible(amounts);
    if (of_.resource == Resource::memory) propose_retry();
    return of_;
  }

 private:
  /// Of CPUs or GPUs: what 95 % of the jobs use, less the overshoot that does no harm.
  static double enough_for_most(std::vector<double> const& sorted) {
    double const of_most = sorted[(19 * sorted.size() + 19) / 20 - 1];
    return std::max(of_most / headroom, of_most - most_overshoot);
  }

  PossibleRequest possible(double amount) const {
    auto const held = std::ranges::count_if(
        needs_, [&](Need const& need) { return !need.fits(amount, of_.resource); });
    return {amount, static_cast<std::size_t>(held), all_.hosts_with(of_.resource, amount),
            slots_with(amount)};
  }

  std::size_t slots_with(double amount) const {
    std::size_t slots = 0;
    for (OfferedSlots const& each : offered_) {
      double const has = of_.resource == Resource::memory ? each.memory
                         : of_.resource == Resource::disk ? each.disk
                                                          : 0;
      if (has > 0 && has >= amount) slots += each.count;
    }
    return slots;
  }

  void list_possible(std::vector<double> const& amounts) {
    std::set<double> steps = {of_.recommended.amount};
    for (double const share : {0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 1.0}) {
      steps.insert(request_step(of_.resource, quantile(amounts, share)));
    }
    for (auto const& requested : {of_.least_requested, of_.most_requested}) {
      if (requested) steps.insert(*requested);
    }
    if (of_.resource != Resource::gpus) steps.erase(0);  // a request of nothing is none
    for (double const step : steps) of_.possible.push_back(possible(step));
  }

  void propose_retry() {
    double const safe = of_.recommended.amount;
    double best = (1 - worthwhile) * cost(needs_, safe, safe);
    double const all = cost(needs_, safe, safe);
    for (PossibleRequest const& each : of_.possible) {
      double const together = cost(needs_, each.amount, safe);
      if (each.amount >= safe || together >= best) continue;
      best = together;
      of_.first_try = each;
      of_.saved = 1 - together / all;
    }
  }

  NeedsOfJobs const& all_;
  std::vector<OfferedSlots> const& offered_;
  ResourceRequests of_;
  std::vector<Need> needs_;
};

}  // namespace

double request_step(Resource resource, double amount) {
  if (resource == Resource::cpus) return std::max(1.0, std::ceil(amount));
  if (!(amount > 0)) return 0;
  if (resource == Resource::gpus) return std::ceil(amount);
  constexpr double mebibyte = 1048576, minute = 60, hour = 3600;
  double const small = resource == Resource::time ? minute : mebibyte;
  double const unit = resource == Resource::time && amount > hour ? hour : small;
  double const units = std::max(1.0, amount / unit);
  double const quarter = std::exp2(std::floor(std::log2(units))) / 4;
  return unit * quarter * std::ceil(units / quarter - 1e-9);
}

std::vector<JobNeed> needs_of_jobs(history::JobHistory const& history,
                                   std::vector<history::ResourceUse> const& uses,
                                   Resource resource) {
  NeedsOfJobs const jobs(history, uses);
  std::vector<JobNeed> needs;
  for (std::size_t job = 0; job < history.jobs.size(); ++job) {
    auto const need = need_of(jobs.needs()[job], resource);
    if (!need) continue;
    history::ResourceAmount const& amount = jobs.needs()[job].amounts[resource];
    needs.push_back({history::program_of(history, job), need->amount, need->exceeded,
                     std::max(amount.requested.value_or(0), amount.allocated.value_or(0)),
                     jobs.needs()[job].raised.contains(resource)});
  }
  return needs;
}

Requests find_requests(history::JobHistory const& history,
                       std::vector<history::ResourceUse> const& uses,
                       std::vector<OfferedSlots> const& offered) {
  NeedsOfJobs const jobs(history, uses);
  std::map<std::string, std::vector<std::size_t>> by_program;
  for (std::size_t job = 0; job < history.jobs.size(); ++job) {
    by_program[history::program_of(history, job)].push_back(job);
  }
  Requests found{.hung = jobs.hung(), .jobs = history.jobs.size(), .hosts = jobs.hosts()};
  for (auto const& [name, members] : by_program) {
    ProgramRequests program{name, members.size()};
    for (std::size_t const job : members) program.executed += jobs.needs()[job].executed ? 1 : 0;
    for (Resource const resource : history::all_resources) {
      Sizing sizing(jobs, offered, resource);
      for (std::size_t const job : members) sizing.add(jobs.needs()[job]);
      if (auto const result = sizing.result()) program.resources.push_back(*result);
    }
    found.programs.push_back(std::move(program));
  }
  std::ranges::stable_sort(found.programs, std::greater<>(), &ProgramRequests::jobs);
  std::ranges::stable_sort(found.hung, std::greater<>(), &HungJob::execution);
  return found;
}

}  // namespace gridcast::ledger
