#include <iterator>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "sim/base/text.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/tables.hpp"
#include "sim/scenario/yaml/values.hpp"

namespace gridcast::scenario {
namespace {

using Json = nlohmann::ordered_json;

constexpr char number_pattern[] = "[0-9]*\\.?[0-9]+([eE][+-]?[0-9]+)?";

std::string alternatives(std::vector<std::string_view> const& words) {
  std::string text;
  for (std::string_view const word : words) text += (text.empty() ? "" : "|") + std::string(word);
  return text;
}

std::string time_pattern() {
  return fmt::format("( *{} *({}))+ *", number_pattern, alternatives(time_units()));
}

std::string pattern_with(std::vector<std::string_view> const& units) {
  return fmt::format(" *{} *({}) *", number_pattern, alternatives(units));
}

/// Of a time, a size, a rate, or a range of times.
std::string pattern_of(Form form) {
  if (form == Form::time) return time_pattern();
  if (form == Form::time_range) return fmt::format("{0}(\\.\\.{0})?", time_pattern());
  return pattern_with(form == Form::size ? size_units() : rate_units());
}

Json list_of(Json items) {
  return {{"type", "array"}, {"items", std::move(items)}, {"minItems", 1}};
}

Json text_of(std::string const& pattern) {
  return {{"type", "string"}, {"pattern", "^" + pattern + "$"}};
}

Json number_of(char const* type, Bounds const& bounds) {
  Json json = {{"type", type}};
  auto const number = [type](double value) -> Json {
    if (std::string_view(type) == "integer") return static_cast<std::int64_t>(value);
    return value;
  };
  json[bounds.above ? "exclusiveMinimum" : "minimum"] = number(bounds.least);
  if (!bounds.open()) json["maximum"] = number(bounds.most);
  return json;
}

Json section_json(Section const& section);

Json key_json(Key const& key) {
  switch (key.form) {
    case Form::text:
    case Form::file:
      return {{"type", {"string", "number"}}, {"minLength", 1}};
    case Form::word:
      return {{"enum", key.words}};
    case Form::truth:
      return {{"type", "boolean"}};
    case Form::integer:
    case Form::number:
      return number_of(key.form == Form::integer ? "integer" : "number", key.bounds);
    case Form::time:
    case Form::size:
    case Form::rate:
    case Form::time_range:
      return text_of(pattern_of(key.form));
    case Form::factor_range:
      return {
          {"anyOf", {number_of("number", key.bounds), text_of("[0-9.eE+-]+\\.\\.[0-9.eE+-]+")}}};
    case Form::expression:
      return {{"type", {"string", "number", "boolean"}}, {"minLength", 1}};
    case Form::names:
      return list_of({{"type", "string"}});
    case Form::sizes:
      return list_of(text_of(pattern_of(Form::size)));
    case Form::integers:
      return list_of({{"type", "integer"}});
    case Form::section:
      return section_json(*key.section);
    case Form::sections:
      return list_of(section_json(*key.section));
    case Form::named_sections:  // or a text each
      return {{"type", "object"},
              {"additionalProperties",
               key.section ? section_json(*key.section) : key_json({key.name, Form::text, ""})},
              {"minProperties", 1}};
  }
  throw InternalError("every form has its schema");
}

Json section_json(Section const& section) {
  Json properties = Json::object();
  Json required = Json::array();
  Json alternative = Json::array();
  std::string unless;
  for (Key const& key : section.keys) {
    Json json = key_json(key);
    json["description"] =
        key.fallback.empty() ? key.help : fmt::format("{} (default: {})", key.help, key.fallback);
    properties[key.name] = std::move(json);
    if (key.required) required.push_back(key.name);
    if (key.unless.empty()) continue;
    alternative.push_back(key.name);
    unless = key.unless;
  }
  Json json;
  json["type"] = required.empty() ? Json({"object", "null"}) : Json("object");
  json["additionalProperties"] = false;
  if (!required.empty()) json["required"] = std::move(required);
  if (!unless.empty()) {
    json["anyOf"] = {{{"required", {unless}}}, {{"required", std::move(alternative)}}};
  }
  json["properties"] = std::move(properties);
  return json;
}

using Out = std::back_insert_iterator<std::string>;

constexpr char introduction[] =
    R"(# Scenario and pool files

This page is made by `gridcast help schema --markdown` from the tables that the reader itself uses;
`gridcast help schema` makes the JSON Schema (`docs/scenario.schema.json`) for editors from the same ones.
An editor with a YAML language server completes and checks a file that begins with

```yaml
# yaml-language-server: $schema=../docs/scenario.schema.json
```

Files are YAML. Unknown and repeated keys, missing units and impossible values are errors; all of a
file's problems are reported at once, each with its line and column.

| form | is written as |
|---|---|
| time | number and unit: `90 s`, `5 min`, `1 h 30 min`, `2 d`; units ms, s, min, h, d, w |
| size | number and unit: `137 GB`, `16 GiB`; units B, kB to PB (powers of 1000), KiB to PiB (of 1024) |
| rate | number and unit: `400 MB/s`, `10 Gbps`; a size unit and `/s`, or bps, kbps to Tbps |
| time range | `5 min..10 min`, or one time |
| expression | a ClassAd expression, in quotes: `"HoldReasonCode == 13 && NumHolds < 5"`; see submit.md |
| file | a path, relative to the folder of the file that it stands in |
| group | keys below: `{key: value, ...}` or indented lines |

Every verb that reads a scenario takes `--set PATH=VALUE`, any number of times: another
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
  if (key.form == Form::word) return fmt::format("`{}`", fmt::join(key.words, "`, `"));
  // In the order of Form.
  static auto const forms = split(
      "text||`true`, `false`|whole number|number|time|size|rate|"
      "time range|number, or a range of numbers|expression|file|"
      "list of names|list of sizes|list of whole numbers|group|"
      "list of groups|group for each name",
      '|');
  return forms[static_cast<std::size_t>(key.form)];
}

std::string bounds_text(Key const& key) {
  bool const is_number = key.form == Form::integer || key.form == Form::number ||
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

std::string scenario_schema() {
  Json const is_pool = {{"properties", {{"schema", {{"const", pool_schema_name}}}}},
                        {"required", {"schema"}}};
  Json json;
  json["$schema"] = "http://json-schema.org/draft-07/schema#";
  json["title"] = "gridcast scenarios and pools";
  json["description"] =
      "Made by `gridcast help schema`; the same keys are explained in scenario.md.";
  json["if"] = is_pool;
  json["then"] = {{"$ref", "#/definitions/pool"}};
  json["else"] = {{"$ref", "#/definitions/scenario"}};
  json["definitions"]["scenario"] = section_json(scenario_table().section());
  json["definitions"]["pool"] = section_json(pool_table().section());
  return json.dump(2) + "\n";
}

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
