#include "sim/engine/job_ad.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "sim/base/interrupt.hpp"
#include "sim/base/text.hpp"
#include "sim/engine/resource_needs.hpp"
#include "sim/engine/site_slots.hpp"

namespace gridcast::engine {
namespace {

using classad::Value;

Value whole(auto number) { return Value(static_cast<std::int64_t>(number)); }

Value date(Seconds time) {
  return Value(campaign_date + static_cast<std::int64_t>(std::floor(time.value())));
}

Value date(std::optional<Seconds> const& time) { return time ? date(*time) : Value(); }

struct View {
  JobFacts const& facts;
  history::JobName name;
  JobAd const& ad;
  Seconds now;

  scenario::SiteSpec const* last_site() const {
    return ad.last_slot.site.valid() ? &facts.sites[ad.last_slot.site.index()] : nullptr;
  }
};

Value site_name(View const& view) {
  scenario::SiteSpec const* const site = view.last_site();
  return site ? Value(scenario::resource_name(*site)) : Value();
}

Value last_host(View const& view) {
  scenario::SiteSpec const* const site = view.last_site();
  if (!site) return Value();
  return Value(fmt::format("slot1@glidein_{}_{}@{}", view.ad.last_slot.number,
                           view.ad.last_slot.pilot, scenario::resource_name(*site)));
}

Value hold_number(View const& view, int number) {
  return view.ad.status == history::JobStatus::held ? whole(number) : Value();
}

/// `sign` 1: the exit code; -1: the number of the signal that ended the program.
Value exit_number(View const& view, int sign) {
  bool const known = view.ad.exit_code && (*view.ad.exit_code < 0) == (sign < 0);
  return known ? whole(sign * *view.ad.exit_code) : Value();
}

/// Memory in MB, disk in KB; what a job has not used yet is undefined.
Value size(Bytes amount, double unit) {
  return amount > Bytes() ? whole(std::ceil(amount.value() / unit)) : Value();
}

Value request(Bytes own, Bytes of_campaign, double unit) {
  return size(own > Bytes() ? own : of_campaign, unit);
}

Value last_hold(View const& view, int number) {
  return view.ad.released_from.code > 0 ? whole(number) : Value();
}

constexpr double mebibyte = 1048576, kibibyte = 1024;

template <std::uint32_t AdCounts::*count>
Value since_submission(View const& view) {
  return whole(view.ad.*count - view.ad.before.*count);
}

Value retries(View const& view) {
  return view.facts.policy.max_retries ? whole(*view.facts.policy.max_retries) : Value();
}

struct HashIgnoringCase {
  std::size_t operator()(std::string_view name) const {
    constexpr std::uint64_t basis = 14695981039346656037U, prime = 1099511628211U;  // FNV-1a
    constexpr unsigned case_of_letter = 0x20;
    std::uint64_t hash = basis;
    for (char const c : name) hash = (hash ^ (static_cast<unsigned>(c) | case_of_letter)) * prime;
    return hash;
  }
};

struct SameIgnoringCase {
  bool operator()(std::string_view a, std::string_view b) const { return same_ignoring_case(a, b); }
};

/// By name. A policy is evaluated some ten times for each change of a job.
template <class Getter>
using GetterOf = std::unordered_map<std::string_view, Getter, HashIgnoringCase, SameIgnoringCase>;

using Getter = Value (*)(View const&);
using Attributes = GetterOf<Getter>;

constexpr std::pair<std::string_view, Getter> attributes_of_job[] = {
    {"ClusterId", [](View const& v) { return whole(v.name.cluster); }},
    {"ProcId", [](View const& v) { return whole(v.name.proc); }},
    {"JobStatus", [](View const& v) { return whole(v.ad.status); }},
    {"LastJobStatus",
     [](View const& v) { return v.ad.last_status ? whole(*v.ad.last_status) : whole(0); }},
    {"JobUniverse", [](View const&) { return whole(5); }},
    {"HoldReasonCode", [](View const& v) { return hold_number(v, v.ad.hold_code.code); }},
    {"HoldReasonSubCode", [](View const& v) { return hold_number(v, v.ad.hold_code.subcode); }},
    {"NumHolds", since_submission<&AdCounts::holds>},
    {"NumSystemHolds", [](View const& v) { return whole(v.ad.system_holds); }},
    {"NumShadowStarts", since_submission<&AdCounts::shadow_starts>},
    {"JobRunCount", since_submission<&AdCounts::shadow_starts>},
    {"NumJobStarts", since_submission<&AdCounts::executions>},
    {"DAGNodeRetry", [](View const& v) { return whole(v.ad.node_retries); }},
    {"NumJobMatches", since_submission<&AdCounts::matches>},
    {"NumInputTransferStarts", since_submission<&AdCounts::input_attempts>},
    {"NumJobCoolDowns", [](View const& v) { return whole(v.ad.cool_downs); }},
    {"NumVacates", [](View const& v) { return whole(v.ad.vacates); }},
    {"NumJobCompletions", [](View const& v) { return whole(v.ad.completions); }},
    {"JobMaxRetries", retries},
    {"JobSuccessExitCode", [](View const& v) { return whole(v.facts.policy.success_exit_code); }},
    {"ExitCode", [](View const& v) { return exit_number(v, 1); }},
    {"ExitSignal", [](View const& v) { return exit_number(v, -1); }},
    {"ExitBySignal",
     [](View const& v) { return v.ad.exit_code ? Value(*v.ad.exit_code < 0) : Value(); }},
    {"QDate", [](View const& v) { return date(v.ad.submitted); }},
    {"EnteredCurrentStatus", [](View const& v) { return date(v.ad.entered_status); }},
    {"JobStartDate", [](View const& v) { return date(v.ad.first_start); }},
    {"JobCurrentStartDate", [](View const& v) { return date(v.ad.last_start); }},
    {"JobCurrentStartExecutingDate", [](View const& v) { return date(v.ad.executing); }},
    {"CurrentTime", [](View const& v) { return date(v.now); }},
    {"ServerTime", [](View const& v) { return date(v.now); }},
    {"RequestGPUs", [](View const& v) { return whole(v.facts.request.gpus); }},
    {"RequestMemory",
     [](View const& v) { return request(v.ad.requested[0], v.facts.request.memory, mebibyte); }},
    {"RequestDisk",
     [](View const& v) { return request(v.ad.requested[1], v.facts.request.disk, kibibyte); }},
    {"MemoryUsage", [](View const& v) { return size(v.ad.used[0], mebibyte); }},
    {"DiskUsage", [](View const& v) { return size(v.ad.used[1], kibibyte); }},
    {"LastHoldReasonCode", [](View const& v) { return last_hold(v, v.ad.released_from.code); }},
    {"LastHoldReasonSubCode",
     [](View const& v) { return last_hold(v, v.ad.released_from.subcode); }},
    {"LastRemoteHost", last_host},
    {"MachineAttrGLIDEIN_ResourceName0", site_name},
    {"LastRemotePool", [](View const&) { return Value(); }},
};

Attributes const& job_attributes() {
  static Attributes const attributes(std::begin(attributes_of_job), std::end(attributes_of_job));
  return attributes;
}

// A node is one partitionable slot. Records do not always show the GPUs of their slots.
Value gpus_of_node(scenario::SiteSpec const& site) {
  if (site.slots > 0 && site.gpus == 0 && site.gpus_per_slot == 0) return {};
  return whole(std::min(site.gpus, site.gpus_per_node));
}

/// Pools of slots that come from a record may lack the properties of their GPUs.
bool has_property(scenario::SiteSpec const& site, double property) {
  return site.gpus > 0 && (site.slots == 0 || property > 0);
}

Value gpu_capability(scenario::SiteSpec const& site) {
  return has_property(site, site.gpu_capability) ? Value(site.gpu_capability) : Value();
}

Value gpu_memory(scenario::SiteSpec const& site) {
  return has_property(site, site.gpu_memory.value()) ? whole(site.gpu_memory.value() / 1048576)
                                                     : Value();
}

using SlotGetter = Value (*)(scenario::SiteSpec const&);
using SlotAttributes = GetterOf<SlotGetter>;

SlotAttributes const& slot_attributes() {
  static SlotAttributes const attributes = {
      {"GLIDEIN_ResourceName",
       [](scenario::SiteSpec const& s) { return Value(scenario::resource_name(s)); }},
      {"GLIDEIN_Site",
       [](scenario::SiteSpec const& s) { return Value(scenario::resource_name(s)); }},
      {"Arch", [](scenario::SiteSpec const&) { return Value("X86_64"); }},
      {"OpSys", [](scenario::SiteSpec const&) { return Value("LINUX"); }},
      {"HasFileTransfer", [](scenario::SiteSpec const&) { return Value(true); }},
      {"HasSingularity", [](scenario::SiteSpec const&) { return Value(true); }},
      {"GPUs", gpus_of_node},
      {"TotalGPUs", gpus_of_node},
      {"GPUs_DeviceName",
       [](scenario::SiteSpec const& s) { return s.gpu.empty() ? Value() : Value(s.gpu); }},
      {"GPUs_Capability", gpu_capability},
      {"CUDACapability", gpu_capability},
      {"GPUs_GlobalMemoryMb", gpu_memory},
      {"CUDAGlobalMemoryMb", gpu_memory},
      {"Memory",
       [](scenario::SiteSpec const& s) {  // of a partitionable slot, which is a node
         return size(scenario::memory_of_slot(s, s.gpus_per_node), mebibyte);
       }},
      {"Disk",
       [](scenario::SiteSpec const& s) {
         return s.disk > Bytes() ? whole(s.disk.value() / 1024) : Value();
       }},
  };
  return attributes;
}

/// A requirement on an amount that the pool does not state counts as met, as a request for it does:
/// the recorded jobs ran there.
bool meets(Value const& value, classad::Expression const& rule, scenario::SiteSpec const& site) {
  if (!value.is_undefined()) return classad::holds(value);
  auto const is_open = [&](std::string const& name) {
    constexpr char const* amounts[] = {"Memory", "Disk", "GPUs", "TotalGPUs"};
    auto const is_it = [&](char const* amount) { return same_ignoring_case(name, amount); };
    return std::ranges::any_of(amounts, is_it) && SlotScope(site).lookup(name).is_undefined();
  };
  return std::ranges::any_of(rule.attributes(), is_open);
}

/// True if it is the same for all jobs at all times: it reads no attribute of a job and no clock.
bool asks_slot_alone(classad::Expression const& rule) {
  auto const of_job = [](std::string const& name) { return job_attributes().contains(name); };
  auto const attributes = rule.attributes();
  return std::none_of(attributes.begin(), attributes.end(), of_job) && !rule.reads_clock();
}

/// The rules for amounts whose first values no possible site offers: "request_memory = RULE".
std::vector<std::string> first_amounts_not_met(std::vector<scenario::SiteSpec> const& possible,
                                               scenario::Pool const& pool,
                                               scenario::Request const& request,
                                               scenario::JobPolicy const& policy) {
  JobFacts const facts{policy, request, pool.sites};
  JobAd ad;
  update_requests(facts, ad, JobScope(facts, {}, ad, {}));
  auto const offers = [&](auto const& site) { return offers_enough(facts, ad, site); };
  if (!requests_vary(policy) || std::ranges::any_of(possible, offers)) return {};
  std::vector<std::string> rules;
  if (policy.request_memory) rules.push_back("request_memory = " + policy.request_memory->text());
  if (policy.request_disk) rules.push_back("request_disk = " + policy.request_disk->text());
  return rules;
}

}  // namespace

Value JobScope::lookup(std::string_view attribute) const {
  auto const found = job_attributes().find(attribute);
  return found == job_attributes().end() ? Value() : found->second({facts_, name_, ad_, now_});
}

std::int64_t JobScope::unix_now() const {
  return campaign_date + static_cast<std::int64_t>(std::floor(now_.value()));
}

Value SlotScope::lookup(std::string_view attribute) const {
  auto const found = slot_attributes().find(attribute);
  return found == slot_attributes().end() ? Value() : found->second(site_);
}

PolicyWatch::PolicyWatch(Clock& clock, QueuedAds const& ads, Seconds interval, Act act)
    : clock_(clock),
      ads_(ads),
      interval_(interval),
      act_(std::move(act)),
      active_(strategy::has_periodic(ads.policy())),
      timers_(active_ ? ads.size() : 0) {}

void PolicyWatch::changed(Id<history::Job> job) {
  if (!active_) return;
  forget(job);
  auto const decision = decide(job);
  if (!decision) return;
  timers_[job.index()] = clock_.at(decision->at, [this, job, decision = *decision] {
    timers_[job.index()] = nullptr;
    act_(job, decision);
  });
}

void PolicyWatch::forget(Id<history::Job> job) {
  if (!active_) return;
  stop(timers_[job.index()]);
}

std::optional<strategy::PolicyDecision> PolicyWatch::decide(Id<history::Job> job) const {
  JobAd const& ad = ads_[job.index()];
  int const by_user = history::hold_code(history::Reason::manual).code;
  strategy::PolicyView const view{.status = ad.status,
                                  .by_user = ad.hold_code.code == by_user,
                                  .started = ad.started,
                                  .executing = ad.executing};
  Seconds const now = clock_.now();
  auto const holds = [&](classad::Expression const& rule, Seconds at) {
    JobScope const scope = ads_.scope(job, at);
    return classad::holds(classad::evaluate(rule, {scope, nullptr, scope.unix_now()}));
  };
  return strategy::next_decision(ads_.policy(), view,
                                 {now, interval_, now + scenario::longest_in_queue}, holds);
}

std::vector<scenario::SiteSpec> possible_sites(scenario::Pool const& pool,
                                               scenario::Request const& request,
                                               scenario::Strategy const& strategy) {
  auto const& policy = strategy.retry.policy;
  auto const& rule = policy.requirements;
  bool const asks = rule && asks_slot_alone(*rule);
  JobFacts const facts{policy, request, pool.sites};
  JobAd const any;
  JobScope const my(facts, {}, any, {});
  std::vector<scenario::SiteSpec> possible;
  for (Id<scenario::PoolSite> const id :
       scenario::matching_sites(pool, fixed_part(request, policy))) {
    scenario::SiteSpec const& site = pool.sites[id.index()];
    SlotScope const target(site);
    bool const met =
        !asks || meets(classad::evaluate(*rule, {my, &target, my.unix_now()}), *rule, site);
    if (met) possible.push_back(site);
  }
  return possible;
}

std::vector<std::string> sites_not_required(std::vector<std::string> const& sites,
                                            scenario::Pool const& pool,
                                            scenario::Request const& request,
                                            scenario::Strategy const& strategy) {
  auto const& rule = strategy.retry.policy.requirements;
  if (!rule || !asks_slot_alone(*rule)) return {};
  JobFacts const facts{strategy.retry.policy, request, pool.sites};
  JobAd const any;
  JobScope const my(facts, {}, any, {});
  std::vector<std::string> others;
  for (std::string const& name : sites) {
    std::vector<scenario::SiteSpec> entries;
    std::ranges::copy_if(pool.sites, std::back_inserter(entries),
                         [&name](auto const& site) { return site.name == name; });
    // Recorded jobs ran there: an attribute that the pool does not state does not exclude a site.
    bool const met = std::ranges::any_of(entries, [&](scenario::SiteSpec const& site) {
      SlotScope const target(site);
      auto const value = classad::evaluate(*rule, {my, &target, my.unix_now()});
      return value.is_undefined() || classad::holds(value);
    });
    if (!entries.empty() && !met) others.push_back(name);
  }
  return others;
}

std::vector<std::string> never_met(scenario::Pool const& pool, scenario::Campaign const& campaign,
                                   scenario::Strategy const& strategy) {
  std::vector<std::string> rules;
  scenario::JobRequests const requests(campaign);
  for (std::size_t i = 0; i < requests.size(); ++i) {
    Id<scenario::JobClass> const of(i);
    scenario::Strategy own = strategy;
    auto& rule = own.retry.policy.requirements;
    if (requests.requirements(of) != nullptr) rule = *requests.requirements(of);
    auto const possible = possible_sites(pool, requests[of], own);
    auto texts = first_amounts_not_met(possible, pool, requests[of], own.retry.policy);
    if (possible.empty()) texts = {rule ? rule->text() : ""};
    for (auto& text : texts) {
      if (!is_one_of(text, rules)) rules.push_back(std::move(text));
    }
  }
  return rules;
}

// A search with a pattern that backtracks takes milliseconds, and a job that no site takes is
// looked at in each cycle for as long as the campaign lasts.
SlotChoice::SlotChoice(Clock const& clock, QueuedAds const& ads,
                       scenario::MatchStrategy const& strategy)
    : clock_(clock),
      ads_(ads),
      strategy_(strategy),
      requests_vary_(engine::requests_vary(ads.policy())) {
  for (std::size_t i = 0; i < ads.requests().size(); ++i) {
    accepted_.push_back(accepted(Id<scenario::JobClass>(i)));
  }
}

classad::Expression const* SlotChoice::requirements(Id<scenario::JobClass> of) const {
  auto const* const own = ads_.requests().requirements(of);
  auto const& usual = policy().requirements;
  return own != nullptr ? own : usual ? &*usual : nullptr;
}

std::vector<bool> SlotChoice::accepted(Id<scenario::JobClass> of) const {
  classad::Expression const* const rule = requirements(of);
  if (rule == nullptr || !asks_slot_alone(*rule)) return {};
  JobAd const any;
  JobScope const my(ads_.facts(of), {}, any, {});
  std::vector<bool> accepted;
  for (scenario::SiteSpec const& site : ads_.sites()) {
    SlotScope const target(site);
    accepted.push_back(meets(classad::evaluate(*rule, {my, &target, my.unix_now()}), *rule, site));
  }
  return accepted;
}

bool SlotChoice::requires_slots() const {
  for (std::size_t i = 0; i < ads_.requests().size(); ++i) {
    if (requirements(Id<scenario::JobClass>(i)) != nullptr) return true;
  }
  return false;
}

void SlotChoice::transfer_failed(Id<history::Job> job, Id<history::Site> site,
                                 strategy::InputFailure failure) {
  if (!avoids()) return;
  Avoided& avoided = avoided_[job];
  avoided.failed.resize(ads_.sites().size());
  avoided.until.resize(ads_.sites().size());
  strategy::FailedThere& failed = avoided.failed[site.index()];
  ++failed.all;
  if (failure == strategy::InputFailure::stalled) ++failed.stalls;
  if (!strategy::avoids_site(strategy_, failed)) return;
  failed = {};
  avoided.until[site.index()] = clock_.now() + strategy_.avoid_site_for;
}

bool SlotChoice::accepts(Id<history::Job> job, std::size_t site) const {
  if (avoids()) {
    Avoided const* const avoided = avoided_.find(job);
    if (avoided && avoided->until[site] > clock_.now()) return false;
  }
  if (requests_vary_ && !has_room(job, site)) return false;
  Id<scenario::JobClass> const of = ads_.requests().of(job.index());
  if (!accepted_[of.index()].empty()) return accepted_[of.index()][site];
  classad::Expression const* const rule = requirements(of);
  return rule == nullptr || meets(evaluate(*rule, job, site), *rule, ads_.sites()[site]);
}

bool SlotChoice::has_room(Id<history::Job> job, std::size_t site) const {
  JobAd& ad = ads_[job.index()];
  update_requests(ads_.facts(job), ad, ads_.scope(job, clock_.now()));
  return offers_enough(ads_.facts(job), ad, ads_.sites()[site]);
}

double SlotChoice::rank(Id<history::Job> job, std::size_t site) const {
  if (!has_rank()) return 0;
  classad::Value const value = evaluate(*policy().rank, job, site);
  if (bool const* const truth = value.as<bool>()) return *truth ? 1 : 0;
  return value.number();
}

classad::Value SlotChoice::evaluate(classad::Expression const& rule, Id<history::Job> job,
                                    std::size_t site) const {
  // One negotiation cycle has as many as jobs times sites.
  constexpr std::uint32_t between_looks = 256;
  if (++evaluations_ % between_looks == 0 && interrupt_held_back()) throw Interrupted();
  JobScope const my = ads_.scope(job, clock_.now());
  SlotScope const target(ads_.sites()[site]);
  return classad::evaluate(rule, {my, &target, my.unix_now()});
}

}  // namespace gridcast::engine
