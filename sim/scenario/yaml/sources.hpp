// `sources:` of a file that people write numbers into: where each value is from, by its key (or keys).
#pragma once

#include "sim/scenario/yaml/fields.hpp"

namespace gridcast::scenario {

template <class Part>
void read_sources(YamlValue const& value, Part& part) {
  for (auto const& [keys, item] : find_named(value)) read_value(item, {}, part.sources[keys]);
}

template <class Part>
void write_sources(YamlWriter& out, Key const& key, Part const& part) {
  out.group(key.name, key.required, [&] {
    for (auto const& [keys, source] : part.sources) out.entry(keys, source);
  });
}

}  // namespace gridcast::scenario
