#include "sim/import/table/attempt_row_reader.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <functional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "sim/base/text.hpp"

namespace gridcast::import {
namespace {

// The largest machines that are sold have 16 GPUs (DGX-2); a rack that is one NVLink domain 72.
constexpr std::uint32_t most_gpus = 72;
constexpr std::uint32_t most_nodes = 100'000;  // of a job
constexpr std::size_t most_shown = 60;         // of a cell, in a message

/// "64" of "gres/gpu=512,node=64", Slurm's list of resources on all nodes; 1 by default.
std::uint32_t nodes_in(std::string_view list) {
  constexpr std::string_view key = "node=";
  auto const at = list.find(key);
  if (at == std::string_view::npos) return 1;
  std::uint32_t nodes = 1;
  std::from_chars(list.data() + at + key.size(), list.data() + list.size(), nodes);
  return std::clamp<std::uint32_t>(nodes, 1, most_nodes);
}

std::string shown(std::string_view cell) { return fmt::format("'{}'", cell.substr(0, most_shown)); }

// The tasks of an array that have not started are one row of Slurm's, "101_[2,5-9:2%4]", where "%4"
// limits how many may run at a time (sbatch, --array). sacct cuts a long list, unless
// SLURM_BITSTR_LEN is 0.
struct ArrayRest {
  std::string_view array;                 // "101"
  std::vector<std::uint32_t> tasks = {};  // 2, 5, 7, 9
  bool is_cut = false;                    // some part of the list is no task
  bool is_long = false;                   // it lists more tasks than are read
};

// No task's number is higher (slurm.conf, MaxArraySize); usual are at most 1,000, and of a row's
// tasks so many are read.
constexpr std::uint32_t highest_task = 4000000;
constexpr std::size_t most_tasks = 100000;

/// "2" or "5-9:2".
struct TaskRange {
  std::uint32_t first, last, step;
  std::size_t size() const { return last < first ? 0 : (last - first) / step + 1; }
};

std::optional<TaskRange> task_range(std::string_view part) {
  std::size_t const colon = std::min(part.find(':'), part.size());
  std::string_view const range = part.substr(0, colon);
  std::size_t const dash = std::min(range.find('-'), range.size());
  auto const first = text_as<std::uint32_t>(range.substr(0, dash));
  auto const last = dash < range.size() ? text_as<std::uint32_t>(range.substr(dash + 1)) : first;
  auto const step = colon < part.size() ? text_as<std::uint32_t>(part.substr(colon + 1)) : 1;
  if (!first || !last || !step || *step == 0 || *last > highest_task) return std::nullopt;
  return TaskRange{*first, *last, *step};
}

/// None for the name of one job.
std::optional<ArrayRest> array_rest(std::string_view job) {
  auto const open = job.find("_[");
  if (open == std::string_view::npos || !job.ends_with(']')) return std::nullopt;
  ArrayRest rest{job.substr(0, open)};
  std::string_view list = job.substr(open + 2, job.size() - open - 3);
  list = list.substr(0, list.find('%'));
  for (std::string const& part : split(list, ',')) {
    auto const range = task_range(part);
    std::size_t const size = range ? range->size() : 0;
    bool const fits = rest.tasks.size() + size <= most_tasks;
    rest.is_cut = rest.is_cut || size == 0;
    rest.is_long = rest.is_long || !fits;
    for (std::size_t i = 0; fits && i < size; ++i) {
      rest.tasks.push_back(range->first + static_cast<std::uint32_t>(i) * range->step);
    }
  }
  return rest;
}

/// The cells of a row by our names, and their faults.
class RowReader {
 public:
  RowReader(ColumnMap const& map, std::vector<std::string> const& header, TableSource source,
            RowsInto into)
      : map_(map), source_(std::move(source)), into_(into), report_(into.table.report) {
    empty_.insert(map.empty.begin(), map.empty.end());
    for (std::size_t i = 0; i < attempt_column_count; ++i) bind(map.sources[i], header, bound_[i]);
    bind(map.within, header, within_);
    bind(map.retry_of, header, retry_of_);
    bind(map.elapsed, header, elapsed_);
    for (ColumnMap::End const& end : map.ends) {
      if (auto const column = position_of(header, end.column))
        ends_.push_back({*column, end.outcome});
    }
    for (ColumnMap::Skip const& skip : map.skip) {
      if (auto const column = position_of(header, skip.column)) {
        skips_.emplace_back(*column, &skip.pattern);
      }
    }
  }

