#include "sim/engine/transfer/input_transfer.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace gridcast::engine {

namespace {

constexpr std::uint32_t not_found_kind = 0;        // stream of the 404 shock
constexpr int transfer_input_error = 13;           // hold code
constexpr Seconds time_to_404(1);                  // the published rows: held after one second
constexpr BytesPerSecond slow_rate(50e3);          // below the Pelican client's limit
constexpr Seconds default_plugin_lifetime(72000);  // MAX_FILE_TRANSFER_PLUGIN_LIFETIME

// A URL's random numbers: a block of four uniforms for its fate, then two for each try.
constexpr std::uint32_t blocks_a_url = 8;

double exponential(double u) { return -std::log(u); }

/// The lower of two limits, each zero if there is none.
BytesPerSecond lower_limit(BytesPerSecond a, BytesPerSecond b) {
  bool const both = a > BytesPerSecond() && b > BytesPerSecond();
  return both ? std::min(a, b) : std::max(a, b);
}

/// The rate of a flow over the route if all slots of the pool flow over each of its links.
BytesPerSecond least_share(PoolNetwork const& pool_network, Route const& route) {
  SiteSlots const& last = pool_network.sites.back();
  double const slots = std::max(1.0, static_cast<double>(last.first_slot + last.slots));
  BytesPerSecond least = scenario::unlimited_rate;
  for (Id<Link> const link : {route.first, route.second, route.third}) {
    if (!link.valid()) continue;
    LinkSpec const& spec = pool_network.plan.links[link.index()];
    least = std::min({least, spec.stream_limit, spec.capacity / slots});
  }
  return least;
}

}  // namespace

// Most tries need none of the later numbers, which are of another block.
struct InputTransfer::TryDraws {
  explicit TryDraws(RandomStream of)
      : noise(of.uniform()),
        quiet(of.uniform()),
        dependence(of.uniform()),
        slow(of.uniform()),
        stream(of) {}

  struct Later {
    double duration, pauses, pause_at, pause;
  };
  Later later() const {
    RandomStream of = stream;
    return {of.uniform(), of.uniform(), of.uniform(), of.uniform()};
  }

  double noise, quiet, dependence, slow;
  RandomStream stream;
};

InputTransfer::TryDraws InputTransfer::try_draws(File const& file, std::uint32_t number) {
  return TryDraws(file.random.from_block(file.wanted.place * blocks_a_url + 1 + 2 * number));
}

InputTransfer::InputTransfer(Clock& clock, Recorder& recorder, Network& network,
                             PoolNetwork const& pool_network, ReplicaInput const& in, Bytes dataset,
                             bool shocks)
    : clock_(clock),
      recorder_(recorder),
      network_(network),
      pool_network_(pool_network),
      in_(in),
      dataset_(dataset),
      shocks_(shocks),
      by_timer_(strategy::longest_transfer(in.strategy.transfer)),
      lifetime_(in.strategy.retry.policy.plugin_lifetime.value_or(default_plugin_lifetime)),
      inputs_(in.campaign),
      sites_(parameters_by_site(in)),
      bad_periods_(in.draw.outages, in.streams),
      not_found_(in.draw.not_found, in.streams, not_found_kind, 1),
      transfer_slots_(in.pool.access_point.transfer_slots) {
  caches_.reserve(in.pool.caches.size());
  for (scenario::CacheSpec const& cache : in.pool.caches) {
    caches_.emplace_back(cache, clock, network, pool_network.origin_to_cache);
  }
  int const most = in.strategy.transfer.most_at_a_time;
  bool const jobs_meet = !in.record;
  if (most <= 0 || !jobs_meet) return;
  for (std::size_t site = 0; site < sites_.size(); ++site) turns_.emplace_back(most);
}

void InputTransfer::watch_caches(std::vector<history::CacheSample>& samples) {
  for (std::uint32_t i = 0; i < caches_.size(); ++i) {
    caches_[i].on_use([this, i, &samples](Bytes used) {
      samples.push_back({clock_.now(), i, used});
    });
  }
}

