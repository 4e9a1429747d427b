#include "sim/training/fit/run_rows.hpp"

#include "sim/base/error.hpp"
#include "tests/test.hpp"

namespace gridcast::test {
namespace {

std::string problems_of(std::string const& text, double samples = 0) {
  try {
    training::parse_runs("runs.csv", text, samples, "A100");
  } catch (InputError const& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("runs are read from epochs, rates or steps, which say the same") {
  auto const table =
      training::parse_runs("runs.csv",
                           "gpus,nodes,batch,samples,epoch_s,samples_per_s,step_s\n"
                           "4,2,25,1000,20,,\n4,2,25,1000,,50,\n4,2,25,1000,,,2\n4,2,25,,,50,\n",
                           0, "A100");
  REQUIRE(table.rows.size() == 4);
  for (auto const& row : table.rows) {
    CHECK(row.epoch.value() / row.samples == Approx(0.02));
    CHECK(row.gpus == 4);
    CHECK(row.nodes == 2);
    CHECK(row.gpu == "A100");
    CHECK(row.family == "A100");
  }
  CHECK(table.notes.empty());
}

TEST_CASE("a time may have its unit, a rate may not") {
  auto const table =
      training::parse_runs("runs.csv",
                           "gpus,batch,samples,epoch_s,step_s\n"
                           "1,10,1000,2 min,\n1,10,1000,,5.2 ms\n1,10,1000,,5200us\n",
                           0, "A100");
  REQUIRE(table.rows.size() == 3);
  CHECK(table.rows[0].epoch.value() == Approx(120));
  CHECK(table.rows[1].epoch.value() == Approx(0.52));
  CHECK(table.rows[2].epoch.value() == Approx(0.52));
  for (char const* const wrong : {"5 fathoms", "-5 ms", "0 s", "5 GB"}) {
    CAPTURE(wrong);
    CHECK(problems_of(std::string("gpus,batch,samples,step_s\n1,10,1000,") + wrong + "\n")
              .find("Seconds, or a time with its unit") != std::string::npos);
  }
  CHECK(problems_of("gpus,batch,samples,samples_per_s\n1,10,1000,5 ms\n")
            .find("a number above 0 is wanted") != std::string::npos);
}

TEST_CASE("a global batch is shared, validation is taken off, and other columns are reported") {
  auto const table = training::parse_runs("runs.csv",
                                          "gpus,global_batch,epoch_s,validation_s,weather\n"
                                          "8,3264,50,2,sunny\n",
                                          1281167, "A100");
  REQUIRE(table.rows.size() == 1);
  CHECK(table.rows[0].batch == 408);
  CHECK(table.rows[0].epoch == Seconds(48));
  REQUIRE(table.notes.size() == 1);
  CHECK(table.notes[0] == "runs.csv: not read: weather");
}

TEST_CASE("a global batch that is another one than the GPUs' batches is reported") {
  auto const notes = [](std::string const& row) {
    return training::parse_runs("r", "gpus,batch,global_batch,step_s\n" + row + "\n", 0, "").notes;
  };
  CHECK(notes("2,32,64,1").empty());
  CHECK(notes("2,,64,1").empty());
  REQUIRE(notes("2,32,1024,1").size() == 1);
  CHECK_THAT(notes("2,32,1024,1")[0],
             has_text("global_batch is 1024, and 2 GPUs with 32 samples each have 64 a step"));
  REQUIRE(notes("8,,100,1").size() == 1);
  CHECK_THAT(notes("8,,100,1")[0], has_text("have 104 a step"));
}

TEST_CASE("rates and seconds of one row that do not agree are both kept, and reported") {
  std::string const names = "gpus,batch,samples,epoch_s,samples_per_s,step_s\n";
  auto const far = training::parse_runs("runs.csv", names + "4,10,1000,50,10,\n", 0, "");
  REQUIRE(far.rows.size() == 2);
  CHECK(far.rows[0].epoch == Seconds(50));
  CHECK(far.rows[1].epoch == Seconds(100));
  REQUIRE(far.notes.size() == 1);
  CHECK(far.notes[0].find("runs.csv:2: epoch_s gives 50 s an epoch, samples_per_s 100 s: both") ==
        0);
  auto const near = training::parse_runs("runs.csv", names + "4,10,1000,50,,2.2\n", 0, "");
  CHECK(near.rows.size() == 1);
  REQUIRE(near.notes.size() == 1);
  CHECK(near.notes[0].find("step_s 55 s: the first is taken") != std::string::npos);
  CHECK(training::parse_runs("runs.csv", names + "4,10,1000,50,20,2\n", 0, "").notes.empty());
}

TEST_CASE("an epoch's time and a rate show how many samples it has") {
  auto const rate =
      training::parse_runs("r", "gpus,batch,epoch_s,samples_per_s\n4,10,50,20\n", 0, "");
  CHECK(rate.rows.front().samples == Approx(1000));
  auto const step = training::parse_runs("r", "gpus,batch,epoch_s,step_s\n4,10,50,2\n", 0, "");
  CHECK(step.rows.front().samples == Approx(1000));
}

TEST_CASE("a family of two GPU models is two families") {
  auto table = training::parse_runs(
      "runs.csv", "gpus,batch,samples,epoch_s,gpu,family\n1,1,9,1,A,m\n1,1,9,1,B,m\n2,1,9,1,B,m\n",
      0, "");
  training::separate_gpus(table);
  CHECK(table.rows[0].family == "m");
  CHECK(table.rows[1].family == "m (B)");
  CHECK(table.rows[2].family == "m (B)");
  REQUIRE(table.notes.size() == 1);
  CHECK(table.notes[0].find("runs.csv:3: family 'm' is of A, this row of B") == 0);
}

TEST_CASE("names of columns may be capitalised, and missing columns are reported once") {
  CHECK(training::parse_runs("r", "GPUs,Batch,Step_s\n4,10,2\n", 0, "").rows.size() == 1);
  std::string const text = problems_of("gpus,samples,epoch_s\n1,9,1\n2,9,1\n");
  CHECK(text.find("no batch") != std::string::npos);
  CHECK(text.find("no batch") == text.rfind("no batch"));
}

TEST_CASE("cells that no column names are not passed over") {
  CHECK(problems_of("gpus,batch,samples,epoch_s\n4,10,1,281,167,50\n")
            .find("runs.csv:2:12: 6 cells under 4 columns") != std::string::npos);
  CHECK(problems_of("gpus,batch,samples,epoch_s\n4,10,1000,50,,\n").empty());
  CHECK(training::parse_runs("r", "gpus;batch;step_s\n4;10;2\n", 0, "").rows.size() == 1);
}

TEST_CASE("rows that cannot be used are reported all at once, each with its place") {
  std::string const text = problems_of(
      "gpus,nodes,batch,samples,epoch_s\n"
      "0,1,10,1000,5\n4,8,10,1000,5\n4,1,,1000,5\n4,1,10,1000,0\n4,1,10,1000,\n"
      "4,1,1000,1000,5\n4,1,10,,5\n4,1,1.5,1000,5\n");
  CHECK(text.find("runs.csv:2:1: gpus: '0'") != std::string::npos);
  CHECK(text.find("runs.csv:3:3: 8 nodes for 4 GPUs") != std::string::npos);
  CHECK(text.find("runs.csv:4:5: no batch") != std::string::npos);
  CHECK(text.find("runs.csv:5:13: epoch_s: '0'") != std::string::npos);
  CHECK(text.find("runs.csv:6:13: no time") != std::string::npos);
  CHECK(text.find("runs.csv:7:5: a batch of 1000 on 4 GPUs (an epoch has only 1000") !=
        std::string::npos);
  CHECK(text.find("runs.csv:8:9: an epoch of how many samples?") != std::string::npos);
  CHECK(text.find("runs.csv:9:5: batch: 1.5") != std::string::npos);
}

TEST_CASE("many GPUs without a number of nodes are reported once") {
  auto const notes = [](std::string const& rows) {
    return training::parse_runs("runs.csv", "gpus,nodes,batch,samples,epoch_s\n" + rows, 0, "")
        .notes;
  };
  auto const printed = notes("8,,10,1000,5\n64,8,10,1000,5\n16,,10,1000,5\n32,,10,1000,5\n");
  REQUIRE(printed.size() == 1);
  CHECK(printed[0] ==
        "runs.csv:4: 16 GPUs, and no 'nodes': taken to be on one, as all rows without it");
  CHECK(notes("8,,10,1000,5\n24,1,10,1000,5\n").empty());
}

TEST_CASE("a file that is no table of runs is one message") {
  CHECK(problems_of("a,b\n1,2\n").find("runs.csv:1:1: no column 'gpus'") == 0);
  CHECK(problems_of("").find("runs.csv: no rows") == 0);
  CHECK(problems_of("gpus,batch,epoch_s\n").find("runs.csv: no runs in it") == 0);
  CHECK(problems_of("gpus,gpus\n1,2\n").find("column 'gpus' is there twice") != std::string::npos);
}

}  // namespace gridcast::test
