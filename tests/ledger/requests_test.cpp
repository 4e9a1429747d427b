#include "sim/ledger/requests.hpp"

#include "tests/test.hpp"

namespace gridcast::ledger {
namespace {

using enum history::EventKind;
using history::Resource;

constexpr double gigabyte = 1073741824;

/// Jobs of one program, each of which executes for so long on a host of its own.
class RequestCampaign {
 public:
  RequestCampaign() {
    history_.sites = {"A"};
    history_.slots = {"unknown"};
  }

  history::ResourceUse& add(double execution, history::EventKind end = terminated,
                            history::Reason reason = history::Reason::none) {
    Id<history::Job> const job(history_.jobs.size());
    history_.jobs.push_back({1, static_cast<std::uint32_t>(job.index())});
    history_.slots.push_back("slot1@n" + std::to_string(job.index()) + ".a.org");
    history_.events.push_back({.job = job});
    return execute(job, 0, execution, end, reason);
  }

  /// The last job once more, a day later.
  history::ResourceUse& again(double execution, history::EventKind end = terminated) {
    return execute(Id<history::Job>(history_.jobs.size() - 1), 86400, execution, end,
                   history::Reason::none);
  }
  /// The hold code of the last execution's end.
  void set_code(std::int16_t code) { history_.events.back().code = code; }
  void add_memory(double used, double execution = 3600) {
    history::ResourceAmount& memory = add(execution).amounts[Resource::memory];
    memory = {used * gigabyte, 4 * gigabyte, 4 * gigabyte};
  }

  Requests requests(std::vector<OfferedSlots> const& offered = {}) const {
    return find_requests(history_, uses_, offered);
  }
  std::vector<JobNeed> needs(Resource resource) const {
    return needs_of_jobs(history_, uses_, resource);
  }
  ResourceRequests of(Resource resource) const {
    Requests const found = requests();
    for (ResourceRequests const& each : found.programs.at(0).resources) {
      if (each.resource == resource) return each;
    }
    FAIL("the resource is unknown");
    return {};
  }

 private:
  history::ResourceUse& execute(Id<history::Job> job, double from, double execution,
                                history::EventKind end, history::Reason reason) {
    history::JobEvent event{.job = job};
    event.site = Id<history::Site>(0);
    event.slot = static_cast<std::uint32_t>(history_.slots.size() - 1);
    for (auto const& [at, kind] :
         {std::pair(10.0, matched), std::pair(20.0, executing), std::pair(20 + execution, end)}) {
      event.at = Seconds(from + at);
      event.kind = kind;
      if (kind == end) event.reason = reason;
      history_.events.push_back(event);
    }
    uses_.push_back({.job = history_.jobs.back(), .at = Seconds(from + 20 + execution)});
    return uses_.back();
  }

