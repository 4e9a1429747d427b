// A map for a table that nobody wrote one for: by the names that columns usually have, and the
// words that outcomes have.
#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include <fmt/format.h>

#include "sim/base/text.hpp"
#include "sim/import/table/column_map.hpp"
#include "sim/import/table/table_times.hpp"

namespace gridcast::import {
namespace {

/// "HTCondor Cluster ID" -> "htcondorclusterid".
std::string bare(std::string_view name) {
  std::string text;
  for (unsigned char const letter : name) {
    if (std::isalnum(letter) != 0) text += lower(static_cast<char>(letter));
  }
  return text;
}

/// "ended_s" -> "ended": a column of times may say their unit.
std::string bare_time(std::string_view name) {
  constexpr std::string_view unit = "_s";
  return bare(name.ends_with(unit) ? name.substr(0, name.size() - unit.size()) : name);
}

struct Usual {
  AttemptColumn column;
  std::vector<std::string_view> names;  // bare, the best first
};

std::vector<Usual> const& usual_names() {
  using enum AttemptColumn;
  static std::vector<Usual> const usual = {
      {job,
       {"job", "jobid", "jobidraw", "clusterid", "htcondorclusterid", "pandaid", "globaljobid",
        "cluster", "id", "taskid"}},
      {attempt,
       {"attempt", "attemptnr", "attemptsequence", "try", "tries", "retry", "numshadowstarts",
        "runinstanceid"}},
      {user, {"user", "owner", "username", "produsername", "account"}},
      {name, {"name", "jobname", "dagnode", "dagnodename"}},
      {program,
       {"program", "executable", "cmd", "command", "transformation", "jobbatchname", "batchname"}},
      {arguments, {"arguments", "args"}},
      {submitted,
       {"submitted", "submittime", "submissiontime", "submit", "qdate", "creationtime", "created",
        "queued", "queuetime", "submittedat", "queuedat", "submitdate", "submissiondate"}},
      {matched, {"matched", "matchtime", "claimed", "jobcurrentstartdate"}},
      {transfer_started, {"transferstarted", "transferinputstarttime", "stageinstart"}},
      {transfer_ended, {"transferended", "transferinputendtime", "stageinend"}},
      {started,
       {"started", "starttime", "start", "begintime", "begin", "executing", "startedat",
        "startdate", "jobcurrentstartexecutingdate", "executestarted"}},
      {output_started, {"outputstarted", "executeended"}},
      {ended,
       {"ended", "endtime", "end", "finish", "finished", "finishtime", "completed",
        "completiondate", "endedat", "stop", "finishedat", "completedat", "enddate", "stoptime"}},
      {outcome,
       {"outcome", "state", "status", "jobstatus", "finalstatus", "result", "jobstate",
        "finalstate", "end"}},
      {reason, {"reason", "endreason", "exitreason", "failurereason", "holdreason"}},
      {hold_code, {"holdcode", "holdreasoncode"}},
      {hold_subcode, {"holdsubcode", "holdreasonsubcode"}},
      {exit_code,
       {"exitcode", "exit", "returncode", "returnvalue", "exitstatus", "transexitcode", "retcode",
        "retval", "rc"}},
      {released, {"released", "releasedtime"}},
      {removed, {"removed", "abortedtime"}},
      {site,
       {"site", "resource", "glideinresourcename", "computingsite", "partition", "sitename",
        "resourcename"}},
      {host,
       {"host", "hostname", "nodelist", "machine", "modificationhost", "lastremotehost", "nodename",
        "machinename", "workernode", "exechost", "node"}},
      {slot, {"slot", "slotname"}},
      {gpus,
       {"gpus", "numberofgpus", "ngpus", "ngpu", "numgpus", "numgpu", "gpucount", "gpusprovisioned",
        "allocgpus", "allocatedgpus", "requestgpus", "requestedgpus"}},
      {gpu_model,
       {"gpumodel", "gpudevicename", "devicename", "gpuname", "gputype", "gpudevice",
        "cudadevicename", "gpu", "device"}},
      {gpu_capability, {"gpucapability", "capability"}},
      {bytes_in, {"bytesin", "totalbytesreceived", "bytesrecvd", "inputfilebytes"}},
      {bytes_out, {"bytesout", "totalbytessent", "bytessent", "outputfilebytes"}},
      {epochs, {"epochs", "epochscompleted"}},
  };
  return usual;
}

/// In single quotes; in double ones what would have to be spelled out.
std::string quoted(std::string const& text) {
  if (printable(text) != text) {
    std::string spelled = "\"";
    for (char const letter : text) {
      if (letter == '"' || letter == '\\') spelled += '\\';
      spelled += letter;
    }
    return printable(spelled) + "\"";
  }
  std::string quoted = "'";
  for (char const letter : text)
    quoted += letter == '\'' ? std::string("''") : std::string(1, letter);
  return quoted + "'";
}

/// "removed out_of_resources 34", as a map says it.
std::string map_word(MappedOutcome const& mapped) {
  std::string text(word_of(mapped.outcome).name);
  if (mapped.reason) text += fmt::format(" {}", history::name(*mapped.reason));
  if (mapped.code != 0) text += fmt::format(" {}", mapped.code);
  return text;
}

/// "Timed-Out", "TIMED_OUT" and "timedOut" are "timed" and "out".
std::vector<std::string> words_within(std::string_view text) {
  std::vector<std::string> words(1);
  bool after_small = false;
  for (char const letter : text) {
    bool const is_word = std::isalnum(static_cast<unsigned char>(letter)) != 0;
    bool const is_capital = is_word && lower(letter) != letter;
    bool const begins_one = !is_word || (is_capital && after_small);
    if (begins_one && !words.back().empty()) words.emplace_back();
    if (is_word) words.back() += lower(letter);
    after_small = is_word && !is_capital;
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

bool is_among(std::string_view word, std::vector<std::string_view> const& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

struct Said {
  std::string_view outcome;  // "": denied
  std::vector<std::string_view> words;
};

std::vector<Said> const& words_of_outcomes() {
  static std::vector<Said> const said = {
      {"", {"not", "no", "non", "un", "in", "never", "without", "partly", "partially", "almost"}},
      {"succeeded",
       {"success", "succeeded", "successful", "successfully", "complete", "completed", "finished",
        "done", "ok"}},
      {"failed", {"fail", "failed", "failure", "error", "errors", "errored", "crashed"}},
      {"evicted", {"evict", "evicted", "eviction", "preempt", "preempted", "preemption"}},
      {"held", {"held", "hold"}},
      {"removed manual",
       {"cancel", "cancelled", "canceled", "abort", "aborted", "remove", "removed"}},
      {"removed execution_too_long", {"timeout", "timedout"}},
      {"removed out_of_resources", {"oom"}},
      {"running", {"running", "executing"}},
      {"waiting", {"pending", "waiting", "idle", "queued"}}};
  return said;
}

/// What the words within a text say, together: all of them have to agree. Beginnings of words tell
/// nothing ("incomplete", "unsuccessful", "broken"), and beside most others a success may be one in
/// part ("completed with warnings").
std::string_view outcome_within(std::string_view text) {
  static std::map<std::string_view, std::string_view> const of_whole = {
      {"node fail", "evicted lost_contact"},         {"node failed", "evicted lost_contact"},
      {"node failure", "evicted lost_contact"},      {"timed out", "removed execution_too_long"},
      {"out of memory", "removed out_of_resources"}, {"wrong output", "failed"}};
  static std::vector<std::string_view> const neutral = {"job", "task", "run",  "all",     "is",
                                                        "was", "has",  "been", "normally"};
  auto const words = words_within(text);
  auto const whole = of_whole.find(fmt::format("{}", fmt::join(words, " ")));
  if (whole != of_whole.end()) return whole->second;
  std::set<std::string_view> outcomes;
  bool all_known = true;
  for (std::string const& word : words) {
    auto const& said = words_of_outcomes();
    auto const found = std::find_if(said.begin(), said.end(),
                                    [&](Said const& each) { return is_among(word, each.words); });
    if (found != said.end()) {
      outcomes.insert(found->outcome);
    } else {
      all_known = all_known && is_among(word, neutral);
    }
  }
  if (outcomes.size() != 1) return "";
  return *outcomes.begin() == "succeeded" && !all_known ? "" : *outcomes.begin();
}

/// What the words of an outcome most likely stand for: those of gridcast.attempts/1, then those of
/// a shipped map, then what they say in English. Nothing where that is not plain.
class OutcomeGuess {
 public:
  explicit OutcomeGuess(std::vector<std::string> const& words) {
    for (std::string_view const name : shipped_maps) {
      auto map = shipped_map(name);
      if (!map) continue;
      // Slurm's capitals are nobody else's words; others say in plain English what only their own
      // tables mean by it ("holding" is a success of PanDA's).
      bool const knows_all = std::all_of(words.begin(), words.end(), [&](std::string const& word) {
        return word.empty() || is_spelled(*map, word);
      });
      if (knows_all || name == "sacct") maps_.push_back(std::move(*map));
    }
  }

  std::string operator()(std::string const& word) const {
    if (outcome_named(word)) return word;
    for (ColumnMap const& map : maps_) {
      if (is_spelled(map, word)) return map_word(map.outcomes.at(word));
    }
    return std::string(outcome_within(word));
  }

 private:
  /// Capitals count.
  static bool is_spelled(ColumnMap const& map, std::string const& word) {
    auto const found = map.outcomes.find(word);
    return found != map.outcomes.end() && found->first == word;
  }

  std::vector<ColumnMap> maps_;
};

}  // namespace

std::vector<ColumnCells> cells_of(TableText& table, std::size_t rows) {
  constexpr std::size_t most_words = 50, most_looked_at = 200;
  std::vector<ColumnCells> columns(table.header().size());
  TableRow row;
  for (; rows > 0 && table.next(row); --rows) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      ColumnCells& column = columns[i];
      if (column.words.size() < most_words) column.words.emplace(row.cells[i]);
      if (row.cells[i].empty() || column.seen == most_looked_at) continue;
      ++column.seen;
      column.times += parse_table_time(trim(row.cells[i])) ? 1 : 0;
    }
  }
  return columns;
}

std::set<std::string> without_times(std::vector<std::string> const& header,
                                    std::vector<ColumnCells> const& columns) {
  std::set<std::string> names;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].seen > 0 && columns[i].times == 0) names.insert(header[i]);
  }
  return names;
}

