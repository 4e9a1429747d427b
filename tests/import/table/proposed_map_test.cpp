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

}  // namespace
}  // namespace gridcast::import
