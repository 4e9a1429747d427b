// An OSDF cache: hands out the files that it holds and fetches missing ones from the origin, once
// for all waiting clients (XRootD's block map). A client's bytes arrive while the cache's own do,
// so its transfer ends when both its own flow and the fill have ended.
//
// On disk it keeps whole files, least recently used out first, as XRootD's file cache does
// (pfc.diskusage): when the fill crosses the high watermark, files are deleted in order of last
// access until it is at the low one; files that are open are passed over. Blocks of 128 KiB in
// reality; whole files here, as every reader reads all of one (docs/model.md, "Transfers").
//
// Others use it too: their files come at the rate `neighbours`, in hundredths of the disk, and
// are never requested again. A file that nobody reads for a time T has `neighbours` x T newer
// bytes, and goes once they reach the watermarks (the characteristic time of an LRU cache: Che,
// Tung and Wang, IEEE JSAC 20 (2002) 1305). At the start the cache is as full of them as after a
// purge.
#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sim/base/units.hpp"
#include "sim/engine/network/network.hpp"
#include "sim/scenario/pool.hpp"

namespace gridcast::engine {

using FileId = std::uint32_t;

/// The files that a cache keeps on disk.
class CacheStore {
 public:
  CacheStore(Bytes disk, double high_watermark, double low_watermark)
      : high_(disk * high_watermark), low_(disk * low_watermark) {}

  /// True if the file is there; if so it becomes the most recently used.
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

class OsdfCache;

/// `co_await cache.filled(file)`: done once the whole file is in the cache.
class [[nodiscard]] FillWait final : public Waiting {
 public:
  FillWait(OsdfCache& cache, FileId file, Interrupt& interrupt)
      : cache_(cache), file_(file), interrupt_(interrupt) {}

  bool await_ready();
  void await_suspend(std::coroutine_handle<> waiter);
  Waited await_resume() const { return ended(); }
  void cancel() override;

 private:
  friend class OsdfCache;
  OsdfCache& cache_;
  FileId file_;
  Interrupt& interrupt_;
};

class OsdfCache {
 public:
  OsdfCache(scenario::CacheSpec const& spec, Clock const& clock, Network& network, Route to_origin);

  /// A client requests the file: counts a hit or a miss, and starts the fill of a missing one.
  void request(FileId file, Bytes size);
  FillWait filled(FileId file, Interrupt& interrupt) { return {*this, file, interrupt}; }
  /// A client is done with the file.
  void release(FileId file);
  /// `on_use` is called with the cache's used bytes whenever they have changed.
  void on_use(std::function<void(Bytes used)> call) { on_use_ = std::move(call); }

  std::uint64_t hits() const { return hits_; }
  std::uint64_t misses() const { return misses_; }
  Bytes fetched() const { return fetched_; }

 private:
  friend class FillWait;
  struct Fill {
    std::vector<FillWait*> waiting;
    int readers = 0;
  };
  Process fill(FileId file, Bytes size);
  void let_others_in();
  void insert_others(std::uint64_t files);

  CacheStore store_;
  Bytes others_file_;  // size of each of their files
  BytesPerSecond others_rate_;
  std::uint64_t others_ = 0;  // of their files, how many were put in
  std::uint64_t seen_ = 0;    // ... had come when last looked
  Clock const& clock_;
  Network& network_;
  Route to_origin_;
  std::unordered_map<FileId, Fill> filling_;
  std::uint64_t hits_ = 0, misses_ = 0;
  Bytes fetched_;
  std::function<void(Bytes)> on_use_;
};

}  // namespace gridcast::engine
