#include "sim/engine/cache_store.hpp"

namespace gridcast::engine {

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