  void read(TableRow const& cells) {
    cells_ = &cells;
    ++report_.rows;
    auto const skips = [&](auto const& skip) {
      return skip.second->part_of(cells.cells[skip.first]).has_value();
    };
    if (std::ranges::any_of(skips_, skips)) {
      ++report_.rows_skipped;
      return;
    }
    row_ = {};
    row_.file = source_.number;
    row_.line = static_cast<std::uint32_t>(cells.line);
    usable_ = true;
    read_job();
    read_times();
    if (usable_) read_outcome();
    if (usable_) check_order();
    if (usable_) check_begin_and_end();
    if (!usable_) {
      ++report_.rows_left_out;
      return;
    }
    read_place();
    add_row();
  }

 private:
  struct Bound {
    ColumnSource const* source;
    std::optional<std::size_t> column;  // none: the source's value
  };
  struct End {
    std::size_t column;
    AttemptOutcome outcome;
  };
  struct TimedEnd {
    Seconds at;
    AttemptOutcome outcome;
  };

  void add_row() {
    std::string_view const job = cell(AttemptColumn::job);
    auto const rest = array_rest(job);
    if (!rest) {
      into_.table.rows.push_back(std::move(row_));
      return;
    }
    if (rest->is_cut) {
      report_.note({{source_.file, static_cast<int>(cells_->line), 0},
                    fmt::format("job: {} does not list all tasks of the array", shown(job)),
                    "the others are left out",
                    "With SLURM_BITSTR_LEN=0 in its environment sacct writes all of them."});
    }
    if (rest->is_long) {
      report_.note({{source_.file, static_cast<int>(cells_->line), 0},
                    fmt::format("job: {} lists more than {} tasks", shown(job), most_tasks),
                    "the others are left out",
                    ""});
    }
    for (std::uint32_t const task : rest->tasks) {
      row_.job = job_named(fmt::format("{}_{}", rest->array, task));
      into_.table.rows.push_back(row_);
    }
  }

  void leave_out(AttemptColumn column, std::string const& what, std::string hint = "") {
    usable_ = false;
    report_.note({{source_.file, static_cast<int>(cells_->line), 0},
                  fmt::format("{}: {}", name(column), what),
                  "the row is left out",
                  std::move(hint)});
  }

  void ignore(AttemptColumn column, std::string const& what) {
    ++report_.cells_left_out;
    report_.note({{source_.file, static_cast<int>(cells_->line), 0},
                  fmt::format("{}: {}", name(column), what),
                  "the cell is left out",
                  ""});
  }

  void bind(std::vector<ColumnSource> const& sources, std::vector<std::string> const& header,
            std::vector<Bound>& bound) {
    for (ColumnSource const& each : sources) {
      auto const column = position_of(header, each.column);
      if (each.column.empty() || column) bound.push_back({&each, column});
    }
  }

  std::string_view cell(AttemptColumn column, ColumnSource const** from = nullptr) const {
    return first_of(bound_[static_cast<std::size_t>(column)], from);
  }

  /// The first one with a value.
  std::string_view first_of(std::vector<Bound> const& sources, ColumnSource const** from) const {
    for (Bound const& bound : sources) {
      std::string_view text =
          bound.column ? trim(cells_->cells[*bound.column]) : std::string_view(bound.source->value);
      if (text.empty() || empty_.contains(text)) continue;
      if (bound.source->pattern) text = bound.source->pattern->part_of(text).value_or("");
      if (text.empty()) continue;
      if (bound.column && !bound.source->value.empty()) text = bound.source->value;
      if (from) *from = bound.source;
      return text;
    }
    return {};
  }

  /// Clusters number their jobs alike: `sacct -M` lists those of several.
  std::uint32_t job_named(std::string_view name) {
    std::string_view const within = first_of(within_, nullptr);
    if (first_within_.empty()) first_within_ = within;
    if (within.empty() || within == first_within_) return into_.jobs(name);
    return into_.jobs(fmt::format("{} ({})", name, within));
  }

  void read_job() {
    std::string_view const job = cell(AttemptColumn::job);
    if (job.empty()) return leave_out(AttemptColumn::job, "empty");
    if (job.ends_with('+')) {
      return leave_out(AttemptColumn::job, shown(job) + " is cut off",
                       "sacct --parsable2 writes all of it.");
    }
    if (!array_rest(job)) row_.job = job_named(job);
    row_.attempt = count(AttemptColumn::attempt).value_or(0);
    std::string_view const retried = first_of(retry_of_, nullptr);
    if (!retried.empty()) row_.retry_of = job_named(retried);
    row_.user = into_.names(cell(AttemptColumn::user));
    row_.name = into_.names(cell(AttemptColumn::name));
    row_.batch = into_.names(cell(AttemptColumn::batch));
    row_.program = into_.names(cell(AttemptColumn::program));
    row_.arguments = into_.names(cell(AttemptColumn::arguments));
  }

