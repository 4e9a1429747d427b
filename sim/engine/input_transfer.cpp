#include "sim/engine/input_transfer.hpp"

#include <algorithm>
#include <cmath>

#include "sim/strategy/decisions.hpp"

namespace gridcast::engine {

namespace {

constexpr FileId input_file = 0;  // a campaign's input is one set of files, always fetched whole
constexpr std::uint32_t not_found_kind = 0;  // stream of the 404 shock
constexpr Seconds time_to_404(1);            // the published rows: held after one second
constexpr BytesPerSecond trickle_rate(
    50e3);                            // below the Pelican client's 100 kB/s; next to nothing
constexpr Seconds curl_patience(30);  // HTCondor's multifile_curl_plugin.cpp, LowSpeedTime

// Several draws of one attempt, one for each cache it may ask.
constexpr std::uint32_t tries_per_attempt = 4;
constexpr std::uint32_t most_caches = 64;

std::uint32_t number(Id<history::Job> job) { return static_cast<std::uint32_t>(job.index()); }

// A name for what can be bad: the one origin, a cache, or a slot's path to a cache.
std::uint32_t entity(scenario::StallScope scope, SlotRef const& slot, Id<scenario::Cache> cache) {
  auto const cache_number = static_cast<std::uint32_t>(cache.index());
  switch (scope) {
    case scenario::StallScope::origin:
      return 0;
    case scenario::StallScope::cache:
      return 1 + cache_number;
    case scenario::StallScope::path:
      break;
  }
  auto const site = static_cast<std::uint32_t>(slot.site.index());
  return (((site * 4096 + slot.number) * 64 + slot.pilot % 64) * 16 + cache_number % 16) |
         0x80000000u;
}

}  // namespace

InputTransfer::InputTransfer(Clock& clock, Network& network, Platform const& platform,
                             scenario::Pool const& pool, Bytes size,
                             scenario::Strategy const& strategy,
                             scenario::ParameterDraw const& world, RandomStreams const& streams,
                             bool shocks)
    : clock_(clock),
      network_(network),
      platform_(platform),
      pool_(pool),
      strategy_(strategy),
      world_(world),
      streams_(streams),
      size_(size),
      shocks_(shocks),
      bad_periods_(world.stall, streams),
      not_found_(world.not_found, streams, not_found_kind, 1),
      transfer_slots_(pool.access_point.transfer_slots) {
  caches_.reserve(pool.caches.size());
  for (scenario::CacheSpec const& cache : pool.caches) {
    caches_.emplace_back(cache, network, platform.origin_to_cache);
  }
}

void InputTransfer::watch_caches(std::vector<history::CacheSample>& samples) {
  for (std::uint32_t i = 0; i < caches_.size(); ++i) {
    caches_[i].tell_use([this, i, &samples](Bytes used) {
      samples.push_back({clock_.now(), i, used});
    });
  }
}

Step<InputResult> InputTransfer::fetch(Id<history::Job> job, std::uint32_t attempt,
                                       SlotRef const& slot, Interrupt& interrupt) {
  return fetch(job, attempt, slot, InputAsk{size_}, interrupt);
}

Step<InputResult> InputTransfer::fetch(Id<history::Job> job, std::uint32_t attempt,
                                       SlotRef const& slot, InputAsk ask, Interrupt& interrupt) {
  switch (strategy_.transfer.protocol) {
    case scenario::Protocol::http:
      return fetch_http(job, attempt, slot, ask, interrupt);
    case scenario::Protocol::htcondor:
      return fetch_htcondor(slot, noise(job, attempt), interrupt);
    case scenario::Protocol::osdf:
      break;
  }
  return fetch_osdf(job, attempt, slot, ask, interrupt);
}

Step<InputResult> InputTransfer::fetch_osdf(Id<history::Job> job, std::uint32_t attempt,
                                            SlotRef const& slot, InputAsk ask,
                                            Interrupt& interrupt) {
  if (ask.opens && missing(job, attempt)) {
    bool const slept = co_await clock_.sleep(time_to_404, &interrupt);
    co_return slept ? InputResult{InputEnd::failed, history::Reason::not_found}
                    : InputResult{InputEnd::interrupted};
  }
  auto const& offered = pool_.sites[slot.site.index()].caches;
  std::size_t const tries = strategy::caches_to_ask(strategy_.transfer, offered.size());
  RandomStream notice = streams_.stream(Purpose::stall, number(job),
                                        attempt * tries_per_attempt + tries_per_attempt - 1);
  for (std::size_t i = 0; i < tries; ++i) {
    if (!ask.opens || !stalls(job, attempt, slot, i, offered[i])) {
      double const overhead = noise(job, attempt);
      auto const draw = attempt * tries_per_attempt + static_cast<std::uint32_t>(i);
      Pause const stop = ask.opens ? draw_pause(job, draw) : Pause{};
      if (stop.time > Seconds()) {
        bool const goes_on = co_await pause(stop, ask.size, slot, overhead, notice, interrupt);
        if (interrupt.raised()) co_return InputResult{InputEnd::interrupted};
        if (!goes_on) continue;
      }
      bool const arrived = co_await download(offered[i], ask, slot, overhead, interrupt);
      co_return InputResult{arrived ? InputEnd::arrived : InputEnd::interrupted};
    }
    Trickle const trickle = draw_trickle(notice);
    Seconds const start = clock_.now();
    if (!co_await clock_.sleep(trickle.until_given_up, &interrupt)) {
      co_return InputResult{InputEnd::interrupted};
    }
    Bytes const arrived = std::min(ask.size, trickle.bytes);
    delivered_ += arrived;
    traced(pool_.caches[offered[i].index()].name, slot, start, arrived);
    if (strategy_.transfer.resume) ask.size -= arrived;
  }
  bool const starter_gave_up = strategy_.transfer.on_stall == scenario::OnStall::requeue;
  co_return InputResult{InputEnd::failed, starter_gave_up ? history::Reason::transfer_stalled
                                                          : history::Reason::transfer_failed};
}

InputTransfer::Pause InputTransfer::draw_pause(Id<history::Job> job, std::uint32_t draw) const {
  if (world_.stall.pause <= 0) return {};
  RandomStream luck = streams_.stream(Purpose::pause, number(job), draw);
  if (!luck.chance(world_.stall.pause)) return {};
  double const at = luck.uniform();
  return {at, world_.stall.pause_duration * -std::log(luck.uniform())};
}

// A part of the bytes, then nothing. False if the attempt is given up before it goes on.
Step<bool> InputTransfer::pause(Pause const& pause, Bytes& left, SlotRef const& slot, double noise,
                                RandomStream& notice, Interrupt& interrupt) {
  Seconds const patience = strategy::stall_noticed_after(strategy_.transfer, notice.uniform());
  bool const goes_on = pause.time < patience;
  Bytes const before = left * pause.at;
  Bytes const sent =
      co_await network_.transfer(platform_.to_slot[slot.site.index()], before * noise, &interrupt);
  delivered_ += sent / noise;
  if (interrupt.raised()) co_return false;
  if (goes_on || strategy_.transfer.resume) left -= before;
  bool const slept = co_await clock_.sleep(goes_on ? pause.time : patience, &interrupt);
  co_return slept&& goes_on;
}

// A stalling attempt: it may trickle first, then stops, and is noticed.
InputTransfer::Trickle InputTransfer::draw_trickle(RandomStream& notice) const {
  Seconds const noticed = strategy::stall_noticed_after(strategy_.transfer, notice.uniform());
  double const trickles = notice.uniform();
  Seconds const time = world_.stall.slow_duration * -std::log(notice.uniform());
  if (trickles >= world_.stall.slow_before_stall) return {noticed, {}};
  Seconds const limit = strategy::longest_trickle(strategy_.transfer);
  if (time < limit) return {time + noticed, trickle_rate * time};
  return {limit, trickle_rate * limit};
}

// The client's flow over the site's link and the cache's fill from the origin run at the same time.
Step<bool> InputTransfer::download(Id<scenario::Cache> cache, InputAsk ask, SlotRef const& slot,
                                   double noise, Interrupt& interrupt) {
  OsdfCache& from = caches_[cache.index()];
  from.request(input_file, size_);
  Seconds const start = clock_.now();
  Route const& route = platform_.to_slot[slot.site.index()];
  Bytes const work = ask.size * noise;
  BytesPerSecond const limit = ask.limit * noise;
  Bytes sent;
  if (goes_at_once(limit)) {
    sent = co_await network_.transfer(route, work, &interrupt, limit);
  } else {
    sent = co_await send_in_pieces(route, work, limit, interrupt);
  }
  delivered_ += sent / noise;
  traced(pool_.caches[cache.index()].name, slot, start, sent / noise);
  bool arrived = !interrupt.raised();
  if (arrived) arrived = co_await from.filled(input_file, interrupt);
  from.release(input_file);
  co_return arrived;
}

// Where the network cannot limit a flow, it goes in pieces that begin as far apart as the limit
// asks for.
bool InputTransfer::goes_at_once(BytesPerSecond limit) const {
  return limit == BytesPerSecond() || network_.limits_flows();
}

Step<Bytes> InputTransfer::send_in_pieces(Route route, Bytes work, BytesPerSecond limit,
                                          Interrupt& interrupt) {
  constexpr int pieces = 100;
  Bytes sent;
  for (int i = 0; i < pieces && !interrupt.raised(); ++i) {
    Seconds const next = clock_.now() + work / pieces / limit;
    sent += co_await network_.transfer(route, work / pieces, &interrupt);
    if (clock_.now() < next) co_await clock_.sleep_until(next, &interrupt);
  }
  co_return sent;
}

Step<InputResult> InputTransfer::fetch_http(Id<history::Job> job, std::uint32_t attempt,
                                            SlotRef const& slot, InputAsk ask,
                                            Interrupt& interrupt) {
  RandomStream luck = streams_.stream(Purpose::input_path, number(job), attempt);
  bool const aborts = luck.chance(ask.opens ? world_.http_abort : 0);
  double const reached = aborts ? luck.uniform() : 1;
  double const overhead = noise(job, attempt);
  Seconds const start = clock_.now();
  Route const& route = platform_.to_slot[slot.site.index()];
  Bytes const work = ask.size * (reached * overhead);
  BytesPerSecond const limit = ask.limit * overhead;
  Bytes sent;
  if (goes_at_once(limit)) {
    sent = co_await network_.transfer(route, work, &interrupt, limit);
  } else {
    sent = co_await send_in_pieces(route, work, limit, interrupt);
  }
  traced("origin", slot, start, sent / overhead);
  delivered_ += sent / overhead;
  direct_ += sent / overhead;
  if (interrupt.raised()) co_return InputResult{InputEnd::interrupted};
  if (!aborts) co_return InputResult{};
  if (!co_await clock_.sleep(curl_patience, &interrupt))
    co_return InputResult{InputEnd::interrupted};
  co_return InputResult{InputEnd::failed, history::Reason::no_progress};
}

Step<InputResult> InputTransfer::fetch_htcondor(SlotRef const& slot, double noise,
                                                Interrupt& interrupt) {
  if (!co_await transfer_slots_.enter(interrupt)) co_return InputResult{InputEnd::interrupted};
  Seconds const start = clock_.now();
  Bytes const sent =
      co_await network_.transfer(platform_.to_slot[slot.site.index()], size_ * noise, &interrupt);
  transfer_slots_.leave();
  traced("access point", slot, start, sent / noise);
  delivered_ += sent / noise;
  co_return InputResult{interrupt.raised() ? InputEnd::interrupted : InputEnd::arrived};
}

void InputTransfer::trace_to(ResourceTrace& trace) {
  trace_ = &trace;
  bad_periods_.remember();
  for (std::size_t i = 0; i < caches_.size(); ++i) {
    std::string const& name = pool_.caches[i].name;
    caches_[i].tell(clock_, [this, &name](Seconds start, Bytes size) {
      trace_->transfers.push_back({name, "", start, clock_.now(), size, true});
    });
  }
}

void InputTransfer::finish_trace() const {
  if (!trace_) return;
  for (std::size_t i = 0; i < caches_.size(); ++i) {
    trace_->caches.push_back(
        {pool_.caches[i].name, caches_[i].hits(), caches_[i].misses(), caches_[i].fetched()});
  }
  for (auto const& period : bad_periods_.remembered()) {
    trace_->bad.push_back({name_of_bad(period.entity), period.start, period.end});
  }
}

void InputTransfer::traced(std::string const& resource, SlotRef const& slot, Seconds start,
                           Bytes bytes) {
  if (!trace_) return;
  trace_->transfers.push_back(
      {resource, pool_.sites[slot.site.index()].name, start, clock_.now(), bytes, false});
}

// The inverse of entity().
std::string InputTransfer::name_of_bad(std::uint32_t entity) const {
  if (entity == 0) return "origin";
  if ((entity & 0x80000000u) == 0) return pool_.caches[entity - 1].name;
  std::uint32_t const slot = (entity & 0x7fffffffu) / (64 * 16);
  return "a slot's path at " + pool_.sites[slot / 4096 % pool_.sites.size()].name;
}

bool InputTransfer::missing(Id<history::Job> job, std::uint32_t attempt) {
  if (!shocks_) return false;
  bool const shock = not_found_.hits(0, number(job), attempt == 0);
  RandomStream luck = streams_.stream(Purpose::input_path, number(job), attempt);
  return luck.chance(world_.spurious_404) || shock;
}

// In bad times a job's luck with a cache holds for an hour: the published attempts were that far
// apart, so nothing is known of closer ones, and trying more often is no better than waiting
// (docs/model.md, A-LUCK).
bool InputTransfer::stalls(Id<history::Job> job, std::uint32_t attempt, SlotRef const& slot,
                           std::size_t try_number, Id<scenario::Cache> cache) {
  scenario::StallParameters const& world = world_.stall;
  if (!bad_periods_.bad(entity(world.scope, slot, cache), clock_.now())) {
    auto const draw = attempt * tries_per_attempt + static_cast<std::uint32_t>(try_number);
    return streams_.stream(Purpose::stall, number(job), draw).chance(world.stall_when_quiet);
  }
  auto const hour = static_cast<std::uint32_t>(clock_.now() / hours(1));
  auto const draw = hour * most_caches + static_cast<std::uint32_t>(cache.index()) % most_caches;
  return streams_.stream(Purpose::bad_luck, number(job), draw).chance(world.stall_when_bad);
}

// Work per byte: an attempt on a poor path takes as long as more bytes on a good one would.
double InputTransfer::noise(Id<history::Job> job, std::uint32_t attempt) const {
  RandomStream stream = streams_.stream(Purpose::transfer_rate, number(job), attempt);
  return std::exp(world_.rate_noise * normal_quantile(stream.uniform()));
}

}  // namespace gridcast::engine
