// The reference of keys, as Markdown.
#include <iterator>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/scenario/scenario.hpp"
#include "sim/scenario/tables.hpp"

namespace gridcast::scenario {
namespace {

using Out = std::back_insert_iterator<std::string>;

constexpr char introduction[] =
    R"(# Scenario and pool files

This page is made by `gridcast schema --markdown` from the tables that the reader itself uses;
`gridcast schema` makes the JSON Schema (`docs/scenario.schema.json`) for editors from the same ones.
An editor with a YAML language server completes and checks a file that begins with

```yaml
# yaml-language-server: $schema=../docs/scenario.schema.json
```

Files are YAML. Unknown and repeated keys, missing units and impossible values are errors; all of a
file's problems are told at once, each with its line and column.

| form | is written as |
|---|---|
| time | number and unit: `90 s`, `5 min`, `1 h 30 min`, `2 d`; units ms, s, min, h, d, w |
| size | number and unit: `137 GB`, `16 GiB`; units B, kB to PB (powers of 1000), KiB to PiB (of 1024) |
| rate | number and unit: `400 MB/s`, `10 Gbps`; a size unit and `/s`, or bps, kbps to Tbps |
| time range | `5 min..10 min`, or one time |
| expression | a ClassAd expression, in quotes: `"HoldReasonCode == 13 && NumHolds < 5"`; see submit.md |
| file | a path, relative to the folder of the file that it stands in |
| group | keys below: `{key: value, ...}` or indented lines |

`run`, `predict`, `compare` and `lesson run` take `--set PATH=VALUE`, as often as one likes: another
value than the files', read and checked as if it stood in them.

| path | is |
|---|---|
| `campaign.work.epochs` | keys with points between, also keys that the file leaves out |
| `campaign.submit[0].jobs`, `campaign.submit.0.jobs` | an entry of a list, numbered from 0 |
| `strategies.NAME.retry.times` | of a strategy that is there |
| `pool.sites.NAME.gpus`, `pool.pilots.walltime` | of the pool's file; entries of a list also by their `name` |
| `calibration.gpus.SITE`, `calibration.stall_when_bad` | a column of the calibration's draws, in every row: a number in the unit that its name ends with |
| `pool`, `calibration` | another file |
)";

std::string form_text(Key const& key) {
  switch (key.form) {
    case Form::text:
      return "text";
    case Form::word:
      return fmt::format("`{}`", fmt::join(key.words, "`, `"));
    case Form::truth:
      return "`true`, `false`";
    case Form::whole:
      return "whole number";
    case Form::number:
      return "number";
    case Form::time:
      return "time";
    case Form::size:
      return "size";
    case Form::rate:
      return "rate";
    case Form::time_range:
      return "time range";
    case Form::factor_range:
      return "number, or a range of numbers";
    case Form::file:
      return "file";
    case Form::expression:
      return "expression";
    case Form::names:
      return "list of names";
    case Form::section:
      return "group";
    case Form::sections:
      return "list of groups";
    case Form::named_sections:
      return "group for each name";
  }
  throw InternalError("every form has a name");
}

std::string bounds_text(Key const& key) {
  bool const is_number = key.form == Form::whole || key.form == Form::number ||
                         key.form == Form::time || key.form == Form::size || key.form == Form::rate;
  if (!is_number) return "";
  std::string const text = to_text(key.bounds);
  return text == to_text(not_negative()) ? "" : ", " + text;
}

std::string default_cell(Key const& key) {
  if (key.required) return "required";
  if (!key.unless.empty()) return "required without `" + key.unless + "`";
  return key.fallback.empty() ? "" : "`" + key.fallback + "`";
}

std::string below(std::string const& path, Key const& key) {
  std::string const own = path.empty() ? key.name : path + "." + key.name;
  if (key.form == Form::sections) return own + "[]";
  return key.form == Form::named_sections ? own + ".NAME" : own;
}

void write_section(Out out, std::string const& path, Section const& section) {
  if (!path.empty()) fmt::format_to(out, "\n### `{}`\n\n{}.\n", path, section.help);
  fmt::format_to(out, "\n| key | form | default | meaning |\n|---|---|---|---|\n");
  for (Key const& key : section.keys) {
    fmt::format_to(out, "| `{}` | {}{} | {} | {} |\n", key.name, form_text(key), bounds_text(key),
                   default_cell(key), key.help);
  }
  for (Key const& key : section.keys) {
    if (key.section) write_section(out, below(path, key), *key.section);
  }
}

}  // namespace

std::string scenario_reference() {
  std::string text = introduction;
  Out const out = std::back_inserter(text);
  fmt::format_to(out, "\n## Scenarios\n\n{}.\n", scenario_table().section().help);
  write_section(out, "", scenario_table().section());
  fmt::format_to(out, "\n## Pools\n\n{}.\n", pool_table().section().help);
  write_section(out, "", pool_table().section());
  return text;
}

}  // namespace gridcast::scenario