  std::optional<Seconds> time(AttemptColumn column, std::optional<Seconds> not_before) {
    std::string_view const text = cell(column);
    if (text.empty() || stands_for_none(text) || is_no_date(text)) return std::nullopt;
    auto const at = into_.clock.read(text, not_before);
    bool const in_seconds = into_.clock.kind() == TableClock::Kind::relative;
    if (!at) {
      into_.clock.refuse_day_first(text, {source_.file, static_cast<int>(cells_->line), 0});
      leave_out(column, shown(text) + " is no time",
                in_seconds ? "The times before it are seconds since the campaign's start."
                           : "Write 2025-08-27T10:54:20Z, or time_format in a column map.");
    }
    return at;
  }

  /// 0 and less among Unix seconds stand for none, and so do dates up to that day in all zones.
  bool is_no_date(std::string_view text) const {
    auto const is_date = [](std::optional<WrittenTime> const& time) {
      return time && time->kind != WrittenTime::Kind::relative;
    };
    constexpr std::int64_t first_ms = 26 * 3'600'000;
    auto const time = into_.clock.parse(text);
    if (is_date(time)) return time->ms < first_ms;
    if (!time || time->since_start > Seconds()) return false;
    TableClock::Kind const kind = into_.clock.kind();
    if (kind != TableClock::Kind::none) return kind == TableClock::Kind::dated;
    return std::ranges::any_of(times_of_row, [&](auto const& time_of) {
      return time_of.first <= AttemptColumn::ended &&
             is_date(into_.clock.parse(cell(time_of.first)));
    });
  }

  void read_times() {
    std::optional<Seconds> last;
    for (auto const& [column, at] : times_of_row) {
      row_.*at = time(column, last);
      if (row_.*at) last = row_.*at;
    }
    row_.checkpoints = spans(AttemptColumn::checkpoints, true);
    row_.suspended = spans(AttemptColumn::suspended, false);
    row_.disconnected = spans(AttemptColumn::disconnected, false);
  }

  std::vector<Span> spans(AttemptColumn column, bool moments) {
    std::vector<Span> spans;
    std::string_view rest = cell(column);
    while (!rest.empty()) {
      std::size_t const bar = std::min(rest.find('|'), rest.size());
      std::string_view const part = rest.substr(0, bar);
      rest.remove_prefix(std::min(bar + 1, rest.size()));
      std::size_t const slash = part.find('/');
      bool const two = slash != std::string_view::npos;
      auto const begin = into_.clock.read(part.substr(0, slash), row_.started);
      auto const end = two ? into_.clock.read(part.substr(slash + 1), begin) : begin;
      if (begin && end && *begin <= *end && (two || moments)) {
        spans.emplace_back(*begin, *end);
      } else {
        ignore(column, shown(part) + " is not BEGIN/END");
      }
    }
    return spans;
  }

  void read_outcome() {
    std::string_view const word = cell(AttemptColumn::outcome);
    auto const outcome = outcome_of_word(word);
    auto const timed = earliest_end();
    if (!outcome && !timed) {
      return leave_out(
          AttemptColumn::outcome,
          word.empty() ? "empty, though the attempt ended" : "unknown value " + shown(word),
          word.empty() ? "" : "Give its meaning in `outcomes` of a column map.");
    }
    if (outcome) take(*outcome);
    if (timed) {
      row_.ended = row_.ended ? std::min(*row_.ended, timed->at) : timed->at;
      if (row_.outcome != timed->outcome) take({timed->outcome});
    }
    read_codes();
  }

  std::optional<MappedOutcome> outcome_of_word(std::string_view word) const {
    if (auto const* mapped = find_in(map_.outcomes, word)) return *mapped;
    if (auto const own = outcome_named(word)) return MappedOutcome{*own};
    if (!word.empty() || row_.ended) return std::nullopt;
    bool const in_slot = row_.started || row_.matched || row_.transfer_started;
    return MappedOutcome{in_slot ? AttemptOutcome::running : AttemptOutcome::waiting};
  }

