#include "sim/condor/log/log_copies.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <tuple>

#include "sim/condor/log/log_clock.hpp"
#include "sim/condor/log/log_note.hpp"

namespace gridcast::condor {
namespace {

/// The same for the same event.
std::uint64_t event_digest(RawEvent const& event, std::int64_t at_ms) {
  std::uint64_t digest = 0;
  for (std::int64_t const part :
       {static_cast<std::int64_t>(event.number), at_ms, static_cast<std::int64_t>(event.transfer),
        event.received.value_or(-1), event.sent.value_or(-1)}) {
    digest = (digest ^ static_cast<std::uint64_t>(part)) * 0x9E3779B97F4A7C15U;
    digest ^= digest >> 29U;
  }
  return digest ^ std::hash<std::string_view>{}(event.reason);
}

}  // namespace

bool RepeatedEvents::repeats(RawEvent const& event, std::int64_t at_ms, std::int64_t file_ms) {
  std::uint64_t const digest = event_digest(event, at_ms);
  auto const brief = static_cast<std::uint32_t>(digest >> 32U);
  // Others may come several times in a second.
  static constexpr std::array once = {1, 4, 7, 9, 12, 13, 24};
  bool const comes_once = std::ranges::find(once, event.number) != once.end();
  if (std::exchange(last_, digest) == digest && comes_once) return true;
  if (repeats_from_first(event, at_ms, digest)) return true;
  bool const behind = at_ms < file_ms || within_copy_;
  within_copy_ = !copied_ && behind && seen(brief);
  if (within_copy_) return true;
  if (known_) known_->insert(brief);
  if (!known_) counted_.push_back(brief);
  return false;
}

bool RepeatedEvents::seen(std::uint32_t digest) {
  if (!known_) {
    known_ = std::make_unique<std::unordered_set<std::uint32_t>>(counted_.begin(), counted_.end());
    std::vector<std::uint32_t>().swap(counted_);
  }
  return known_->contains(digest);
}

bool RepeatedEvents::repeats_from_first(RawEvent const& event, std::int64_t at_ms,
                                        std::uint64_t digest) {
  if (latest_events_ == 0) first_ = digest;
  if (latest_events_ == 0 || at_ms > latest_ms_) {
    latest_ms_ = at_ms;
    latest_events_ = 1;
    copied_ = false;
    return false;
  }
  bool const earlier = at_ms < latest_ms_;
  if (digest == first_ && (earlier || event.number == 0)) {
    copied_ = true;
    repeated_ = 0;
  }
  if (!copied_) {
    if (!earlier) ++latest_events_;
    return false;
  }
  if (earlier) return true;
  if (repeated_ < latest_events_) return ++repeated_ > 0;
  ++latest_events_;
  return false;
}

void LogCopies::begin_file(std::uint32_t file) {
  of_file_.clear();
  file_ = file;
}

void LogCopies::add(RawEvent const& event, std::int64_t at_ms) {
  auto const note = note_of(event, at_ms);
  if (!note) return;
  std::uint64_t const key = std::uint64_t{event.job.cluster} << 32U | event.job.proc;
  auto const [found, fresh] = of_file_.try_emplace(key, parts_.size());
  std::int64_t const at_s = second_of(at_ms);
  if (fresh) parts_.push_back({.job = event.job, .file = file_, .first_s = at_s, .last_s = at_s});
  Part& part = parts_[found->second];
  std::uint64_t const digest = event_digest(event, at_ms);
  ++part.events;
  part.digest += digest;
  if (at_s < part.first_s) part.first.clear();
  if (at_s > part.last_s) part.last.clear();
  part.first_s = std::min(part.first_s, at_s);
  part.last_s = std::max(part.last_s, at_s);
  if (at_s == part.first_s) part.first.push_back(digest);
  if (at_s == part.last_s) part.last.push_back(digest);
  if (note->kind == NoteKind::submitted && !part.submitted) {
    part.submitted = true;
    part.submitted_ms = at_ms;
    part.line = event.line;
  }
  part.ended = part.ended || note->kind == NoteKind::terminated ||
               note->kind == NoteKind::aborted || note->kind == NoteKind::skipped;
}

bool LogCopies::fuller(Part const& a, Part const& b) {
  return std::tie(a.ended, a.submitted, a.events) > std::tie(b.ended, b.submitted, b.events);
}

// Two parts that meet within a second are one log and its rest, unless an event is in both.
bool LogCopies::overlap(Part const& a, Part const& b) {
  if (a.first_s < b.last_s && b.first_s < a.last_s) return true;
  auto const meet = [](Part const& earlier, Part const& later) {
    return earlier.last_s == later.first_s &&
           std::find_first_of(earlier.last.begin(), earlier.last.end(), later.first.begin(),
                              later.first.end()) != earlier.last.end();
  };
  return meet(a, b) || meet(b, a);
}

void LogCopies::settle() {
  std::ranges::stable_sort(parts_, {}, &Part::job);
  for (auto first = parts_.begin(); first != parts_.end();) {
    auto const last =
        std::find_if(first, parts_.end(), [&](Part const& part) { return part.job != first->job; });
    if (last - first > 1) compare({first, last});
    first = last;
  }
  std::vector<Part>().swap(parts_);
  std::ranges::stable_sort(left_out_, [](LeftOut const& a, LeftOut const& b) {
    return std::tie(a.job, a.file) < std::tie(b.job, b.file);
  });
  std::ranges::stable_sort(clashes_, [](Clash const& a, Clash const& b) {
    return std::tie(a.second_file, a.line) < std::tie(b.second_file, b.line);
  });
}

// The parts of one job, in the order of files.
void LogCopies::compare(std::vector<Part> parts) {
  Part const* first = nullptr;
  for (Part const& part : parts) {
    if (!part.submitted) continue;
    if (first == nullptr) {
      first = &part;
    } else if (!same_in_some_zone(first->submitted_ms, part.submitted_ms)) {
      clashes_.push_back({part.job, first->file, part.file, part.line});
    }
  }
  std::ranges::stable_sort(parts, [](Part const& a, Part const& b) {
    if (fuller(a, b) || fuller(b, a)) return fuller(a, b);
    return a.digest < b.digest;
  });
  std::vector<Part> kept;
  for (Part const& part : parts) {
    auto const whole = std::ranges::find_if(
        kept, [&](Part const& other) { return other.submitted && part.submitted; });
    if (whole != kept.end()) {
      leave_out(part, *whole);
      continue;
    }
    for (Part const& other : kept) leave_out(part, other);
    kept.push_back(part);
  }
}

void LogCopies::leave_out(Part const& part, Part const& instead) {
  LeftOut left{.job = part.job,
               .file = part.file,
               .instead = instead.file,
               .from_s = std::numeric_limits<std::int64_t>::min(),
               .until_s = std::numeric_limits<std::int64_t>::max(),
               .fuller = fuller(instead, part)};
  if (!part.submitted || !instead.submitted) {
    if (!overlap(part, instead)) return;
    left.from_s = instead.first_s;
    left.until_s = instead.last_s;
  }
  left_out_.push_back(left);
}

LogCopies::LeftOut* LogCopies::left_out(JobName job, std::uint32_t file, std::int64_t at_ms) {
  auto left =
      std::lower_bound(left_out_.begin(), left_out_.end(), std::tie(job, file),
                       [](LeftOut const& a, auto const& b) { return std::tie(a.job, a.file) < b; });
  std::int64_t const at_s = second_of(at_ms);
  for (; left != left_out_.end() && left->job == job && left->file == file; ++left) {
    if (at_s >= left->from_s && at_s <= left->until_s) return &*left;
  }
  return nullptr;
}

}  // namespace gridcast::condor