std::set<std::string> with_reasons(std::vector<std::string> const& header,
                                   std::vector<ColumnCells> const& columns) {
  std::set<std::string> names;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    bool const all =
        std::all_of(columns[i].words.begin(), columns[i].words.end(),
                    [](std::string const& word) { return word.empty() || reason_named(word); });
    if (columns[i].seen > 0 && all) names.insert(header[i]);
  }
  return names;
}

ColumnMap proposed_map(std::vector<std::string> const& header,
                       std::set<std::string> const& without_times,
                       std::set<std::string> const& with_reasons) {
  ColumnMap map;
  std::set<std::string> taken;
  for (Usual const& usual : usual_names()) {
    bool const time = row_of(usual.column).form == CellForm::time;
    bool const reason = usual.column == AttemptColumn::reason;
    for (std::string_view const name : usual.names) {
      auto const found = std::find_if(header.begin(), header.end(), [&](std::string const& column) {
        return (time ? bare_time(column) : bare(column)) == name && !taken.contains(column) &&
               !(time && without_times.contains(column)) &&
               !(reason && !with_reasons.contains(column));
      });
      if (found == header.end()) continue;
      taken.insert(*found);
      ColumnSource source;
      source.column = *found;
      map.sources[static_cast<std::size_t>(usual.column)].push_back(std::move(source));
      break;
    }
  }
  return map;
}

