// The macros of a submit file: $(name), $(name:default), and functions such as $INT(name, %04d).
// Names are compared without regard to case; a macro is replaced when it is used, with the value it
// has then; one that none defines is empty, and noted. HTCondor manual, condor_submit, "Macros".
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sim/condor/submit/submit_file.hpp"

namespace gridcast::condor {

class SubmitMacros {
 public:
  /// x = $(x) more: the x on the right is the one before.
  void define(std::string const& name, std::string const& value, Location const& where);
  /// Of one job or of the file, before all others: Process, Item, ...
  void set_live(std::string const& name, std::string value) { live_[name] = std::move(value); }
  void clear_live(std::string const& name) { live_.erase(name); }

  bool is_defined(std::string_view name) const;
  SubmitCommands const& defined() const { return defined_; }
  /// As it stands, live ones first; null if there is none.
  std::string const* find(std::string_view name) const;

  /// The text with all macros replaced. InputError at `where` for one that needs itself, and for
  /// what grows by a million characters.
  std::string expand(std::string_view text, Location const& where);

  /// Whether any text used it.
  bool is_used(std::string const& name) const { return used_.contains(name); }
  void note(Location const& where, std::string const& what);
  std::vector<SubmitNote> take_notes() { return std::move(notes_); }

 private:
  struct Expansion {
    Location where;
    std::vector<std::string> within = {};  // names being replaced
    std::size_t depth = 0;                 // of calls within calls
    std::size_t steps = 0;
    std::size_t most_text = 0, most_steps = 0;
  };

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
