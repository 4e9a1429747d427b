// The statements of a submit file, before their interpretation: its lines, conditions and queue
// statements. HTCondor manual, condor_submit, "Submit description file syntax".
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/condor/submit/submit_file.hpp"

namespace gridcast::condor {

struct SubmitLine {
  std::string text;  // trimmed
  int number = 0;    // of its first line
};

/// The lines: continued ones put together, comments and blank ones left out.
class SubmitLines {
 public:
  explicit SubmitLines(std::string_view text) : rest_(text) {}
  /// The next line with content; a backslash at its end continues it.
  std::optional<SubmitLine> next();
  /// Lines verbatim, comments and blank ones left out, up to the first one that `ends` accepts,
  /// which is the last. Nothing if none does.
  std::optional<std::vector<std::string>> until(std::function<bool(std::string_view)> const& ends);

  // Items of a queue statement, one a line, as condor_submit reads them: a backslash continues a
  // line, and empty lines are items too. HTCondor 23.8: load_external_q_foreach_items and
  // load_inline_q_foreach_items in submit_utils.cpp, getline_implementation in config.cpp.

  /// Of a file: all that are left. Lines with # are items.
  std::vector<std::string> items();
  /// Within the submit file, up to a line that begins with ')'; lines with # are none. Nothing
  /// without that end.
  std::optional<std::vector<std::string>> items_in_brackets();

 private:
  std::optional<std::string> item();
  std::optional<std::string_view> raw();
  std::string_view rest_;
  int number_ = 0;
};

/// The version that `if version` compares with.
inline constexpr char submit_version[] = "25.0.0";

/// if, elif, else and endif of a submit file. A condition is true, false, a number, `defined NAME`
/// or `version OP X.Y.Z`, with ! before it; HTCondor takes nothing more.
class SubmitConditions {
 public:
  /// True if lines are read at all here.
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
    bool outer = true;   // the surrounding block is read
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
  std::string matching;            // files, dirs, any, or nothing
  std::string slice;               // "[1:3]", or nothing
  std::string content;             // items, patterns, a file's name
  std::vector<std::string> lines;  // those of from_lines
  bool is_open = false;            // a parenthesis was opened and not closed: lines follow
};

/// Reads the text behind the word queue. InputError if it has another form.
SubmitQueue parse_queue(std::string_view text, Location const& where);

/// Items of a list, between blanks and commas.
std::vector<std::string> list_items(std::string_view text);
/// Those of a slice as Python cuts it; InputError if the text is no slice.
std::vector<std::string> sliced(std::vector<std::string> const& items, std::string const& slice,
                                Location const& where);
/// An item's parts for so many names: the last takes all that is left.
std::vector<std::string> item_parts(std::string const& item, std::size_t names);

// The macros of a submit file: $(name), $(name:default), and functions such as $INT(name, %04d).
// Names are compared without regard to case; a macro is replaced when it is used, with the value it
// has then; one that none defines is empty, and noted. HTCondor manual, condor_submit, "Macros".

class SubmitMacros {
 public:
  /// x = $(x) more, x = $(x:default), x = $Fnx(x): the x on the right is the one before.
  void define(std::string const& name, std::string const& value, Location const& where);
  /// Macros of one job or of the file, which come before all others: Process, Item, ...
  void set_live(std::string const& name, std::string value) { live_[name] = std::move(value); }
  void clear_live(std::string const& name) { live_.erase(name); }

  bool is_defined(std::string_view name) const;
  SubmitCommands const& defined() const { return defined_; }
  /// Its text, live ones first; null if there is none.
  std::string const* find(std::string_view name) const;

  /// The text with all macros replaced. InputError at `where` for one that needs itself, and for a
  /// text that grows by a million characters.
  std::string expand(std::string_view text, Location const& where);

  /// True if any text used it.
  bool is_used(std::string const& name) const { return used_.contains(name); }
  void note(Location const& where, std::string const& what,
            SubmitAction action = SubmitAction::none);
  std::vector<SubmitNote> take_notes() { return std::move(notes_); }

 private:
  struct Expansion {
    Location where;
    std::vector<std::string> within = {};  // names being replaced
    std::size_t depth = 0;                 // of calls within calls
    std::size_t steps = 0;
    std::size_t most_text = 0, most_steps = 0;
  };

  /// The value of a reference in the definition of `name`; nothing if it is to another macro.
  std::optional<std::string> own_value(std::string_view reference, std::string const& name,
                                       Location const& where);
  void count_step(Expansion& state, std::size_t size);
  std::string expanded(std::string_view text, Expansion& state);
  std::string replaced(std::string_view inside, Expansion& state);
  std::string called(std::string_view name, std::string_view inside, std::string_view whole,
                     Expansion& state);

  SubmitCommands defined_;
  std::map<std::string, std::string, LessIgnoringCase> live_;
  std::set<std::string, LessIgnoringCase> used_;
  std::vector<SubmitNote> notes_;
  std::set<std::string> noted_;
};

}  // namespace gridcast::condor
