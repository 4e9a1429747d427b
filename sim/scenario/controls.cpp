#include "sim/scenario/controls.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "sim/base/files.hpp"
#include "sim/scenario/tables.hpp"

namespace gridcast::scenario {
namespace {

using Node = YAML::Node const;

std::optional<YAML::Node> child(std::optional<YAML::Node> const& parent, std::string const& key) {
  if (!parent || !parent->IsMap()) return std::nullopt;
  Node found = (*static_cast<Node*>(&*parent))[key];
  if (!found.IsDefined()) return std::nullopt;
  return found;
}

std::optional<YAML::Node> item(std::optional<YAML::Node> const& parent, std::size_t index) {
  if (!parent || !parent->IsSequence() || index >= parent->size()) return std::nullopt;
  return (*static_cast<Node*>(&*parent))[index];
}

std::string scalar(std::optional<YAML::Node> const& node) {
  return node && node->IsScalar() ? node->Scalar() : "";
}

/// The trees that a key is looked up in, side by side.
struct Trees {
  std::optional<YAML::Node> holds;     // all that holds
  std::optional<YAML::Node> file;      // its value in the file
  std::optional<YAML::Node> standard;  // the defaults

  Trees below(std::string const& key) const {
    return {child(holds, key), child(file, key), child(standard, key)};
  }
  /// An entry of a list has no default of its own.
  Trees entry(std::size_t index) const { return {item(holds, index), item(file, index), holds}; }
};

bool is_control(Key const& key, std::string_view group) {
  if (key.for_people) return false;
  switch (key.form) {
    case Form::text:
      return group == "software";
    case Form::word:
      return key.words.size() > 1;
    case Form::file:
    case Form::names:
    case Form::section:
    case Form::sections:
    case Form::named_sections:
      return false;
    default:
      return true;
  }
}

class Walk {
 public:
  void section(Section const& keys, std::string const& path, std::string const& group,
               Trees const& trees) {
    for (Key const& key : keys.keys) one(key, path + "." + key.name, group, trees.below(key.name));
  }

  std::vector<Control> controls;

 private:
  void one(Key const& key, std::string const& path, std::string const& group, Trees const& trees) {
    std::string const inner = group.empty() ? key.name : group;
    if (key.form == Form::section) return section(*key.section, path, inner, trees);
    if (key.form == Form::sections) return entries(key, path, inner, trees);
    if (!is_control(key, inner)) return;
    bool const differs = scalar(trees.holds) != scalar(trees.standard);
    Control control{path, inner, key.label, key, scalar(trees.holds)};
    if (key.label.empty()) {
      control.label = key.name;
      std::replace(control.label.begin(), control.label.end(), '_', ' ');
    }
    control.place = key.label.empty() ? Place::more : Place::front;
    control.source = trees.file ? ValueSource::file
                     : differs  ? ValueSource::software
                                : ValueSource::standard;
    controls.push_back(std::move(control));
  }

  void entries(Key const& key, std::string const& path, std::string const& group,
               Trees const& trees) {
    std::size_t const count = trees.holds && trees.holds->IsSequence() ? trees.holds->size() : 0;
    for (std::size_t i = 0; i < count; ++i) {
      std::size_t const first = controls.size();
      section(*key.section, fmt::format("{}[{}]", path, i), group, trees.entry(i));
      if (count == 1) continue;
      for (std::size_t c = first; c < controls.size(); ++c) {
        controls[c].label += fmt::format(" ({} {} of {})", key.name, i + 1, count);
      }
    }
  }
};

/// The content of a file; nothing if a list, or nothing, stands at its top.
std::optional<YAML::Node> tree_in(std::filesystem::path const& file) {
  YamlDocument const document(file, read_text_file(file));
  if (document.has_problems()) throw InputError(document.problems());
  return document.root();
}

/// How many GPUs or slots pilots may hold at each site.
void add_sites(Scenario const& scenario, std::vector<Control>& controls) {
  for (SiteSpec const& site : scenario.pool.sites) {
    bool const by_slots = site.slots > 0;
    auto const& draws = scenario.calibration.draws;
    bool const drawn = std::any_of(draws.begin(), draws.end(), [&site](ParameterDraw const& draw) {
      return draw.sites.at(site.name).slots.value_or(0) > site.slots;
    });
    Key key{by_slots ? "slots" : "gpus", Form::integer,
            !by_slots ? "Most GPUs that pilots hold at once"
            : drawn   ? "Slots that pilots hold at once: these or more, as the calibration's draws "
                        "have them, unless this is set"
                      : "Slots that pilots hold at once"};
    key.bounds = between(1, most_slots);
    controls.push_back({fmt::format("pool.sites.{}.{}", site.name, key.name), "sites", site.name,
                        key, std::to_string(by_slots ? site.slots : site.gpus), ValueSource::file,
                        Place::front});
  }
}

}  // namespace

std::vector<Control> controls_of(Scenario const& scenario, Strategy const& strategy) {
  auto const file = tree_in(scenario.file);
  std::string const path = "strategies." + strategy.name;
  Walk walk;
  walk.section(campaign_table().section(), "campaign", "campaign",
               {campaign_table().tree(scenario.campaign), child(file, "campaign"),
                campaign_table().tree(Campaign())});
  add_sites(scenario, walk.controls);
  walk.section(strategy_table().section(), path, "",
               {strategy_table().tree(strategy), child(child(file, "strategies"), strategy.name),
                strategy_table().tree(Strategy())});
  return std::move(walk.controls);
}

}  // namespace gridcast::scenario
