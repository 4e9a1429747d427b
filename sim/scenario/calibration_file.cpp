#include "sim/scenario/calibration_file.hpp"

#include <algorithm>
#include <charconv>
#include <functional>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "sim/base/files.hpp"
#include "sim/scenario/calibration.hpp"
#include "sim/scenario/yaml/document.hpp"

namespace gridcast::scenario {

namespace {

// One overload for each kind of value. A node of another kind leaves the value unchanged.

void read(YAML::Node const& node, std::string& text) {
  if (node.IsScalar()) text = node.Scalar();
}

void read(YAML::Node const& node, double& number) {
  if (!node.IsScalar()) return;
  std::string const& text = node.Scalar();
  if (text == ".inf" || text == "-.inf") {
    number = text.front() == '-' ? -infinity : infinity;
  } else if (text == ".nan") {
    number = nan;
  } else {
    double found = 0;
    auto const [stop, error] = std::from_chars(text.data(), text.data() + text.size(), found);
    if (error == std::errc()) number = found;
  }
}

void read(YAML::Node const& node, std::size_t& number) {
  double found = 0;
  read(node, found);
  constexpr double most = 1e15;
  if (found >= 0 && found <= most) number = static_cast<std::size_t>(found);
}

void read(YAML::Node const& node, bool& flag) {
  if (node.IsScalar()) flag = node.Scalar() == "true";
}

void read(YAML::Node const& node, Interval& range) {
  if (!node.IsSequence() || node.size() != 2) return;
  read(node[0], range.low);
  read(node[1], range.high);
}

void read(YAML::Node const& node, Origin& origin) {
  if (!node.IsScalar()) return;
  for (Origin const each : {Origin::fitted, Origin::borrowed, Origin::stated, Origin::by_default}) {
    if (node.Scalar() == name(each)) origin = each;
  }
}

void read(YAML::Node const& node, std::optional<std::string>& text) {
  if (node.IsScalar()) text = node.Scalar();
}

void read(YAML::Node const& node, std::optional<Seconds>& time) {
  if (node.IsScalar()) time = parse_seconds(node.Scalar());
}

void read(YAML::Node const& node, std::optional<Bytes>& size) {
  if (node.IsScalar()) size = parse_bytes(node.Scalar());
}

void read(YAML::Node const& node, std::optional<FactorRange>& range) {
  if (node.IsScalar()) range = parse_factor_range(node.Scalar());
}

void read(YAML::Node const& node, std::optional<WorkByNumber>& work) {
  if (!node.IsSequence() || node.size() != 2) return;
  work = WorkByNumber{0, 0};
  read(node[0], work->at_zero);
  read(node[1], work->by_one);
}

void read(YAML::Node const& node, std::optional<TimeRange>& range) {
  std::optional<Seconds> least, most;
  if (!node.IsSequence() || node.size() != 2) return;
  read(node[0], least);
  read(node[1], most);
  if (least && most) range = TimeRange{*least, *most};
}

void read(YAML::Node const& node, std::vector<CalibratedUrl>& input);
void read(YAML::Node const& node, std::vector<ProgramVariant>& programs);

/// A key of an entry, and the member that it fills.
template <class Entry>
struct EntryKey {
  template <class Member>
  EntryKey(std::string_view name_, Member Entry::*member)
      : name(name_),
        set([member](YAML::Node const& node, Entry& entry) { read(node, entry.*member); }) {}

