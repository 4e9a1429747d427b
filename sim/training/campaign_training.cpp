#include "sim/training/campaign_training.hpp"

#include <algorithm>
#include <set>

#include "sim/base/error.hpp"
#include "sim/scenario/catalogue.hpp"
#include "sim/training/uncertainty.hpp"

namespace gridcast::training {
namespace {

constexpr char usual_machine[] = "pool-slot";
constexpr char usual_disk[] = "slot-disk";
constexpr char usual_destination[] = "access-point";

/// When the strategy says so, instead of what the profile does.
void set_checkpoints(scenario::CheckpointSpec& checkpoint, scenario::Strategy const& strategy) {
  scenario::TrainingStrategy const& training = strategy.training;
  int const epochs = strategy.retry.policy.checkpoint_every_epochs;
  bool const told =
      epochs > 0 || training.checkpoint_every_steps > 0 || training.checkpoint_every > Seconds(0);
  // What is left on a slot goes with it, so nobody who is on a grid saves there unasked.
  if (checkpoint.destination.empty()) checkpoint.destination = usual_destination;
  if (!told) return;
  checkpoint.first_epoch = 0;
  checkpoint.every_epochs = epochs;
  checkpoint.every_steps = training.checkpoint_every_steps;
  checkpoint.every = training.checkpoint_every;
  if (checkpoint.size > Bytes(0)) return;
  throw InputError(Problem{{},
                           "checkpoints without a size",
                           "the profile has no checkpoint.size",
                           "Give it one, or leave out 'checkpoint'."});
}

scenario::StorageSpec& named(std::vector<scenario::StorageSpec>& stores, std::string const& name) {
  return *std::find_if(stores.begin(), stores.end(),
                       [&name](scenario::StorageSpec const& store) { return store.name == name; });
}

class AtSite {
 public:
  AtSite(scenario::SiteSpec const& site, scenario::Campaign const& campaign,
         scenario::Strategy const& strategy, scenario::CatalogueWork const& work)
      : site_(site),
        campaign_(campaign),
        strategy_(strategy),
        profile_(work.profile),
        hardware_(work.hardware) {}

  SiteTraining train(scenario::SiteParameters const* draw, std::optional<double> luck) {
    set_checkpoints(profile_.checkpoint, strategy_);
    if (streams()) {
      profile_.stage.clear();
      become_network(draw);
    }
    request_.gpus = campaign_.request.gpus;
    request_.nodes = campaign_.request.nodes;
    if (campaign_.work.epochs > 0) request_.epochs = campaign_.work.epochs;
    if (campaign_.work.batch > 0) request_.batch = campaign_.work.batch;
    choose_disk();
    choose_machine();
    SiteTraining training;
    training.setup = training_setup(profile_, hardware_, request_);
    double slower = 1;
    if (luck) {
      PossibleSetup possible = possible_setup(training.setup, *luck);
      training.setup = std::move(possible.setup);
      slower = possible.slower;
    }
    training.work = training_work(training.setup);
    for (Seconds* const time :
         {&training.work.work, &training.work.first, &training.work.interval}) {
      *time = *time * slower;
    }
    training.saves = !training.setup.save_to.node_local;
    if (streams()) training.streamed = estimate_training(training.setup).from_store;
    return training;
  }

 private:
  bool streams() const { return strategy_.training.data == scenario::DataAccess::stream; }

  void become_network(scenario::SiteParameters const* draw) {
    scenario::find_storage(hardware_, profile_.storage);
    scenario::StorageSpec& store = named(hardware_.storage, profile_.storage);
    store.bandwidth = store.node_bandwidth = BytesPerSecond();
    store.node_local = false;
    if (draw) store.stream_bandwidth = draw->stream_limit;
  }

  void choose_disk() {
    if (streams()) return;
    request_.stage = "none";
    request_.storage = campaign_.work.storage.empty() ? usual_disk : campaign_.work.storage;
    if (request_.storage != usual_disk) return;
    Bytes const asked = campaign_.request.disk;
    Bytes const room = asked > Bytes(0) ? asked : site_.disk;
    scenario::find_storage(hardware_, usual_disk);
    if (room > Bytes(0)) named(hardware_.storage, usual_disk).capacity = room;
  }

  void choose_machine() {
    request_.machine = site_.machine.empty() ? usual_machine : site_.machine;
    scenario::find_machine(hardware_, request_.machine);
    scenario::MachineSpec& machine = *std::find_if(
        hardware_.machines.begin(), hardware_.machines.end(),
        [this](scenario::MachineSpec const& known) { return known.name == request_.machine; });
    machine.gpus_per_node = site_.gpus_per_node;
    machine.nodes = site_.cluster ? std::max(1, site_.gpus / site_.gpus_per_node) : 1;
    scenario::GpuModel const* const gpu = scenario::gpu_of_site(hardware_, site_);
    request_.gpu = gpu ? gpu->name : site_.gpu;
  }

  scenario::SiteSpec const& site_;
  scenario::Campaign const& campaign_;
  scenario::Strategy const& strategy_;
  scenario::Profile profile_;
  scenario::Hardware hardware_;
  TrainingRequest request_;
};

}  // namespace

CampaignTraining campaign_training(scenario::Pool const& pool, scenario::Campaign const& campaign,
                                   scenario::Strategy const& strategy,
                                   scenario::ParameterDraw const* draw,
                                   std::optional<double> luck) {
  scenario::CatalogueWork const& work =
      strategy.training.catalogue ? *strategy.training.catalogue : *campaign.work.catalogue;
  CampaignTraining training;
  training.streams = strategy.training.data == scenario::DataAccess::stream;
  training.dataset = work.profile.dataset_size();
  training.sites.resize(pool.sites.size());
  for (Id<scenario::PoolSite> const id : scenario::matching_sites(pool, campaign.request)) {
    scenario::SiteSpec const& site = pool.sites[id.index()];
    scenario::SiteParameters const* const at =
        draw && draw->work <= Seconds() ? &draw->sites.at(site.name) : nullptr;
    training.sites[id.index()] = AtSite(site, campaign, strategy, work).train(at, luck);
  }
  return training;
}

void check_training(scenario::Scenario const& scenario) {
  if (!scenario.campaign.work.catalogue) return;
  std::set<std::string> told;
  std::vector<Problem> problems;
  for (scenario::Strategy const& strategy : scenario.strategies) {
    try {
      campaign_training(scenario.pool, scenario.campaign, strategy, nullptr);
    } catch (InputError const& error) {
      for (Problem problem : error.problems()) {
        problem.where = scenario.work_at;
        problem.what = "campaign.work: " + problem.what;
        if (told.insert(problem.to_text()).second) problems.push_back(std::move(problem));
      }
    }
  }
  if (!problems.empty()) throw InputError(std::move(problems));
}

}  // namespace gridcast::training
