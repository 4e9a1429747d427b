#include "sim/training/execution.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "sim/base/error.hpp"
#include "sim/scenario/catalogue.hpp"
#include "sim/training/input_pipeline.hpp"

namespace gridcast::training {
namespace {

/// Rounding must not turn a checkpoint that is due now into one that is past or to come.
constexpr double slack = 1e-9;

double lognormal(double sigma, double u) {
  return sigma > 0 ? std::exp(sigma * normal_quantile(u)) : 1;
}

double scale_of_job(WorkView const& view, Uniforms const& uniforms) {
  return view.work.scale * view.job_scale * scenario::job_factor(view.draw, uniforms.job);
}

/// The site's GPU beside those of the record; jobs without a GPU compute alike everywhere.
double speed_of_gpu(WorkView const& view) { return view.gpus > 0 ? view.site.gpu_speed : 1; }

/// How much faster the job's number of GPUs is than that of the measurement.
double speed_of_gpus(WorkView const& view) {
  int const measured = view.site.gpus_of_speed;
  if (measured <= 0 || view.gpus <= 0 || view.gpus == measured) return 1;
  return std::pow(static_cast<double>(view.gpus) / measured, view.draw.gpu_scaling);
}

/// The probability that one of several parts crashes.
double any_of(double p, int parts) { return parts == 1 ? p : 1 - std::pow(1 - p, parts); }

/// The share of the work at the first crash of a part, given that there is one.
double first_crash(double p, int parts, double u) {
  if (parts == 1 || p <= 0 || p >= 1) return u / (p >= 1 ? parts : 1);
  double const below = u * any_of(p, parts);  // P(a crash before it)
  double const part = std::floor(std::log1p(-below) / std::log1p(-p));
  double const within = (below - (1 - std::pow(1 - p, part))) / (std::pow(1 - p, part) * p);
  return std::min(1.0, (part + within) / parts);
}

/// All of the job's work at the site, in this execution.
Seconds all_work(WorkView const& view, Uniforms const& uniforms) {
  double const scale = scale_of_job(view, uniforms);
  if (view.draw.work > Seconds()) {
    return view.draw.work * (view.work.jobs_in_one * scale *
                             lognormal(view.draw.execution_sigma, uniforms.execution) /
                             (view.site.speed * speed_of_gpu(view) * speed_of_gpus(view)));
  }
  return Seconds(view.site.epoch.quantile(uniforms.execution)) *
         (view.work.epochs * scale / (speed_of_gpu(view) * speed_of_gpus(view)));
}

constexpr char usual_machine[] = "pool-slot";
constexpr char usual_disk[] = "slot-disk";
constexpr char usual_destination[] = "access-point";

/// The strategy's checkpoints, if it has any, instead of those of the profile.
void set_checkpoints(scenario::CheckpointSpec& checkpoint, scenario::Strategy const& strategy) {
  scenario::TrainingStrategy const& training = strategy.training;
  int const epochs = strategy.retry.policy.checkpoint_every_epochs;
  bool const is_given =
      epochs > 0 || training.checkpoint_every_steps > 0 || training.checkpoint_every > Seconds(0);
  // Files left on a slot go with it: nobody saves there on a grid without need.
  if (checkpoint.destination.empty()) checkpoint.destination = usual_destination;
  if (!is_given) return;
  checkpoint.first_epoch = 0;
  checkpoint.every_epochs = epochs;
  checkpoint.every_steps = training.checkpoint_every_steps;
  checkpoint.every = training.checkpoint_every;
  if (checkpoint.size > Bytes(0)) return;
  refuse({}, "checkpoints without a size", "the profile has no checkpoint.size",
         "Give it one, or leave out 'checkpoint'.");
}

scenario::StorageSpec& named(std::vector<scenario::StorageSpec>& stores, std::string const& name) {
  return *std::ranges::find_if(
      stores, [&name](scenario::StorageSpec const& store) { return store.name == name; });
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

  SiteTraining train(scenario::SiteParameters const* draw, std::optional<double> profile_quantile) {
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
    if (profile_quantile) {
      PossibleSetup possible = possible_setup(training.setup, *profile_quantile);
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
    scenario::MachineSpec& machine = *std::ranges::find_if(
        hardware_.machines,
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

double TrainingWork::checkpoints(Seconds done) const {
  if (interval <= Seconds(0)) return 0;
  return std::max(0., 1 + std::floor((done - first) / interval + slack));
}

Seconds TrainingWork::execution(Seconds done) const {
  double const saves = checkpoints(work) - checkpoints(done);
  return once + (work - done) + save * saves + at_end;
}

TrainingWork training_work(TrainingSetup const& setup) {
  TrainingEstimate const estimate = estimate_training(setup);
  TimeParts const& parts = estimate.parts;
  scenario::CheckpointSpec const& checkpoint = setup.profile.checkpoint;
  TrainingWork work;
  work.once = parts.start + parts.staging + parts.warm_up;
  if (setup.profile.reader.when == scenario::ReadWhen::job_start) work.once += parts.reading;
  work.work = estimate.total - work.once - parts.saving;
  if (estimate.saves == 0) return work;
  SavePlan const& plan = estimate.plan;
  work.interval = plan.interval;
  work.first = checkpoint.first_epoch > 0
                   ? work.work * (1. * checkpoint.first_epoch / setup.profile.train.epochs)
                   : plan.interval;
  double const regular = work.checkpoints(work.work);
  Seconds const each = work.written = estimate.save;
  work.save = checkpoint.mode == scenario::SaveMode::wait
                  ? each
                  : std::max(Seconds(0), each - work.interval);
  work.at_end = std::max(Seconds(0), parts.saving - work.save * regular);
  return work;
}

double scale_odds(double p, double factor) { return p * factor / (1 - p + p * factor); }

double random_slowdown(WorkView const& view, Uniforms const& uniforms) {
  double const scale = scale_of_job(view, uniforms);
  if (view.draw.work > Seconds()) {
    return scale * lognormal(view.draw.execution_sigma, uniforms.execution);
  }
  return scale * view.site.epoch.quantile(uniforms.execution) / view.site.epoch.quantile(0.5);
}

std::vector<Stretch> plan_execution(WorkView const& view, Uniforms const& uniforms) {
  int const epochs = view.work.epochs;
  Seconds const epoch = all_work(view, uniforms) / epochs;
  int const parts = view.work.jobs_in_one;
  double const bad = scale_odds(view.draw.crash_of_job, view.crash_odds);
  double const crash = scale_odds(view.site.crash, view.crash_odds);
  bool const crashes =
      uniforms.bad_job < any_of(bad, parts) || uniforms.crash < any_of(crash, parts);
  Seconds const remains = epoch * (epochs - view.epochs_stored);
  Seconds left = crashes ? remains * first_crash(crash, parts, uniforms.crash_at) : remains;

  std::vector<Stretch> plan;
  int stored = view.epochs_stored;
  int const every = view.checkpoint_every;
  while (every > 0 && stored + every < epochs && epoch * every <= left) {
    stored += every;
    left -= epoch * every;
    plan.push_back({Stretch::End::checkpoint, epoch * every, stored});
  }
  if (crashes) {
    plan.push_back({Stretch::End::crash, left, stored});
  } else {
    plan.push_back({Stretch::End::done, epoch * (epochs - stored), epochs});
  }
  plan.front().time += view.site.unpack * view.unpack_share;
  return plan;
}

CampaignTraining campaign_training(scenario::Pool const& pool, scenario::Campaign const& campaign,
                                   scenario::Strategy const& strategy,
                                   scenario::ParameterDraw const* draw,
                                   std::optional<double> profile_quantile) {
  scenario::CatalogueWork const& work = strategy.training.catalogue.work
                                            ? *strategy.training.catalogue.work
                                            : *campaign.work.catalogue;
  CampaignTraining training;
  training.streams = strategy.training.data == scenario::DataAccess::stream;
  training.dataset = work.profile.dataset_size();
  training.sites.resize(pool.sites.size());
  for (Id<scenario::PoolSite> const id : scenario::matching_sites(pool, campaign.request)) {
    scenario::SiteSpec const& site = pool.sites[id.index()];
    scenario::SiteParameters const* const at =
        draw && draw->work <= Seconds() ? &draw->sites.at(site.name) : nullptr;
    training.sites[id.index()] = AtSite(site, campaign, strategy, work).train(at, profile_quantile);
  }
  return training;
}

void check_training(scenario::Scenario const& scenario) {
  if (!scenario.campaign.work.catalogue) return;
  std::set<std::string> reported;
  std::vector<Problem> problems;
  for (scenario::Strategy const& strategy : scenario.strategies) {
    try {
      campaign_training(scenario.pool, scenario.campaign, strategy, nullptr);
    } catch (InputError const& error) {
      for (Problem problem : error.problems()) {
        problem.where = scenario.work_at;
        problem.what = "campaign.work: " + problem.what;
        if (reported.insert(problem.to_text()).second) problems.push_back(std::move(problem));
      }
    }
  }
  if (!problems.empty()) throw InputError(std::move(problems));
}

}  // namespace gridcast::training
