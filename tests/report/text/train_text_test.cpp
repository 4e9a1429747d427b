#include "sim/report/text/train_text.hpp"

#include <filesystem>

#include "sim/report/text/json_tables.hpp"
#include "sim/scenario/profile.hpp"
#include "tests/test.hpp"

namespace gridcast::test {

namespace {

std::filesystem::path const profiles = test::source_dir() / "scenarios" / "profiles";

report::ScalingRow row_of(int gpus) {
  training::TrainingRequest request;
  request.gpus = gpus;
  auto const setup =
      training::training_setup(scenario::find_profile(profiles, "resnet50-imagenet-kempner"),
                               scenario::read_hardware(profiles / "hardware.yaml"), request);
  return {setup, training::estimate_training(setup)};
}

}  // namespace

TEST_CASE("the tables of a result have its names, units and rows, on any screen") {
  using report::json_tables;
  auto const row = row_of(64);
  auto const text = json_tables(report::training_json(row.setup, row.estimate), {});
  CHECK_THAT(text, has_text("global batch"));
  CHECK_THAT(text, has_text("exchange") && has_text("accuracy top1 percent  64.21"));
  Json const json = {
      {"schema", "x/1"},
      {"time_s", 7200},
      {"size_bytes", 3e9},
      {"samples_per_s", 2.5},
      {"none", nullptr},
      {"interval_s", {60, 120}},
      {"rows", {{{"name", "a"}, {"fitted", true}}, {{"name", "b"}, {"fitted", false}}}}};
  CHECK(json_tables(json, {report::Charset::ascii, 80}) ==
        "figure         value\n"
        "----------------------------\n"
        "time           2 h\n"
        "size           3 GB\n"
        "samples per s  2.5\n"
        "none           -\n"
        "interval       60 s to 2 min\n"
        "\n"
        "rows:\n"
        "  name  fitted\n"
        "  ------------\n"
        "  a        yes\n"
        "  b         no\n");
}

TEST_CASE("JSON has the parts, which add up to the total") {
  report::ScalingRow const row = row_of(8);
  auto const json = report::training_json(row.setup, row.estimate);
  CHECK(json["schema"] == "gridcast.training/1");
  double sum = 0;
  for (auto const& part : json["parts"]) sum += part.get<double>();
  CHECK(sum == Approx(json["total_s"].get<double>()));
  CHECK(json["measured"]["wall_s"] == 17104);
  auto const scaling = report::scaling_json({row});
  CHECK(scaling["rows"].size() == 1);
}

}  // namespace gridcast::test
