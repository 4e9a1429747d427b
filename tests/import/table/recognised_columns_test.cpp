// Columns and words of a table without a map.
#include "sim/import/table/recognised_columns.hpp"

#include <map>
#include <string>

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

TEST_CASE("A flag of success is an outcome, and a flag of another column is none") {
  CHECK(in_map({"0", "1"}, "success") == Said{{"0", "failed"}, {"1", "succeeded"}});
  CHECK(in_map({"True", "False"}, "Success") == Said{{"True", "succeeded"}, {"False", "failed"}});
  CHECK(in_map({"0", "1", "2"}) == Said{{"0", ""}, {"1", ""}, {"2", ""}});
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
