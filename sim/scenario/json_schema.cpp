// The JSON Schema of scenario and pool files.
#include <cmath>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sim/scenario/quantity_value.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/tables.hpp"

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
  return fmt::format("( *{} *({}))+ *", number_pattern, alternatives(quantity_units<Seconds>()));
}

std::string size_pattern() {
  return fmt::format(" *{} *({}) *", number_pattern, alternatives(quantity_units<Bytes>()));
}

std::string rate_pattern() {
  return fmt::format(" *{} *({}) *", number_pattern,
                     alternatives(quantity_units<BytesPerSecond>()));
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
  if (std::isfinite(bounds.most)) json["maximum"] = number(bounds.most);
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
    case Form::whole:
      return number_of("integer", key.bounds);
    case Form::number:
      return number_of("number", key.bounds);
    case Form::time:
      return text_of(time_pattern());
    case Form::size:
      return text_of(size_pattern());
    case Form::rate:
      return text_of(rate_pattern());
    case Form::time_range:
      return text_of(fmt::format("{0}(\\.\\.{0})?", time_pattern()));
    case Form::factor_range:
      return {
          {"anyOf", {number_of("number", key.bounds), text_of("[0-9.eE+-]+\\.\\.[0-9.eE+-]+")}}};
    case Form::expression:
      return {{"type", {"string", "number", "boolean"}}, {"minLength", 1}};
    case Form::names:
      return {{"type", "array"}, {"items", {{"type", "string"}}}, {"minItems", 1}};
    case Form::section:
      return section_json(*key.section);
    case Form::sections:
      return {{"type", "array"}, {"items", section_json(*key.section)}, {"minItems", 1}};
    case Form::named_sections:
      return {{"type", "object"},
              {"additionalProperties", section_json(*key.section)},
              {"minProperties", 1}};
  }
  throw InternalError("every form has its schema");
}

bool all_optional(Section const& section) {
  for (Key const& key : section.keys) {
    if (key.required) return false;
  }
  return true;
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
  if (all_optional(section)) {
    json["type"] = {"object", "null"};
  } else {
    json["type"] = "object";
  }
  json["additionalProperties"] = false;
  if (!required.empty()) json["required"] = std::move(required);
  if (!unless.empty()) {
    json["anyOf"] = {{{"required", {unless}}}, {{"required", std::move(alternative)}}};
  }
  json["properties"] = std::move(properties);
  return json;
}

}  // namespace

std::string scenario_schema() {
  Json const is_pool = {{"properties", {{"schema", {{"const", pool_schema_name}}}}},
                        {"required", {"schema"}}};
  Json json;
  json["$schema"] = "http://json-schema.org/draft-07/schema#";
  json["title"] = "gridcast scenarios and pools";
  json["description"] = "Made by `gridcast schema`; the same keys are explained in scenario.md.";
  json["if"] = is_pool;
  json["then"] = {{"$ref", "#/definitions/pool"}};
  json["else"] = {{"$ref", "#/definitions/scenario"}};
  json["definitions"]["scenario"] = section_json(scenario_table().section());
  json["definitions"]["pool"] = section_json(pool_table().section());
  return json.dump(2) + "\n";
}

}  // namespace gridcast::scenario
