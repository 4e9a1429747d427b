// A map for a table that nobody wrote one for: by the names that columns usually have.
#include <algorithm>
#include <cctype>
#include <set>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "sim/import/table/column_map.hpp"

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
      {name, {"name", "jobname", "node", "dagnode", "dagnodename"}},
      {program,
       {"program", "executable", "cmd", "command", "transformation", "jobbatchname", "batchname"}},
      {arguments, {"arguments", "args"}},
      {submitted,
       {"submitted", "submit", "submittime", "qdate", "creationtime", "created", "queued",
        "submittedat", "submissiontime"}},
      {matched, {"matched", "matchtime", "claimed"}},
      {transfer_started, {"transferstarted", "transferinputstarttime", "stageinstart"}},
      {transfer_ended, {"transferended", "transferinputendtime", "stageinend"}},
      {started, {"started", "start", "starttime", "begin", "begintime", "executing", "startedat"}},
      {ended,
       {"ended", "end", "endtime", "finished", "finishtime", "completed", "completiondate",
        "endedat", "stop"}},
      {outcome, {"outcome", "state", "status", "jobstatus", "finalstatus", "result"}},
      {hold_code, {"holdcode", "holdreasoncode"}},
      {hold_subcode, {"holdsubcode", "holdreasonsubcode"}},
      {exit_code, {"exitcode", "exit", "returncode", "returnvalue", "exitstatus", "transexitcode"}},
      {released, {"released", "releasedtime"}},
      {removed, {"removed", "abortedtime"}},
      {site, {"site", "resource", "glideinresourcename", "computingsite", "partition", "sitename"}},
      {host, {"host", "hostname", "nodelist", "machine", "modificationhost", "lastremotehost"}},
      {slot, {"slot", "slotname"}},
      {gpus, {"gpus", "numberofgpus", "ngpus", "requestgpus", "gpucount", "numgpus"}},
      {gpu_model, {"gpumodel", "gpudevicename", "devicename", "gputype", "gpu"}},
      {gpu_capability, {"gpucapability", "capability"}},
      {bytes_in, {"bytesin", "totalbytesreceived", "bytesrecvd", "inputfilebytes"}},
      {bytes_out, {"bytesout", "totalbytessent", "bytessent", "outputfilebytes"}},
      {epochs, {"epochs", "epochscompleted"}},
  };
  return usual;
}

std::string quoted(std::string const& text) {
  std::string quoted = "'";
  for (char const letter : text)
    quoted += letter == '\'' ? std::string("''") : std::string(1, letter);
  return quoted + "'";
}

/// An outcome that a word most likely stands for.
std::string_view outcome_like(std::string const& word) {
  struct Like {
    std::string_view part, outcome;
  };
  constexpr Like likes[] = {{"complet", "succeeded"},
                            {"succe", "succeeded"},
                            {"finish", "succeeded"},
                            {"done", "succeeded"},
                            {"ok", "succeeded"},
                            {"fail", "failed"},
                            {"error", "failed"},
                            {"evict", "evicted"},
                            {"preempt", "evicted"},
                            {"requeue", "evicted"},
                            {"node_fail", "evicted"},
                            {"held", "held"},
                            {"hold", "held"},
                            {"cancel", "removed manual"},
                            {"abort", "removed manual"},
                            {"remov", "removed manual"},
                            {"timeout", "removed execution_too_long"},
                            {"memory", "removed out_of_resources"},
                            {"run", "running"},
                            {"pend", "waiting"},
                            {"idle", "waiting"}};
  std::string const text = lower(word);
  for (Like const& like : likes) {
    if (text.find(like.part) != std::string::npos) return like.outcome;
  }
  return "";
}

}  // namespace

ColumnMap proposed_map(std::vector<std::string> const& header) {
  ColumnMap map;
  std::set<std::string> taken;
  for (Usual const& usual : usual_names()) {
    for (std::string_view const name : usual.names) {
      auto const found = std::find_if(header.begin(), header.end(), [&](std::string const& column) {
        return bare(column) == name && !taken.contains(column);
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
  for (std::string const& word : words) {
    std::string_view const outcome = outcome_like(word);
    text += outcome.empty() ? fmt::format("  # {}:   # one of {}\n", quoted(word),
                                          fmt::join(outcome_names(), ", "))
                            : fmt::format("  {}: {}\n", quoted(word), outcome);
  }
  return text;
}

}  // namespace gridcast::import