Step<InputResult> InputTransfer::fetch(Attempt const& attempt, std::uint32_t number, Claim& claim,
                                       Seconds plugin_start) {
  Run run(clock_, attempt, number, claim);
  run.plugin_start = plugin_start;
  TransferQueue* const turns = turns_.empty() ? nullptr : &turns_[attempt.slot.site.index()];
  if (turns) {
    Waited const turn = co_await turns->enter(claim.interrupt());
    if (turn == Waited::cut_off) co_return InputResult{InputEnd::interrupted};
    run.start = clock_.now();
  }
  InputResult const result = co_await whole_input(run);
  if (turns) turns->leave();
  co_return result;
}

Step<InputResult> InputTransfer::whole_input(Run& run) {
  if (in_.record) {
    if (auto const* recorded = in_.record->transfer(run.attempt.job)) {
      return fetch_as_recorded(run, *recorded);
    }
  }
  if (in_.strategy.transfer.protocol == scenario::Protocol::htcondor) return fetch_htcondor(run);
  return all_files(run);
}

Step<InputResult> InputTransfer::all_files(Run& run) {
  set_deadline(run);
  if (run.plugin_start > Seconds()) {
    co_await clock_.sleep(run.plugin_start, &run.claim.interrupt());
    if (run.over()) co_return run.end();
  }
  if (has_input(run.attempt.job) && missing(run)) {
    co_await clock_.sleep(time_to_404, &run.claim.interrupt());
    if (run.over()) co_return run.end();
    co_return InputResult{InputEnd::failed, history::Reason::not_found};
  }
  std::uint32_t place = 0;
  for (std::uint32_t const entry : inputs_.of(run.attempt.job.index())) {
    scenario::InputFile const& input = in_.campaign.input[entry];
    File wanted = file(run, {place++, inputs_.file(entry), input.size, input.share});
    Seconds const start = clock_.now();
    InputResult const fetched = co_await fetch_url(run, wanted);
    record(run, wanted, start, fetched.end);
    if (fetched.end != InputEnd::arrived) co_return fetched;
  }
  auto const* const recorded = in_.record ? in_.record->arrived(run.attempt.job) : nullptr;
  co_return recorded ? end_as_recorded(run, *recorded) : InputResult{};
}

Step<InputResult> InputTransfer::fetch_as_recorded(Run& run,
                                                   history::RecordedAttempt const& recorded) {
  co_await pass(run, recorded);
  if (run.over()) co_return run.end();
  if (recorded.transferred) co_return InputResult{};
  co_return end_as_recorded(run, recorded);
}

Step<Waited> InputTransfer::pass(Run& run, history::RecordedAttempt const& recorded) {
  return pass_as_recorded(clock_, run.claim, recorded, history::RecordedStep::transfer,
                          [this, of = run.attempt](history::EventKind kind) {
                            recorder_.record(of.job, kind, of.slot);
                          });
}

// The strategy's rules act on a failure of a transfer.
InputResult InputTransfer::end_as_recorded(Run& run, history::RecordedAttempt const& recorded) {
  bool const held = recorded.ended_by == history::EventKind::held;
  bool const failed = recorded.ended_by == history::EventKind::shadow_exception;
  bool const by_transfer = (failed && strategy::retryable(recorded.reason)) ||
                           (held && recorded.reason != history::Reason::transfer_stalled &&
                            history::hold_code(recorded.reason).code == transfer_input_error);
  if (by_transfer && recorded.computed == Seconds()) return {InputEnd::failed, recorded.reason};
  run.claim.end(Claim::End::as_recorded);
  return run.end();
}

Step<InputResult> InputTransfer::read(Attempt const& attempt, std::uint32_t number, InputAsk ask,
                                      Claim& claim) {
  Run run(clock_, attempt, number, claim);
  run.ask = ask;
  if (ask.opens && missing(run)) {
    co_await clock_.sleep(time_to_404, &claim.interrupt());
    if (run.over()) co_return run.end();
    co_return InputResult{InputEnd::failed, history::Reason::not_found};
  }
  File wanted = file(run, {0, 0, ask.size});
  Seconds const start = clock_.now();
  InputResult const fetched = co_await fetch_url(run, wanted);
  record(run, wanted, start, fetched.end);
  co_return fetched;
}

