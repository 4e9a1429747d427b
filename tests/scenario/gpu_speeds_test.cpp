#include "sim/scenario/catalogue.hpp"
#include "sim/scenario/hardware.hpp"
#include "sim/scenario/tables.hpp"
#include "tests/test.hpp"

namespace gridcast::scenario {

namespace {

std::filesystem::path gpu_source(std::string const& name) { return test::source_dir() / name; }

}  // namespace

TEST_CASE("calibrated work takes less time on faster GPUs, as the catalogue has them") {
  auto calibration = read_calibration(gpu_source("calibration/fitted/osg-imagenet.yaml"));
  auto const pool = read_pool(gpu_source("scenarios/pools/ospool-2026.yaml"));
  auto const hardware = read_hardware(gpu_source("scenarios/profiles/hardware.yaml"));
  double const v100 = gpu_of_name(hardware, "V100-16GB")->images_per_s;
  double const a100 = gpu_of_name(hardware, "NVIDIA A100-SXM4-80GB")->images_per_s;
  double const h200 = gpu_of_name(hardware, "NVIDIA H200")->images_per_s;
  REQUIRE(v100 < a100);
  REQUIRE(a100 < h200);
  auto const speeds = gpu_speeds(pool, calibration);
  // A site with the record's own GPU, one with another GPU since, one that the record lacks.
  CHECK(speeds.ratio("GP-ARGO-ksu-backfill", "GP-ARGO-ksu-backfill") == 1);
  CHECK(speeds.ratio("CHTC-Spark-CE1", "CHTC-Spark-CE1") == Approx(a100 / v100));
  CHECK(speeds.ratio("Duke-NCShare-CE1", "PDX-Coeus-CE1") == Approx(h200 / v100));
  CHECK(speeds.ratio("nowhere", "PDX-Coeus-CE1") == 1);
  apply_stated({}, pool, speeds, calibration);
  for (ParameterDraw const& draw : calibration.draws) {
    REQUIRE(draw.sites.at("GP-ARGO-ksu-backfill").gpu_speed == 1);
    REQUIRE(draw.sites.at("Duke-NCShare-CE1").gpu_speed == Approx(h200 / v100));
  }
  CHECK(changed_gpu_speeds(pool, calibration).ratio("CHTC-Spark-CE1", "CHTC-Spark-CE1") ==
        Approx(a100 / v100));
  auto const same = read_pool(gpu_source("scenarios/pools/ospool-2024.yaml"));
  CHECK(changed_gpu_speeds(same, calibration).pool.empty());
  CHECK_FALSE(gpu_speeds(same, calibration).pool.empty());
  CHECK(gpu_speeds(pool, Calibration()).ratio("CHTC-Spark-CE1", "CHTC-Spark-CE1") == 1);
}

TEST_CASE("GPU models without a recorded job are named with their speed") {
  auto const recorded = gpu_source("scenarios/pools/ospool-2024.yaml");
  auto const pool = read_pool(gpu_source("scenarios/pools/ospool-2026.yaml"));
  Request request;
  request.gpus = 1;
  CHECK(other_gpus(read_pool(recorded), request, recorded).empty());
  request.gpu_memory = Bytes(141000. * 1024 * 1024);
  CHECK(other_gpus(pool, request, recorded).starts_with("NVIDIA H200 (5."));
  request.gpus = 0;
  CHECK(other_gpus(pool, request, recorded).empty());
  CHECK(other_gpus(pool, request, "").empty());
  request.gpus = 1;
  request.gpu_memory = Bytes();
  auto const all = other_gpus(pool, request, recorded);
  CHECK(all.find(" other GPU models (1.") == 1);
  CHECK(all.ends_with("by the catalogue; the speed of 4 is not known)"));
  request.gpu = "NVIDIA GeForce RTX 2080 Ti";
  CHECK(other_gpus(pool, request, recorded) == "NVIDIA GeForce RTX 2080 Ti (speed not known)");
}

}  // namespace gridcast::scenario
