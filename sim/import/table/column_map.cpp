#include "sim/import/table/column_map.hpp"

#include <algorithm>
#include <ranges>

#include <fmt/format.h>

#include "sim/base/error.hpp"
#include "sim/base/files.hpp"
#include "sim/import/table/table_times.hpp"
#include "sim/scenario/catalogue.hpp"
#include "sim/scenario/yaml/document.hpp"
#include "sim/scenario/yaml/fields.hpp"

namespace gridcast::import {
namespace {

using enum CellForm;

// In the order of AttemptColumn.
constexpr std::array<AttemptColumnRow, attempt_column_count> column_rows = {{
    {"job", text, true, "", "the job: cluster.proc, a number, or a name of its own"},
    {"attempt", count, false, "1",
     "which attempt of the job, from 1; without it in the order of their times"},
    {"user", text, false, "", "whose job it is"},
    {"name", text, false, "", "its owner's name of the job; of a DAG, its node"},
    {"batch", text, false, "", "the batch of jobs that it belongs to (JobBatchName)"},
    {"program", text, false, "", "the job's program: distinguishes programs"},
    {"arguments", text, false, "", "of the program"},
    {"submitted", time, false, "time", "when the job came into the queue"},
    {"matched", time, false, "time",
     "when the slot was the job's; without it, when its transfer or program began"},
    {"queued", time, false, "time", "when its input began to wait for its turn to be transferred"},
    {"transfer_started", time, false, "time", "when the input began to come"},
    {"transfer_ended", time, false, "time", "when the input was there"},
    {"started", time, true, "time", "when the program began; empty: it never did"},
    {"output_started", time, false, "time",
     "when the program had ended and its output began to go"},
    {"output_ended", time, false, "time", "when the output had arrived"},
    {"ended", time, true, "time", "when the slot was left; empty: the record ends first"},
    {"outcome", text, true, "", "how the attempt ended: one of the words below"},
    {"reason", text, false, "", "why, by gridcast's name of the reason (docs/formats.md)"},
    {"hold_code", code, false, "1", "HTCondor's hold code, or its code of a vacate"},
    {"hold_subcode", code, false, "1", "the same, its subcode"},
    {"exit_code", code, false, "1", "of the program; minus the signal's number if it was killed"},
    {"released", time, false, "time", "after a hold: when the job was released"},
    {"release_reason", text, false, "", "who released it: manual, policy, unknown"},
    {"removed", time, false, "time", "when the job, idle or held, was taken out of the queue"},
    {"site", text, false, "", "where"},
    {"host", text, false, "", "which machine there"},
    {"slot", text, false, "", "which part of the machine"},
    {"gpus", count, false, "1", "GPUs that the attempt had; 0: none, empty: unknown"},
    {"gpu_model", text, false, "", "of these GPUs, as the device calls itself"},
    {"gpu_memory", size, false, "B", "of each GPU"},
    {"gpu_capability", number, false, "1", "CUDA compute capability"},
    {"bytes_in", size, false, "B", "that came with the input"},
    {"bytes_out", size, false, "B", "that went with the output"},
    {"epochs", count, false, "1", "pieces of work that were done in the attempt"},
    {"checkpoints", moments, false, "time",
     "when a checkpoint was safe, '|' between; BEGIN/END where it was transferred"},
    {"suspended", spans, false, "time", "BEGIN/END of each suspension, '|' between"},
    {"disconnected", spans, false, "time", "BEGIN/END of each lost contact, '|' between"},
}};

using scenario::Form;
using scenario::Table;
using scenario::YamlDocument;
using scenario::YamlValue;

std::string text_of(YamlValue const& value) {
  std::string text;
  scenario::read_value(value, {}, text);
  return text;
}

std::optional<CellPattern> read_pattern(YamlValue const& value) {
  auto pattern = CellPattern::compile(text_of(value));
  if (!pattern) value.complain("is no regular expression", "", "Write one as 'gpu=(\\d+)'.");
  return pattern;
}

void read_unit(YamlValue const& value, ColumnSource& source) {
  source.unit = parse_bytes(text_of(value));
  if (!source.unit) value.complain("is no size", "", "Write 1 MiB, or 1 GB.");
}

ColumnSource read_source(YamlValue const& value) {
  static Table<ColumnSource> const table = [] {
    Table<ColumnSource> all("Source of a cell");
    all.optional("column", &ColumnSource::column, "Column of the table")
        .optional("value", &ColumnSource::value,
                  "The same for every row, or where `column` has a value")
        .add({"pattern", Form::text, "Which part of the cell"},
             [](YamlValue const& from, ColumnSource& to) { to.pattern = read_pattern(from); })
        .add({"unit", Form::text, "Meaning of 1, as 1 MiB"}, read_unit)
        .optional("sum", &ColumnSource::sum,
                  "For gpus: of all that the pattern finds; for gpu_memory: of all GPUs");
    return all;
  }();
  ColumnSource source;
  if (value.node.IsScalar()) {
    source.column = value.node.Scalar();
    return source;
  }
  table.read(value, source);
  if (source.column.empty() && source.value.empty())
    value.complain("names no column", "", "Write {column: NAME} or {value: TEXT}.");
  return source;
}

void read_sources(YamlValue const& value, std::vector<ColumnSource>& sources) {
  if (!value.node.IsSequence()) {
    sources.push_back(read_source(value));
    return;
  }
  for (YamlValue const& item : scenario::find_items(value)) sources.push_back(read_source(item));
}

void read_columns(YamlValue const& value, ColumnMap& map) {
  for (auto const& [name, below] : scenario::find_named(value)) {
    auto const column = attempt_column_named(name);
    if (!column) {
      below.complain("gridcast.attempts/1 has no such column", "",
                     suggestion(name, attempt_column_names()));
      continue;
    }
    read_sources(below, map.sources[static_cast<std::size_t>(*column)]);
  }
}

std::vector<std::string> const& reason_names() {
  static auto const names = each_of<std::string>(
      std::views::iota(std::size_t{0}, history::reason_count),
      [](std::size_t i) { return history::name(static_cast<history::Reason>(i)); });
  return names;
}

std::optional<MappedOutcome> read_outcome(YamlValue const& value) {
  auto const words = split(trim(text_of(value)), ' ');
  MappedOutcome mapped;
  auto const outcome = outcome_named(words.front());
  if (!outcome) {
    value.complain(fmt::format("unknown outcome '{}'", words.front()), "",
                   suggestion(words.front(), outcome_names()));
    return std::nullopt;
  }
  mapped.outcome = *outcome;
  if (words.size() > 1) {
    mapped.reason = reason_named(words[1]);
    if (!mapped.reason) {
      value.complain(fmt::format("unknown reason '{}'", words[1]), "",
                     suggestion(words[1], reason_names()));
    }
  }
  if (words.size() > 2) {
    mapped.code = std::atoi(words[2].c_str());
    if (mapped.code <= 0) value.complain("the hold code is no number above 0", "", "");
  }
  return mapped;
}

void read_ends(YamlValue const& value, ColumnMap& map) {
  using End = ColumnMap::End;
  static Table<End> const table = [] {
    Table<End> all("The end of an attempt");
    all.required("column", &End::column, "Column of the table")
        .add({"outcome", Form::text, "Outcome of the attempt in this case", true},
             [](YamlValue const& from, End& to) {
               if (auto const mapped = read_outcome(from)) to.outcome = mapped->outcome;
             });
    return all;
  }();
  bool const is_list =
      value.node.IsSequence() &&
      std::ranges::all_of(value.node, [](auto const& item) { return item.IsMap(); });
  if (!is_list) {
    return value.complain("no list of columns, each with the outcome of the attempt", "",
                          "Write [{column: COLUMN, outcome: held}].");
  }
  for (YamlValue const& item : scenario::find_items(value)) {
    table.read(item, map.ends.emplace_back(End{"", AttemptOutcome::held}));
  }
}

void read_separator(YamlValue const& value, ColumnMap& map) {
  std::string const text = text_of(value);
  if (text.size() == 1) {
    map.separator = text.front();
  } else {
    value.complain("is not one character", "", "Write \",\", \"|\", \";\" or \"\\t\".");
  }
}

void read_time_format(YamlValue const& value, ColumnMap& map) {
  map.time_format = text_of(value);
  if (is_time_format(map.time_format)) return;
  value.complain("is no form of times", "strptime does not take it",
                 "Write for example '%d/%m/%Y %H:%M'.");
}

/// It is empty in the map of `init` for a table whose words only its owner knows.
void read_outcomes(YamlValue const& value, ColumnMap& map) {
  if (value.node.IsNull()) return;
  for (auto const& [word, below] : scenario::find_named(value)) {
    if (auto const mapped = read_outcome(below)) map.outcomes[word] = *mapped;
  }
}

void read_skip(YamlValue const& value, ColumnMap& map) {
  for (auto const& [column, below] : scenario::find_named(value)) {
    if (auto pattern = read_pattern(below)) map.skip.push_back({column, std::move(*pattern)});
  }
}

void read_map(YamlValue const& value, ColumnMap& map) {
  static Table<ColumnMap> const table = [] {
    Table<ColumnMap> all("Columns of a table and their meaning");
    auto const sources = [](std::vector<ColumnSource> ColumnMap::*member) {
      return [member](YamlValue const& from, ColumnMap& to) { read_sources(from, to.*member); };
    };
    all.schema(column_map_schema)
        .optional("title", &ColumnMap::title, "Which table it is for")
        .optional("batch_system", &ColumnMap::batch_system,
                  "Whose jobs they are: HTCondor, Slurm, ...")
        .add({"separator", Form::text, "Character between two cells"}, read_separator)
        .optional("time_zone", &ColumnMap::time_zone, "Zone of times without an offset")
        .add({"time_format", Form::text, "Form of its times, as strptime takes it"},
             read_time_format)
        .add(
            {"header", Form::names, "Names of its columns, where its first row does not have them"},
            &ColumnMap::header)
        .add({"columns", Form::section, "gridcast's name of a column: the table's", true},
             read_columns)
        .add({"outcomes", Form::section, "The table's word for an outcome: gridcast's"},
             read_outcomes)
        .add({"ends", Form::sections, "Columns whose earliest time ends the attempt"}, read_ends)
        .add({"empty", Form::names, "Cells without a value"}, &ColumnMap::empty)
        .add({"skip", Form::section, "Rows that are no attempts"}, read_skip)
        .add({"within", Form::sections,
              "Where a job's name is its only one, as one of several clusters"},
             sources(&ColumnMap::within))
        .add({"retry_of", Form::sections, "The job that a row's job is another attempt of"},
             sources(&ColumnMap::retry_of))
        .add({"elapsed", Form::sections, "Time from `started` on, where `ended` is empty"},
             sources(&ColumnMap::elapsed));
    return all;
  }();
  table.read(value, map);
}

using history::EventKind;

// In the order of AttemptOutcome.
constexpr std::array<OutcomeWord, 11> outcome_words = {{
    {"succeeded", EventKind::terminated, "the program ended, with a result of use"},
    {"failed", EventKind::terminated, "the program ended without one, and the job is over"},
    {"requeued", EventKind::requeued, "the program failed, and the job went back to the queue"},
    {"evicted", EventKind::evicted, "the slot was taken away; the job went back to the queue"},
    {"error", EventKind::shadow_exception,
     "the attempt broke off by an error of the system, as a transfer that stalled"},
    {"lost", EventKind::reconnect_failed, "contact with the slot was lost for good"},
    {"held", EventKind::held, "held; the job waits for a release"},
    {"removed", EventKind::aborted, "the job was taken out of the queue"},
    {"dropped", EventKind::evicted,
     "the slot was taken away, and the job is over unless another row of it follows"},
    {"running", std::nullopt, "the record ends before the attempt does"},
    {"waiting", std::nullopt, "no attempt: the job is in the queue, or was until it was removed"},
}};

}  // namespace

AttemptColumnRow const& row_of(AttemptColumn column) {
  return column_rows[static_cast<std::size_t>(column)];
}

std::optional<AttemptColumn> attempt_column_named(std::string_view name) {
  return position_of<AttemptColumn>(column_rows, name, &AttemptColumnRow::name);
}

std::vector<std::string> attempt_column_names() {
  return each_of<std::string>(column_rows, &AttemptColumnRow::name);
}

std::optional<history::Reason> reason_named(std::string_view name) {
  return position_of<history::Reason>(reason_names(), name);
}

ColumnMap own_columns() {
  ColumnMap map;
  map.title = "gridcast.attempts/1";
  for (std::size_t i = 0; i < attempt_column_count; ++i) {
    ColumnSource source;
    source.column = std::string(name(static_cast<AttemptColumn>(i)));
    map.sources[i].push_back(std::move(source));
  }
  return map;
}

std::optional<ColumnMap> shipped_map(std::string_view name) {
  auto const file = scenario::shipped_file(std::filesystem::path("calibration") / "maps" /
                                           fmt::format("{}.yaml", name));
  return file ? std::optional(read_column_map(*file)) : std::nullopt;
}

ColumnMap read_column_map(std::filesystem::path const& file) {
  constexpr std::size_t most = std::size_t{1} << 20U;
  YamlDocument document(file, read_text_file(file, most));
  ColumnMap map;
  if (scenario::check_schema(document, column_map_schema)) {
    read_map({document, document.root(), ""}, map);
  }
  if (document.has_problems()) throw InputError(document.problems());
  return map;
}

std::set<std::string> columns_named(ColumnMap const& map) {
  std::set<std::string> names;
  for (auto const& sources : map.sources) {
    for (ColumnSource const& source : sources) names.insert(source.column);
  }
  for (auto const* const sources : {&map.within, &map.retry_of, &map.elapsed}) {
    for (ColumnSource const& source : *sources) names.insert(source.column);
  }
  return names;
}

ColumnFit fit_columns(ColumnMap const& map, std::vector<std::string> const& header) {
  ColumnFit fit;
  std::set<std::string> used;
  auto const has = [&](ColumnSource const& source) {
    if (source.column.empty()) return true;
    used.insert(source.column);
    return contains(header, source.column);
  };
  bool has_elapsed = false;
  for (ColumnSource const& source : map.elapsed) has_elapsed = has(source) || has_elapsed;
  for (std::size_t i = 0; i < attempt_column_count; ++i) {
    auto const column = static_cast<AttemptColumn>(i);
    bool found = false;
    for (ColumnSource const& source : map.of(column)) found = has(source) || found;
    if (found) fit.found.push_back(column);
    if (found || !row_of(column).required) continue;
    if (column != AttemptColumn::ended || !has_elapsed) fit.missing.push_back(column);
  }
  for (ColumnMap::End const& end : map.ends) used.insert(end.column);
  for (ColumnMap::Skip const& each : map.skip) used.insert(each.column);
  for (ColumnSource const& source : map.within) used.insert(source.column);
  for (ColumnSource const& source : map.retry_of) used.insert(source.column);
  for (std::string const& column : header) {
    if (!used.contains(column)) fit.unused.push_back(column);
  }
  return fit;
}

std::optional<CellPattern> CellPattern::compile(std::string const& pattern) {
  constexpr std::size_t longest = 1'000;
  if (pattern.size() > longest) return std::nullopt;
  auto found = classad::Pattern::compile(pattern);
  return found ? std::optional(CellPattern(std::move(*found))) : std::nullopt;
}

std::optional<std::string_view> CellPattern::part_of(std::string_view cell) const {
  auto const parts = parts_of(cell, 1);
  return parts.empty() ? std::nullopt : std::optional(parts.front());
}

std::vector<std::string_view> CellPattern::parts_of(std::string_view cell, std::size_t most) const {
  constexpr std::size_t longest = 65'536;
  constexpr std::uint32_t most_steps = 20'000;
  cell = cell.substr(0, longest);
  std::vector<std::string_view> parts;
  for (std::size_t from = 0; parts.size() < most && from <= cell.size();) {
    auto const spans = pattern_.find(cell, from, most_steps);
    if (!spans) break;
    bool const has_group = spans->size() > 1 && spans->at(1).begin != std::string_view::npos;
    auto const [begin, end] = spans->at(has_group ? 1 : 0);
    parts.push_back(cell.substr(begin, end - begin));
    from = std::max(spans->at(0).end, spans->at(0).begin + 1);
  }
  return parts;
}

OutcomeWord const& word_of(AttemptOutcome outcome) {
  return outcome_words[static_cast<std::size_t>(outcome)];
}

std::optional<AttemptOutcome> outcome_named(std::string_view name) {
  return position_of<AttemptOutcome>(outcome_words, name, &OutcomeWord::name);
}

AttemptOutcome outcome_of(history::JobEvent const& event) {
  if (event.kind == EventKind::terminated && !event.useful) return AttemptOutcome::failed;
  auto const found = std::ranges::find(outcome_words, event.kind, &OutcomeWord::ends);
  return static_cast<AttemptOutcome>(found - outcome_words.begin());
}

std::vector<std::string> outcome_names() {
  return each_of<std::string>(outcome_words, &OutcomeWord::name);
}

}  // namespace gridcast::import
