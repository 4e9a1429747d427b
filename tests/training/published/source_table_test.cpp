#include "tests/training/published/source_table.hpp"

#include <algorithm>
#include <cmath>
#include <iostream>

#include "sim/base/files.hpp"
#include "sim/training/estimate.hpp"
#include "tests/test.hpp"
#include "tests/training/catalogue.hpp"
#include "tests/training/published/what_if.hpp"

namespace gridcast::test {

namespace published = training::published;

namespace {

std::vector<published::SourceRow> rows_of(published::SourceTable const& table,
                                          std::string const& quantity) {
  std::vector<published::SourceRow> rows;
  for (auto const& row : table.rows) {
    if (row.quantity == quantity) rows.push_back(row);
  }
  return rows;
}

void all_agree(published::SourceTable const& table) {
  for (auto const& row : table.rows) {
    INFO(row.what << ", " << row.quantity << ": " << row.source << " and " << row.model);
    CHECK(row.agrees());
  }
}

}  // namespace

TEST_CASE(
    "agreement is within the tolerance, relative or not, and there is none without a source") {
  published::SourceRow row{"", "", "", 100, 103, 0.04, true, ""};
  CHECK(row.agrees());
  row.tolerance = 0.02;
  CHECK_FALSE(row.agrees());
  row.relative = false;
  CHECK_FALSE(row.agrees());
  row.tolerance = 4;
  CHECK(row.agrees());
  row.source = std::nan("");
  CHECK(row.agrees());
}

TEST_CASE("Kempner: seven wall times within 1.5 %, efficiencies within a point") {
  published::SourceTable const table = published::kempner_table(shipped_files());
  all_agree(table);
  auto const walls = rows_of(table, "wall time");
  REQUIRE(walls.size() == 9);  // seven, and two predicted from 1 to 16
  for (std::size_t i = 0; i < 7; ++i) CHECK(std::abs(walls[i].difference()) < 0.015);
  for (std::size_t i = 7; i < 9; ++i) CHECK(std::abs(walls[i].difference()) < 0.04);
  auto const efficiencies = rows_of(table, "efficiency");
  REQUIRE(efficiencies.size() == 7);
  for (auto const& row : efficiencies) CHECK(std::abs(row.difference()) < 1);
}

TEST_CASE("HPML: four times, 1.77, and the argument's 0.88 and 0.91") {
  published::SourceTable const table = published::hpml_table(shipped_files());
  all_agree(table);
  CHECK(rows_of(table, "epoch").size() == 4);
  for (auto const& row : rows_of(table, "epoch")) CHECK(std::abs(row.difference()) < 0.01);
  auto const weak = rows_of(table, "the source's \"weak\" speedup");
  REQUIRE(weak.size() == 2);
  CHECK(weak[0].model == Approx(0.88).margin(0.01));
  CHECK(weak[1].model == Approx(0.91).margin(0.01));
  CHECK(rows_of(published::hpml_batches_table(shipped_files()), "epoch").size() == 15);
}

TEST_CASE("Darshan: each I/O share within 2 points, steps, bytes, sizes and bandwidths") {
  published::SourceTable const table = published::darshan_table(shipped_files());
  all_agree(table);
  auto const shares = rows_of(table, "I/O share");
  REQUIRE(shares.size() == 10);
  for (auto const& row : shares) {
    INFO(row.what);
    CHECK(std::abs(row.difference()) < 2);
  }
  auto const bytes = rows_of(table, "bytes read");
  CHECK(bytes.front().model == Approx(60.54).epsilon(0.001));
  CHECK(rows_of(table, "bandwidth").size() == 5);
}

TEST_CASE("CANDLE's share is less than 1 %, as the notes say in words") {
  for (auto const& row : published::darshan_table(shipped_files()).rows) {
    if (row.what == "candle" && row.quantity == "I/O share") CHECK(row.model < 1);
  }
}

TEST_CASE("faster I/O gains nothing if it is hidden, and gains if it is waited for") {
  auto const rows = published::what_ifs(shipped_files());
  CHECK(rows.size() >= 22);
  auto const find = [&rows](std::string const& profile, std::string const& suggestion) {
    for (auto const& row : rows) {
      if (row.profile == profile && row.suggestion == suggestion) return row;
    }
    FAIL("no " << suggestion);
    return rows.front();
  };
  auto const io_gain = [](published::WhatIf const& row) {
    return 1 - row.io_after / row.io_before;
  };
  auto const stripes = find("darshan-imagenet", "smaller Lustre stripes");
  CHECK(io_gain(stripes) > 0);
  CHECK(stripes.gain() == Approx(0).margin(1e-4));
  CHECK(io_gain(find("darshan-imagenet", "fewer files")) > 0.7);
  CHECK(find("darshan-cosmic-tagger", "reads of several megabytes").gain() ==
        Approx(0.06).margin(0.005));
  CHECK(find("darshan-cosmoflow", "num_parallel_reads").gain() == Approx(0.3).margin(0.01));
  CHECK(find("darshan-flood-filling", "ranks divide the data").gain() ==
        Approx(0.875).margin(0.01));
  CHECK(io_gain(find("darshan-l2hmc", "checkpoints on local SSD")) > 0.5);
}

TEST_CASE("OSG: unpacking and epochs of three sites by one fit") {
  published::SourceTable const table = published::osg_table(shipped_files());
  all_agree(table);
  auto const unpack = rows_of(table, "unpacking");
  REQUIRE(unpack.size() == 3);
  CHECK(unpack[2].what == "PDX-Coeus-CE1");
  CHECK(unpack[2].model == Approx(977).epsilon(0.01));
}

TEST_CASE("OSG: every execution of the tables has its row") {
  published::SourceTable const table = published::osg_executions_table(shipped_files());
  CHECK(rows_of(table, "5 epochs").size() == 84);
  CHECK(rows_of(table, "20 epochs").size() == 4);
  CHECK(rows_of(table, "0 epochs").size() == 2);
  std::size_t near = 0;
  for (auto const& row : table.rows) near += std::abs(row.difference()) < 0.05 ? 1 : 0;
  CHECK(near > table.rows.size() * 3 / 4);
}

TEST_CASE("Darshan: every cell of the notes' table, and the figures in their words") {
  published::SourceTable const table = published::darshan_table(shipped_files());
  auto const values_of = [&table](std::string const& what, std::string const& quantity) {
    std::vector<double> values;
    for (auto const& row : rows_of(table, quantity)) {
      if (row.what == what && !std::isnan(row.source)) values.push_back(row.source);
    }
    return values;
  };
  using Values = std::vector<double>;
  CHECK(values_of("imagenet", "files") == Values{473});
  CHECK(values_of("imagenet", "ranks") == Values{8});
  CHECK(values_of("cosmic_tagger", "steps") == Values{150});
  CHECK(values_of("cosmic_tagger", "size of reads") == Values{6144, 2048});
  CHECK(values_of("climate_segmentation", "size of reads") == Values{10});
  CHECK(values_of("l2hmc", "bytes of a checkpoint") == Values{39.005});
  CHECK(values_of("bert", "reading time") == Values{0.016541481});
  CHECK(values_of("mmaADSP", "size of a record") == Values{8192});
  CHECK(values_of("cosmoflow", "files") == Values{1024});
  CHECK(values_of("candle", "epochs") == Values{60});
}

TEST_CASE("the shipped OSG profile is the fit's, at each site's GPU") {
  published::SourceTable const table = published::osg_table(shipped_files());
  auto const unpack = rows_of(table, "unpacking"), epoch = rows_of(table, "epoch");
  scenario::Profile const profile = shipped_profile("resnet50-imagenet-osg");
  CHECK(profile.compute.start.value() == Approx(unpack[0].model).epsilon(0.01));
  std::string const gpus[] = {"osg-chtc-spark", "osg-gp-argo", "osg-pdx-coeus"};
  for (std::size_t i = 0; i < 3; ++i) {
    training::TrainingRequest request;
    request.gpu = gpus[i];
    CHECK(
        estimate_training(training::training_setup(profile, catalogue(), request)).epoch.value() ==
        Approx(epoch[i].model).epsilon(0.01));
  }
}

TEST_CASE("streaming beats copying while the cache keeps up, and not beyond") {
  published::SourceTable const table = published::streaming_table(shipped_files());
  auto const row = [&table](std::string const& what) {
    for (auto const& one : table.rows) {
      if (one.what == what) return one;
    }
    FAIL("no " << what);
    return table.rows.front();
  };
  CHECK(row("jobs: 1, epochs: 5").model < row("jobs: 1, epochs: 5").source);
  CHECK(row("jobs: 200, epochs: 1").model < row("jobs: 200, epochs: 1").source);
  CHECK(row("jobs: 200, epochs: 20").model > row("jobs: 200, epochs: 20").source);
}

TEST_CASE("every table of the sources is there, all rows agree, and docs/sources.md sums them up",
          "[slow]") {
  auto const tables = published::source_tables(shipped_files());
  CHECK(tables.size() == 13);
  for (auto const& table : tables) all_agree(table);
  CHECK_THAT(read_text_file(source_dir() / "docs/sources.md"),
             has_text("\n\n" + published::sources_summary(tables) + "\n"));
}

TEST_CASE("the sources' tables, printed", "[.][sources]") {
  auto const tables = published::source_tables(shipped_files());
  std::cout << published::sources_summary(tables) << published::sources_tables(tables);
}

TEST_CASE("sources as Markdown: a row each, bars in texts escaped, missing values named") {
  published::SourceTable table{"T", "before", {}, "after"};
  table.rows.push_back({"a|b", "time", "s", std::nan(""), 2, 0, true, "note"});
  table.rows.push_back({"c", "time", "s", 100, 120, 0.1, true, ""});
  table.rows.push_back({"d", "time", "s", 100, 101, 0.1, true, ""});
  std::string const rows = published::sources_tables({table});
  CHECK_THAT(rows, has_text("| a\\|b | time (s) | - | 2 |  | not in the source | note |"));
  CHECK_THAT(rows, has_text("| c | time (s) | 100 | 120 | +20.00 % | NOT within 10 % |  |"));
  CHECK_THAT(published::sources_summary({table}),
             has_text("\n| T | 3 | 2 | c, time (s) | +20.00 % | NOT within 10 % |\n"));
}

}  // namespace gridcast::test
