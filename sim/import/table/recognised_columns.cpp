#include "sim/import/table/recognised_columns.hpp"

#include <algorithm>
#include <array>
#include <cctype>
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

struct UsualName {
  using enum AttemptColumn;
  AttemptColumn column;
  std::string_view names;  // bare, the best first

  static UsualName const all[];
};

constexpr UsualName UsualName::all[] = {
    {job,
     "job jobid jobidraw globaljobid clusterid htcondorclusterid pandaid cluster id taskid "
     "localjobid idjob jobnumber"},
    {attempt, "attempt attemptnr attemptsequence try tries retry numshadowstarts runinstanceid"},
    {user, "user owner username produsername account"},
    {name, "name jobname dagnode dagnodename"},
    {program, "program executable cmd command transformation jobbatchname batchname"},
    {arguments, "arguments args"},
    {submitted,
     "submitted submittime submissiontime submit qdate creationtime created queued queuetime "
     "submittedat queuedat submitdate submissiondate timesubmit qsubtime"},
    {matched, "matched matchtime claimed jobcurrentstartdate"},
    {transfer_started, "transferstarted transferinputstarttime stageinstart"},
    {transfer_ended, "transferended transferinputendtime stageinend"},
    {started,
     "started starttime start begintime begin executing startedat startdate "
     "jobcurrentstartexecutingdate executestarted startingtime timestart"},
    {output_started, "outputstarted executeended"},
    {ended,
     "ended endtime end finish finished finishtime completed completiondate complete endedat "
     "stop finishedat completedat enddate stoptime endingtime timeend"},
    {outcome, "outcome state status jobstatus finalstatus result jobstate finalstate end success"},
    {reason, "reason endreason exitreason failurereason holdreason"},
    {hold_code, "holdcode holdreasoncode"},
    {hold_subcode, "holdsubcode holdreasonsubcode"},
    {exit_code, "exitcode exit returncode returnvalue exitstatus transexitcode retcode retval rc"},
    {released, "released releasedtime"},
    {removed, "removed abortedtime"},
    {site, "site sitename glideinresourcename computingsite resource partition resourcename"},
    {host,
     "host hostname nodelist machine modificationhost lastremotehost nodename machinename "
     "workernode exechost node"},
    {slot, "slot slotname"},
    {gpus,
     "gpus numberofgpus ngpus ngpu numgpus numgpu gpucount gpusprovisioned allocgpus "
     "allocatedgpus requestgpus requestedgpus"},
    {gpu_model,
     "gpumodel gpudevicename devicename gpuname gputype gpudevice cudadevicename gpu device"},
    {gpu_capability, "gpucapability capability"},
    {bytes_in, "bytesin totalbytesreceived bytesrecvd inputfilebytes"},
    {bytes_out, "bytesout totalbytessent bytessent outputfilebytes"},
    {epochs, "epochs epochscompleted"},
};

/// Columns without a time in any cell, though some are not empty.
std::set<std::string> without_times(std::vector<std::string> const& header,
                                    std::vector<ColumnCells> const& columns) {
  std::set<std::string> names;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].seen > 0 && columns[i].times == 0) names.insert(header[i]);
  }
  return names;
}

/// Columns whose words are all names of reasons. Most columns with that name contain their owner's
/// words.
std::set<std::string> with_reasons(std::vector<std::string> const& header,
                                   std::vector<ColumnCells> const& columns) {
  std::set<std::string> names;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    bool const all = std::ranges::all_of(columns[i].words, [](std::string const& word) {
      return word.empty() || reason_named(word);
    });
    if (columns[i].seen > 0 && all) names.insert(header[i]);
  }
  return names;
}

bool is_named_like_a_time(std::string const& column) {
  std::string const name = bare_time(column);
  return std::ranges::any_of(UsualName::all, [&](UsualName const& usual) {
    return row_of(usual.column).form == CellForm::time &&
           std::ranges::count(split(usual.names, ' '), name) > 0;
  });
}

/// Those in the columns whose names are of times.
std::set<std::string> words_of_times(std::vector<std::string> const& header,
                                     std::vector<ColumnCells> const& columns) {
  std::set<std::string> words;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (!is_named_like_a_time(header[i])) continue;
    for (std::string const& word : columns[i].words) {
      if (!word.empty() && !stands_for_none(word)) words.insert(word);
    }
  }
  return words;
}