// Whichever comes first. The access point hears of the first as the starter's exception, of the
// second as a hold.
void InputTransfer::set_deadline(Run& run) {
  auto const why = by_timer_ <= lifetime_ ? history::Reason::transfer_stalled
                                          : history::Reason::transfer_timeout;
  run.deadline.set(run.start + std::min(by_timer_, lifetime_), [&run, why] {
    run.expired = why;
    run.claim.interrupt().nudge();
  });
}

InputTransfer::File InputTransfer::file(Run const& run, Wanted const& wanted) const {
  RandomStream const random =
      in_.streams.stream(Purpose::url, run.attempt.job.number(), run.number);
  File file{wanted, wanted.size, random.from_block(wanted.place * blocks_a_url)};
  scenario::SiteParameters const& at = site(run);
  file.sigma = at.rate_sigma;
  if (at.url_failure <= 0 && at.url_hang <= 0) return file;
  double fate = file.random.uniform();  // all parts of a file fail as often as the file does
  if (wanted.share < 1) fate = 1 - std::pow(1 - fate, 1 / wanted.share);
  file.fails = fate < at.url_failure;
  file.hangs = !file.fails && fate < at.url_failure + at.url_hang;
  return file;
}

Step<InputResult> InputTransfer::fetch_url(Run& run, File& file) {
  run.last_sign = clock_.now();
  bool const osdf = in_.strategy.transfer.protocol == scenario::Protocol::osdf;
  return osdf ? fetch_osdf(run, file) : fetch_http(run, file);
}

Step<InputResult> InputTransfer::fetch_osdf(Run& run, File& file) {
  auto const& offered = in_.pool.sites[run.attempt.slot.site.index()].caches;
  std::size_t const tries = strategy::caches_to_ask(in_.strategy.transfer, offered.size());
  run.last_try_hit = false;
  for (std::size_t i = 0; i < tries; ++i) {
    auto const cache = offered.empty() ? Id<scenario::Cache>() : offered[i];
    TryEnd const end = co_await try_cache(run, file, cache, static_cast<std::uint32_t>(i));
    if (end == TryEnd::over) co_return run.end();
    if (end == TryEnd::next_cache) continue;
    co_return file.fails ? InputResult{InputEnd::failed, history::Reason::transfer_failed}
                         : InputResult{};
  }
  co_return InputResult{InputEnd::failed, history::Reason::transfer_failed, true};
}

Step<InputTransfer::TryEnd> InputTransfer::try_cache(Run& run, File& file,
                                                     Id<scenario::Cache> cache,
                                                     std::uint32_t number) {
  TryDraws const draws(try_draws(file, number));
  run.cache_try = number;
  Hit const found = file.hangs ? Hit{true, false, {}} : hit(run, cache, draws);
  run.last_try_hit = found.hit;
  meet_cache(run, file, number);
  double const work_a_byte = noise(run, file, draws.noise);
  double const odds = in_.draw.outages.pause;
  bool const pauses = !found.hit && run.ask.opens && odds > 0 && draws.later().pauses < odds;
  if (pauses) return pause(run, file, cache, draws);
  if (found.dead()) return dead_try(run, file, draws);
  return download(run, file, cache, work_a_byte, found);
}

Step<InputTransfer::TryEnd> InputTransfer::dead_try(Run& run, File& file, TryDraws draws) {
  co_await stand_still(run, file, draws);
  co_return run.over() ? TryEnd::over : TryEnd::next_cache;
}

