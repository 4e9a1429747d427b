#include "sim/import/table/recognised_columns.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/base/text.hpp"
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

/// "ended_s" -> "ended": the name of a column of times may contain their unit.
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
        "cluster", "id", "taskid", "localjobid", "idjob", "jobnumber"}},
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
        "queued", "queuetime", "submittedat", "queuedat", "submitdate", "submissiondate",
        "timesubmit", "qsubtime"}},
      {matched, {"matched", "matchtime", "claimed", "jobcurrentstartdate"}},
      {transfer_started, {"transferstarted", "transferinputstarttime", "stageinstart"}},
      {transfer_ended, {"transferended", "transferinputendtime", "stageinend"}},
      {started,
       {"started", "starttime", "start", "begintime", "begin", "executing", "startedat",
        "startdate", "jobcurrentstartexecutingdate", "executestarted", "startingtime",
        "timestart"}},
      {output_started, {"outputstarted", "executeended"}},
      {ended,
       {"ended", "endtime", "end", "finish", "finished", "finishtime", "completed",
        "completiondate", "endedat", "stop", "finishedat", "completedat", "enddate", "stoptime",
        "endingtime", "timeend"}},
      {outcome,
       {"outcome", "state", "status", "jobstatus", "finalstatus", "result", "jobstate",
        "finalstate", "end", "success"}},
      {reason, {"reason", "endreason", "exitreason", "failurereason", "holdreason"}},
      {hold_code, {"holdcode", "holdreasoncode"}},
      {hold_subcode, {"holdsubcode", "holdreasonsubcode"}},
      {exit_code,
       {"exitcode", "exit", "returncode", "returnvalue", "exitstatus", "transexitcode", "retcode",
        "retval", "rc"}},
      {released, {"released", "releasedtime"}},
      {removed, {"removed", "abortedtime"}},
      {site,
       {"site", "sitename", "glideinresourcename", "computingsite", "resource", "partition",
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

/// In single quotes; in double quotes if the text has control characters.
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

/// The outcome that a shipped map gives a word, of "CANCELLED by 1000" its first; else empty.
std::string shipped_outcome(std::string const& word) {
  for (std::string_view const name : shipped_maps) {
    auto const map = shipped_map(name);
    if (!map) continue;
    auto const found = map->outcomes.find(word.substr(0, word.find(' ')));
    if (found == map->outcomes.end()) continue;
    MappedOutcome const& mapped = found->second;
    std::string text(word_of(mapped.outcome).name);
    if (mapped.reason) text += " " + std::string(history::name(*mapped.reason));
    return text;
  }
  return {};
}

/// The kind of a column without a name.
enum class Content { state, time, exit_code, resources, id, hosts, other };

/// "n07", "cpn-f11-31,cpn-f12-01", "d07n[01-04,9]" or "None assigned", as Slurm names nodes.
bool names_hosts(std::string_view text) {
  constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyz";
  if (lower(text) == "none assigned") return true;
  bool const begins = !text.empty() && letters.find(text.front()) != std::string_view::npos;
  bool const ends = !text.empty() && (text.back() == ']' || std::isdigit(text.back()) != 0);
  return begins && ends && std::all_of(text.begin(), text.end(), [](unsigned char c) {
           return std::isalnum(c) != 0 ||
                  std::string_view("-.,[]").find(static_cast<char>(c)) != std::string_view::npos;
         });
}

Content content_of(std::string const& cell) {
  std::string_view const text = trim(cell);
  bool const number =
      !text.empty() && text.find_first_not_of("0123456789.") == std::string_view::npos;
  if (parse_table_time(text) && !number) return Content::time;
  auto const colon = text.find(':');
  auto const digits = [](std::string_view part) {
    return !part.empty() && part.find_first_not_of("0123456789") == std::string_view::npos;
  };
  if (colon != std::string_view::npos && digits(text.substr(0, colon)) &&
      digits(text.substr(colon + 1))) {
    return Content::exit_code;
  }
  if (text.find("cpu=") != std::string_view::npos || text.find("gres/") != std::string_view::npos) {
    return Content::resources;
  }
  if (digits(text.substr(0, text.find_first_of("._")))) return Content::id;
  if (!shipped_outcome(std::string(text)).empty()) return Content::state;
  return names_hosts(text) ? Content::hosts : Content::other;
}

std::string yaml_of_header(std::vector<std::string> const& header,
                           std::vector<std::vector<std::string>> const& rows) {
  std::string text =
      "# Guessed by the values of the columns: correct the names, and add a site.\nheader: [";
  for (std::string const& column : header) {
    text += (&column == &header.front() ? "" : ", ") + quoted(column);
  }
  text += "]\nempty: [Unknown, None, None assigned]\n";
  bool const steps = std::any_of(rows.begin(), rows.end(), [](auto const& row) {
    return std::any_of(row.begin(), row.end(), [](std::string const& cell) {
      return cell.ends_with(".batch") || cell.ends_with(".extern");
    });
  });
  if (steps) text += "skip: {JobID: '\\.\\w'}   # steps of a job\n";
  return text;
}

}  // namespace

bool holds_values(std::vector<std::string> const& header) {
  return std::any_of(header.begin(), header.end(), [](std::string const& cell) {
    return (!cell.empty() && cell.find_first_not_of("0123456789.") == std::string::npos) ||
           parse_table_time(trim(cell));
  });
}

std::vector<std::vector<std::string>> first_rows(TableText& table) {
  constexpr std::size_t most_rows = 100;
  std::vector<std::vector<std::string>> rows = {table.header()};
  TableRow row;
  while (rows.size() < most_rows && table.next(row)) {
    rows.emplace_back(row.cells.begin(), row.cells.end());
  }
  return rows;
}

GuessedHeader guessed_header(std::vector<std::vector<std::string>> const& rows) {
  std::vector<std::string> header;
  std::size_t const columns = rows.empty() ? 0 : rows.front().size();
  std::map<Content, std::vector<std::size_t>> of;
  for (std::size_t i = 0; i < columns; ++i) {
    header.push_back(fmt::format("column {}", i + 1));
    std::map<Content, std::size_t> count;
    for (auto const& row : rows) {
      if (i < row.size() && !trim(row[i]).empty()) ++count[content_of(row[i])];
    }
    auto const most =
        std::max_element(count.begin(), count.end(),
                         [](auto const& a, auto const& b) { return a.second < b.second; });
    if (most != count.end()) of[most->first].push_back(i);
  }
  auto const name_first = [&](Content content, std::string_view name) {
    if (!of[content].empty()) header[of[content].front()] = name;
  };
  name_first(Content::state, "State");
  name_first(Content::exit_code, "ExitCode");
  name_first(Content::id, "JobID");
  // A job's resources and place come behind its user and its request.
  auto const name_last = [&](Content content, std::string_view name) {
    if (!of[content].empty()) header[of[content].back()] = name;
  };
  name_last(Content::resources, "AllocTRES");
  name_last(Content::hosts, "NodeList");
  constexpr std::string_view times[] = {"Submit", "Eligible", "Start", "End"};
  auto const& found = of[Content::time];
  for (std::size_t i = 0; i < found.size() && i < 4; ++i) {
    std::size_t const left = std::min<std::size_t>(found.size(), 4) - i;  // this one and later ones
    bool const first_of_three = found.size() == 3 && i == 0;
    header[found[i]] = times[first_of_three ? 0 : 4 - left];
  }
  return {header, yaml_of_header(header, rows)};
}

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
      auto const time = parse_table_time(trim(row.cells[i]));
      column.times += time ? 1 : 0;
      column.dates += time && time->kind != WrittenTime::Kind::relative ? 1 : 0;
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

ColumnMap recognised_columns(std::vector<std::string> const& header,
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

std::optional<Problem> no_record(std::string const& file, TableText const& table,
                                 std::vector<ColumnCells> const& columns, ColumnMap const& map) {
  using enum AttemptColumn;
  bool const dated =
      std::any_of(columns.begin(), columns.end(), [](auto const& each) { return each.dates > 0; });
  bool const ends = !map.of(started).empty() || !map.of(ended).empty() || !map.of(outcome).empty();
  if (!table.is_json() || dated || ends) return std::nullopt;
  return Problem{{file, 1},
                 "is JSON that is no record of jobs",
                 "no member of its objects is a date or the outcome of a job",
                 "Give the batch system's record: condor_history -json, or sacct -P."};
}

std::string column_map_yaml(ColumnMap const& map, std::vector<std::string> const& header,
                            std::vector<std::string> const& words, std::string const& guessed) {
  std::string text = fmt::format(
      "schema: {}\n# time_zone: America/Chicago   # of times without an offset; else UTC\n",
      column_map_schema);
  text += guessed + "columns:\n";
  bool const allocates = std::find(header.begin(), header.end(), "AllocTRES") != header.end();
  for (std::size_t i = 0; i < attempt_column_count; ++i) {
    auto const column = static_cast<AttemptColumn>(i);
    AttemptColumnRow const& row = row_of(column);
    if (!map.of(column).empty()) {
      text += fmt::format("  {}: {}\n", row.name, quoted(map.of(column).front().column));
    } else if (column == AttemptColumn::gpus && allocates) {
      text +=
          "  gpus: [{column: AllocTRES, pattern: 'gres/gpu=(\\d+)'}, {column: AllocTRES, value: 0}]\n";
    } else if (row.required) {
      text += fmt::format("  # {}:   # missing, and needed: {}\n", row.name, row.meaning);
    }
  }
  ColumnFit const fit = fit_columns(map, header);
  if (!fit.unused.empty()) text += "# Not used:\n";
  for (std::string const& column : fit.unused) {
    if (column != "AllocTRES") text += "#   " + quoted(column) + "\n";
  }
  if (words.empty()) return text;
  text += "outcomes:\n";
  for (std::string const& word : words) {
    auto const known = outcome_named(word) ? word : shipped_outcome(word);
    text += !known.empty() ? fmt::format("  {}: {}\n", quoted(word), known)
                           : fmt::format("  # {}:   # one of {}\n", quoted(word),
                                         fmt::join(outcome_names(), ", "));
  }
  return text;
}

}  // namespace gridcast::import