/// strptime's form of dates that are not read without one: the first that all of these words have,
/// the month before the day where both would do. Empty: none is needed, or none fits.
std::string form_of_times(std::set<std::string> const& words) {
  constexpr std::string_view days[] = {"%d.%m.%Y", "%m/%d/%Y", "%d/%m/%Y", "%m/%d/%y", "%d/%m/%y",
                                       "%d-%m-%Y", "%d-%b-%Y", "%d %b %Y", "%d.%m.%y"};
  constexpr std::string_view clocks[] = {"", " %H:%M", " %H:%M:%S", " %I:%M %p", " %I:%M:%S %p"};
  bool const needed =
      std::ranges::any_of(words, [](auto const& w) { return !parse_table_time(w); });
  if (!needed) return {};
  std::vector<std::string> forms = {"%a %b %d %H:%M:%S %Y"};  // of ctime()
  for (auto const day : days) {
    for (auto const clock : clocks) forms.push_back(fmt::format("{}{}", day, clock));
  }
  auto const found = std::ranges::find_if(forms, [&](std::string const& form) {
    return std::ranges::all_of(words, [&](auto const& word) { return is_date_in(word, form); });
  });
  return found == forms.end() ? std::string() : *found;
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

/// Words of outcomes that several systems have. DIRAC's "Killed" is by the job's owner.
constexpr std::array<std::pair<std::string_view, AttemptOutcome>, 5> common_outcomes = {{
    {"success", AttemptOutcome::succeeded},
    {"ok", AttemptOutcome::succeeded},
    {"done", AttemptOutcome::succeeded},
    {"failure", AttemptOutcome::failed},
    {"killed", AttemptOutcome::removed},
}};

/// The outcome that a shipped map or a custom gives a word, of "CANCELLED by 1000" its first; else
/// empty.
std::string usual_outcome(std::string const& word) {
  static std::vector<ColumnMap> const maps = [] {
    std::vector<ColumnMap> all;
    for (std::string_view const name : shipped_maps) {
      if (auto map = shipped_map(name)) all.push_back(*std::move(map));
    }
    return all;
  }();
  std::string const first = word.substr(0, word.find(' '));
  for (ColumnMap const& map : maps) {
    auto const found = map.outcomes.find(first);
    if (found == map.outcomes.end()) continue;
    MappedOutcome const& mapped = found->second;
    std::string text(word_of(mapped.outcome).name);
    if (mapped.reason) text += " " + std::string(history::name(*mapped.reason));
    return text;
  }
  for (auto const& [common, outcome] : common_outcomes) {
    if (same_ignoring_case(common, first)) return std::string(word_of(outcome).name);
  }
  return {};
}

/// HTCondor manual, "Job ClassAd Attributes", JobStatus: 6 transfers its output, 7 is suspended.
std::string outcome_of_status(std::string const& word) {
  constexpr std::array<std::string_view, 8> outcomes = {
      "", "waiting", "running", "removed", "succeeded", "held", "running", "running"};
  auto const number = text_as<double>(word);  // pandas writes 4.0 where some are missing
  bool const known = number && *number >= 0 && *number < outcomes.size();
  return known ? std::string(outcomes[static_cast<std::size_t>(*number)]) : "";
}

/// Of a column "success", as Batsim writes it, of HTCondor's JobStatus, and of the exit codes in
/// GRACC's "Status"; else empty.
std::string flagged_outcome(std::string_view column, std::string const& word, bool of_gracc) {
  bool const is_number = !word.empty() && word.find_first_not_of("-0123456789") == word.npos;
  if (of_gracc && is_number && bare(column) == "status") {
    return word == "0" ? "succeeded" : "failed";
  }
  if (bare(column) == "jobstatus") return outcome_of_status(word);
  if (bare(column) != "success") return {};
  std::string const flag = lower(word);
  if (flag == "1" || flag == "true" || flag == "yes") return "succeeded";
  return flag == "0" || flag == "false" || flag == "no" ? "failed" : "";
}

/// Nextflow gives each try of a task an id of its own. All tries have its name.
bool is_nextflow(std::vector<std::string> const& header) {
  constexpr std::string_view columns[] = {"task_id", "native_id", "name", "attempt"};
  return std::all_of(std::begin(columns), std::end(columns),
                     [&](auto column) { return is_one_of(column, header); });
}

}  // namespace

bool holds_values(std::vector<std::string> const& header) {
  return std::ranges::any_of(header, [](std::string const& cell) {
    return (!cell.empty() && cell.find_first_not_of("0123456789.") == std::string::npos) ||
           parse_table_time(trim(cell));
  });
}

std::optional<Problem> no_header(std::string const& file, std::vector<std::string> const& header) {
  bool const binary = std::ranges::any_of(
      header, [](std::string const& cell) { return cell.find('\0') != std::string::npos; });
  if (binary) {
    return Problem{
        {file, 1},
        "is a binary file",
        "its first row holds NUL bytes",
        "A text file is needed: unpack it if it is compressed, convert it if it is UTF-16."};
  }
  if (!holds_values(header)) return std::nullopt;
  return Problem{{file, 1},
                 "its first row holds values, where the names of the columns should be",
                 "",
                 "Put a row with their names first, such as JobID|State|Submit|Start|End; then: "
                 "gridcast init " +
                     quoted_for_shell(file) +
                     " -o map.yaml. A map of your own may name them: header: [JobID, ...]."};
}

