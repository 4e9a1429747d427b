// The commands of submit files, by their meaning for a simulated campaign, and their values: sizes
// in HTCondor's units (powers of 1024), numbers and times that may be written as expressions.
// HTCondor manual, condor_submit, "Submit description file commands".
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/base/units.hpp"
#include "sim/classad/expression.hpp"
#include "sim/condor/submit/submit_file.hpp"
#include "sim/import/submit_campaign.hpp"

namespace gridcast::import {

/// "10M", "2 GB", "1.5g", "4096": a bare number has the unit given. Nothing if it is no size.
std::optional<Bytes> submit_size(std::string_view text, Bytes bare_unit);

/// A number, or an expression that needs no attributes.
std::optional<double> submit_number(std::string_view text);

/// Text in quotes without them, other text as it stands.
std::string unquoted(std::string_view text);

/// The number behind "?size=" or "&size=" in a URL: bytes.
std::optional<Bytes> size_in_url(std::string_view url);

/// Of a file, or of all files in a folder, which HTCondor sends with it; nothing where there is
/// neither.
std::optional<Bytes> size_on_disk(std::filesystem::path const& path);

/// The size of a URL or file. A key of `sizes` is the URL, the URL without its query, or the name
/// without folders ("b.tar"). Without a key, it is the size in the URL, or of the file of file:///.
std::optional<Bytes> known_size(KnownSizes const& sizes, std::string const& name);

/// True if it begins with a scheme, as in osdf://.
bool is_url(std::string_view name);

enum class SubmitEffect {
  decides,        // is read into the scenario
  none,           // changes nothing that is simulated
  not_simulated,  // would change something, and is not simulated
  unknown,        // no command of condor_submit, or one not known here
};

SubmitEffect submit_effect(std::string_view command);

/// The attribute that a command sets, as "+PeriodicRelease": it can be given in its place.
std::string attribute_of(std::string_view command);

/// Those that decide, for read_submit_file, and their attributes.
std::vector<std::string> const& deciding_submit_commands();

/// The commands of one group of jobs while they are read, with the notes and problems so far.
struct SubmitReading {
  condor::SubmitGroup const& group;
  KnownSizes const& sizes;
  condor::NameFolders folders;  // in which paths are looked for
  SubmitImport result;
  std::vector<Problem> problems;
  bool assumes_sizes = false;  // of URLs whose size nothing shows
  /// On the disk, of those that were asked for: thousands of groups can send the same folder.
  std::map<std::filesystem::path, std::optional<Bytes>> sizes_on_disk = {};

  /// Null if it is not given or is empty. An attribute stands for its command.
  condor::SubmitValue const* find(std::string const& command) const;
  void note(Location const& where, std::string what);
  /// A note that names an action of the user.
  void recommend(Location const& where, std::string what);
  void complain(condor::SubmitValue const& value, std::string what, std::string why,
                std::string hint);
  void not_understood(std::string const& command, condor::SubmitValue const& value);
};

using Rule = std::optional<classad::Expression>;

/// Parsed, if all of its functions exist.
Rule parsed(SubmitReading& reading, std::string const& command, condor::SubmitValue const& value);

/// An expression over the job's attributes, at the place of a command's value.
Rule job_rule(SubmitReading& reading, std::string const& command, condor::SubmitValue value,
              std::string text);

/// Requests of memory and disk, and those of retries.
void read_sizes(SubmitReading& reading);

/// Notes on commands that are not simulated, or not understood.
void note_commands(condor::SubmitFile const& file, SubmitReading& reading);

}  // namespace gridcast::import
