// The statements of a submit file, before anybody asks what they submit: its lines, conditions and
// queue statements. HTCondor manual, condor_submit, "Submit description file syntax".
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/error.hpp"

namespace gridcast::condor {

/// Throws InputError.
[[noreturn]] void refuse(Location const& where, std::string what, std::string why = "",
                         std::string hint = "");

struct SubmitLine {
  std::string text;  // trimmed
  int number = 0;    // of its first line
};

/// The lines: continued ones put together, comments and blank ones left out.
class SubmitLines {
 public:
  explicit SubmitLines(std::string_view text) : rest_(text) {}
  /// The next line that says something; a backslash at its end continues it.
  std::optional<SubmitLine> next();
  /// Lines as they stand, comments and blank ones left out, up to one that `ends` says ends them,
  /// which is the last. Nothing if none does.
  std::optional<std::vector<std::string>> until(std::function<bool(std::string_view)> const& ends);

  /// All that are left, in the same way.
  std::vector<std::string> rest();

 private:
  std::optional<std::string_view> raw();
  std::string_view rest_;
  int number_ = 0;
};

/// What `if version` compares with.
inline constexpr char submit_version[] = "25.0.0";

/// if, elif, else and endif of a submit file. A condition is true, false, a number, `defined NAME`
/// or `version OP X.Y.Z`, with ! before it; HTCondor takes nothing more.
class SubmitConditions {
 public:
  /// Whether lines are read at all here.
  bool active() const;
  enum class Line { condition, other };
  /// Takes a line that is one of these words. InputError if it stands where it cannot, or if the
  /// condition makes no sense.
  Line take(std::string_view line, Location const& where,
            std::function<bool(std::string_view)> const& is_defined,
            std::function<std::string(std::string_view)> const& expand);
  /// InputError if an `if` has no `endif`.
  void end() const;

 private:
  struct Branch {
    Location where;
    bool outer = true;   // what is around it is read
    bool taken = false;  // one of its branches was
    bool active = false;
    bool in_else = false;
  };
  std::vector<Branch> open_;
};

/// A queue statement: how many jobs, and for which items.
///   queue [count]
///   queue [count] [names] in [slice] (items)
///   queue [count] [name] matching [files | dirs | any] [slice] (patterns)
///   queue [count] [names] from [slice] FILE | (lines)
struct SubmitQueue {
  enum class Source { none, in, from_lines, from_file, from_command, matching };
  std::string count;  // an expression; empty: 1
  std::vector<std::string> names;
  Source source = Source::none;
  std::string matching;  // files, dirs, any, or nothing
  std::string slice;     // "[1:3]", or nothing
  std::string content;   // items, lines, patterns, a file's name
  bool is_open = false;  // a parenthesis was opened and not closed: lines follow
};

/// Of what follows the word queue. InputError if it is of no such form.
SubmitQueue parse_queue(std::string_view text, Location const& where);

/// Items of a list, between blanks and commas.
std::vector<std::string> list_items(std::string_view text);
/// Those of a slice as Python cuts it; InputError if it is none.
std::vector<std::string> sliced(std::vector<std::string> const& items, std::string const& slice,
                                Location const& where);
/// An item's parts for so many names: the last takes all that is left.
std::vector<std::string> item_parts(std::string const& item, std::size_t names);

}  // namespace gridcast::condor
