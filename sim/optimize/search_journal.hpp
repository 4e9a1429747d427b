// The journal of a search: the record of each campaign that it simulated. A search that was cut off
// simulates only what is missing when it is given the same folder again. With a number of campaigns
// as budget, its answer has the same bytes as that of a search that was not cut off.
//
// The file is a journal of a study (sim/study/journal.hpp). Each entry has a number of its own, and
// its numbers are
//
//   stage, replica, the point's values (NaN: off), the record
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "sim/optimize/scoreboard.hpp"
#include "sim/study/journal.hpp"

namespace gridcast::optimize {

/// Records by point and replica.
using KnownRecords = std::map<Point, std::map<std::uint32_t, study::SharedRecord>>;

class SearchJournal {
 public:
  /// `settings`: of a point; `columns`: of a record. Throws as study::Journal does.
  SearchJournal(std::filesystem::path const& folder, std::string const& fingerprint,
                std::size_t settings, std::size_t columns);

  /// The entries at its opening. Stages have random numbers of their own.
  KnownRecords const& known(std::uint32_t stage) const;
  void add(std::uint32_t stage, Trial const& trial, study::Record const& record);

 private:
  study::Journal journal_;
  std::size_t settings_;
  std::map<std::uint32_t, KnownRecords> known_;
  std::uint32_t next_ = 0;
};

}  // namespace gridcast::optimize