// Dead, perhaps slow for a while before that.
Step<void> InputTransfer::stand_still(Run& run, File& file, TryDraws const& draws) {
  scenario::OutageParameters const& outages = in_.draw.outages;
  Seconds slow_for = draws.slow < outages.slow_before_stall
                         ? outages.slow_duration * exponential(draws.later().duration)
                         : Seconds();
  if (in_.record) slow_for = in_.record->bytes_came_for(run.attempt.job);
  Seconds const start = clock_.now();
  strategy::Patience const client = strategy::patience(in_.strategy.transfer);
  Seconds const limit = slow_rate < client.slow ? client.with_slow : end_of_time;
  Seconds const slow = std::min(slow_for, limit);
  if (slow > Seconds()) run.last_sign = start + slow;
  if (slow_for < limit) {
    co_await wait_in_silence(run, slow, client.with_silence);
  } else {
    co_await clock_.sleep(limit, &run.claim.interrupt());
  }
  Bytes const sent = std::min(file.size, slow_rate * std::min(slow, clock_.now() - start));
  deliver(sent);
  if (in_.strategy.transfer.resume) file.size -= sent;
}

// After a time in which bytes come, none does, until the client has had its patience or the
// starter's timer, which counts over all the tries of a URL, ends the run.
Step<void> InputTransfer::wait_in_silence(Run& run, Seconds before, Seconds time) {
  Seconds const silent_since = run.last_sign - run.start;
  Seconds const begins = clock_.now() + before;
  Seconds const by_starter =
      strategy::silence_ends(in_.strategy.transfer, silent_since) - (begins - run.start);
  bool const starter_ends = by_starter <= time;
  Seconds const wait = before + std::min(by_starter, time);
  if (!std::isfinite(wait.value())) {
    co_await UntilInterrupted(run.claim.interrupt());
    co_return;
  }
  co_await clock_.sleep(wait, &run.claim.interrupt());
  if (starter_ends && !run.over()) run.expired = history::Reason::transfer_stalled;
}

// A part of the bytes, then nothing for a while; the try may be given up before it goes on.
Step<InputTransfer::TryEnd> InputTransfer::pause(Run& run, File& file, Id<scenario::Cache> cache,
                                                 TryDraws draws) {
  double const work_a_byte = noise(run, file, draws.noise);
  TryDraws::Later const later = draws.later();
  Bytes const before = file.size * later.pause_at;
  Seconds const time = in_.draw.outages.pause_duration * exponential(later.pause);
  TryEnd const end = co_await bring(run, {file, before}, work_a_byte, {}, cache);
  if (end != TryEnd::arrived) co_return end;
  run.last_sign = clock_.now();
  Seconds const patience = strategy::patience(in_.strategy.transfer).with_silence;
  bool const goes_on = time < patience;
  if (goes_on || in_.strategy.transfer.resume) file.size -= before;
  co_await wait_in_silence(run, {}, std::min(time, patience));
  if (run.over()) co_return TryEnd::over;
  if (!goes_on) co_return TryEnd::next_cache;
  co_return co_await download(run, file, cache, work_a_byte, {});
}

Step<InputTransfer::TryEnd> InputTransfer::download(Run& run, File& file, Id<scenario::Cache> cache,
                                                    double work_a_byte, Hit const& slow) {
  double const share = file.fails ? in_.draw.url_failed_after : 1;
  return bring(run, {file, file.size, share, true}, work_a_byte, slow, cache);
}

