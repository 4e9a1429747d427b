// Columns and words of a table without a map.
#include "sim/import/table/recognised_columns.hpp"

#include <map>
#include <set>
#include <string>

#include "sim/import/table/table_times.hpp"
#include "tests/import/made_table.hpp"
#include "tests/test.hpp"

namespace gridcast::import {
namespace {

/// The outcome of each word in the map; "" where it is left open.
std::map<std::string, std::string> in_map(std::vector<std::string> const& words,
                                          std::string const& column = "state") {
  std::string const yaml =
      column_map_yaml(recognised_columns({"job", column}), {"job", column}, words);
  std::map<std::string, std::string> said;
  for (std::string const& word : words) {
    std::string const key = "\n  '" + word + "': ";
    auto const at = yaml.find(key);
    if (at == std::string::npos) {
      CHECK(yaml.find("\n  # '" + word + "':   # one of succeeded, ") != std::string::npos);
      said[word] = "";
    } else {
      auto const from = at + key.size();
      said[word] = yaml.substr(from, yaml.find('\n', from) - from);
    }
  }
  return said;
}

using Said = std::map<std::string, std::string>;

TEST_CASE("The words of gridcast.attempts/1 stay the same") {
  for (std::string const& word : outcome_names()) {
    CHECK(in_map({word}) == Said{{word, word}});
  }
}

TEST_CASE("Words of a shipped map have its outcome") {
  for (auto const* word : {"COMPLETED", "finished"}) {  // sacct, PanDA
    CHECK(in_map({word, "failed"}) == Said{{word, "succeeded"}, {"failed", "failed"}});
  }
}

TEST_CASE("Words that many systems have are outcomes, in any case of letters") {
  CHECK(in_map({"success", "OK", "Done", "killed", "failure"}) == Said{{"success", "succeeded"},
                                                                       {"OK", "succeeded"},
                                                                       {"Done", "succeeded"},
                                                                       {"killed", "removed"},
                                                                       {"failure", "failed"}});
}

TEST_CASE("A flag of success is an outcome, and a flag of another column is none") {
  CHECK(in_map({"0", "1"}, "success") == Said{{"0", "failed"}, {"1", "succeeded"}});
  CHECK(in_map({"True", "False"}, "Success") == Said{{"True", "succeeded"}, {"False", "failed"}});
  CHECK(in_map({"0", "1", "2"}) == Said{{"0", ""}, {"1", ""}, {"2", ""}});
}

TEST_CASE("HTCondor's JobStatus has fixed meanings") {
  CHECK(in_map({"1", "2", "3", "4", "5", "6", "7", "8"}, "JobStatus") == Said{{"1", "waiting"},
                                                                              {"2", "running"},
                                                                              {"3", "removed"},
                                                                              {"4", "succeeded"},
                                                                              {"5", "held"},
                                                                              {"6", "running"},
                                                                              {"7", "running"},
                                                                              {"8", ""}});
  CHECK(in_map({"4.0", "5.0"}, "job_status") == Said{{"4.0", "succeeded"}, {"5.0", "held"}});
}

TEST_CASE("A proposed map in which no word is known can be read") {
  std::vector<std::string> const header = {"job", "start", "end", "state"};
  TestFile const file("map.yaml", column_map_yaml(recognised_columns(header), header, {"X", "Y"}));
  ColumnMap const map = read_column_map(file.path());
  CHECK(map.outcomes.empty());
  CHECK(fit_columns(map, header).missing.empty());
}

/// The form of times that is proposed for a column `started` with these cells.
std::string form_for(std::set<std::string> const& cells) {
  ColumnCells times{.words = cells, .seen = cells.size()};
  for (std::string const& cell : cells) times.times += parse_table_time(cell) ? 1 : 0;
  ColumnMap const map = recognised_in({"job", "started"}, {ColumnCells(), times});
  CHECK(map.of(AttemptColumn::started).size() == (map.time_format.empty() ? 0 : 1));
  return map.time_format;
}

TEST_CASE("Dates that are read only with their form make the map propose it") {
  CHECK(form_for({"27.01.2025 02:51", "1.2.2025 3:10", ""}) == "%d.%m.%Y %H:%M");
  CHECK(form_for({"27.01.2025 02:51:07", "NaN"}) == "%d.%m.%Y %H:%M:%S");
  CHECK(form_for({"1/27/25 2:51", "2/1/25 3:10"}) == "%m/%d/%y %H:%M");
  CHECK(form_for({"27/1/2025 2:51", "1/2/2025 3:10"}) == "%d/%m/%Y %H:%M");
  CHECK(form_for({"27/1/2025 2:51 PM"}) == "%d/%m/%Y %I:%M %p");
  CHECK(form_for({"27-Jan-2025 02:51:00"}) == "%d-%b-%Y %H:%M:%S");
  CHECK(form_for({"Mon Jan 27 02:51:00 2025"}) == "%a %b %d %H:%M:%S %Y");
  CHECK(form_for({"27.01.2025 02:51", "soon"}).empty());
  CHECK(form_for({"train", "train"}).empty());
  ColumnCells const usual{.words = {"2025-01-27T02:51:00Z"}, .seen = 1, .times = 1};
  ColumnMap const map = recognised_in({"job", "started"}, {ColumnCells(), usual});
  CHECK(map.time_format.empty());
  CHECK(map.of(AttemptColumn::started).size() == 1);
  CHECK_THAT(column_map_yaml({.time_format = "%d.%m.%Y"}, {"job"}, {}),
             test::has_text("\ntime_format: '%d.%m.%Y'\n"));
}

TEST_CASE("Other words are left to the table's owner") {
  for (auto const* word : {"not finished", "SUCCEEDED!", "17", "requeue"}) {
    CAPTURE(word);
    CHECK(in_map({word, "failed"}) == Said{{word, ""}, {"failed", "failed"}});
  }
}

TEST_CASE("All tries of a task of Nextflow are of one job") {
  auto const job = [](std::vector<std::string> const& header) {
    return recognised_columns(header).of(AttemptColumn::job).front().column;
  };
  CHECK(job({"task_id", "native_id", "name", "status", "attempt"}) == "name");
  CHECK(job({"task_id", "native_id", "name", "status"}) == "task_id");
  CHECK(job({"task_id", "name", "status", "attempt"}) == "task_id");
}

TEST_CASE("Columns are known by the names that others give them") {
  using enum AttemptColumn;
  std::pair<char const*, AttemptColumn> const names[] = {{"nGPU", gpus},
                                                         {"n_gpus", gpus},
                                                         {"num_gpus", gpus},
                                                         {"gpu_count", gpus},
                                                         {"GPUsProvisioned", gpus},
                                                         {"Device", gpu_model},
                                                         {"GPU name", gpu_model},
                                                         {"gpu_type", gpu_model},
                                                         {"rc", exit_code},
                                                         {"exit_status", exit_code},
                                                         {"machine", host},
                                                         {"Node Name", host},
                                                         {"exec_host", host},
                                                         {"job_state", outcome},
                                                         {"finished_at", ended}};
  for (auto const& [name, column] : names) {
    CAPTURE(name);
    REQUIRE(recognised_columns({name}).of(column).size() == 1);
    CHECK(recognised_columns({name}).of(column).front().column == name);
  }
  // A machine: taken for a node of a DAG it would make retries of the jobs that were there.
  CHECK(recognised_columns({"node"}).of(AttemptColumn::name).empty());
  CHECK(recognised_columns({"node"}).of(host).front().column == "node");
  CHECK(recognised_columns({"DAG node", "node"}).of(AttemptColumn::name).front().column ==
        "DAG node");
  // A model, and not the place of a device among others.
  CHECK(recognised_columns({"Device", "gpu_model"}).of(gpu_model).front().column == "gpu_model");
}

TEST_CASE("A column counts as reasons if its words are gridcast's own") {
  for (auto const* const name : {"reason", "HoldReason", "Exit Reason"}) {
    CHECK(recognised_columns({name}).of(AttemptColumn::reason).empty());
    CHECK(recognised_columns({name}, {}, {name}).of(AttemptColumn::reason).front().column == name);
  }
}

}  // namespace
}  // namespace gridcast::import
