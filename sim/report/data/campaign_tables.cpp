#include "sim/report/data/campaign_tables.hpp"

#include <array>
#include <iterator>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "sim/import/table/attempt_table.hpp"
#include "sim/report/text/reason_words.hpp"

namespace gridcast::report {
namespace {

/// A row of jobs.csv. The last execution belongs to the last attempt
/// that executed. It lasts from its 001 to its end or to the transfer of its output, with
/// suspensions, lost contact and checkpoints.
struct JobSummary {
  Id<history::Job> job;
  ledger::Standing standing = ledger::Standing::unfinished;
  std::optional<Seconds> submitted;                       // its first event, in any history
  std::optional<Seconds> execution_begin, execution_end;  // of the last execution
  std::optional<Seconds> finished;                        // left the queue, or held at the end
  std::uint32_t attempts = 0;
  Id<history::Site> site;  // of the last attempt
  std::uint32_t slot = 0;  // likewise
};

bool is_of_execution(history::Phase phase) {
  return phase == history::Phase::executing || phase == history::Phase::checkpoint ||
         phase == history::Phase::suspended || phase == history::Phase::disconnected;
}

void follow(JobSummary& outcome, history::PhaseSpan const& span, std::uint32_t& executing_attempt) {
  if (span.attempt == 0) return;
  outcome.attempts = span.attempt;
  outcome.site = span.site;
  outcome.slot = span.slot;
  bool const begun = executing_attempt == span.attempt;
  if (span.phase == history::Phase::executing && !begun) {
    executing_attempt = span.attempt;
    outcome.execution_begin = span.begin;
  }
  if (executing_attempt == span.attempt && is_of_execution(span.phase)) {
    outcome.execution_end = span.end;
  }
}

struct View {
  history::JobHistory const& history;
  ledger::Ledger const& ledger;
};

struct JobView {
  View const& view;
  JobSummary const& outcome;
  ledger::JobAccount const& account;
};

/// The phases of one attempt, or a single phase of it.
struct SpanView {
  View const& view;
  history::PhaseSpan first, last;
  std::array<Seconds, history::phase_count> times{};
};

struct SiteView {
  std::string const& name;
  ledger::LedgerLines const& lines;
  ledger::TimeClasses classes;
};

struct UrlView {
  history::JobHistory const& history;
  history::UrlTransfer const& transfer;
};

struct CacheView {
  CacheContext const& caches;
  history::CacheSample const& sample;
};

std::optional<Seconds> between(std::optional<Seconds> from, std::optional<Seconds> to) {
  return from && to ? std::optional(*to - *from) : std::nullopt;
}

std::string site_cell(history::JobHistory const& history, Id<history::Site> site) {
  return site.valid() ? history.sites[site.index()] : std::string();
}

std::optional<Seconds> execution(JobView const& job) {
  return between(job.outcome.execution_begin, job.outcome.execution_end);
}

std::optional<Seconds> turnaround(JobView const& job) {
  return between(job.outcome.submitted, job.outcome.finished);
}

std::string stretch(JobView const& job) {
  auto const time = turnaround(job), work = execution(job);
  return time && work && *work > Seconds() ? csv_number(*time / *work) : std::string();
}

/// A column for each class of time.
template <class Row, class Get>
void add_times(CsvTable<Row>& table, Get get) {
  for (ledger::TimeClass const c : ledger::all_time_classes()) {
    table.columns.push_back({fmt::format("{}_time", name(c)), "s",
                             fmt::format("time {}", ledger::words(c)),
                             [c, get](Row const& row) { return csv_cell(get(row)[c]); }});
  }
}

std::vector<CsvColumn<JobView>> times_of_job() {
  return {{"job_id", "", "the job: cluster.proc, or its own name",
           [](JobView const& j) { return name_of_job(j.view.history, j.outcome.job); }},
          {"submission_time", "s", "when it was submitted",
           [](JobView const& j) { return csv_cell(j.outcome.submitted); }},
          {"starting_time", "s", "start of the last execution; empty: never executed",
           [](JobView const& j) { return csv_cell(j.outcome.execution_begin); }},
          {"finish_time", "s", "when it left the queue or was held for good; empty: unfinished",
           [](JobView const& j) { return csv_cell(j.outcome.finished); }},
          {"waiting_time", "s",
           "starting_time - submission_time: queue, transfers and earlier attempts",
           [](JobView const& j) {
             return csv_cell(between(j.outcome.submitted, j.outcome.execution_begin));
           }},
          {"execution_time", "s", "of the last execution, with interruptions and checkpoints",
           [](JobView const& j) { return csv_cell(execution(j)); }},
          {"turnaround_time", "s", "finish_time - submission_time",
           [](JobView const& j) { return csv_cell(turnaround(j)); }},
          {"stretch", "1", "turnaround_time / execution_time", stretch}};
}

CsvTable<JobView> job_table() {
  CsvTable<JobView> table;
  table.name = "jobs";
  table.columns = times_of_job();
  table.columns.insert(
      table.columns.end(),
      {{"success", "1", "1: its result is of use; 0: not",
        [](JobView const& j) { return std::string(j.account.succeeded() ? "1" : "0"); }},
       {"outcome", "", "succeeded, wrong_output, held, removed, unfinished",
        [](JobView const& j) { return std::string(name(j.outcome.standing)); }},
       {"site", "", "site of the last attempt",
        [](JobView const& j) { return site_cell(j.view.history, j.outcome.site); }},
       {"attempts", "1", "slots that were claimed for it, one after the other",
        [](JobView const& j) { return csv_cell(j.account.attempts); }},
       {"executions", "1", "how often its program was started",
        [](JobView const& j) { return csv_cell(j.account.executions); }},
       {"stalls", "1", "attempts given up because the input transfer stalled",
        [](JobView const& j) { return csv_cell(std::size_t{j.account.stalls}); }},
       {"holds", "1", "how often it was held",
        [](JobView const& j) { return csv_cell(j.account.holds); }}});
  add_times(table, [](JobView const& j) { return j.account.classes; });
  return table;
}

std::vector<CsvColumn<SpanView>> place_columns() {
  return {{"job_id", "", "the job: cluster.proc, or its own name",
           [](SpanView const& a) { return name_of_job(a.view.history, a.first.job); }},
          {"attempt", "1", "of the job's, from 1",
           [](SpanView const& a) { return csv_cell(std::size_t{a.first.attempt}); }},
          {"site", "", "where; empty: not known",
           [](SpanView const& a) { return site_cell(a.view.history, a.first.site); }},
          {"slot", "", "which slot of the site",
           [](SpanView const& a) { return history::slot_name(a.view.history, a.first.slot); }}};
}

/// How an attempt ended. `useful`: with a result of use.
std::string_view end_word(history::EventKind kind, bool useful) {
  switch (kind) {
    case history::EventKind::terminated:
      return useful ? "success" : "wrong_output";
    case history::EventKind::evicted:
      return "evicted";
    case history::EventKind::shadow_exception:
    case history::EventKind::requeued:
      return "requeued";
    case history::EventKind::reconnect_failed:
      return "lost";
    case history::EventKind::held:
      return "held";
    default:
      return "removed";
  }
}

CsvTable<SpanView> attempt_table() {
  CsvTable<SpanView> table{"attempts", place_columns()};
  auto const add = [&table](CsvColumn<SpanView> column) {
    table.columns.push_back(std::move(column));
  };
  add({"start_time", "s", "when the slot was claimed",
       [](SpanView const& a) { return csv_cell(a.first.begin); }});
  add({"end_time", "s", "when it was left; the end of the record if it was not",
       [](SpanView const& a) { return csv_cell(a.last.end); }});
  add({"end", "",
       "success, wrong_output, evicted, requeued, lost, held, removed; empty: the record ends "
       "first",
       [](SpanView const& a) {
         return a.last.cause ? std::string(end_word(a.last.cause->kind, a.last.succeeded))
                             : std::string();
       }});
  add({"reason", "", "why, in words",
       [](SpanView const& a) { return cause_in_words(a.last, a.view.history.batch_system); }});
  for (history::Phase const phase : history::all_phases()) {
    if (!has_slot(phase)) continue;
    add({fmt::format("{}_time", name(phase)), "s",
         fmt::format("time in the phase '{}'", name(phase)), [phase](SpanView const& a) {
           return csv_cell(a.times[static_cast<std::size_t>(phase)]);
         }});
  }
  return table;
}

bool is_transfer(history::Phase phase) {
  return phase == history::Phase::transfer || phase == history::Phase::stalled ||
         phase == history::Phase::output || phase == history::Phase::checkpoint;
}

std::string direction(SpanView const& t) {
  if (t.first.phase == history::Phase::output) return "output";
  return t.first.phase == history::Phase::checkpoint ? "checkpoint" : "input";
}

std::string result(SpanView const& t) {
  if (t.first.open) return "";
  if (t.first.phase == history::Phase::stalled) return "stalled";
  if (!t.first.cause) return "finished";
  bool const program_ended = t.first.cause->kind == history::EventKind::terminated ||
                             t.first.cause->kind == history::EventKind::requeued;
  return t.first.phase == history::Phase::output && program_ended ? "finished" : "failed";
}

CsvTable<SpanView> transfer_table() {
  CsvTable<SpanView> table{"transfers", place_columns()};
  table.columns.insert(
      table.columns.end(),
      {{"direction", "", "input, output, checkpoint", direction},
       {"start_time", "s", "when it began",
        [](SpanView const& t) { return csv_cell(t.first.begin); }},
       {"end_time", "s", "when it ended, or was interrupted",
        [](SpanView const& t) { return csv_cell(t.first.end); }},
       {"duration", "s", "end_time - start_time",
        [](SpanView const& t) { return csv_cell(t.first.end - t.first.begin); }},
       {"result", "", "finished, stalled, failed; empty: the record ends first", result},
       {"reason", "", "why it did not finish, in words", [](SpanView const& t) {
          return result(t) == "finished" ? std::string()
                                         : cause_in_words(t.first, t.view.history.batch_system);
        }}});
  return table;
}

CsvTable<SiteView> site_table() {
  CsvTable<SiteView> table;
  table.name = "sites";
  auto const count = [](std::string name, std::string meaning,
                        std::size_t ledger::LedgerLines::*member) {
    return CsvColumn<SiteView>{std::move(name), "1", std::move(meaning),
                               [member](SiteView const& s) { return csv_cell(s.lines.*member); }};
  };
  auto const known_count = [&](std::string name, std::string meaning,
                               std::size_t ledger::LedgerLines::*member) {
    auto column = count(std::move(name), std::move(meaning), member);
    column.cell = [member](SiteView const& s) {
      return s.lines.ends_unrecorded > 0 ? std::string() : csv_cell(s.lines.*member);
    };
    return column;
  };
  table.columns = {
      {"site", "", "the site; empty: jobs and time without one",
       [](SiteView const& s) { return s.name; }},
      count("jobs", "jobs whose last attempt was here", &ledger::LedgerLines::jobs),
      count("succeeded", "of these, with a result of use", &ledger::LedgerLines::succeeded),
      count("attempts", "slots claimed", &ledger::LedgerLines::attempts),
      count("executions", "programs started", &ledger::LedgerLines::executions),
      known_count("stalls",
                  "attempts given up because the input transfer stalled; empty: not known",
                  &ledger::LedgerLines::stalls),
      known_count("evictions", "attempts evicted; empty: not known",
                  &ledger::LedgerLines::evictions),
      count("holds", "jobs held here", &ledger::LedgerLines::holds),
      {"wallclock_time", "s", "slot time",
       [](SiteView const& s) { return csv_cell(s.lines.wallclock()); }},
      {"goodput_time", "s", "last executions of successful jobs",
       [](SiteView const& s) { return csv_cell(s.lines.compute_success); }},
      {"badput_time", "s", "slot time that brought nothing (docs/ledger.md)",
       [](SiteView const& s) { return csv_cell(s.lines.badput()); }},
  };
  add_times(table, [](SiteView const& s) { return s.classes; });
  return table;
}

CsvTable<UrlView> url_table() {
  CsvTable<UrlView> table;
  table.name = "url_transfers";
  table.columns = {
      {"job_id", "", "the job: cluster.proc, or its own name",
       [](UrlView const& u) { return name_of_job(u.history, u.transfer.job); }},
      {"attempt", "1", "of the job's, from 1",
       [](UrlView const& u) { return csv_cell(std::size_t{u.transfer.attempt}); }},
      {"url", "", "the transferred URL",
       [](UrlView const& u) { return u.history.urls[u.transfer.url]; }},
      {"direction", "", "input, output",
       [](UrlView const& u) { return std::string(u.transfer.upload ? "output" : "input"); }},
      {"start_time", "s", "when it began",
       [](UrlView const& u) { return csv_cell(u.transfer.start); }},
      {"end_time", "s", "when it ended", [](UrlView const& u) { return csv_cell(u.transfer.end); }},
      {"size", "B", "bytes that arrived",
       [](UrlView const& u) { return csv_cell(u.transfer.size); }},
      {"success", "1", "1: it succeeded",
       [](UrlView const& u) { return std::string(u.transfer.succeeded ? "1" : "0"); }},
  };
  return table;
}

CsvTable<CacheView> cache_table() {
  CsvTable<CacheView> table;
  table.name = "caches";
  table.columns = {
      {"cache", "", "the cache", [](CacheView const& c) { return c.caches.names[c.sample.cache]; }},
      {"time", "s", "from when on it was so full",
       [](CacheView const& c) { return csv_cell(c.sample.at); }},
      {"used", "B", "bytes on its disk",
       [](CacheView const& c) { return csv_cell(c.sample.used); }},
      {"disk", "B", "bytes that it may use",
       [](CacheView const& c) { return csv_cell(c.caches.disks[c.sample.cache]); }},
  };
  return table;
}

/// By Id<Job>.
std::vector<JobSummary> summaries_of(View const& view,
                                     std::vector<history::PhaseSpan> const& spans) {
  std::vector<JobSummary> outcomes(view.history.jobs.size());
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    outcomes[i].job = Id<history::Job>(i);
    outcomes[i].standing = view.ledger.jobs[i].standing;
    if (outcomes[i].standing != ledger::Standing::unfinished)
      outcomes[i].finished = view.ledger.jobs[i].ended_at;
  }
  for (history::JobEvent const& event : view.history.events) {
    auto& submitted = outcomes[event.job.index()].submitted;
    if (!submitted) submitted = event.at;
  }
  std::vector<std::uint32_t> executing(outcomes.size());
  for (history::PhaseSpan const& span : spans) {
    follow(outcomes[span.job.index()], span, executing[span.job.index()]);
  }
  return outcomes;
}

std::string jobs_text(View const& view, std::vector<history::PhaseSpan> const& spans) {
  CsvTable<JobView> const table = job_table();
  std::string text = table.header();
  for (JobSummary const& outcome : summaries_of(view, spans)) {
    text += table.line({view, outcome, view.ledger.jobs[outcome.job.index()]});
  }
  return text;
}

std::string attempts_text(View const& view, std::vector<history::PhaseSpan> const& spans) {
  CsvTable<SpanView> const table = attempt_table();
  std::string text = table.header();
  for (std::size_t i = 0; i < spans.size();) {
    SpanView attempt{view, spans[i], spans[i], {}};
    std::size_t const first = i;
    for (; i < spans.size() && spans[i].job == spans[first].job &&
           spans[i].attempt == spans[first].attempt;
         ++i) {
      attempt.last = spans[i];
      attempt.times[static_cast<std::size_t>(spans[i].phase)] += spans[i].end - spans[i].begin;
    }
    if (attempt.first.attempt > 0) text += table.line(attempt);
  }
  return text;
}

std::string transfers_text(View const& view, std::vector<history::PhaseSpan> const& spans) {
  CsvTable<SpanView> const table = transfer_table();
  std::string text = table.header();
  for (history::PhaseSpan const& span : spans) {
    if (is_transfer(span.phase)) text += table.line({view, span, span, {}});
  }
  return text;
}

std::string sites_text(ledger::Ledger const& ledger) {
  CsvTable<SiteView> const table = site_table();
  std::string text = table.header();
  // For a site where jobs only waited, the ledger has classes and no lines.
  std::map<std::string, ledger::LedgerLines> sites = ledger.sites;
  for (auto const& [site, classes] : ledger.site_classes) sites.try_emplace(site);
  for (auto const& [site, lines] : sites) {
    auto const classes = ledger.site_classes.find(site);
    text += table.line(
        {site, lines,
         classes == ledger.site_classes.end() ? ledger::TimeClasses() : classes->second});
  }
  return text;
}

std::string record_dictionary() {
  std::string text;
  for (std::string const& name : import::attempt_column_names()) {
    import::AttemptColumnRow const& row = import::row_of(*import::attempt_column_named(name));
    text += csv_line({"record", name, std::string(row.unit), std::string(row.meaning)});
  }
  return text;
}

std::string_view reason_text(history::Reason reason) {
  return reason == history::Reason::none ? std::string_view() : history::name(reason);
}

void add(std::string& text, Seconds time) {
  fmt::format_to(std::back_inserter(text), "{}", time.value());
}

/// The cell and its comma.
void add_cell(std::string& text, std::optional<Seconds> time) {
  if (time) add(text, *time);
  text += ',';
}

}  // namespace