// The client's flow over the site's links and the cache's fill from the origin run at the same
// time. Slow bytes count as more work.
Step<InputTransfer::TryEnd> InputTransfer::bring(Run& run, Part part, double work_a_byte, Hit slow,
                                                 Id<scenario::Cache> cache) {
  OsdfCache* const from = ask(part, cache);
  Seconds const latency = latency_of(run, part, work_a_byte);
  if (latency > Seconds()) co_await clock_.sleep(latency, &run.claim.interrupt());
  BytesPerSecond const limit = lower_limit(run.ask.limit * work_a_byte, part.file.cold);
  SlotRef const& slot = run.attempt.slot;
  Route const& route = pool_network_.to_slot(slot.site.index(), slot.number);
  Bytes const bytes = part.bytes * part.share;
  auto watch = watch_of(run, route, limit, work_a_byte, slow);
  bool gives_up = false;
  Bytes sent;
  while (sent < bytes && !run.over() && !gives_up) {
    bool const is_slow = slow.slow && clock_.now() < slow.until;
    double const work = is_slow ? work_a_byte / in_.draw.outages.slow_fraction : work_a_byte;
    Seconds const look =
        std::min(is_slow ? slow.until : end_of_time, watch ? watch->next_look() : end_of_time);
    Alarm alarm(clock_);
    if (look < end_of_time) alarm.set(look, [&run] { run.claim.interrupt().nudge(); });
    Bytes const requested = (bytes - sent) * work;
    Bytes const carried =
        route.free() ? co_await carry_freely(run, requested, limit)
                     : co_await network_.transfer(route, requested, &run.claim.interrupt(), limit);
    sent = carried >= requested ? bytes : sent + carried / work;
    gives_up = watch && sent < bytes && watch->gives_up(clock_.now(), sent);
  }
  deliver(sent);
  if (from) {
    bool const ends = run.over() || gives_up;
    if (!ends) co_await from->filled(part.file.wanted.id, run.claim.interrupt());
    from->release(part.file.wanted.id);
  }
  if (run.over()) co_return TryEnd::over;
  if (!gives_up) co_return TryEnd::arrived;
  run.last_sign = clock_.now();
  if (in_.strategy.transfer.resume) part.file.size -= sent;
  co_return TryEnd::next_cache;
}

// A watch if the flow's rate can fall below the limit when all slots share its route. A job that
// reads more slowly by itself is not slow, and a record's client let its transfers pass.
std::optional<strategy::RateWatch> InputTransfer::watch_of(Run const& run, Route const& route,
                                                           BytesPerSecond limit, double work_a_byte,
                                                           Hit const& slow) const {
  auto const patience = strategy::patience(in_.strategy.transfer);
  BytesPerSecond const least = patience.slow;
  bool const by_reader = run.ask.limit > BytesPerSecond() && run.ask.limit < least;
  if (least <= BytesPerSecond() || by_reader) return std::nullopt;
  BytesPerSecond const own = limit > BytesPerSecond() ? limit : site(run).stream_limit;
  bool const by_route =
      !in_.record && std::min(own, least_share(pool_network_, route)) / work_a_byte < least;
  if (!slow.slow && !by_route) return std::nullopt;
  return strategy::RateWatch(patience, clock_.now());
}

// The cache that was tried, if any.
OsdfCache* InputTransfer::ask(Part const& part, Id<scenario::Cache> cache) {
  if (!part.fills || !cache.valid()) return nullptr;
  OsdfCache& from = caches_[cache.index()];
  FileId const id = part.file.wanted.id;
  from.request(id, dataset_ > Bytes() ? dataset_ : part.file.wanted.size);
  return &from;
}

Seconds InputTransfer::latency_of(Run const& run, Part const& part, double work_a_byte) const {
  bool const asked_before = run.ask.size > Bytes();
  return asked_before ? Seconds() : site(run).latency * (work_a_byte * part.share);
}

Step<Bytes> InputTransfer::carry_freely(Run& run, Bytes work, BytesPerSecond limit) {
  BytesPerSecond const rate = limit > BytesPerSecond() ? limit : site(run).stream_limit;
  if (rate == scenario::unlimited_rate) co_return work;
  Seconds const start = clock_.now();
  Waited const waited = co_await clock_.sleep(work / rate, &run.claim.interrupt());
  co_return waited == Waited::done ? work : std::min(work, rate * (clock_.now() - start));
}

// A URL hangs as a record has seen it, against which curl's patience was of no use either. Aborts
// have the numbers of a first try at a cache, outages those of a second.
Step<InputResult> InputTransfer::fetch_http(Run& run, File& file) {
  if (file.hangs) {
    co_await wait_in_silence(run, {}, end_of_time);
    co_return run.end();
  }
  InputResult const no_progress{InputEnd::failed, history::Reason::no_progress};
  TryDraws const draws(try_draws(file, 0)), with_outage(try_draws(file, 1));
  double const work_a_byte = noise(run, file, draws.noise);
  Hit const found = hit(run, {}, with_outage);
  if (found.dead()) {
    co_await stand_still(run, file, with_outage);
    co_return run.over() ? run.end() : no_progress;
  }
  bool const aborts = run.ask.opens && draws.quiet < abort_of_download(in_.draw, file.size);
  double const share = aborts ? draws.slow : file.fails ? in_.draw.url_failed_after : 1;
  TryEnd const end = co_await bring(run, {file, file.size, share}, work_a_byte, found, {});
  if (run.over()) co_return run.end();
  if (end == TryEnd::next_cache) co_return no_progress;
  if (file.fails) co_return InputResult{InputEnd::failed, history::Reason::transfer_failed};
  if (!aborts) co_return InputResult{};
  co_await clock_.sleep(strategy::curl_patience, &run.claim.interrupt());
  co_return run.over() ? run.end() : no_progress;
}

