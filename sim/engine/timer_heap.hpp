// The pending timers of a replica, the earliest first; those of one time in the order of their
// setting.
//
// Time only moves forward, so the timers are in a radix heap (Ahuja, Mehlhorn, Orlin and Tarjan,
// JACM 37 (1990) 213). A bucket holds the timers whose time differs from the present one in the
// same highest bit. When the present time has no timer left, the heap takes the lowest bucket with
// an entry, makes its first time the present one, and deals its timers to lower buckets in their
// order. So timers of one time are always in one bucket, and a timer moves at most once for each
// bit.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace gridcast::engine {

class Timer;

/// Times in seconds, not negative: the bits of such doubles are in the order of the times.
class TimerHeap {
 public:
  using Place = std::uint32_t;

  bool empty() const { return set_ == 0; }

  /// `when`: not before the time of the last timer that was taken, nor before one that settle()
  /// returned. `wakes`: the frame that the timer resumes, or null.
  Place push(double when, Timer& timer, void const* wakes) {
    Place const place = new_place();
    held_[place].timer = &timer;
    held_[place].wakes = wakes;
    ++set_;
    deal({std::bit_cast<std::uint64_t>(when), place, held_[place].turn});
    return place;
  }

  void erase(Place place) {
    free(place);
    // A timer that was taken back stays in its bucket until the bucket is dealt out.
    if (++gone_ > 2 * set_ + 1000) sweep();
  }

  /// The time of the next timer, which becomes the present: no earlier timer may come. There is
  /// one.
  double settle() {
    while (!find_first()) deal_out();
    return std::bit_cast<double>(present_);
  }
  /// The time of the next timer; earlier ones may still come. There is one. Cost: its bucket's
  /// size.
  double next() {
    if (find_first()) return std::bit_cast<double>(present_);
    for (std::uint64_t left = filled_; left != 0; left &= left - 1) {
      Bucket& bucket = buckets_[static_cast<std::size_t>(std::countr_zero(left)) + 1];
      forget_gone(bucket);
      if (!bucket.empty()) {
        return std::bit_cast<double>(std::ranges::min(bucket, {}, &Entry::when).when);
      }
    }
    return std::bit_cast<double>(present_);
  }

  /// True if a timer of the present time is left.
  bool has_present() { return find_first(); }
  /// Takes the next timer of the present time. There is one.
  Timer& pop() {
    Place const place = buckets_[0][first_++].place;
    free(place);
    return *held_[place].timer;
  }

 private:
  struct Entry {
    std::uint64_t when;
    Place place;
    std::uint32_t turn;
  };
  struct Held {
    Timer* timer = nullptr;
    void const* wakes = nullptr;
    std::uint32_t turn = 0;  // number of earlier entries at this place
  };
  using Bucket = std::vector<Entry>;

  Place new_place() {
    if (!free_.empty()) {
      Place const place = free_.back();
      free_.pop_back();
      return place;
    }
    held_.emplace_back();
    return static_cast<Place>(held_.size() - 1);
  }
  void free(Place place) {
    ++held_[place].turn;
    free_.push_back(place);
    --set_;
  }
  bool gone(Entry const& entry) const { return held_[entry.place].turn != entry.turn; }

  void deal(Entry const& entry) {
    auto const bucket = static_cast<std::size_t>(std::bit_width(entry.when ^ present_));
    buckets_[bucket].push_back(entry);
    if (bucket > 0) filled_ |= std::uint64_t{1} << (bucket - 1);
  }

  /// True if a timer of the present time is left; it is at `first_` of its bucket.
  bool find_first() {
    Bucket& present = buckets_[0];
    for (; first_ < present.size(); ++first_) {
      if (!gone(present[first_])) return true;
      --gone_;
    }
    present.clear();
    first_ = 0;
    return false;
  }

  /// The lowest bucket but that of the present moment, which is empty: the first moment in it is
  /// present.
  void deal_out() {
    auto const lowest = static_cast<std::size_t>(std::countr_zero(filled_));
    filled_ &= ~(std::uint64_t{1} << lowest);
    Bucket& bucket = buckets_[lowest + 1];
    forget_gone(bucket);
    if (bucket.empty()) return;
    present_ = std::ranges::min(bucket, {}, &Entry::when).when;
    // Few are those that come next: most of a large campaign is far from the processor when its
    // time comes.
    constexpr std::size_t few = 16;
    bool const soon = bucket.size() <= few;
    for (Entry const& entry : bucket) {
      if (soon) bring_near(held_[entry.place]);
      deal(entry);
    }
    bucket.clear();
  }

  void forget_gone(Bucket& bucket) {
    gone_ -= std::erase_if(bucket, [this](Entry const& entry) { return gone(entry); });
  }
  void sweep() {
    Bucket& present = buckets_[0];
    present.erase(present.begin(), present.begin() + static_cast<std::ptrdiff_t>(first_));
    first_ = 0;
    for (Bucket& bucket : buckets_) forget_gone(bucket);
  }

  static void bring_near(Held const& held) {
    constexpr std::size_t of_a_frame = 256, line = 64;
    __builtin_prefetch(held.timer);
    if (!held.wakes) return;
    for (std::size_t at = 0; at < of_a_frame; at += line) {
      __builtin_prefetch(static_cast<char const*>(held.wakes) + at, 1);
    }
  }

  std::array<Bucket, 65> buckets_;  // [k]: times that differ from the present in bit k - 1 at most
  std::uint64_t filled_ = 0;        // bit k - 1: bucket k may have entries
  std::uint64_t present_ = 0;       // bits of the present time
  std::size_t first_ = 0;           // entries of the present time that were taken
  std::size_t set_ = 0, gone_ = 0;  // pending timers; entries in buckets that were taken back
  std::vector<Held> held_;          // by place
  std::vector<Place> free_;
};

}  // namespace gridcast::engine