std::vector<NamedText> campaign_tables(history::JobHistory const& history,
                                       CacheContext const& caches,
                                       std::vector<condor::LoggedRun> const& runs) {
  ledger::Ledger const ledger = ledger::account(history);
  auto const spans = history::phases_of(history);
  View const view{history, ledger};
  std::vector<NamedText> tables = {{"jobs.csv", jobs_text(view, spans)},
                                   {"attempts.csv", attempts_text(view, spans)},
                                   {"transfers.csv", transfers_text(view, spans)},
                                   {"sites.csv", sites_text(ledger)}};
  if (!history.transfers.empty()) {
    CsvTable<UrlView> const table = url_table();
    std::string text = table.header();
    for (history::UrlTransfer const& transfer : history.transfers)
      text += table.line({history, transfer});
    tables.push_back({"url_transfers.csv", std::move(text)});
  }
  if (!caches.samples.empty()) {
    CsvTable<CacheView> const table = cache_table();
    std::string text = table.header();
    for (history::CacheSample const& sample : caches.samples) text += table.line({caches, sample});
    tables.push_back({"caches.csv", std::move(text)});
  }
  tables.push_back({"record.csv", import::attempts_csv(history, runs)});
  tables.push_back({"columns.csv", column_dictionary()});
  return tables;
}

