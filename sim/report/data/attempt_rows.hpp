// Attempts and their transfers as lines of CSV, for analysis by row: attempts.csv has one line an
// attempt, transfers.csv one a transfer, input or output.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/history/attempts.hpp"

namespace gridcast::report {

inline constexpr std::string_view attempts_header =
    "job,attempt,site,slot,matched_s,transfer_started_s,transfer_ended_s,execute_started_s,"
    "execute_ended_s,ended_s,end,reason\n";
inline constexpr std::string_view transfers_header =
    "job,attempt,site,slot,direction,started_s,ended_s,duration_s,result,reason\n";

class AttemptRows {
 public:
  explicit AttemptRows(history::JobHistory const& names);

  /// Add lines to a text.
  void add_attempt(std::string& text, history::Attempt const& attempt) const;
  void add_transfers(std::string& text, history::Attempt const& attempt) const;

 private:
  void add_place(std::string& text, history::Attempt const& attempt) const;
  void add_transfer(std::string& text, history::Attempt const& attempt, bool input) const;

  history::JobHistory const& names_;
  std::vector<std::string> sites_;  // cells of their names
};

}  // namespace gridcast::report