// A dead connection keeps its transfer slot until the starter's timer ends it.
Step<InputResult> InputTransfer::fetch_htcondor(Run& run) {
  Waited const turn = co_await transfer_slots_.enter(run.claim.interrupt());
  if (turn == Waited::cut_off) co_return InputResult{InputEnd::interrupted};
  run.start = run.last_sign = clock_.now();
  File whole = file(run, {});
  whole.size = inputs_.size_of(run.attempt.job.index());
  TryDraws const draws(try_draws(whole, 0)), with_outage(try_draws(whole, 1));
  double const work_a_byte = noise(run, whole, draws.noise);
  Hit const found = has_input(run.attempt.job) ? hit(run, {}, with_outage) : Hit();
  if (found.dead()) {
    co_await stand_still(run, whole, with_outage);
  } else {
    co_await bring(run, {whole, whole.size}, work_a_byte, found, {});
  }
  transfer_slots_.leave();
  co_return run.over() ? run.end() : InputResult{};
}

InputTransfer::Hit InputTransfer::hit(Run& run, Id<scenario::Cache> cache, TryDraws const& draws) {
  scenario::OutageParameters const& outages = in_.draw.outages;
  if (!run.ask.opens || !strategy::meets(in_.strategy.transfer.protocol, outages.scope)) return {};
  Hit found = in_.record ? recorded_hit(run, draws) : outage(run, cache, draws);
  found.slow = found.hit && outages.kind == scenario::OutageKind::slow && outages.slow_fraction > 0;
  return found;
}

// A hit stays for the next try with the probability that a try depends on the last one's. Only a
// try at a cache may be hit while nothing is bad.
InputTransfer::Hit InputTransfer::outage(Run& run, Id<scenario::Cache> cache,
                                         TryDraws const& draws) {
  scenario::OutageParameters const& outages = in_.draw.outages;
  Seconds const now = clock_.now();
  auto const bad =
      bad_periods_.bad_until(outage_entity(outages.scope, pool_network_, caches_.size(),
                                           run.attempt.slot, {cache, run.cache_try}),
                             now);
  auto const is_hit = [&]() -> Hit {
    return {true, false,
            bad ? *bad : now + outages.bad_duration * exponential(draws.later().duration)};
  };
  if (run.last_try_hit && draws.dependence < outages.next_cache_dependence) return is_hit();
  if (!bad) {
    bool const asks_cache = in_.strategy.transfer.protocol == scenario::Protocol::osdf;
    return asks_cache && draws.quiet < outages.stall_when_quiet ? is_hit() : Hit{};
  }
  double u = draws.quiet;
  if (outages.redraw_interval > Seconds()) {
    auto const period = static_cast<std::uint32_t>(now / outages.redraw_interval);
    u = in_.streams.stream(Purpose::bad_times, run.attempt.job.number(), period)
            .from_block(cache.valid() ? cache.number() : 0)
            .uniform();
  }
  return u < outages.stall_when_bad ? is_hit() : Hit{};
}

InputTransfer::Hit InputTransfer::recorded_hit(Run& run, TryDraws const& draws) {
  Id<history::Job> const job = run.attempt.job;
  Seconds const now = clock_.now();
  bool const same_outage =
      run.last_try_hit && draws.dependence < in_.draw.outages.next_cache_dependence;
  if (run.last_try_hit && !same_outage) in_.record->another_cache(job, now);
  auto const until = in_.record->bad_until(job, now);
  return {until.has_value(), false, until.value_or(now)};
}

