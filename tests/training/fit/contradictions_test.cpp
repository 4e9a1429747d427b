#include <cmath>

#include "sim/training/fit/training_fit.hpp"
#include "tests/test.hpp"

namespace gridcast::test {
namespace {

using training::RunRow;
using training::StorageRow;

RunRow run(int line, int gpus, int batch, double epoch, int nodes = 1) {
  return {"m", "A100", gpus, nodes, batch, 102400, Seconds(epoch), line};
}

StorageRow served(int line, int accelerators, double au) {
  StorageRow row;
  row.family = "s";
  row.accelerators = accelerators;
  row.step = Seconds(0.3);
  row.record = Bytes(1e6);
  row.au = au;
  row.line = line;
  return row;
}

std::vector<std::string> printed(std::vector<RunRow> const& rows) {
  return training::contradictions("r.csv", rows);
}

}  // namespace

TEST_CASE("the same run twice with other times is reported, once, with the first") {
  auto const notes = printed({run(2, 8, 10, 50), run(3, 8, 10, 100), run(4, 8, 10, 52)});
  REQUIRE(notes.size() == 1);
  CHECK(notes[0].find("r.csv:3: contradicts line 2: the same run took 2 times as long; both") == 0);
}

TEST_CASE("more GPUs that are each much faster contradict fewer, in any order") {
  for (bool const turned : {false, true}) {
    std::vector<RunRow> rows = {run(2, 1, 64, 100), run(3, 4, 64, 10)};
    if (turned) std::swap(rows[0], rows[1]);
    auto const notes = printed(rows);
    REQUIRE(notes.size() == 1);
    CHECK(notes[0].find("r.csv:3: contradicts line 2: by that (1 GPU on 1 node, 64 samples each) "
                        "this epoch takes at least 25 s, not 10 s") == 0);
  }
}

TEST_CASE("a batch bounds others: steps of more samples, samples of smaller steps") {
  CHECK(printed({run(2, 1, 64, 100), run(3, 1, 128, 35)}).size() == 1);   // the step is shorter
  CHECK(printed({run(2, 1, 64, 100), run(3, 1, 128, 55)}).empty());       // overhead alone
  CHECK(printed({run(2, 1, 64, 100), run(3, 1, 128, 140)}).size() == 1);  // a sample is dearer
  CHECK(printed({run(2, 1, 64, 100), run(3, 1, 32, 70)}).size() == 1);
  CHECK(printed({run(2, 1, 64, 100), run(3, 1, 32, 180)}).empty());
}

TEST_CASE("a possible row is not reported") {
  CHECK(printed({run(2, 1, 64, 100), run(3, 4, 64, 21)}).empty());  // caches: a fifth faster each
  CHECK(printed({run(2, 1, 64, 100), run(3, 4, 64, 90)}).empty());  // they scale badly
  CHECK(printed({run(2, 8, 64, 100, 2), run(3, 8, 64, 50, 1)}).empty());  // two nodes are slower
  auto other = run(3, 4, 64, 10);
  other.gpu = "H100";
  CHECK(printed({run(2, 1, 64, 100), other}).empty());
  other = run(3, 4, 64, 10);
  other.family = "another machine";
  CHECK(printed({run(2, 1, 64, 100), other}).empty());
}

TEST_CASE("a contradiction reports its size") {
  CHECK(training::contradiction({run(2, 1, 64, 100), run(3, 4, 64, 21)}) == 0);
  CHECK(training::contradiction({run(2, 1, 64, 100), run(3, 4, 64, 10)}) ==
        Approx(std::log(2.5) / std::sqrt(2.)));
  CHECK(training::contradiction({run(2, 1, 64, 100), run(3, 1, 64, 300)}) ==
        Approx(std::log(3.) / std::sqrt(2.)));
}

TEST_CASE("a store does not serve more accelerators better, and one twice the same") {
  auto const notes = training::contradictions(
      "s.csv", std::vector{served(2, 4, 0.9), served(3, 4, 0.5), served(4, 8, 0.98)});
  REQUIRE(notes.size() == 2);
  CHECK(notes[0].find(
            "s.csv:3: contradicts line 2: the same run was utilised 50.0 %, not 90.0 %") == 0);
  CHECK(notes[1].find("s.csv:4: contradicts line 3: 4 accelerators on 1 host were utilised 50.0 %, "
                      "and more are not 98.0 %") == 0);
  CHECK(training::contradictions("s.csv", std::vector{served(2, 4, 0.97), served(3, 8, 0.98)})
            .empty());
  CHECK(training::contradiction(std::vector{served(2, 4, 0.9), served(3, 8, 0.7)}) == 0);
}

}  // namespace gridcast::test
