#include "sim/engine/transfer/cache.hpp"

#include <algorithm>

namespace gridcast::engine {

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

void OsdfCache::request(FileId file, Bytes size) {
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
  Seconds const start = clock_ ? clock_->now() : Seconds();
  if (!to_origin_.free()) co_await network_.transfer(to_origin_, size);
  fetched_ += size;
  if (tell_) tell_(start, size);
  store_.insert(file, size);
  if (told_) told_(store_.used());
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
  auto const found = entries_.find(file);
  if (found != entries_.end()) ++found->second.readers;
}

void CacheStore::close(FileId file) {
  auto const found = entries_.find(file);
  if (found != entries_.end()) --found->second.readers;
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