  history::JobHistory history_;
  std::vector<history::ResourceUse> uses_;
};

std::size_t held_by(ResourceRequests const& of, double request) {
  for (PossibleRequest const& each : of.possible) {
    if (each.amount == request) return each.held;
  }
  FAIL("no such step");
  return 0;
}

}  // namespace

TEST_CASE("Steps of requests are quarters of powers of two") {
  CHECK(request_step(Resource::memory, gigabyte) == gigabyte);
  CHECK(request_step(Resource::memory, 1.01 * gigabyte) == 1.25 * gigabyte);
  CHECK(request_step(Resource::memory, 7.1 * gigabyte) == 8 * gigabyte);
  CHECK(request_step(Resource::disk, 1) == 1048576);
  CHECK(request_step(Resource::time, 3601) == 4500);
  CHECK(request_step(Resource::time, 61) == 75);
  CHECK(request_step(Resource::cpus, 1.2) == 2);
  CHECK(request_step(Resource::gpus, 0) == 0);
}

TEST_CASE("The recommended request is a tenth above the highest need; lower ones hold jobs") {
  RequestCampaign campaign;
  for (double const used : {0.5, 0.6, 0.7, 0.9, 1.8}) campaign.add_memory(used);
  ResourceRequests const memory = campaign.of(Resource::memory);
  CHECK(memory.jobs == 5);
  CHECK(memory.median == Approx(0.7 * gigabyte));
  CHECK(memory.most == Approx(1.8 * gigabyte));
  CHECK(memory.recommended.amount == 2 * gigabyte);
  CHECK(memory.recommended.held == 0);
  CHECK(memory.recommended.hosts == 5);
  CHECK(held_by(memory, 0.75 * gigabyte) == 2);
  CHECK(held_by(memory, 4 * gigabyte) == 0);
  CHECK(memory.least_requested == 4 * gigabyte);
  // 1 GB: 5 GB h and 2 GB h for the one job that runs twice, of 10.
  REQUIRE(memory.first_try);
  CHECK(memory.first_try->amount == gigabyte);
  CHECK(memory.first_try->held == 1);
  CHECK(memory.saved == Approx(0.3));
}

TEST_CASE("A pool shows how many slots offer a request, of those whose memory it states") {
  RequestCampaign campaign;
  for (double const used : {0.5, 1.8}) campaign.add_memory(used);
  Requests const found = campaign.requests(
      {{10, 2 * gigabyte, 0}, {20, 1.9 * gigabyte, 5 * gigabyte}, {40, 0, 9 * gigabyte}});
  ResourceRequests const& memory = found.programs.at(0).resources.at(0);
  REQUIRE(memory.resource == Resource::memory);
  CHECK(memory.slots == 30);
  CHECK(memory.recommended.amount == 2 * gigabyte);
  CHECK(memory.recommended.slots == 10);
  CHECK(memory.possible.front().slots == 30);
  CHECK(memory.possible.back().slots == 0);  // 4 GB, as requested
}

TEST_CASE("Each job that executed has a need, and the limit that it had") {
  RequestCampaign campaign;
  campaign.add_memory(1);
  campaign.add(600);  // of unknown use
  campaign.add(600, held, history::Reason::out_of_resources).amounts[Resource::memory] = {
      4 * gigabyte, 4 * gigabyte, 5 * gigabyte, true};
  auto const needs = campaign.needs(Resource::memory);
  REQUIRE(needs.size() == 2);
  CHECK(needs[0].amount == gigabyte);
  CHECK_FALSE(needs[0].exceeded);
  CHECK(needs[1].exceeded);
  CHECK(needs[1].limit == 5 * gigabyte);
  CHECK(campaign.needs(Resource::disk).empty());
}

TEST_CASE("A request of nothing is not proposed") {
  RequestCampaign campaign;
  for (int i = 0; i < 10; ++i) campaign.add_memory(0);
  campaign.add_memory(0.5);
  ResourceRequests const memory = campaign.of(Resource::memory);
  CHECK(memory.possible.front().amount > 0);
  CHECK((!memory.first_try || memory.first_try->amount > 0));
}

TEST_CASE("A retry is not proposed where it saves little") {
  RequestCampaign campaign;
  for (double const used : {1.7, 1.75, 1.8}) campaign.add_memory(used);
  CHECK_FALSE(campaign.of(Resource::memory).first_try);
}

TEST_CASE("A job that a limit stopped needs more than was seen of it") {
  RequestCampaign campaign;
  campaign.add_memory(1);
  campaign.add(600, held, history::Reason::out_of_resources).amounts[Resource::memory] = {
      4 * gigabyte, 4 * gigabyte, 4 * gigabyte, true};
  ResourceRequests const memory = campaign.of(Resource::memory);
  CHECK(memory.exceeded == 1);
  CHECK(held_by(memory, 4 * gigabyte) == 1);
  CHECK(memory.recommended.amount == 5 * gigabyte);
  CHECK(memory.recommended.hosts == 0);
}

TEST_CASE("Where a hold states no use, the job needs more than its request or its slot") {
  RequestCampaign campaign;
  campaign.add(600, held, history::Reason::policy).amounts[Resource::disk] = {
      {}, 2 * gigabyte, 3 * gigabyte, true};
  campaign.add(600, held, history::Reason::policy).amounts[Resource::disk] = {
      {}, {}, 3 * gigabyte, true};
  campaign.add(600).amounts[Resource::disk] = {{}, 2 * gigabyte, 3 * gigabyte};
  ResourceRequests const disk = campaign.of(Resource::disk);
  CHECK(disk.jobs == 2);
  CHECK(disk.exceeded == 2);
  CHECK(held_by(disk, 2 * gigabyte) == 2);
  CHECK(held_by(disk, 3 * gigabyte) == 1);
}

TEST_CASE("A job that succeeds with a higher use than its limit has a known need") {
  RequestCampaign campaign;
  campaign.add(600, held, history::Reason::out_of_resources).amounts[Resource::memory] = {
      2 * gigabyte, 2 * gigabyte, 2 * gigabyte, true};
  campaign.again(600).amounts[Resource::memory] = {3 * gigabyte, 4 * gigabyte, 4 * gigabyte};
  campaign.add(600, held, history::Reason::out_of_resources).amounts[Resource::memory] = {
      2 * gigabyte, 2 * gigabyte, 2 * gigabyte, true};
  campaign.again(600, evicted).amounts[Resource::memory] = {3 * gigabyte, 4 * gigabyte,
                                                            4 * gigabyte};
  ResourceRequests const memory = campaign.of(Resource::memory);
  CHECK(memory.jobs == 2);
  CHECK(memory.exceeded == 1);  // the second did not come to its end
  CHECK(held_by(memory, 3 * gigabyte) == 1);
  auto const needs = campaign.needs(Resource::memory);
  CHECK(needs[0].raised);
  CHECK_FALSE(needs[1].raised);
}

TEST_CASE("If a pool holds jobs for CPUs, the recommended number is the highest need") {
  RequestCampaign campaign;
  for (int i = 0; i < 40; ++i) campaign.add(1000).cpu_time = Seconds(1000);
  campaign.add(1000, held, history::Reason::policy).amounts[Resource::cpus] = {4, 2, {}, true};
  ResourceRequests const cpus = campaign.of(Resource::cpus);
  CHECK(cpus.recommended.amount == 4);
  CHECK(cpus.recommended.held == 0);
  CHECK(held_by(cpus, 2) == 1);
}

TEST_CASE("The recommended CPUs are not below what all jobs use") {
  auto const recommended = [](std::vector<double> const& uses) {
    RequestCampaign campaign;
    for (double const cpus : uses) campaign.add(1000).cpu_time = Seconds(1000 * cpus);
    return campaign.of(Resource::cpus).recommended.amount;
  };
  CHECK(recommended(std::vector<double>(8, 11)) == 11);
  CHECK(recommended(std::vector<double>(8, 10.99)) == 11);
  CHECK(recommended(std::vector<double>(8, 64)) == 64);
  CHECK(recommended(std::vector<double>(8, 4.3)) == 4);  // 8 % more
  // One of eleven is more than 5 % of the jobs, one of twenty is not.
  std::vector<double> uses(10, 4);
  uses.push_back(7.8);
  CHECK(recommended(uses) == 8);
  uses.resize(20, 4);
  CHECK(recommended(uses) == 4);
}

TEST_CASE("A CPU time that no machine gives is left out") {
  RequestCampaign campaign;
  campaign.add(5400).cpu_time = Seconds(8.64e15);  // "Usr 99999999999 00:00:00"
  campaign.add(5400).cpu_time = Seconds(5400);
  CHECK(campaign.of(Resource::cpus).jobs == 1);
  CHECK(campaign.of(Resource::cpus).recommended.amount == 1);
}

TEST_CASE("CPUs are CPU time over execution; time is the execution that gave the result") {
  RequestCampaign campaign;
  campaign.add(1000).cpu_time = Seconds(2900);
  campaign.add(2000).cpu_time = Seconds(2000);
  CHECK(campaign.of(Resource::cpus).most == Approx(2.9));
  CHECK(campaign.of(Resource::cpus).recommended.amount == 3);
  CHECK(campaign.of(Resource::time).most == 2000);
  CHECK(campaign.of(Resource::time).recommended.amount == 2400);  // 2200 s, in steps of 8 min
  CHECK(campaign.requests().hung.empty());
}

TEST_CASE("A job that used no CPU until a limit ended it is named, and has no need") {
  RequestCampaign campaign;
  campaign.add(1000).cpu_time = Seconds(990);
  history::ResourceUse& hung =
      campaign.add(72000, history::EventKind::held, history::Reason::execution_too_long);
  hung.cpu_time = Seconds(30);
  hung.amounts[Resource::memory].used = gigabyte;
  // Busy until the limit, and idle until its owner removed it: neither hung.
  campaign.add(72000, history::EventKind::held, history::Reason::execution_too_long).cpu_time =
      Seconds(71000);
  campaign.add(72000, aborted, history::Reason::manual).cpu_time = Seconds(30);
  // Code 26 is SYSTEM_PERIODIC_HOLD, a limit; code 21 is the host's WANT_HOLD.
  for (std::int16_t const code : {26, 21}) {
    campaign.add(7200, history::EventKind::held, history::Reason::system).cpu_time = Seconds(1);
    campaign.set_code(code);
  }
  auto const found = campaign.requests();
  REQUIRE(found.hung.size() == 2);
  CHECK(found.hung[0].job == "1.1");
  CHECK(found.hung[0].execution == Seconds(72000));
  CHECK(found.hung[1].job == "1.4");
  for (ResourceRequests const& each : found.programs.at(0).resources) {
    CHECK(each.resource != Resource::memory);
  }
  CHECK(campaign.of(Resource::time).exceeded == 1);
}

TEST_CASE("Programs differ, and an attempt without an execution has no use") {
  history::JobHistory history;
  history.jobs = {{1, 0}, {1, 1}, {2, 0}};
  history.labels = {{.executable = "train.sh"}, {.executable = "train.sh"}, {.node = "eval_03"}};
  history::JobEvent event{.at = Seconds(5), .job = Id<history::Job>(0), .kind = matched};
  history.events = {event};
  std::vector<history::ResourceUse> uses(1);
  uses[0].job = {1, 0};
  uses[0].at = Seconds(6);
  uses[0].amounts[Resource::disk].used = 15 * 1024;
  auto const found = find_requests(history, uses);
  REQUIRE(found.programs.size() == 2);
  CHECK(found.programs[0].program == "train.sh");
  CHECK(found.programs[0].jobs == 2);
  CHECK(found.programs[0].resources.empty());
  CHECK(found.programs[1].program == "eval");
}

}  // namespace gridcast::ledger
