// Relative names in submit files and DAGs. condor_submit and condor_submit_dag take them from the
// folder in which they run (HTCondor manual, "File Paths in DAGs"; condor_submit, initialdir). A
// forecast may run in another folder, so the folder of the file itself is the second choice.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace gridcast::condor {

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

}  // namespace gridcast::condor
