#include <csignal>
#include <filesystem>

#include "sim/base/error.hpp"
#include "sim/study/prediction.hpp"
#include "tests/test.hpp"

namespace gridcast::study {

TEST_CASE("A prediction that grows ends as the one that is asked for at once") {
  auto const scenario = scenario::read_scenario(test::source_dir() / "scenarios/osg-imagenet.yaml");
  auto const& strategy = scenario.strategy("published");
  auto const folder = std::filesystem::temp_directory_path() / "gridcast-growing-test";
  std::filesystem::remove_all(folder);
  StudyOptions options;
  options.replicas = 40;
  options.processes = 2;
  auto const at_once = predict(scenario, strategy, options);
  options.resume = folder;
  std::vector<std::size_t> sizes;
  auto const grown = predict_growing(scenario, strategy, options, [&](Prediction const& part) {
    sizes.push_back(part.sample.size());
    CHECK(part.requested == 40);
  });
  CHECK(sizes == std::vector<std::size_t>{16, 32});
  CHECK(grown.sample.replicas == at_once.sample.replicas);
  REQUIRE(grown.sample.records.size() == at_once.sample.records.size());
  CHECK(column(grown.sample, "makespan_s") == column(at_once.sample, "makespan_s"));
  CHECK(column(grown.sample, "badput_s") == column(at_once.sample, "badput_s"));
  std::filesystem::remove_all(folder);
}

TEST_CASE("An interruption between two parts of a growing prediction ends it") {
  auto const scenario = scenario::read_scenario(test::source_dir() / "scenarios/osg-imagenet.yaml");
  auto const folder = std::filesystem::temp_directory_path() / "gridcast-interrupted-growth-test";
  std::filesystem::remove_all(folder);
  StudyOptions options;
  options.replicas = 40;
  options.processes = 2;
  options.resume = folder;
  std::size_t parts = 0;
  // The growth holds it back; without that, the signal would end these tests.
  auto const grown = predict_growing(scenario, scenario.strategy("published"), options,
                                     [&](Prediction const&) { parts += std::raise(SIGHUP) == 0; });
  CHECK(parts == 1);
  CHECK(grown.interrupted);
  CHECK(grown.sample.size() >= 16);
  std::filesystem::remove_all(folder);
}

}  // namespace gridcast::study
