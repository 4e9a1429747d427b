#include "sim/scenario/controls.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "sim/base/files.hpp"
#include "sim/scenario/tables.hpp"

namespace gridcast::scenario {
namespace {

using Node = YAML::Node const;

struct Front {
  std::string_view path;  // without the strategy, and without numbers of entries
  std::string_view label;
};

/// What one turns first.
constexpr std::array front_keys = {
    Front{"campaign.submit[].jobs", "Jobs"},
    Front{"campaign.request.gpus", "GPUs of a job"},
    Front{"campaign.request.gpu_memory", "GPU memory that a job asks for"},
    Front{"campaign.request.disk", "Disk that a job asks for"},
    Front{"campaign.input[].size", "Input of each job"},
    Front{"campaign.work.epochs", "Epochs of each job"},
    Front{"campaign.work.scale", "Work of a job, as a multiple"},
    Front{"software.htcondor", "Version of HTCondor"},
    Front{"software.pelican", "Version of Pelican"},
    Front{"transfer.protocol", "Where the input comes from"},
    Front{"transfer.stall_timer", "What the stall timer ends"},
    Front{"transfer.stall_timeout", "Stall timeout"},
    Front{"transfer.on_stall", "At a stall: requeue, or the next cache"},
    Front{"transfer.client_timeout", "Timeout of a connection, with the next cache"},
    Front{"transfer.resume", "Keep the bytes that have arrived"},
    Front{"transfer.most_at_a_time", "Transfers of a site at a time"},
    Front{"retry.on_transfer_failure", "After a failed transfer"},
    Front{"retry.delay", "Cool-down after a failed transfer"},
    Front{"retry.times", "Cool-downs before a hold"},
    Front{"retry.max_retries", "Runs again after a bad exit code"},
    Front{"release.transfer_holds_after", "Release of transfer holds after"},
    Front{"release.times", "Releases of a job"},
    Front{"match.avoid_site.after_stalls", "Avoid a site after stalls"},
    Front{"match.avoid_site.after_failures", "Avoid a site after failed transfers"},
    Front{"match.avoid_site.for", "Avoid it for"},
    Front{"checkpoint.every_epochs", "Epochs between checkpoints"},
    Front{"checkpoint.every", "Training between checkpoints"},
};

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

/// The tree that a table writes of a value, whatever it holds.
template <class Struct>
YAML::Node tree_of(Table<Struct> const& table, Struct const& object) {
  YamlLayout layout;
  layout.kept = [](std::string_view) { return true; };
  layout.time = time_in_largest;
  return YAML::Load(table.text(object, layout));
}

std::string scalar(std::optional<YAML::Node> const& node) {
  return node && node->IsScalar() ? node->Scalar() : "";
}

/// The trees that a key is looked up in, side by side.
struct Trees {
  std::optional<YAML::Node> holds;     // all that holds
  std::optional<YAML::Node> file;      // what the file says of it
  std::optional<YAML::Node> standard;  // the defaults

  Trees below(std::string const& key) const {
    return {child(holds, key), child(file, key), child(standard, key)};
  }
  /// An entry of a list has no default of its own.
  Trees entry(std::size_t index) const { return {item(holds, index), item(file, index), holds}; }
};

/// A path as `front_keys` has it: without the strategy in front, and without numbers.
std::string general(std::string_view path, std::string_view strategy) {
  if (!strategy.empty() && path.starts_with(strategy)) path.remove_prefix(strategy.size());
  std::string text;
  bool inside = false;
  for (char const c : path) {
    if (c == ']') inside = false;
    if (!inside) text += c;
    if (c == '[') inside = true;
  }
  return text;
}

bool is_control(Key const& key, std::string_view group) {
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
  explicit Walk(std::string strategy) : strategy_(std::move(strategy)) {}

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
    Control control{path, inner, key.name, key, scalar(trees.holds), {}, Place::more};
    std::replace(control.label.begin(), control.label.end(), '_', ' ');
    bool const differs = scalar(trees.holds) != scalar(trees.standard);
    control.source = trees.file ? ValueSource::file
                     : differs  ? ValueSource::software
                                : ValueSource::standard;
    std::string const wanted = general(path, strategy_);
    for (Front const& front : front_keys) {
      if (front.path != wanted) continue;
      control.place = Place::front;
      control.label = front.label;
    }
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

  std::string strategy_;  // "strategies.NAME."
};

/// What a file says; nothing where a list, or nothing, stands at its top.
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
  Walk walk(path + ".");
  walk.section(campaign_table().section(), "campaign", "campaign",
               {tree_of(campaign_table(), scenario.campaign), child(file, "campaign"),
                tree_of(campaign_table(), Campaign())});
  add_sites(scenario, walk.controls);
  walk.section(
      strategy_table().section(), path, "",
      {tree_of(strategy_table(), strategy), child(child(file, "strategies"), strategy.name),
       tree_of(strategy_table(), Strategy())});
  return std::move(walk.controls);
}

}  // namespace gridcast::scenario
