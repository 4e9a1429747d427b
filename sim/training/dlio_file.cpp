#include "sim/training/dlio_file.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/base/closest.hpp"
#include "sim/base/text.hpp"

namespace gridcast::training {
namespace {

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

/// Why a key that DLIO knows makes no difference; the longest matching beginning counts.
std::string reason(std::string const& key) {
  static std::map<std::string, std::string> const reasons = {
      {"checkpoint.", "where and how files are written does not change how much is"},
      {"dataset.", "how the data is laid out or made does not change how much is read"},
      {"dataset.record_length_bytes_resize", "what a sample becomes in memory is not read again"},
      {"dataset.record_length_bytes_stdev", "the mean size decides how long an epoch takes"},
      {"defaults", "Hydra's own"},
      {"evaluation.", "workflow.evaluation is off"},
      {"framework", "told by the data loader"},
      {"generation", "data is not generated"},
      {"hydra.", "Hydra's own"},
      {"model.", "only the checkpoint's size matters"},
      {"output.", "gridcast writes where it is told to"},
      {"profiling.", "nothing is profiled"},
      {"reader.", "it does not change what is read when"},
      {"data_reader.", "it does not change what is read when"},
      {"storage.", "choose a store with gridcast train --storage"},
      {"train.", "random seeds are gridcast's own"},
      {"workflow.", "not a step of training"},
      {"metric.", "not the utilisation"}};
  std::string best, why = "not a key that gridcast knows of DLIO";
  for (auto const& [beginning, text] : reasons) {
    if (!key.starts_with(beginning) || beginning.size() < best.size()) continue;
    best = beginning;
    why = text;
  }
  return why;
}

}  // namespace

DlioFile::DlioFile(std::filesystem::path const& file, std::string const& text)
    : document_(file, text) {
  if (document_.has_problems()) return;
  YAML::Node const root = document_.root();
  if (!root.IsMap()) {
    document_.add(document_.at(""), "no workload in it", "a group of keys is wanted", "");
    return;
  }
  YAML::Node const below = root["workload"];
  if (below && !below.IsMap()) {
    document_.add(document_.at(below.Mark()), "workload: it names a workload and does not hold one",
                  "", "Give the workload's own file (configs/workload/NAME.yaml).");
    return;
  }
  if (below) root_ = "workload.";
  index({document_, root, ""}, 0);
  static std::vector<std::string> const sections = {"dataset", "reader",     "data_reader",
                                                    "train",   "checkpoint", "model"};
  good_ = std::any_of(sections.begin(), sections.end(),
                      [this](std::string const& section) { return has(section); });
  for (auto const& [path, node] : leaves_) {
    std::string const name = path.starts_with(root_) ? path.substr(root_.size()) : path;
    bool const is_section = std::find(sections.begin(), sections.end(), name) != sections.end();
    if (!is_section || node.IsMap() || node.IsNull() || name == "model") continue;
    document_.add(document_.at(path),
                  fmt::format("{}: {} where keys are wanted", path, scenario::shown(node)), "",
                  "Write {key: value, ...}.");
  }
  if (good_) return;
  document_.add(document_.at(""), "no workload in it",
                fmt::format("it has none of {}", fmt::join(sections, ", ")),
                "Give a file like DLIO's configs/workload/unet3d.yaml.");
}

void DlioFile::index(scenario::YamlValue const& value, int depth) {
  // DLIO's own files are five levels deep; an alias of what is around it has no end.
  constexpr int deepest = 12;
  constexpr std::size_t most = 10000;
  if (depth > deepest || leaves_.size() > most) {
    if (!document_.has_problems()) {
      value.complain("too many keys, or too deep", "a workload has about fifty", "");
    }
    return;
  }
  std::set<std::string> seen;
  for (auto const& entry : value.node) {
    if (!entry.first.IsScalar()) continue;
    std::string const key = entry.first.Scalar();
    if (!seen.insert(key).second) {
      document_.add(document_.at(entry.first.Mark()), fmt::format("key '{}' is given twice", key),
                    "", "Remove one.");
      continue;
    }
    scenario::YamlValue const child = value.child(key, entry.second);
    if (entry.second.IsMap() && entry.second.size() > 0) {
      leaves_.emplace_back(child.path + ".", entry.second);
      index(child, depth + 1);
    } else {
      leaves_.emplace_back(child.path, entry.second);
    }
  }
}

bool DlioFile::has(std::string const& path) const { return document_.has(root_ + path); }

namespace {

YAML::Node node_at(std::vector<std::pair<std::string, YAML::Node>> const& leaves,
                   std::string const& path) {
  for (auto const& [name, node] : leaves) {
    if (name == path) return node;
  }
  return YAML::Node();
}

/// 1_000_000 is a number to Python's YAML, which DLIO reads its files with.
void remove_underscores(YAML::Node node) {
  if (!node.IsScalar()) return;
  std::string digits = node.Scalar();
  bool const grouped = digits.find('_') != std::string::npos &&
                       digits.find_first_not_of("0123456789_-.") == std::string::npos;
  if (!grouped) return;
  digits.erase(std::remove(digits.begin(), digits.end(), '_'), digits.end());
  node = digits;  // its place in the file stays
}

}  // namespace

double DlioFile::number(std::string const& path, double fallback, scenario::Bounds const& bounds) {
  if (!has(path)) return fallback;
  used_.insert(root_ + path);
  scenario::YamlValue const value{document_, node_at(leaves_, root_ + path), root_ + path};
  remove_underscores(value.node);
  if (value.node.IsNull()) return fallback;
  double number = fallback;
  scenario::read_value(value, bounds, number);
  return number;
}

int DlioFile::whole(std::string const& path, int fallback, scenario::Bounds const& bounds) {
  double const number = this->number(path, fallback, bounds);
  return static_cast<int>(std::min(2e9, std::floor(number)));
}

bool DlioFile::truth(std::string const& path, bool fallback) {
  if (!has(path)) return fallback;
  std::string const text = lower(this->text(path, fallback ? "true" : "false"));
  static std::vector<std::string> const yes = {"true", "yes", "on", "1"};
  return std::find(yes.begin(), yes.end(), text) != yes.end();
}

std::string DlioFile::text(std::string const& path, std::string fallback) {
  if (!has(path)) return fallback;
  used_.insert(root_ + path);
  YAML::Node const node = node_at(leaves_, root_ + path);
  return node.IsScalar() ? node.Scalar() : fallback;
}

std::string DlioFile::word(std::string const& path, std::string fallback,
                           std::vector<std::string> const& words) {
  if (!has(path)) return fallback;
  std::string const text = lower(this->text(path, fallback));
  if (std::find(words.begin(), words.end(), text) != words.end()) return text;
  document_.add(document_.at(root_ + path),
                fmt::format("{}: unknown '{}'", root_ + path, this->text(path, "")), "",
                suggestion(text, words));
  return fallback;
}

Seconds DlioFile::time(std::string const& path, double& spread) {
  spread = 0;
  double const stdev = number(path + "_stdev", 0);
  if (!document_.has(root_ + path + ".type") && !document_.has(root_ + path + ".mean")) {
    double const mean = number(path, 0);
    if (mean > 0) spread = stdev / mean;
    return Seconds(mean);
  }
  static std::vector<std::string> const kinds = {"normal", "uniform", "gamma", "exponential",
                                                 "poisson"};
  std::string const kind = word(path + ".type", "normal", kinds);
  double mean = number(path + ".mean", 0), sd = number(path + ".stdev", stdev);
  if (kind == "uniform") {
    double const low = number(path + ".min", 0), high = number(path + ".max", 0);
    mean = (low + high) / 2;
    sd = (high - low) / std::sqrt(12.);
  } else if (kind == "gamma") {
    double const shape = number(path + ".shape", 1), scale = number(path + ".scale", 1);
    mean = shape * scale;
    sd = std::sqrt(shape) * scale;
  } else if (kind == "exponential") {
    mean = sd = number(path + ".scale", 1);
  } else if (kind == "poisson") {
    mean = number(path + ".lam", 1);
    sd = std::sqrt(mean);
  }
  if (mean > 0) spread = sd / mean;
  return Seconds(mean);
}

std::vector<IgnoredKey> DlioFile::ignored() const {
  std::vector<IgnoredKey> ignored;
  for (auto const& [path, node] : leaves_) {
    if (path.ends_with('.') || used_.contains(path)) continue;
    std::string const key = path.starts_with(root_) ? path.substr(root_.size()) : path;
    ignored.push_back({path, document_.at(path).line, reason(key)});
  }
  return ignored;
}

}  // namespace gridcast::training
