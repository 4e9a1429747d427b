#include "sim/scenario/software.hpp"

#include <charconv>

#include <fmt/format.h>

#include "sim/scenario/tables.hpp"

namespace gridcast::scenario {
namespace {

template <std::optional<Version> Software::*member>
void read_version(YamlValue const& value, Software& software) {
  std::string text;
  read_value(value, {}, text);
  if (text.empty()) return;
  software.*member = parse_version(text);
  if (software.*member) return;
  value.complain(fmt::format("'{}' is no version", text), "it has to be two or three numbers",
                 "Write '23.9.6'.");
}

template <std::optional<Version> Software::*member>
void write_version(YamlWriter& out, Key const& key, Software const& software) {
  if (software.*member) out.word(key.name, false, to_text(*(software.*member)), false);
}

}  // namespace

std::optional<Version> parse_version(std::string_view text) {
  Version version;
  auto const* at = text.data();
  auto const* const end = at + text.size();
  for (std::size_t part = 0; part < version.parts.size(); ++part) {
    auto const [stop, error] = std::from_chars(at, end, version.parts[part]);
    if (error != std::errc() || version.parts[part] < 0) return std::nullopt;
    if (stop == end) return part > 0 ? std::optional(version) : std::nullopt;
    if (*stop != '.') return std::nullopt;
    at = stop + 1;
  }
  return std::nullopt;
}

std::string to_text(Version const& version) {
  auto const& [major, minor, patch] = version.parts;
  return fmt::format("{}.{}.{}", major, minor, patch);
}

Software software_of(Software const& own, Software const& usual) {
  return {own.htcondor ? own.htcondor : usual.htcondor, own.pelican ? own.pelican : usual.pelican};
}

Table<Software> const& software_table() {
  static Table<Software> const table =
      Table<Software>("Versions, which set what the keys of transfers and retries leave open")
          .add({"htcondor", Form::text, "Of the execution points, such as 23.9.6"},
               read_version<&Software::htcondor>, write_version<&Software::htcondor>)
          .add({"pelican", Form::text, "Of the client in the pilots, such as 7.10"},
               read_version<&Software::pelican>, write_version<&Software::pelican>);
  return table;
}

}  // namespace gridcast::scenario