  /// The earliest column that ends an attempt, if not after its end; of ties the first in the map.
  std::optional<TimedEnd> earliest_end() {
    std::optional<TimedEnd> earliest;
    for (End const& end : ends_) {
      std::string_view const text = trim(cells_->cells[end.column]);
      if (text.empty() || empty_.contains(text)) continue;
      auto const at = into_.clock.read(text, row_.started);
      bool const within = at && (!row_.ended || *at <= *row_.ended + one_stamp) &&
                          (!row_.started || *at >= *row_.started);
      if (within && (!earliest || *at < earliest->at)) earliest = TimedEnd{*at, end.outcome};
    }
    return earliest;
  }

  void take(MappedOutcome const& mapped) {
    row_.outcome = mapped.outcome;
    row_.reason = mapped.reason.value_or(history::Reason::none);
    row_.code = mapped.code;
  }

  void read_codes() {
    if (auto const code = whole(AttemptColumn::hold_code)) row_.code = *code;
    if (auto const subcode = whole(AttemptColumn::hold_subcode)) row_.subcode = *subcode;
    if (auto const exit = exit_code()) row_.exit_code = *exit;
    read_reason(AttemptColumn::reason, row_.reason);
    read_reason(AttemptColumn::release_reason, row_.release_reason);
  }

  // "3", or Slurm's "3:0" and "0:9": the code and the signal (sacct, ExitCode).
  std::optional<std::int32_t> exit_code() {
    std::string_view const text = cell(AttemptColumn::exit_code);
    auto const colon = text.find(':');
    if (colon == std::string_view::npos) return whole(AttemptColumn::exit_code);
    auto const code = text_as<std::int32_t>(text.substr(0, colon));
    auto const signal = text_as<std::int32_t>(text.substr(colon + 1));
    if (code && signal && *signal >= 0) return *signal > 0 ? -*signal : *code;
    ignore(AttemptColumn::exit_code, shown(text) + " is no code:signal");
    return std::nullopt;
  }

  void read_reason(AttemptColumn column, history::Reason& reason) {
    std::string_view const word = cell(column);
    if (word.empty()) return;
    if (auto const named = reason_named(word)) {
      reason = *named;
    } else {
      ignore(column, "unknown reason " + shown(word));
    }
  }

  void read_place() {
    row_.site = into_.names(cell(AttemptColumn::site));
    row_.host = into_.names(cell(AttemptColumn::host));
    row_.slot = into_.names(cell(AttemptColumn::slot));
    read_gpus();
    row_.bytes_in = size(AttemptColumn::bytes_in);
    row_.bytes_out = size(AttemptColumn::bytes_out);
    row_.epochs = count(AttemptColumn::epochs).value_or(0);
  }

  void read_gpus() {
    row_.gpu_model = into_.names(cell(AttemptColumn::gpu_model));
    ColumnSource const* from = nullptr;
    cell(AttemptColumn::gpus, &from);
    row_.gpus_implied = from != nullptr && !from->column.empty() && !from->value.empty();
    auto const total = gpus(from);
    std::uint32_t const nodes = nodes_in(whole_cell(AttemptColumn::gpus, from));
    if (total && *total > most_gpus * nodes) {
      ignore(AttemptColumn::gpus,
             fmt::format("{} GPUs are more than {} ({} at most)", *total,
                         nodes == 1 ? "a host has" : fmt::format("{} hosts have", nodes),
                         most_gpus * nodes));
    } else if (total) {
      row_.gpus = *total;
    }
    cell(AttemptColumn::gpu_memory, &from);
    row_.gpu_memory = size(AttemptColumn::gpu_memory).value_or(Bytes());
    if (from && from->sum) row_.gpu_memory = row_.gpu_memory / std::max(row_.gpus.value_or(1), 1U);
    std::string_view const capability = cell(AttemptColumn::gpu_capability);
    auto const value = text_as<double>(capability);
    constexpr double none_is_so_capable = 100;
    if (value && *value > 0 && *value < none_is_so_capable) {
      row_.gpu_capability = *value;
    } else if (!capability.empty()) {
      ignore(AttemptColumn::gpu_capability, shown(capability) + " is no compute capability");
    }
  }

  std::optional<std::int32_t> whole(AttemptColumn column) {
    std::string_view const text = cell(column);
    if (text.empty()) return std::nullopt;
    auto const value = text_as<std::int32_t>(text);
    if (!value) ignore(column, shown(text) + " is no whole number");
    return value;
  }

