#include "sim/engine/transfer/cache.hpp"

#include <algorithm>

#include "sim/base/lists.hpp"

namespace gridcast::engine {

namespace {

constexpr double others_share = 0.01;         // of the disk that a file of others takes
constexpr std::uint64_t some_disks = 300;     // of their files: no older file is left
constexpr FileId first_of_others = 1U << 31;  // a campaign's files are numbered from 0

}  // namespace

bool FillWait::await_ready() {
  interrupted_ = interrupt_.raised();
  return interrupted_ || !cache_.filling_.contains(file_);
}

void FillWait::await_suspend(std::coroutine_handle<> waiter) {
  waiter_ = waiter;
  interrupt_.begin(*this);
  cache_.filling_.at(file_).waiting.push_back(this);
}

void FillWait::cancel() { std::erase(cache_.filling_.at(file_).waiting, this); }

OsdfCache::OsdfCache(scenario::CacheSpec const& spec, Clock const& clock, Network& network,
                     Route to_origin)
    : store_(spec.disk, spec.high_watermark, spec.low_watermark),
      others_file_(spec.disk * others_share),
      others_rate_(spec.neighbours),
      clock_(clock),
      network_(network),
      to_origin_(to_origin) {
  if (others_rate_ <= BytesPerSecond()) return;
  insert_others(static_cast<std::uint64_t>(spec.low_watermark / others_share));
}

void OsdfCache::insert_others(std::uint64_t files) {
  for (std::uint64_t i = 0; i < files; ++i) {
    store_.insert(first_of_others + static_cast<FileId>(others_++ % first_of_others), others_file_);
  }
}

// The files that came since the last look, before the next request.
void OsdfCache::let_others_in() {
  if (others_rate_ <= BytesPerSecond()) return;
  auto const due = static_cast<std::uint64_t>(others_rate_ * clock_.now() / others_file_);
  if (due <= seen_) return;
  insert_others(std::min(due - seen_, some_disks));
  seen_ = due;
  if (on_use_) on_use_(store_.used());
}

void OsdfCache::request(FileId file, Bytes size) {
  let_others_in();
  if (store_.touch(file)) {
    ++hits_;
    store_.open(file);
    return;
  }
  ++misses_;
  if (!filling_.contains(file)) fill(file, size);
  ++filling_.at(file).readers;
}

void OsdfCache::release(FileId file) {
  auto const filling = filling_.find(file);
  if (filling != filling_.end()) {
    --filling->second.readers;
  } else {
    store_.close(file);
  }
}

Process OsdfCache::fill(FileId file, Bytes size) {
  filling_[file];
  if (!to_origin_.free()) co_await network_.transfer(to_origin_, size);
  fetched_ += size;
  let_others_in();
  store_.insert(file, size);
  if (on_use_) on_use_(store_.used());
  auto const done = filling_.extract(file);
  for (int i = 0; i < done.mapped().readers; ++i) store_.open(file);
  for (FillWait* wait : done.mapped().waiting) {
    wait->interrupt_.end();
    wait->waiter_.resume();
  }
}

bool CacheStore::touch(FileId file) {
  auto const found = entries_.find(file);
  if (found == entries_.end()) return false;
  by_use_.splice(by_use_.begin(), by_use_, found->second.place);
  return true;
}

void CacheStore::insert(FileId file, Bytes size) {
  if (size > high_ || touch(file)) return;
  by_use_.push_front(file);
  entries_[file] = {.size = size, .readers = 0, .place = by_use_.begin()};
  used_ += size;
  if (used_ > high_) purge();
}

void CacheStore::open(FileId file) {
  if (auto* found = find_in(entries_, file)) ++found->readers;
}

void CacheStore::close(FileId file) {
  if (auto* found = find_in(entries_, file)) --found->readers;
}

void CacheStore::purge() {
  for (auto oldest = by_use_.end(); used_ > low_ && oldest != by_use_.begin();) {
    --oldest;
    Entry const& entry = entries_.at(*oldest);
    if (entry.readers > 0 || oldest == by_use_.begin()) continue;  // open, or the newcomer itself
    used_ -= entry.size;
    entries_.erase(*oldest);
    oldest = by_use_.erase(oldest);
  }
}

}  // namespace gridcast::engine
