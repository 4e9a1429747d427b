#include "sim/engine/transfer/input_transfer.hpp"

#include <algorithm>
#include <cmath>

#include "sim/strategy/decisions.hpp"

namespace gridcast::engine {

namespace {

constexpr FileId input_file = 0;  // a campaign's input is one set of files, always fetched whole
constexpr std::uint32_t not_found_kind = 0;  // stream of the 404 shock
constexpr Seconds time_to_404(1);            // the published rows: held after one second
constexpr BytesPerSecond slow_rate(50e3);    // below the Pelican client's 100 kB/s

// Several draws of one attempt, one for each cache it may ask.
constexpr std::uint32_t tries_per_attempt = 4;
constexpr std::uint32_t most_caches = 64;

// A name for what can be bad: the one origin, a cache, or a slot's path to a cache.
std::uint32_t entity(scenario::StallScope scope, SlotRef const& slot, Id<scenario::Cache> cache) {
  auto const cache_number = cache.number();
  switch (scope) {
    case scenario::StallScope::origin:
      return 0;
    case scenario::StallScope::cache:
      return 1 + cache_number;
    case scenario::StallScope::path:
      break;
  }
  auto const site = slot.site.number();
  return (((site * 4096 + slot.number) * 64 + slot.pilot % 64) * 16 + cache_number % 16) |
         0x80000000u;
}

}  // namespace

InputTransfer::InputTransfer(Clock& clock, Network& network, Platform const& platform,
                             ReplicaInput const& in, Bytes size, bool shocks)
    : clock_(clock),
      network_(network),
      platform_(platform),
      in_(in),
      size_(size),
      shocks_(shocks),
      bad_periods_(in.draw.stall, in.streams),
      not_found_(in.draw.not_found, in.streams, not_found_kind, 1),
      transfer_slots_(in.pool.access_point.transfer_slots) {
  caches_.reserve(in.pool.caches.size());
  for (scenario::CacheSpec const& cache : in.pool.caches) {
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
  switch (in_.strategy.transfer.protocol) {
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
    Waited const answered = co_await clock_.sleep(time_to_404, &interrupt);
    co_return answered == Waited::done ? InputResult{InputEnd::failed, history::Reason::not_found}
                                       : InputResult{InputEnd::interrupted};
  }
  auto const& offered = in_.pool.sites[slot.site.index()].caches;
  std::size_t const tries = strategy::caches_to_ask(in_.strategy.transfer, offered.size());
  RandomStream notice = in_.streams.stream(Purpose::stall, job.number(),
                                           attempt * tries_per_attempt + tries_per_attempt - 1);
  for (std::size_t i = 0; i < tries; ++i) {
    if (!ask.opens || !stalls(job, attempt, slot, i, offered[i])) {
      double const overhead = noise(job, attempt);
      auto const draw = attempt * tries_per_attempt + static_cast<std::uint32_t>(i);
      Pause const stop = ask.opens ? draw_pause(job, draw) : Pause{};
      if (stop.time > Seconds()) {
        auto const after = co_await pause(stop, ask.size, slot, overhead, notice, interrupt);
        if (after == AfterPause::interrupted) co_return InputResult{InputEnd::interrupted};
        if (after == AfterPause::given_up) continue;
      }
      co_return co_await download(offered[i], ask, slot, overhead, interrupt);
    }
    SlowTransfer const slow = draw_slow_transfer(notice);
    Seconds const start = clock_.now();
    Waited const waited = co_await clock_.sleep(slow.until_given_up, &interrupt);
    if (waited == Waited::cut_off) co_return InputResult{InputEnd::interrupted};
    Bytes const arrived = std::min(ask.size, slow.bytes);
    delivered_ += arrived;
    traced(in_.pool.caches[offered[i].index()].name, slot, start, arrived);
    if (in_.strategy.transfer.resume) ask.size -= arrived;
  }
  bool const starter_gave_up = in_.strategy.transfer.on_stall == scenario::OnStall::requeue;
  co_return InputResult{InputEnd::failed, starter_gave_up ? history::Reason::transfer_stalled
                                                          : history::Reason::transfer_failed};
}

InputTransfer::Pause InputTransfer::draw_pause(Id<history::Job> job, std::uint32_t draw) const {
  if (in_.draw.stall.pause <= 0) return {};
  RandomStream luck = in_.streams.stream(Purpose::pause, job.number(), draw);
  if (!luck.chance(in_.draw.stall.pause)) return {};
  double const at = luck.uniform();
  return {at, in_.draw.stall.pause_duration * -std::log(luck.uniform())};
}

// A part of the bytes, then nothing for a while; the attempt may be given up before it goes on.
Step<InputTransfer::AfterPause> InputTransfer::pause(Pause const& pause, Bytes& left,
                                                     SlotRef const& slot, double noise,
                                                     RandomStream& notice, Interrupt& interrupt) {
  Seconds const patience = strategy::stall_noticed_after(in_.strategy.transfer, notice.uniform());
  bool const goes_on = pause.time < patience;
  Bytes const before = left * pause.at;
  Bytes const sent =
      co_await network_.transfer(platform_.to_slot[slot.site.index()], before * noise, &interrupt);
  delivered_ += sent / noise;
  if (interrupt.raised()) co_return AfterPause::interrupted;
  if (goes_on || in_.strategy.transfer.resume) left -= before;
  Waited const waited = co_await clock_.sleep(goes_on ? pause.time : patience, &interrupt);
  if (waited == Waited::cut_off) co_return AfterPause::interrupted;
  co_return goes_on ? AfterPause::goes_on : AfterPause::given_up;
}

// It may be slow first, then stops, and is noticed.
InputTransfer::SlowTransfer InputTransfer::draw_slow_transfer(RandomStream& notice) const {
  Seconds const noticed = strategy::stall_noticed_after(in_.strategy.transfer, notice.uniform());
  double const is_slow = notice.uniform();
  Seconds const time = in_.draw.stall.slow_duration * -std::log(notice.uniform());
  if (is_slow >= in_.draw.stall.slow_before_stall) return {noticed, {}};
  Seconds const limit = strategy::longest_slow_transfer(in_.strategy.transfer);
  if (time < limit) return {time + noticed, slow_rate * time};
  return {limit, slow_rate * limit};
}

// The client's flow over the site's link and the cache's fill from the origin run at the same time.
Step<InputResult> InputTransfer::download(Id<scenario::Cache> cache, InputAsk ask,
                                          SlotRef const& slot, double noise, Interrupt& interrupt) {
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
  traced(in_.pool.caches[cache.index()].name, slot, start, sent / noise);
  InputResult result;
  if (interrupt.raised()) {
    result.end = InputEnd::interrupted;
  } else {
    Waited const filled = co_await from.filled(input_file, interrupt);
    if (filled == Waited::cut_off) result.end = InputEnd::interrupted;
  }
  from.release(input_file);
  co_return result;
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
  RandomStream luck = in_.streams.stream(Purpose::input_path, job.number(), attempt);
  bool const aborts = luck.chance(ask.opens ? in_.draw.http_abort : 0);
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
  Waited const waited = co_await clock_.sleep(strategy::curl_patience, &interrupt);
  if (waited == Waited::cut_off) co_return InputResult{InputEnd::interrupted};
  co_return InputResult{InputEnd::failed, history::Reason::no_progress};
}

Step<InputResult> InputTransfer::fetch_htcondor(SlotRef const& slot, double noise,
                                                Interrupt& interrupt) {
  Waited const turn = co_await transfer_slots_.enter(interrupt);
  if (turn == Waited::cut_off) co_return InputResult{InputEnd::interrupted};
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
    std::string const& name = in_.pool.caches[i].name;
    caches_[i].tell(clock_, [this, &name](Seconds start, Bytes size) {
      trace_->transfers.push_back({name, "", start, clock_.now(), size, true});
    });
  }
}

void InputTransfer::finish_trace() const {
  if (!trace_) return;
  for (std::size_t i = 0; i < caches_.size(); ++i) {
    trace_->caches.push_back(
        {in_.pool.caches[i].name, caches_[i].hits(), caches_[i].misses(), caches_[i].fetched()});
  }
  for (auto const& period : bad_periods_.remembered()) {
    trace_->bad.push_back({name_of_bad(period.entity), period.start, period.end});
  }
}

void InputTransfer::traced(std::string const& resource, SlotRef const& slot, Seconds start,
                           Bytes bytes) {
  if (!trace_) return;
  trace_->transfers.push_back(
      {resource, in_.pool.sites[slot.site.index()].name, start, clock_.now(), bytes, false});
}

// The inverse of entity().
std::string InputTransfer::name_of_bad(std::uint32_t entity) const {
  if (entity == 0) return "origin";
  if ((entity & 0x80000000u) == 0) return in_.pool.caches[entity - 1].name;
  std::uint32_t const slot = (entity & 0x7fffffffu) / (64 * 16);
  return "a slot's path at " + in_.pool.sites[slot / 4096 % in_.pool.sites.size()].name;
}

bool InputTransfer::missing(Id<history::Job> job, std::uint32_t attempt) {
  if (!shocks_) return false;
  bool const shock = not_found_.hits(0, job.number(), attempt == 0);
  RandomStream luck = in_.streams.stream(Purpose::input_path, job.number(), attempt);
  return luck.chance(in_.draw.spurious_404) || shock;
}

// In bad times a job's luck with a cache holds for an hour: the published attempts were that far
// apart, so nothing is known of closer ones, and trying more often is no better than waiting
// (docs/model.md, A-LUCK).
bool InputTransfer::stalls(Id<history::Job> job, std::uint32_t attempt, SlotRef const& slot,
                           std::size_t try_number, Id<scenario::Cache> cache) {
  scenario::StallParameters const& stall = in_.draw.stall;
  if (!bad_periods_.bad(entity(stall.scope, slot, cache), clock_.now())) {
    auto const number = attempt * tries_per_attempt + static_cast<std::uint32_t>(try_number);
    return in_.streams.stream(Purpose::stall, job.number(), number).chance(stall.stall_when_quiet);
  }
  auto const hour = static_cast<std::uint32_t>(clock_.now() / hours(1));
  auto const number = hour * most_caches + cache.number() % most_caches;
  return in_.streams.stream(Purpose::bad_luck, job.number(), number).chance(stall.stall_when_bad);
}

// Work per byte: an attempt on a poor path takes as long as more bytes on a good one would.
double InputTransfer::noise(Id<history::Job> job, std::uint32_t attempt) const {
  RandomStream stream = in_.streams.stream(Purpose::transfer_rate, job.number(), attempt);
  return std::exp(in_.draw.rate_noise * normal_quantile(stream.uniform()));
}

bool TransferTurn::await_ready() {
  interrupted_ = interrupt_.raised();
  if (interrupted_) return true;
  if (queue_.free_ == 0) return false;
  --queue_.free_;
  return true;
}

void TransferTurn::await_suspend(std::coroutine_handle<> waiter) {
  waiter_ = waiter;
  interrupt_.begin(*this);
  queue_.waiting_.push_back(this);
}

void TransferTurn::cancel() { std::erase(queue_.waiting_, this); }

void TransferQueue::leave() {
  if (waiting_.empty()) {
    ++free_;
    return;
  }
  TransferTurn* const next = waiting_.front();
  waiting_.pop_front();
  next->interrupt_.end();
  next->waiter_.resume();
}

}  // namespace gridcast::engine
