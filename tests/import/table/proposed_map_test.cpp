// Words of outcomes of a table that nobody wrote a map for.
#include <map>
#include <string>

#include "sim/import/table/column_map.hpp"
#include "tests/test.hpp"

namespace gridcast::import {
namespace {

/// What the proposed map says of each word; "" where it is left open.
std::map<std::string, std::string> proposed(std::vector<std::string> const& words) {
  std::string const yaml = column_map_yaml(proposed_map({"job", "state"}), {"job", "state"}, words);
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

TEST_CASE("The words of gridcast.attempts/1 are what they are") {
  for (std::string const& word : outcome_names()) {
    CHECK(proposed({word}) == Said{{word, word}});
  }
}

TEST_CASE("Slurm's capitals are Slurm's, whatever stands beside them") {
  CHECK(proposed({"COMPLETED", "REVOKED", "TIMEOUT", "NODE_FAIL", "REQUEUED", "broken"}) ==
        Said{{"COMPLETED", "succeeded"},
             {"REVOKED", "removed policy"},
             {"TIMEOUT", "removed execution_too_long 47"},
             {"NODE_FAIL", "dropped lost_contact"},
             {"REQUEUED", "evicted vacated"},
             {"broken", ""}});
}

TEST_CASE("Another shipped map counts where it knows all the words") {
  CHECK(proposed({"finished", "failed", "holding"})["holding"] == "succeeded");  // PanDA's
  CHECK(proposed({"finished", "failed", "holding", "lost track"})["holding"].empty());
}

TEST_CASE("Of other words whole ones count, and none that is denied or in dispute") {
  for (auto const* word : {"broken",
                           "unfinished",
                           "incomplete",
                           "unsuccessful",
                           "truncated",
                           "revoked",
                           "not finished",
                           "un-finished",
                           "notDone",
                           "no errors",
                           "completed with errors",
                           "done (partial output)",
                           "success rate 3",
                           "rerun",
                           "invoked",
                           "tokens",
                           "dependent",
                           "threshold",
                           "17",
                           "requeue"}) {
    CAPTURE(word);
    CHECK(proposed({word, "other"})[word].empty());
  }
  Said const meant = {{"Job completed OK", "succeeded"},
                      {"Success!", "succeeded"},
                      {"exec_error", "failed"},
                      {"JobPreempted", "evicted"},
                      {"node-failure", "evicted lost_contact"},
                      {"on hold", "held"},
                      {"canceled by user", "removed manual"},
                      {"Timed Out", "removed execution_too_long"},
                      {"OutOfMemory", "removed out_of_resources"},
                      {"is running", "running"},
                      {"PENDING (queue)", "waiting"}};
  for (auto const& [word, outcome] : meant) {
    CAPTURE(word);
    CHECK(proposed({word, "other"})[word] == outcome);
  }
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
    REQUIRE(proposed_map({name}).of(column).size() == 1);
    CHECK(proposed_map({name}).of(column).front().column == name);
  }
  // A machine: taken for a node of a DAG it would make retries of the jobs that were there.
  CHECK(proposed_map({"node"}).of(AttemptColumn::name).empty());
  CHECK(proposed_map({"node"}).of(host).front().column == "node");
  CHECK(proposed_map({"DAG node", "node"}).of(AttemptColumn::name).front().column == "DAG node");
  // A model, and not the place of a device among others.
  CHECK(proposed_map({"Device", "gpu_model"}).of(gpu_model).front().column == "gpu_model");
}

TEST_CASE("A column of reasons is one if it has the names of ours") {
  for (auto const* const name : {"reason", "HoldReason", "Exit Reason"}) {
    CHECK(proposed_map({name}).of(AttemptColumn::reason).empty());
    CHECK(proposed_map({name}, {}, {name}).of(AttemptColumn::reason).front().column == name);
  }
}

}  // namespace
}  // namespace gridcast::import
