#include "sim/report/text/train_text.hpp"

#include <filesystem>

#include <nlohmann/json.hpp>

#include "sim/base/text.hpp"
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

TEST_CASE("the table of a job says where the time goes and what was measured") {
  report::ScalingRow const row = row_of(64);
  std::string const text = report::training_text(row.setup, row.estimate, std::nullopt, {}, {});
  CHECK_THAT(text, has_text("64 GPUs (A100-80GB) on 16 nodes of kempner-a100"));
  CHECK_THAT(text, has_text("exchange of gradients"));
  CHECK_THAT(text, has_text("top-1 64.208 %, top-5"));
  CHECK_THAT(text, has_text("85.644 % (not predicted)"));
}

TEST_CASE("the scaling table has a bar for each row, in any character set") {
  std::vector<report::ScalingRow> const rows = {row_of(1), row_of(64)};
  CHECK_THAT(scaling_text(rows, {report::Charset::utf8}), has_text("█"));
  std::string const plain = scaling_text(rows, {report::Charset::ascii});
  for (std::string_view line : split(plain, '\n')) CHECK(line.size() <= 80);
  CHECK_THAT(plain, has_text("################################################## 100.0 %"));
  for (char const c : plain) CHECK(static_cast<unsigned char>(c) < 128);
}

TEST_CASE("JSON has the parts, which add up to the total") {
  report::ScalingRow const row = row_of(8);
  auto const json =
      nlohmann::json::parse(report::training_json(row.setup, row.estimate, std::nullopt));
  CHECK(json["schema"] == "gridcast.training/1");
  double sum = 0;
  for (auto const& part : json["parts"]) sum += part.get<double>();
  CHECK(sum == Approx(json["total_s"].get<double>()));
  CHECK(json["measured"]["wall_s"] == 17104);
  auto const scaling = nlohmann::json::parse(report::scaling_json({row}));
  CHECK(scaling["rows"].size() == 1);
}

}  // namespace gridcast::test
