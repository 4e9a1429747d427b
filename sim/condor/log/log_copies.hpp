// Which file counts where several logs record the same job: an older copy of a log beside the newer
// one, DAGMan's nodes log or the pool's log beside a user log, a piece cut from a log beside the
// whole. Decided by all files together, before their events are taken: the order of the files has
// no effect.
//   both have its submission           all of the job is one file's, the fuller one's
//   one does not (a rotated log's      of the time that both cover,  the fuller one's; a part that
//   part, a piece), and times overlap  only goes on where another ends is no copy
// The fuller one has the job's end, where the other does not; else its submission; else more events
// of the job's life.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "sim/condor/log/event_reader.hpp"
#include "sim/history/job_history.hpp"

namespace gridcast::condor {

/// The events of one job in a file that has them twice, such as two states of a log in one file, or
/// a log with its latter part appended again. A copy begins with the job's first event: it repeats
/// events up to the latest time so far, and at that time as many as there were. Or it begins with
/// another event that was there before, behind events of later times: then each such event is
/// of it. An event that stands there twice in a row is one.
class RepeatedEvents {
 public:
  /// For each event in its turn: true if it is one of a copy. `file_ms` is the latest time in the
  /// file before it.
  bool repeats(RawEvent const& event, std::int64_t at_ms, std::int64_t file_ms);

 private:
  bool repeats_from_first(RawEvent const& event, std::int64_t at_ms, std::uint64_t digest);
  bool seen(std::uint32_t digest);

  std::uint64_t first_ = 0, last_ = 0;
  std::int64_t latest_ms_ = 0;
  std::uint32_t latest_events_ = 0, repeated_ = 0;
  bool copied_ = false;
  bool within_copy_ = false;  // the event before was one of a copy that began elsewhere
  // Digests of the events that count; in a set from the first event on that may be one of a copy.
  std::vector<std::uint32_t> counted_ = {};
  std::unique_ptr<std::unordered_set<std::uint32_t>> known_ = {};
};

class LogCopies {
 public:
  /// Files are numbered from 0. All of a file's events come between this and the next one's.
  void begin_file(std::uint32_t file);
  void add(RawEvent const& event, std::int64_t at_ms);
  /// Once, after all events.
  void settle();

  /// A file's events of a job from a second on until another, both included: left out.
  struct LeftOut {
    JobName job;
    std::uint32_t file = 0, instead = 0;  // that counts
    std::int64_t from_s = 0, until_s = 0;
    bool fuller = false;    // or the two have as many events
    bool reported = false;  // for the reader: whether it was reported
  };
  /// Null if the event counts.
  LeftOut* left_out(JobName job, std::uint32_t file, std::int64_t at_ms);

  /// Jobs of one name that were submitted at two times in two files: two campaigns, then, and no
  /// two logs of one.
  struct Clash {
    JobName job;
    std::uint32_t first_file = 0, second_file = 0;
    std::size_t line = 0;  // of the second
  };
  std::vector<Clash> const& clashes() const { return clashes_; }

 private:
  /// The part of one job in one file.
  struct Part {
    JobName job;
    std::uint32_t file = 0, events = 0;
    std::int64_t first_s = 0, last_s = 0, submitted_ms = 0;
    // The same for the same events: of all together, of each in the first second and in the last.
    std::uint64_t digest = 0;
    std::vector<std::uint64_t> first = {}, last = {};
    std::size_t line = 0;  // of the submission
    bool submitted = false, ended = false;
  };

  static bool fuller(Part const& a, Part const& b);
  static bool overlap(Part const& a, Part const& b);
  void compare(std::vector<Part> parts);
  void leave_out(Part const& part, Part const& instead);

  std::uint32_t file_ = 0;  // that is read
  std::vector<Part> parts_;
  std::unordered_map<std::uint64_t, std::size_t> of_file_;  // of the file that is read, by job
  std::vector<LeftOut> left_out_;                           // by job and file
  std::vector<Clash> clashes_;
};

}  // namespace gridcast::condor
