// The settings of a scenario that can be changed without editing it: keys of its tables, each with
// its present value, the source of that and its other possible values. A value is put at `path` as
// `--set PATH=VALUE` puts it (yaml/document.hpp). Keys that name files or hold free text are not
// among them: a change reaches no file but the scenario's own.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
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

/// A form shows a control first, or folds it with all the others.
enum class Place { first, more };
/// The number of controls that are shown first.
inline constexpr std::size_t shown_first = 6;

/// The central 90 % of a number over the draws of the calibration.
struct SampledRange {
  double low = 0, high = 0;
};

struct Control {
  std::string path;
  std::string group;  // "campaign", "sites", or the strategy's: "transfer", "retry", ...
  std::string label;
  Key key;
  std::string value;  // as it would stand in the file; empty: nothing
  ValueSource source = ValueSource::standard;
  Place place = Place::more;
  std::string no_effect = {};                // why it changes nothing now; empty: it does
  std::optional<SampledRange> sampled = {};  // of a fitted value
};

/// The controls of the campaign, the pool's sites and the strategy, in the order of the tables.
/// `scenario` is as in its files; InputError if they cannot be read any more.
std::vector<Control> controls_of(Scenario const& scenario, Strategy const& strategy);

/// Why a key of the strategy ("transfer.stall_timeout") has no effect; empty if it has one.
std::string why_no_effect(Scenario const& scenario, Strategy const& strategy, std::string_view key);

/// Keys that the strategies set and that have no effect.
std::vector<Problem> keys_without_effect(YamlDocument const& document, Scenario const& scenario);

/// The same of a key of the campaign ("work.batch").
std::string why_no_effect(Campaign const& campaign, std::string_view key);

}  // namespace gridcast::scenario
