// What a cache keeps on disk: whole files, least recently used out first, with watermarks.
//
// XRootD's file cache (pfc.diskusage): when the fill crosses the high watermark, files are deleted
// in order of last access until it is at the low one; files that are open are passed over. Blocks
// of 128 KiB in reality; whole files here, as every reader reads all of one (docs/model.md,
// "Caches").
#pragma once

#include <cstdint>
#include <list>
#include <unordered_map>

#include "sim/base/units.hpp"

namespace gridcast::engine {

using FileId = std::uint32_t;

class CacheStore {
 public:
  CacheStore(Bytes disk, double high_watermark, double low_watermark)
      : high_(disk * high_watermark), low_(disk * low_watermark) {}

  /// Whether the file is there; if so it becomes the most recently used.
  bool touch(FileId file);
  /// Puts a file in as most recently used, then purges if that crossed the high watermark. A file
  /// larger than the high watermark passes through without being kept.
  void insert(FileId file, Bytes size);
  /// While open, a file is not purged.
  void open(FileId file);
  void close(FileId file);

  Bytes used() const { return used_; }
  bool holds(FileId file) const { return entries_.contains(file); }

 private:
  struct Entry {
    Bytes size;
    int readers = 0;
    std::list<FileId>::iterator place;
  };
  void purge();

  Bytes high_, low_, used_;
  std::list<FileId> by_use_;  // most recent first
  std::unordered_map<FileId, Entry> entries_;
};

}  // namespace gridcast::engine
