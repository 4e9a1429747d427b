// The settings of a scenario that can be changed without editing it: keys of its tables, each with
// its present value, the source of that and its other possible values. A value is put at `path` as
// `--set PATH=VALUE` puts it (yaml/document.hpp). Keys that name files or hold free text are not
// among them: a change reaches no file but the scenario's own.
#pragma once

#include <string>
#include <vector>

#include "sim/scenario/scenario.hpp"
#include "sim/scenario/yaml/fields.hpp"

namespace gridcast::scenario {

/// The source of the present value.
enum class ValueSource {
  file,      // the scenario, or the pool's file
  software,  // the rules of the versions of HTCondor and Pelican
  standard,  // the key's own default
};

/// Whether one looks for it first, or among all the others.
enum class Place { front, more };

struct Control {
  std::string path;
  std::string group;  // "campaign", "sites", or the strategy's: "transfer", "retry", ...
  std::string label;
  Key key;
  std::string value;  // as it would stand in the file; empty: nothing
  ValueSource source = ValueSource::standard;
  Place place = Place::more;
};

/// The controls of the campaign, the pool's sites and the strategy, in the order of the tables.
/// `scenario` is as in its files; InputError if they cannot be read any more.
std::vector<Control> controls_of(Scenario const& scenario, Strategy const& strategy);

}  // namespace gridcast::scenario
