// A submit file as condor_submit takes it: macros, includes, conditions and queue statements
// resolved into the jobs that it would queue. The importer interprets the values. HTCondor manual,
// condor_submit, "Submit description file commands" and "Macros and queue".
//
// Jobs that are alike in the wanted commands are one group: a thousand jobs are not a thousand
// maps. Left out: commands whose output is read (`include : command |`), $ENV(), $RANDOM_* (the
// first choice is taken), $$() (left as it stands); each is noted.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/base/text.hpp"
#include "sim/base/units.hpp"

namespace gridcast::condor {

// Relative names in submit files and DAGs. condor_submit and condor_submit_dag take them from the
// folder in which they run (HTCondor manual, "File Paths in DAGs"; condor_submit, initialdir). A
// forecast may run in another folder, so the folder of the file itself is the second choice.

/// Where names are looked for: HTCondor's choice is the first one.
using NameFolders = std::vector<std::filesystem::path>;

/// The current folder and that of the file, which is the only one if both are the same.
NameFolders folders_beside(std::filesystem::path const& file);
/// Adds one that is not there yet.
void add_folder(NameFolders& folders, std::filesystem::path const& folder);
/// A folder below each of them.
NameFolders below(NameFolders const& folders, std::filesystem::path const& name);

struct NamedFile {
  std::filesystem::path path;        // of the last folder if it is in none
  std::filesystem::path other = {};  // a file of that name with another content, in a later folder
};
NamedFile named_file(NameFolders const& folders, std::filesystem::path const& name);
/// The same for a name that may be a folder's too.
NamedFile named_path(NameFolders const& folders, std::filesystem::path const& name);

/// The note on a file that has another one beside it; empty if there is none.
std::string note_on_other(NamedFile const& file);

/// The files around a submit file.
class SubmitFolder {
 public:
  virtual ~SubmitFolder() = default;
  /// InputError if it cannot be read.
  virtual std::string read(std::filesystem::path const& file) const = 0;
  enum class Kind { files, folders, any };
  /// Names that match a pattern with * ? [], in order, below `folder`.
  virtual std::vector<std::string> matching(std::filesystem::path const& folder,
                                            std::string const& pattern, Kind kind) const = 0;
};
SubmitFolder const& real_submit_folder();

struct SubmitValue {
  std::string text;
  Location where;
};

/// By name, ignoring its case. Attributes (+Name, MY.Name) are "+Name".
using SubmitCommands = std::map<std::string, SubmitValue, LessIgnoringCase>;
/// The value of a command; empty without it.
std::string text_of(SubmitCommands const& commands, std::string const& command);

struct SubmitGroup {
  int jobs = 0;
  std::vector<int> processes;  // their numbers, in order
  Location queue;              // the statement
  SubmitCommands commands;     // the deciding ones, macros replaced

  std::string text(std::string const& command) const { return text_of(commands, command); }
};

/// Something that was read and not taken as HTCondor takes it.
/// The subject of a note, if a later step may remove or complete the note.
enum class SubmitTopic : std::uint8_t { other, output_of_crash, assumed_work };

/// True if the user can improve the forecast by an action that the note names.
enum class SubmitAction : std::uint8_t { none, recommended };

struct SubmitNote {
  Location where;
  std::string what;
  SubmitTopic topic = SubmitTopic::other;
  SubmitAction action = SubmitAction::none;
};

struct SubmitFile {
  std::filesystem::path file;
  NameFolders folders = {};                        // in which its names are looked for
  bool names_files = false;                        // that are read, relative to these folders
  std::vector<std::filesystem::path> read = {};    // it, those that it includes, and lists of items
  std::vector<SubmitGroup> groups;                 // in the order of their first jobs
  SubmitCommands commands;                         // all, as the first job with each has it
  std::set<std::string, LessIgnoringCase> macros;  // those of them that others use
  std::vector<SubmitNote> notes;                   // in the order of the file

  int jobs() const;
};

/// `deciding`: names of the commands in which the jobs of a group are alike. InputError for an
/// include loop, an endless macro, a condition or a queue statement that makes no sense, a file
/// that cannot be read, no queue statement, more than a million jobs. `folders`: empty for the
/// current one and the file's.
SubmitFile read_submit_file(std::filesystem::path const& file,
                            std::vector<std::string> const& deciding,
                            SubmitFolder const& folder = real_submit_folder(),
                            NameFolders folders = {});

}  // namespace gridcast::condor
