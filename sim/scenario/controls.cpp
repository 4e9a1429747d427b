#include "sim/scenario/controls.hpp"

#include <algorithm>
#include <initializer_list>
#include <utility>

#include <fmt/format.h>

#include "sim/base/files.hpp"
#include "sim/base/text.hpp"
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
  /// An entry of a list has no default of its own: its present values are its defaults.
  Trees entry(std::size_t index) const {
    return {item(holds, index), item(file, index), item(holds, index)};
  }
};

bool is_control(Key const& key, std::string_view group) {
  using enum Form;
  if (key.form == text && group != "software") return false;
  if (key.form == word && key.words.size() < 2) return false;
  return !key.for_people && !is_list(key.form) &&
         !history::is_one_of(key.form, {file, section, sections, named_sections});
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
        controls[c].label += fmt::format(" ({} {} of {})", key.label, i + 1, count);
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

/// The sampled number of slots or GPUs of a site, if the draws have one.
std::optional<SampledRange> sampled_supply(Scenario const& scenario, SiteSpec const& site) {
  std::vector<int> numbers;
  for (ParameterDraw const& draw : scenario.calibration.draws) {
    auto const found = draw.sites.find(site.name);
    if (found == draw.sites.end()) continue;
    auto const& number = site.slots > 0 ? found->second.slots : found->second.gpus;
    if (number) numbers.push_back(*number);
  }
  if (numbers.empty()) return std::nullopt;
  std::ranges::sort(numbers);
  auto const at = [&](double p) {
    return numbers[static_cast<std::size_t>(p * static_cast<double>(numbers.size() - 1))];
  };
  constexpr double low = 0.05, high = 0.95;
  return SampledRange{static_cast<double>(at(low)), static_cast<double>(at(high))};
}

/// How many GPUs or slots pilots may hold at each site.
void add_sites(Scenario const& scenario, std::vector<Control>& controls) {
  for (SiteSpec const& site : scenario.pool.sites) {
    bool const by_slots = site.slots > 0;
    Key key{by_slots ? "slots" : "gpus", Form::integer,
            by_slots ? "Slots that pilots hold at once" : "Most GPUs that pilots hold at once"};
    key.bounds = between(1, most_slots);
    Control control{
        fmt::format("pool.sites.{}.{}", site.name, key.name), "sites",          site.name, key,
        std::to_string(by_slots ? site.slots : site.gpus),    ValueSource::file};
    control.no_effect = why_no_match(site, scenario.campaign);
    if (!control.no_effect.empty()) control.no_effect.insert(0, "no job runs there: ");
    control.sampled = sampled_supply(scenario, site);
    controls.push_back(std::move(control));
  }
}

/// The keys that people change most, the first ones first. The first six with an effect are shown.
constexpr std::string_view wanted_first[] = {
    "campaign.submit[0].jobs",     "campaign.work.epochs",      "campaign.input[0].size",
    "transfer.stall_timeout",      "retry.on_transfer_failure", "release.transfer_holds_after",
    "transfer.on_stall",           "checkpoint.every_epochs",   "transfer.protocol",
    "campaign.request.gpu_memory", "campaign.request.gpus",     "campaign.work.scale"};

void choose_first(std::vector<Control>& controls, std::string const& strategy) {
  std::size_t chosen = 0;
  for (std::string_view const wanted : wanted_first) {
    auto const found = std::ranges::find_if(controls, [&](Control const& each) {
      return each.path == wanted || each.path == strategy + std::string(wanted);
    });
    if (found == controls.end() || !found->no_effect.empty()) continue;
    found->place = Place::first;
    if (++chosen == shown_first) return;
  }
}

/// The reasons, once all values are known.
void add_reasons(Scenario const& scenario, Strategy const& strategy, std::string const& path,
                 std::vector<Control>& controls) {
  constexpr std::string_view of_campaign = "campaign.";
  for (Control& control : controls) {
    std::string_view const whole = control.path;
    if (whole.starts_with(of_campaign)) {
      control.no_effect = why_no_effect(scenario.campaign, whole.substr(of_campaign.size()));
    } else if (whole.starts_with(path)) {
      control.no_effect = why_no_effect(scenario, strategy, whole.substr(path.size()));
    }
  }
}

constexpr char only_catalogue[] = "only a workload of the catalogue has it";

bool is_key(std::string_view key, std::initializer_list<std::string_view> keys) {
  return contains(keys, key);
}

std::string submission_reason(Submission const& each, std::string_view key) {
  if (key == "unless_exit" && each.retries == 0) return "the submission is not repeated (retries)";
  if (key == "abort_return" && !each.abort_on) return "no exit code ends the DAG (abort_on)";
  if (key == "ready_after" && each.name.empty()) return "no submission waits for it";
  return "";
}

/// The submission and its key that "submit[0].retries" names.
std::pair<Submission const*, std::string_view> submission_key(Campaign const& campaign,
                                                              std::string_view key) {
  constexpr std::string_view front = "submit[";
  auto const end = key.find("].");
  if (!key.starts_with(front) || end == key.npos) return {};
  auto const index =
      text_as<std::size_t>(std::string(key.substr(front.size(), end - front.size())));
  if (!index || *index >= campaign.submit.size()) return {};
  return {&campaign.submit[*index], key.substr(end + 2)};
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
  add_reasons(scenario, strategy, path + ".", walk.controls);
  choose_first(walk.controls, path + ".");
  return std::move(walk.controls);
}

std::string why_no_effect(Campaign const& campaign, std::string_view key) {
  bool const of_catalogue = is_key(key, {"work.batch", "work.storage"});
  if (of_catalogue && !campaign.work.catalogue) return only_catalogue;
  auto const [submission, own] = submission_key(campaign, key);
  return submission != nullptr ? submission_reason(*submission, own) : "";
}

std::string why_no_effect(Scenario const& scenario, Strategy const& strategy,
                          std::string_view key) {
  std::string_view const group = key.substr(0, key.find('.'));
  // Repeated jobs have the transfers of their record, whose sizes may be unknown.
  bool const repeats = scenario.campaign.work.from == JobSource::record;
  if (group == "transfer" && !repeats && scenario.campaign.input_size() == Bytes()) {
    return "the jobs have no input";
  }
  bool const catalogue = scenario.campaign.work.catalogue || !strategy.training.profile.empty();
  bool const of_catalogue =
      group == "training" || is_key(key, {"checkpoint.every_steps", "checkpoint.every"});
  if (of_catalogue && !catalogue) return only_catalogue;
  Key const* const row = key_at(strategy_table().section(), key);
  return row && row->idles && row->idles(strategy) ? row->idle_because : "";
}

std::vector<Problem> keys_without_effect(YamlDocument const& document, Scenario const& scenario) {
  // A comparison of all keys with their defaults takes longer than many a forecast.
  std::vector<std::string> dependent;
  each_key(strategy_table().section(), [&](std::string const& path, Key const& key) {
    if (key.idles) dependent.push_back(path);
  });
  std::vector<Problem> notes;
  for (Strategy const& strategy : scenario.strategies) {
    for (std::string const& key : dependent) {
      auto const path = fmt::format("strategies.{}.{}", strategy.name, key);
      auto const why = why_no_effect(scenario, strategy, key);
      if (why.empty() || !document.has(path)) continue;
      notes.push_back({document.at(path), path + ": this has no effect", why, ""});
    }
  }
  return notes;
}

}  // namespace gridcast::scenario
