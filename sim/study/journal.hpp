// The journal of a study: each record as it comes back, in a file, so that a study which was killed
// goes on where it stood and gives the same bytes as one that was not.
//
//   gridcast.journal/2 FINGERPRINT\n     of all that the records depend on, the program too
//   {replica u32, numbers u32, checksum u64, numbers x f64}   in the order in which they came
// Numbers are as this machine has them: a journal is not meant to be carried elsewhere. An entry
// that the end of a process cut off is dropped, and so is one that no replica can have written; the
// replica is played again. Failed replicas are not in it and get another chance. What is added is
// on the disk a second later, so that a loss of power costs little more than a kill.
//
// Nor are records of two builds mixed in one study: another compiler, option or library may round
// otherwise. So the fingerprint has in it which build computes here.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/study/sample.hpp"

namespace gridcast::study {

/// The build IDs that the linker gave the program and the libraries that it computes with (SimGrid,
/// libm, libstdc++), as one text without blanks; of a program without one the SHA-256 of its file.
std::string build_identity();

/// What this machine's processor makes of libm: glibc has other code for processors with fused
/// multiply-add than for those without, and the last bit may differ (glibc manual, 20.8 "Known
/// maximum errors"). A digest of functions at many points.
std::string arithmetic_identity();

class Journal {
 public:
  /// Whether a record can be one of this study.
  using Possible = std::function<bool(Record const&)>;

  /// Opens or creates `file` for the study that `fingerprint` names (no blanks in it), and keeps
  /// others out of it. InputError if the file is another study's, no journal, or in use;
  /// ResourceError if it cannot be written.
  Journal(std::filesystem::path file, std::string const& fingerprint, Possible possible = {});
  ~Journal();
  Journal(Journal const&) = delete;
  Journal& operator=(Journal const&) = delete;

  /// What was there when it was opened, each replica once.
  std::vector<std::pair<std::uint32_t, Record>> const& records() const { return records_; }
  /// A disk that is full ends the journal, which stays good up to there, and not the study.
  void add(std::uint32_t replica, Record const& record);
  /// Why it has ended, if it has.
  std::optional<Problem> const& problem() const { return problem_; }

 private:
  using Clock = std::chrono::steady_clock;

  void open();
  void read_or_begin();
  std::size_t read_entries(std::string const& bytes, std::size_t from);
  std::uint64_t checksum(std::uint32_t replica, std::string_view numbers) const;
  void sync();
  void end(int error);

  std::filesystem::path file_;
  std::string fingerprint_;
  Possible possible_;
  int descriptor_ = -1;
  std::size_t whole_ = 0;  // bytes of the head and the entries
  std::vector<std::pair<std::uint32_t, Record>> records_;
  std::optional<Problem> problem_;
  bool is_synced_ = true;
  Clock::time_point synced_ = Clock::now();
};

}  // namespace gridcast::study
