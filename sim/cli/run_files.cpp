#include "sim/cli/run_files.hpp"

#include "sim/base/error.hpp"
#include "sim/base/files.hpp"

namespace gridcast::cli {

std::vector<std::string> run_file_names() {
  return {"events.log", "jobs.csv", "attempts.csv", "transfers.csv", "ledger.json"};
}

void RunFiles::Table::flush() {
  file.out() << text;
  text.clear();
}

void RunFiles::Table::flush_if_long() {
  constexpr std::size_t long_enough = 65536;
  if (text.size() >= long_enough) flush();
}

RunFiles::RunFiles(std::filesystem::path const& folder, history::JobHistory const& names,
                   condor::EventLogOptions const& log)
    : folder_(folder),
      names_(names),
      events_(folder / "events.log"),
      jobs_(folder / "jobs.csv", history::job_table_header(!names.users.empty())),
      attempts_(folder / "attempts.csv", report::attempts_header),
      transfers_(folder / "transfers.csv", report::transfers_header),
      log_(names, events_.out(), log),
      rows_(names),
      lines_(names),
      follower_([this](history::Attempt const& attempt) {
        lines_.add_attempt(attempts_.text, attempt);
        lines_.add_transfers(transfers_.text, attempt);
        attempts_.flush_if_long();
        transfers_.flush_if_long();
      }) {}

void RunFiles::follow(history::AttemptStep const& step) {
  if (!events_.failed()) log_.add(step.event);
  rows_.add(step.event);
  follower_.add(step);
}

void RunFiles::settled(Id<history::Job> job) {
  log_.forget(job);
  follower_.forget(job);
  order_.settled(job, [this](Id<history::Job> next) { add_row(next); });
}

void RunFiles::add_row(Id<history::Job> job) {
  history::add_csv_row(jobs_.text, rows_.take(job), !names_.users.empty());
  jobs_.flush_if_long();
}

void RunFiles::finish(std::string const& ledger) {
  log_.finish();
  follower_.finish();
  order_.finish(names_.jobs.size(), [this](Id<history::Job> job) { add_row(job); });
  std::vector<Problem> problems;
  auto const attempt = [&problems](auto finish_one) {
    try {
      finish_one();
    } catch (InputError const& error) {
      problems.insert(problems.end(), error.problems().begin(), error.problems().end());
    }
  };
  attempt([&] { events_.keep(); });
  for (Table* const table : {&jobs_, &attempts_, &transfers_}) {
    table->flush();
    attempt([&] { table->file.keep(); });
  }
  attempt([&] { write_file(folder_ / "ledger.json", ledger); });
  if (!problems.empty()) throw InputError(std::move(problems));
}

}  // namespace gridcast::cli
