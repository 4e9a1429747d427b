#include "sim/engine/simgrid_engine.hpp"

#include <array>
#include <csignal>
#include <utility>

#include <xbt/log.h>

#include "sim/engine/simgrid_version.hpp"

namespace gridcast::engine {

namespace sg4 = simgrid::s4u;

namespace {

/// SimGrid sets handlers of its own, which end the program in its words. Ours stay.
class KeptHandlers {
 public:
  KeptHandlers() {
    for (std::size_t i = 0; i < signals.size(); ++i) sigaction(signals[i], nullptr, &kept_[i]);
  }
  KeptHandlers(KeptHandlers const&) = delete;
  ~KeptHandlers() {
    for (std::size_t i = 0; i < signals.size(); ++i) sigaction(signals[i], &kept_[i], nullptr);
  }

 private:
  static constexpr std::array signals = {SIGINT, SIGSEGV, SIGBUS};
  std::array<struct sigaction, signals.size()> kept_;
};

/// SimGrid's settings, once a process and before its first zone: the root zone builds the models.
void configure() {
  sg4::Engine::set_config("network/model:CM02");
  // The transfers of a campaign go one way.
  sg4::Engine::set_config("network/crosstraffic:no");
  // Lazy updates keep dates of SimGrid's clock, whose rounding depends on the replicas before; full
  // ones only add up steps. So a replica's bytes do not depend on the process that runs it.
  sg4::Engine::set_config("network/optim:Full");
  // The flows of one site do not change the shares at another.
  sg4::Engine::set_config("network/maxmin-selective-update:yes");
}

}  // namespace

SimgridEngine& SimgridEngine::of_process() {
  static SimgridEngine engine;
  return engine;
}

void SimgridEngine::build(PlatformPlan plan) {
  require_simgrid();
  KeptHandlers const kept;
  if (platform_) platform_->enlarge(plan);
  platform_.reset();
  model_.reset();
  if (sg4::Engine::is_initialized()) delete sg4::Engine::get_instance();
  // SimGrid reports each setting on stderr otherwise.
  xbt_log_control_set("xbt_cfg.thresh:warning");
  engine_ = sg4::Engine::get_instance();
  if (!std::exchange(configured_, true)) configure();
  platform_.emplace(std::move(plan));
  model_ = std::make_shared<GridModel>();
  engine_->add_model(model_);  // after the zones: SimGrid 3.32 crashes otherwise
}

Platform& SimgridEngine::platform(PlatformPlan const& plan) {
  if (!platform_ || !platform_->serves(plan)) build(plan);
  return *platform_;
}

void SimgridEngine::run(Clock& clock) {
  if (!platform_) build({{.name = "access-point-zone", .names = {"access-point"}}});
  model_->drive(&clock);
  try {
    engine_->run();
  } catch (...) {
    // SimGrid was left in the middle of a step: the next replica gets a new engine.
    platform_.reset();
    throw;
  }
  model_->drive(nullptr);
}

void Clock::run() { SimgridEngine::of_process().run(*this); }

}  // namespace gridcast::engine