std::vector<std::string> campaign_table_names() {
  return {"jobs", "attempts", "transfers", "sites", "url_transfers", "caches", "record", "columns"};
}

std::string column_dictionary() {
  return csv_line({"table", "column", "unit", "meaning"}) + job_table().dictionary() +
         attempt_table().dictionary() + transfer_table().dictionary() + site_table().dictionary() +
         url_table().dictionary() + cache_table().dictionary() + record_dictionary();
}

AttemptRows::AttemptRows(history::JobHistory const& names) : names_(names) {
  for (auto const& site : names.sites) sites_.push_back(csv_cell(site));
}

/// job, attempt, site, slot.
void AttemptRows::add_place(std::string& text, history::Attempt const& attempt) const {
  history::JobName const job = names_.jobs[attempt.job.index()];
  std::string_view const site =
      attempt.site.valid() ? sites_[attempt.site.index()] : std::string_view();
  fmt::format_to(std::back_inserter(text), "{}.{},{},{},{},", job.cluster, job.proc, attempt.number,
                 site, attempt.slot);
}

void AttemptRows::add_attempt(std::string& text, history::Attempt const& attempt) const {
  add_place(text, attempt);
  add_cell(text, attempt.matched);
  add_cell(text, attempt.transfer_started);
  add_cell(text, attempt.transfer_ended);
  add_cell(text, attempt.execute_started);
  add_cell(text, attempt.execute_ended);
  add_cell(text, attempt.ended);
  if (attempt.ended) text += end_word(attempt.end, attempt.useful);
  text += ',';
  text += reason_text(attempt.reason);
  text += '\n';
}

