// The text form of the job event log:
//   NNN (CLUSTER.PROC.SUBPROC) DATE TIME First line
//   <indented lines>
//   ...
// Numbers and wording: condor_event.cpp of HTCondor 9 to 25.
#pragma once

#include "sim/condor/event_reader.hpp"

namespace gridcast::condor {

class TextEvents : public EventReader {
 public:
  using EventReader::EventReader;
  bool next(RawEvent& event) override;

 private:
  bool load();
  bool load_overlong();
  bool parse(RawEvent& event);
  bool parse_head(RawEvent& event);
  void parse_body(RawEvent& event);
  void skip_event(std::string_view why);
  void skip_stray_lines();
  std::string_view line();

  std::string_view chunk_;      // what is left of the text up to the next "..."
  std::size_t loaded_ = 0;      // bytes of the window that chunk_ came from, to be taken
  std::size_t in_chunk_ = 0;    // lines taken off the chunk
  std::size_t mark_lines_ = 0;  // 1 if the chunk was followed by a line "..."
  bool complete_ = false;       // nothing of the chunk is missing
};

/// Whether `line` begins as the first line of an event does: "005 (".
bool begins_event(std::string_view line);

}  // namespace gridcast::condor
