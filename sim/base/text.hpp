// Small text tools: splitting, trimming, and writing a file so that it is there whole or not at
// all.
#pragma once

#include <filesystem>
#include <functional>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

namespace gridcast::inline base {

/// The pieces between separators, empty ones too: one more than there are separators.
std::vector<std::string> split(std::string_view text, char separator);
/// Without the blanks, tabs and line ends at both ends.
std::string_view trim(std::string_view text);

/// The bytes of a file. InputError if it is missing, is a folder, cannot be read, or holds NUL
/// bytes
/// ("a binary file").
std::string read_text_file(std::filesystem::path const& path);

/// Writes to a temporary file in the same folder, then renames. InputError if the folder cannot be
/// written; nothing half-written stays behind. What is no ordinary file (/dev/stdout, a pipe) is
/// written to as it is.
void write_file(std::filesystem::path const& path, std::string_view text);
/// The same for what is too large to be kept as one text: `write` writes it piece by piece, and is
/// left by an exception of the stream when the disk is full.
void write_file(std::filesystem::path const& path, std::function<void(std::ostream&)> const& write);

/// Makes sure that `folder` exists and can be written in (creates it). InputError otherwise.
void prepare_folder(std::filesystem::path const& folder);

/// SHA-256 of the bytes, in hexadecimal (FIPS 180-4).
std::string sha256(std::string_view bytes);

}  // namespace gridcast::inline base
