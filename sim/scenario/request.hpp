// The requests of jobs: resources that each asks of its slot, which sites of a pool can ever match
// it, and how many jobs fit there. Most campaigns have one request; the nodes of a DAG may have
// others, each with a name. Source of the submit commands: condor_submit, HTCondor manual.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/units.hpp"
#include "sim/classad/expression.hpp"
#include "sim/scenario/pool.hpp"

namespace gridcast::scenario {

/// request_gpus and friends. Zero means "no demand".
struct Request {
  int gpus = 1;
  Bytes disk;
  Bytes gpu_memory;           // gpus_minimum_memory
  double gpu_capability = 0;  // gpus_minimum_capability
  std::string gpu;            // device name, empty: any
  std::string site;           // GLIDEIN_ResourceName, or several with commas; empty: any
  int nodes = 1;              // that share the GPUs; more than one only where a site is a cluster
  Bytes memory = {};          // request_memory; zero: not given, and no slot is too small
  std::string concurrency_limits = {};  // as in a submit file: "xenon_upload:2, license"

  bool operator==(Request const&) const = default;
  int gpus_per_node() const { return nodes > 1 ? (gpus + nodes - 1) / nodes : gpus; }
};

/// A request of some submissions, in place of the campaign's.
struct NamedRequest : Request {
  std::string name;
  /// In place of the strategy's.
  std::optional<classad::Expression> requirements = {};
};

struct Campaign;

struct JobClass;  // tag of Id<JobClass>: 0 for the campaign's own request, else one of the others

/// The request of each job, counted in the order of submission; looked up.
class JobRequests {
 public:
  /// An unknown name counts as none.
  explicit JobRequests(Campaign const& campaign);

  /// How many requests there are.
  std::size_t size() const { return requests_.size(); }
  Request const& operator[](Id<JobClass> of) const { return *requests_[of.index()]; }
  /// In place of the strategy's requirements; null: none.
  classad::Expression const* requirements(Id<JobClass> of) const;
  Id<JobClass> of(std::size_t job) const {
    if (from_.size() > 1) return of_several(job);
    return from_.empty() ? Id<JobClass>(0) : from_.front().second;
  }
  /// The different numbers of GPUs, and the place of a request's among them.
  std::vector<int> const& gpu_numbers() const { return gpu_numbers_; }
  std::size_t gpu_number(Id<JobClass> of) const { return gpu_number_[of.index()]; }

 private:
  Id<JobClass> of_several(std::size_t job) const;

  Campaign const& campaign_;
  std::vector<Request const*> requests_;
  std::vector<std::pair<std::size_t, Id<JobClass>>> from_;  // from this job on, this one
  std::vector<int> gpu_numbers_;
  std::vector<std::size_t> gpu_number_;  // by request
};

/// All requests of the campaign, its own first.
std::vector<Request const*> requests_of(Campaign const& campaign);
/// True if no job requests a GPU.
bool without_gpus(Campaign const& campaign);

/// Why the site never matches the request, as "disk 100 GB of the 350 GB wanted, not the site A";
/// nothing where it does.
std::string why_no_match(SiteSpec const& site, Request const& request);

/// The same for a campaign: nothing where one of its requests matches, else about its own.
std::string why_no_match(SiteSpec const& site, Campaign const& campaign);

/// Sites that can match the request (device, memory, capability, disk, name), as indices into
/// pool.sites. Empty: the job can never run.
std::vector<Id<PoolSite>> matching_sites(Pool const& pool, Request const& request);
/// Sites that match one of the campaign's requests.
std::vector<Id<PoolSite>> matching_sites(Pool const& pool, Campaign const& campaign);

/// How many jobs with this request fit on so many GPUs of a matching site at a time: all GPUs of a
/// job on one node, or evenly on as many nodes as it wants; where slots have a number of GPUs of
/// their own, these on one node. Free GPUs are taken to lie on as few nodes as they can.
int slots_of_gpus(SiteSpec const& site, Request const& request, int gpus);

}  // namespace gridcast::scenario
