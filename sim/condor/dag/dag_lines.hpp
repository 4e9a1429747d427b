// The lines of a DAG file as words: comments left out, lines that go on put together, submit
// descriptions in brackets kept whole.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gridcast::condor {

/// Whether a submit description in brackets, { ... } or @=END ... @END, begins in a line.
enum class DagBlock : std::uint8_t { none, closed, open };  // open: the file ends in it

struct DagLine {
  int number = 0;                  // where it begins, from 1
  std::vector<std::string> words;  // at least one; without the bracket
  std::string rest = {};           // behind the second word, as it stands
  DagBlock block = DagBlock::none;
  std::string description = {};
};

/// Without empty lines and comments.
std::vector<DagLine> dag_lines(std::string_view text);

/// KEY="VALUE" pairs, \" and \\ undone; PREPEND and APPEND before them are taken off. None if they
/// are of another form.
std::optional<std::vector<std::pair<std::string, std::string>>> dag_vars(std::string_view text);

}  // namespace gridcast::condor