  std::optional<std::uint32_t> count(AttemptColumn column) {
    std::string_view const text = cell(column);
    if (text.empty()) return std::nullopt;
    if (auto const value = text_as<std::uint32_t>(text)) return value;
    // "2.0", as programs write a column with gaps.
    auto const real = text_as<double>(text);
    if (real && *real >= 0 && *real < 1e9 && std::floor(*real) == *real) {
      return static_cast<std::uint32_t>(*real);
    }
    ignore(column, shown(text) + " is no count");
    return std::nullopt;
  }

  /// All of a cell that a source takes a part of.
  std::string_view whole_cell(AttemptColumn column, ColumnSource const* from) const {
    for (Bound const& bound : bound_[static_cast<std::size_t>(column)]) {
      if (bound.source == from && bound.column) return cells_->cells[*bound.column];
    }
    return {};
  }

  std::optional<std::uint32_t> gpus(ColumnSource const* from) {
    if (from == nullptr || !from->sum || !from->pattern) return count(AttemptColumn::gpus);
    constexpr std::size_t most_kinds = 100;
    std::uint32_t sum = 0;
    for (auto const part :
         from->pattern->parts_of(whole_cell(AttemptColumn::gpus, from), most_kinds)) {
      auto const some = text_as<std::uint32_t>(part);
      if (!some) return count(AttemptColumn::gpus);  // it reports the fault
      sum += std::min(*some, most_gpus * most_nodes);
    }
    return sum;
  }

  std::optional<Bytes> size(AttemptColumn column) {
    ColumnSource const* from = nullptr;
    std::string_view const text = cell(column, &from);
    if (text.empty()) return std::nullopt;
    auto const value = text_as<double>(text);
    if (value && std::isfinite(*value) && *value >= 0) {
      return from->unit ? *from->unit * *value : Bytes(*value);
    }
    auto const written = parse_bytes(text);
    if (!written) ignore(column, shown(text) + " is no size");
    return written;
  }

  // Each not before the one above it.
  void check_order() {
    std::optional<Seconds> last;
    AttemptColumn of = AttemptColumn::submitted;
    for (auto const& [column, member] : times_of_row) {
      auto& at = row_.*member;
      if (!at) continue;
      if (last && *at < *last - one_stamp) {
        return leave_out(column, fmt::format("{} before {}: the times run backwards",
                                             to_text(*last - *at), row_of(of).name));
      }
      if (last) at = std::max(*at, *last);
      last = at;
      of = column;
    }
  }

  void check_begin_and_end() {
    using enum AttemptOutcome;
    if (row_.outcome == waiting) return;
    bool const ends = word_of(row_.outcome).ends.has_value();
    auto const lasted = parse_elapsed(first_of(elapsed_, nullptr));
    auto const cells_with = [this](char const* text) {
      return std::count(cells_->cells.begin(), cells_->cells.end(), text);
    };
    if (!row_.ended && row_.started && lasted) {
      Seconds const at = *row_.started + *lasted;
      if (!ends && cells_with("SUSPENDED") > 0) {
        // Slurm's Elapsed leaves out the time since the suspension.
        row_.suspended.push_back({at, no_end});
      } else {
        (ends ? row_.ended : row_.seen_until) = at;
      }
    }
    // Slurm dates the start of a job that is cancelled in the queue, too.
    bool const no_node = cells_with("None assigned") > 0;
    if (row_.outcome == removed && row_.started && (no_node || row_.started == row_.ended)) {
      row_.started = row_.matched = row_.queued = std::nullopt;
    }
    // Before any slot was the job's.
    bool const ends_there =
        row_.outcome == held || row_.outcome == removed || row_.outcome == failed;
    if (!row_.has_slot() && !(row_.ended && ends_there)) {
      return leave_out(AttemptColumn::started, "there is no time at which the attempt began");
    }
    if (ends && !row_.ended) leave_out(AttemptColumn::ended, "empty, though the attempt ended");
  }

  ColumnMap const& map_;
  TableSource source_;
  RowsInto into_;
  TableReport& report_;
  std::array<std::vector<Bound>, attempt_column_count> bound_;
  std::vector<Bound> within_, retry_of_, elapsed_;
  std::string first_within_;  // whose jobs keep their names
  std::vector<End> ends_;
  std::vector<std::pair<std::size_t, CellPattern const*>> skips_;
  std::set<std::string, std::less<>> empty_;
  TableRow const* cells_ = nullptr;
  AttemptRow row_;
  bool usable_ = true;
};

}  // namespace

void read_rows(TableText& text, ColumnMap const& map, TableSource source, RowsInto into) {
  RowReader reader(map, text.header(), std::move(source), into);
  TableRow row;
  while (text.next(row)) reader.read(row);
}

}  // namespace gridcast::import