std::vector<ColumnCells> cells_of(TableText& table, std::size_t rows) {
  constexpr std::size_t most_words = 50, most_looked_at = 200;
  std::vector<ColumnCells> columns(table.header().size());
  TableRow row;
  for (; rows > 0 && table.next(row); --rows) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      ColumnCells& column = columns[i];
      if (column.words.size() < most_words) column.words.emplace(trim(row.cells[i]));
      if (row.cells[i].empty() || column.seen == most_looked_at) continue;
      ++column.seen;
      auto const time = parse_table_time(trim(row.cells[i]));
      column.times += time ? 1 : 0;
      column.dates += time && time->kind != WrittenTime::Kind::relative ? 1 : 0;
    }
  }
  return columns;
}

ColumnMap recognised_columns(std::vector<std::string> const& header,
                             std::set<std::string> const& without_times,
                             std::set<std::string> const& with_reasons) {
  ColumnMap map;
  std::set<std::string> taken;
  for (UsualName const& usual : UsualName::all) {
    bool const time = row_of(usual.column).form == CellForm::time;
    bool const reason = usual.column == AttemptColumn::reason;
    for (auto const& name : split(usual.names, ' ')) {
      auto const found = std::ranges::find_if(header, [&](std::string const& column) {
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
  if (is_nextflow(header))
    map.sources[static_cast<std::size_t>(AttemptColumn::job)].front().column = "name";
  return map;
}

ColumnMap recognised_in(std::vector<std::string> const& header,
                        std::vector<ColumnCells> const& columns) {
  std::string const form = form_of_times(words_of_times(header, columns));
  auto no_times = without_times(header, columns);
  if (!form.empty()) std::erase_if(no_times, is_named_like_a_time);
  ColumnMap map = recognised_columns(header, no_times, with_reasons(header, columns));
  map.time_format = form;
  return map;
}

std::optional<Problem> no_record(std::string const& file, TableText const& table,
                                 std::vector<ColumnCells> const& columns, ColumnMap const& map) {
  using enum AttemptColumn;
  bool const dated = std::ranges::any_of(columns, [](auto const& each) { return each.dates > 0; });
  bool const ends = !map.of(started).empty() || !map.of(ended).empty() || !map.of(outcome).empty();
  if (!table.is_json() || dated || ends) return std::nullopt;
  return Problem{{file, 1},
                 "is JSON that is no record of jobs",
                 "no member of its objects is a date or the outcome of a job",
                 "Give the batch system's record: condor_history -json, or sacct -P."};
}

namespace {

/// A comment behind the column of the job; empty if it is the job's name for certain.
std::string doubt_of_job(std::string const& column, std::vector<std::string> const& header) {
  if (is_nextflow(header)) return "   # 'task_id', without the attempt, if tasks share names";
  bool const of_cluster = bare(column) == "clusterid" && is_one_of("ProcId", header);
  return of_cluster ? "   # needs a column with ClusterId.ProcId, if a cluster has many jobs" : "";
}

/// The words of the outcome column, each with its meaning or as a comment to be completed.
std::string outcomes_yaml(ColumnMap const& map, std::vector<std::string> const& header,
                          std::vector<std::string> const& words) {
  bool const of_gracc = is_one_of("ProbeName", header);
  std::string text = "outcomes:\n";
  for (std::string const& word : words) {
    auto const& sources = map.of(AttemptColumn::outcome);
    auto known = outcome_named(word) ? word : usual_outcome(word);
    if (known.empty() && !sources.empty()) {
      known = flagged_outcome(sources.front().column, word, of_gracc);
    }
    text += !known.empty() ? fmt::format("  {}: {}\n", quoted(word), known)
                           : fmt::format("  # {}:   # one of {}\n", quoted(word),
                                         fmt::join(outcome_names(), ", "));
  }
  return text;
}

}  // namespace

std::string column_map_yaml(ColumnMap const& map, std::vector<std::string> const& header,
                            std::vector<std::string> const& words) {
  std::string text = fmt::format(
      "schema: {}\n# time_zone: America/Chicago   # of times without an offset; else UTC\n",
      column_map_schema);
  if (!map.time_format.empty()) text += fmt::format("time_format: {}\n", quoted(map.time_format));
  text += "columns:\n";
  bool const allocates = is_one_of("AllocTRES", header);
  for (std::size_t i = 0; i < attempt_column_count; ++i) {
    auto const column = static_cast<AttemptColumn>(i);
    AttemptColumnRow const& row = row_of(column);
    if (!map.of(column).empty()) {
      std::string const& named = map.of(column).front().column;
      text += fmt::format("  {}: {}{}\n", row.name, quoted(named),
                          column == AttemptColumn::job ? doubt_of_job(named, header) : "");
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
  return words.empty() ? text : text + outcomes_yaml(map, header, words);
}

}  // namespace gridcast::import