  std::string_view name;
  std::function<void(YAML::Node const&, Entry&)> set;
};
template <class Entry>
using EntryKeys = std::vector<EntryKey<Entry>>;

template <class Entry>
void read_keys(YAML::Node const& node, EntryKeys<Entry> const& keys, Entry& entry) {
  if (!node.IsMap()) return;
  for (auto const& each : node) {
    if (!each.first.IsScalar()) continue;
    for (EntryKey<Entry> const& key : keys) {
      if (each.first.Scalar() == key.name) key.set(each.second, entry);
    }
  }
}

template <class Entry>
void read_entries(YAML::Node const& node, EntryKeys<Entry> const& keys,
                  std::vector<Entry>& entries) {
  if (!node.IsSequence()) return;
  for (YAML::Node const& each : node) {
    if (each.IsMap()) read_keys(each, keys, entries.emplace_back());
  }
}

void read(YAML::Node const& node, std::vector<CalibratedUrl>& input) {
  read_entries(node, {{"url", &CalibratedUrl::url}, {"size", &CalibratedUrl::size}}, input);
}

void read(YAML::Node const& node, std::vector<ProgramVariant>& programs) {
  read_entries(node,
               {{"name", &ProgramVariant::name},
                {"work_scale", &ProgramVariant::work_scale},
                {"jobs", &ProgramVariant::jobs},
                {"newest", &ProgramVariant::newest},
                {"crash_odds", &ProgramVariant::crash_odds}},
               programs);
}

EntryKeys<CalibrationInput> const input_keys = {{"file", &CalibrationInput::file},
                                                {"sha256", &CalibrationInput::sha256},
                                                {"rows", &CalibrationInput::rows}};
EntryKeys<NotIdentified> const gap_keys = {{"what", &NotIdentified::what},
                                           {"why", &NotIdentified::why},
                                           {"taken_from", &NotIdentified::taken_from}};
EntryKeys<HypothesisProbability> const hypothesis_keys = {
    {"name", &HypothesisProbability::name},
    {"prior", &HypothesisProbability::prior},
    {"log_bayes_factor", &HypothesisProbability::log_bayes_factor},
    {"weight", &HypothesisProbability::probability},
    {"interval90", &HypothesisProbability::interval90}};
EntryKeys<Estimate> const parameter_keys = {
    {"estimate", &Estimate::estimate},     {"se", &Estimate::standard_error},
    {"interval90", &Estimate::interval90}, {"unit", &Estimate::unit},
    {"events", &Estimate::events},         {"censored", &Estimate::censored},
    {"method", &Estimate::method},         {"fit", &Estimate::fit},
    {"origin", &Estimate::origin},
};
EntryKeys<history::RanProgram> const command_keys = {
    {"executable", &history::RanProgram::executable},
    {"arguments", &history::RanProgram::arguments}};
EntryKeys<CalibratedCampaign> const campaign_keys = {
    {"jobs", &CalibratedCampaign::jobs},
    {"epochs", &CalibratedCampaign::epochs},
    {"input", &CalibratedCampaign::input},
    {"programs", &CalibratedCampaign::programs},
    {"work_by_number", &CalibratedCampaign::work_by_number},
    {"plugin_lifetime", &CalibratedCampaign::plugin_lifetime},
    {"cool_down", &CalibratedCampaign::cool_down},
    {"job_lease", &CalibratedCampaign::job_lease}};

/// The command of a record, if its executable is known.
void read_command(YAML::Node const& node, std::vector<history::RanProgram>& ran) {
  history::RanProgram command;
  read_keys(node, command_keys, command);
  if (!command.executable.empty()) ran.push_back(std::move(command));
}

void read_parameters(YAML::Node const& node, std::vector<Estimate>& parameters) {
  if (!node.IsMap()) return;
  for (auto const& each : node) {
    if (!each.first.IsScalar() || !each.second.IsMap()) continue;
    Estimate& line = parameters.emplace_back();
    line.name = each.first.Scalar();
    read_keys(each.second, parameter_keys, line);
  }
}

/// A name before a colon: bare as calibrations write it, or quoted without escapes.
std::optional<std::string> name_before_colon(std::string_view text) {
  if (!text.ends_with(':')) return std::nullopt;
  text.remove_suffix(1);
  bool const quoted = text.size() > 1 && text.front() == '"' && text.back() == '"';
  if (quoted) text = text.substr(1, text.size() - 2);
  bool const bare = std::ranges::all_of(text, [](char c) {
    return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') || ('0' <= c && c <= '9') || c == '.' ||
           c == '_' || c == '-';
  });
  bool const plain = quoted ? text.find_first_of("\"\\") == std::string_view::npos : bare;
  return text.empty() || !plain ? std::nullopt : std::optional<std::string>(text);
}

/// A number, a lower-case word, or a text in quotes without escapes. Nothing for anything else.
std::optional<YAML::Node> scalar_of(std::string_view text) {
  if (text.size() > 1 && text.front() == '"' && text.back() == '"') {
    text = text.substr(1, text.size() - 2);
    if (text.find_first_of("\"\\") != std::string_view::npos) return std::nullopt;
    return YAML::Node(std::string(text));
  }
  constexpr auto plain = "abcdefghijklmnopqrstuvwxyz0123456789.+-";
  if (text.empty() || text == "null" || text == "-") return std::nullopt;
  if (text.find_first_not_of(plain) != std::string_view::npos) return std::nullopt;
  return YAML::Node(std::string(text));
}

/// The same, or a list of two of them.
std::optional<YAML::Node> value_of(std::string_view text) {
  if (!text.starts_with('[') || !text.ends_with(']')) return scalar_of(text);
  text = text.substr(1, text.size() - 2);
  auto const comma = text.find(", ");
  if (comma == std::string_view::npos) return std::nullopt;
  auto const low = scalar_of(text.substr(0, comma)), high = scalar_of(text.substr(comma + 2));
  if (!low || !high) return std::nullopt;
  YAML::Node pair;
  pair.push_back(*low);
  pair.push_back(*high);
  return pair;
}

/// Reads "    key: value" into the entry.
bool read_parameter_line(std::string_view line, Estimate& entry) {
  auto const colon = line.find(": ");
  if (!line.starts_with("    ") || colon == std::string_view::npos) return false;
  auto const value = value_of(line.substr(colon + 2));
  auto const key =
      std::ranges::find(parameter_keys, line.substr(4, colon - 4), &EntryKey<Estimate>::name);
  if (!value || key == parameter_keys.end()) return false;
  key->set(*value, entry);
  return true;
}

/// A null node if there is no such key.
YAML::Node child(YAML::Node const& node, char const* key) {
  YAML::Node const value = node.IsMap() ? node[key] : YAML::Node();
  return value ? value : YAML::Node();
}

}  // namespace

std::string_view name(Origin origin) {
  constexpr std::string_view names[] = {"fitted", "borrowed", "stated", "default"};
  return names[static_cast<std::size_t>(origin)];
}

Estimate const* CalibrationFile::parameter(std::string_view name) const {
  return find_by(parameters, name, &Estimate::name);
}

std::vector<Estimate> take_parameters(std::string& text) {
  constexpr std::string_view key = "\nparameters:\n";
  auto const at = text.find(key);
  if (at == std::string::npos) return {};
  auto const begin = at + key.size();
  std::vector<Estimate> parameters;
  std::size_t lines = 0;
  std::string_view rest = std::string_view(text).substr(begin);
  while (rest.starts_with(' ')) {
    auto const length = rest.find('\n');
    if (length == std::string_view::npos) return {};
    std::string_view const line = rest.substr(0, length);
    if (line.starts_with("    ")) {
      if (parameters.empty() || !read_parameter_line(line, parameters.back())) return {};
    } else {
      auto name = name_before_colon(line.substr(std::min<std::size_t>(2, line.size())));
      if (!line.starts_with("  ") || !name) return {};
      parameters.emplace_back().name = std::move(*name);
    }
    rest.remove_prefix(length + 1);
    ++lines;
  }
  text.replace(begin, text.size() - rest.size() - begin, std::string(lines, '\n'));
  return parameters;
}

CalibrationFile contents_of(YamlDocument const& document, std::vector<Estimate> parameters) {
  YAML::Node const& root = document.root();
  CalibrationFile file;
  read(child(root, "profile"), file.profile);
  read(child(child(root, "made_by"), "command"), file.command);
  read_entries(child(root, "inputs"), input_keys, file.inputs);
  read(child(child(root, "pool"), "file"), file.pool);
  read(child(child(root, "recorded_jobs"), "file"), file.jobs_file);
  read(child(child(root, "recorded_jobs"), "sha256"), file.jobs_sha256);
  read_command(child(root, "program"), file.ran);
  for (YAML::Node const& other : child(root, "other_programs")) read_command(other, file.ran);
  YAML::Node const campaign = child(root, "campaign");
  if (campaign.IsMap()) read_keys(campaign, campaign_keys, file.campaign.emplace());
  read(child(child(root, "options"), "epochs"), file.epochs);
  std::optional<Bytes> input_size;
  read(child(child(root, "options"), "input_size"), input_size);
  file.input_size = input_size.value_or(Bytes());
  read_entries(child(root, "not_identified"), gap_keys, file.not_identified);
  read_entries(child(root, "model_weights"), hypothesis_keys, file.hypotheses);
  file.parameters = std::move(parameters);
  read_parameters(child(root, "parameters"), file.parameters);
  for (YAML::Node const& column : child(child(root, "draws"), "columns")) {
    if (column.IsScalar()) file.columns.push_back(column.Scalar());
  }
  return file;
}

CalibrationFile read_calibration_file(std::filesystem::path const& file) {
  std::string text = split_rows(read_text_file(file)).text_without;
  auto parameters = take_parameters(text);
  YamlDocument document(file, text);
  if (!is_calibration(document)) throw InputError(document.problems());
  return contents_of(document, std::move(parameters));
}

bool is_calibration(YamlDocument& document) {
  if (!document.is_yaml()) return false;
  YAML::Node const& root = document.root();
  YAML::Node const schema = root.IsMap() ? root["schema"] : YAML::Node(YAML::NodeType::Undefined);
  bool const given = schema.IsDefined() && schema.IsScalar();
  if (given && schema.Scalar() == calibration_schema_name) return true;
  document.add(given ? document.at(schema.Mark()) : document.at(""),
               given ? fmt::format("this file is of schema {}, and this gridcast reads {}",
                                   schema.Scalar(), calibration_schema_name)
                     : fmt::format("this file names no schema, and this gridcast reads {}",
                                   calibration_schema_name),
               "", "Run `gridcast calibrate` again.");
  return false;
}

std::filesystem::path pool_of(std::filesystem::path const& calibration,
                              std::filesystem::path const& pool) {
  namespace fs = std::filesystem;
  if (pool.empty()) return {};
  std::error_code error;
  fs::path const beside = (calibration.parent_path() / pool).lexically_normal();
  if (fs::exists(beside, error)) return beside;
  fs::path folder = fs::absolute(calibration, error).lexically_normal().parent_path();
  for (; folder.has_relative_path(); folder = folder.parent_path()) {
    fs::path const above = fs::proximate(folder / pool, error);
    if (!error && fs::exists(above, error)) return above;
  }
  return beside;
}

}  // namespace gridcast::scenario