void AttemptRows::add_transfer(std::string& text, history::Attempt const& attempt,
                               bool input) const {
  auto const started = input ? attempt.transfer_started : attempt.output_started;
  auto const ended = input ? attempt.transfer_ended : attempt.output_ended;
  if (!started) return;
  // A transfer arrived if the next step began, or if it did not end the attempt.
  bool const arrived = input ? attempt.execute_started.has_value()
                             : attempt.ended && (attempt.end == history::EventKind::terminated ||
                                                 attempt.end == history::EventKind::requeued);
  add_place(text, attempt);
  text += input ? "input," : "output,";
  add_cell(text, started);
  add_cell(text, ended);
  if (ended) add(text, *ended - *started);
  text += !ended ? ",," : arrived ? ",finished," : ",failed,";
  if (!arrived) text += reason_text(attempt.reason);
  text += '\n';
}

void AttemptRows::add_checkpoint(std::string& text, history::Attempt const& attempt,
                                 history::Attempt::Checkpoint const& checkpoint) const {
  add_place(text, attempt);
  text += "checkpoint,";
  add_cell(text, checkpoint.started);
  add_cell(text, checkpoint.ended);
  add(text, checkpoint.ended - checkpoint.started);
  text += ",finished,\n";
}

void AttemptRows::add_transfers(std::string& text, history::Attempt const& attempt) const {
  add_transfer(text, attempt, true);
  for (auto const& checkpoint : attempt.checkpoints) add_checkpoint(text, attempt, checkpoint);
  add_transfer(text, attempt, false);
}

}  // namespace gridcast::report