std::string column_map_yaml(ColumnMap const& map, std::vector<std::string> const& header,
                            std::vector<std::string> const& words) {
  std::string text = fmt::format(
      "schema: {}\n# time_zone: America/Chicago   # of times without an offset; else UTC\n"
      "columns:\n",
      column_map_schema);
  for (std::size_t i = 0; i < attempt_column_count; ++i) {
    auto const column = static_cast<AttemptColumn>(i);
    AttemptColumnRow const& row = row_of(column);
    if (!map.of(column).empty()) {
      text += fmt::format("  {}: {}\n", row.name, quoted(map.of(column).front().column));
    } else if (row.required) {
      text += fmt::format("  # {}:   # missing, and needed: {}\n", row.name, row.meaning);
    }
  }
  ColumnFit const fit = fit_columns(map, header);
  if (!fit.unused.empty()) text += "# Not used:\n";
  for (std::string const& column : fit.unused) text += "#   " + quoted(column) + "\n";
  if (words.empty()) return text;
  text += "outcomes:\n";
  OutcomeGuess const outcome_of(words);
  for (std::string const& word : words) {
    std::string const outcome = outcome_of(word);
    text += outcome.empty() ? fmt::format("  # {}:   # one of {}\n", quoted(word),
                                          fmt::join(outcome_names(), ", "))
                            : fmt::format("  {}: {}\n", quoted(word), outcome);
  }
  return text;
}

}  // namespace gridcast::import