OutageEntity outage_entity(scenario::OutageScope scope, PoolNetwork const& pool_network,
                           std::size_t caches, SlotRef const& slot, AskedCache const& asked) {
  constexpr std::uint32_t other_unnamed = 0x10000000;  // beyond the paths of all pilots
  SiteSlots const& site = pool_network.sites[slot.site.index()];
  auto const known = static_cast<std::uint32_t>(caches);
  auto const sites = static_cast<std::uint32_t>(pool_network.sites.size());
  bool const is_named = asked.cache.valid();
  std::uint32_t const at =
      is_named ? asked.cache.number() : known + slot.site.number() + asked.number * sites;
  std::uint32_t const of_path =
      is_named ? asked.cache.number() : known + asked.number * other_unnamed;
  switch (scope) {
    case scenario::OutageScope::cache:
      return {at, 0};
    case scenario::OutageScope::path:
      return {site.first_slot + slot.number, slot.pilot * (known + 1) + of_path};
    case scenario::OutageScope::node:
      return {site.first_node + slot.number / site.slots_per_node, 0};
    case scenario::OutageScope::uplink:
      return {slot.site.number(), 0};
    case scenario::OutageScope::origin:
    case scenario::OutageScope::none:
      break;
  }
  return {};
}

// Work a byte: a try on a poor path takes as long as more bytes on a good one would.
double InputTransfer::noise(Run const& run, File const& file, double u) const {
  if (in_.record) {
    Bytes const at_the_limit = site(run).stream_limit * in_.record->transfer_time(run.attempt.job);
    return at_the_limit / in_.campaign.input_size();
  }
  return file.sigma > 0 ? std::exp(file.sigma * normal_quantile(u)) : 1;
}

// A cache that lacks the file passes it on as it comes.
void InputTransfer::meet_cache(Run const& run, File& file, std::uint32_t number) const {
  scenario::SiteParameters const& at = site(run);
  if (at.cold_share <= 0) return;
  RandomStream random =
      in_.streams.stream(Purpose::cold_cache, run.attempt.job.number(), run.number)
          .from_block(file.wanted.place * blocks_a_url + number);
  bool const is_cold = random.chance(at.cold_share);
  file.cold = is_cold && at.cold_limit < at.stream_limit ? at.cold_limit : BytesPerSecond();
  file.sigma = is_cold ? at.cold_sigma : at.rate_sigma;
}

bool InputTransfer::missing(Run const& run) {
  if (!shocks_ || in_.strategy.transfer.protocol != scenario::Protocol::osdf) return false;
  bool const shock = not_found_.hits(0, run.attempt.job.number(), run.number == 0, clock_.now());
  if (in_.draw.spurious_404 <= 0) return shock;
  RandomStream random =
      in_.streams.stream(Purpose::input_path, run.attempt.job.number(), run.number);
  return random.chance(in_.draw.spurious_404) || shock;
}

// A run that the timer over the whole transfer ended leaves no ad of the URL that it was at.
void InputTransfer::record(Run const& run, File const& file, Seconds start, InputEnd end) {
  bool const by_whole = in_.strategy.transfer.stall_timer == scenario::StallTimer::whole_transfer;
  if (by_whole && run.expired == history::Reason::transfer_stalled) return;
  if (end == InputEnd::interrupted || run.ask.size > Bytes()) return;
  history::UrlTransfer transfer;
  transfer.job = run.attempt.job;
  transfer.attempt = run.attempt.number + 1;
  transfer.url = file.wanted.id;
  transfer.start = start;
  transfer.end = clock_.now();
  transfer.duration = transfer.end - start;
  transfer.succeeded = end == InputEnd::arrived;
  if (transfer.succeeded) transfer.size = file.wanted.size;
  recorder_.record(transfer);
}

void InputTransfer::deliver(Bytes bytes) {
  delivered_ += bytes;
  if (in_.strategy.transfer.protocol == scenario::Protocol::http) direct_ += bytes;
}

}  // namespace gridcast::engine
