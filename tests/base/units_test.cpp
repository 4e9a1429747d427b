#include "sim/base/units.hpp"

#include <limits>
#include <type_traits>

#include "tests/test.hpp"

namespace gridcast::inline base {
namespace {

template <class A, class B>
concept addable = requires(A a, B b) {
  a + b;
};
static_assert(addable<Seconds, Seconds>);
static_assert(!addable<Seconds, Bytes>);
static_assert(!addable<Seconds, double>);
static_assert(!std::is_convertible_v<double, Seconds>);

TEST_CASE("quantities calculate in their units", "[units]") {
  CHECK(hours(1) + minutes(30) == Seconds(5400));
  CHECK(days(1) - hours(1) == 23 * hours(1));
  CHECK(hours(1) / 2 == minutes(30));
  CHECK(days(1) / hours(1) == 24);
  CHECK(Bytes(100) / BytesPerSecond(20) == Seconds(5));
  CHECK(BytesPerSecond(20) * Seconds(5) == Bytes(100));
  CHECK(Bytes(100) / Seconds(5) == BytesPerSecond(20));
  CHECK(minutes(59) < hours(1));
  Seconds sum;
  sum += minutes(2);
  sum -= Seconds(20);
  CHECK(sum == Seconds(100));
}

TEST_CASE("times are parsed", "[units]") {
  struct Example {
    char const* text;
    double seconds;
  };
  for (auto const& [text, seconds] : {Example{"5 min", 300},
                                      {"1.5h", 5400},
                                      {"1 h 30 min", 5400},
                                      {"1h30min", 5400},
                                      {"  2 days  ", 172800},
                                      {"1 w 1 d", 691200},
                                      {"20 ms", 0.02},
                                      {"5200 us", 0.0052},
                                      {"250 µs", 0.00025},
                                      {"44 s", 44},
                                      {"44 seconds", 44},
                                      {".5 hour", 1800},
                                      {"1e3 sec", 1000},
                                      {"0 s", 0},
                                      {"-5 min", -300},
                                      {"-1 h 30 min", -5400}}) {
    INFO(text);
    auto const time = parse_seconds(text);
    REQUIRE(time);
    CHECK(time->value() == Approx(seconds).epsilon(1e-15));
  }
}

TEST_CASE("sizes and rates are parsed", "[units]") {
  CHECK(parse_bytes("137 GB") == Bytes(137e9));
  CHECK(parse_bytes("1KiB") == Bytes(1024));
  CHECK(parse_bytes("2 PiB") == Bytes(0x1p51));
  CHECK(parse_bytes("0.5 kB") == Bytes(500));
  CHECK(parse_bytes("-1 B") == Bytes(-1));
  CHECK(parse_rate("300 MB/s") == BytesPerSecond(300e6));
  CHECK(parse_rate("1 MiB/s") == BytesPerSecond(1048576));
  CHECK(parse_rate("10 Gbps") == BytesPerSecond(1.25e9));
  CHECK(parse_rate("8 bit/s") == BytesPerSecond(1));
  CHECK(parse_rate("100 Gbit/s") == parse_rate("100 Gbps"));
}

TEST_CASE("a quantity with no unit, a wrong one or no finite number is refused", "[units]") {
  for (auto const* text : {"",      " ",       "5",      "min",         "5 parsecs",    "5 GB",
                           "5 Min", "nan s",   "inf s",  "-inf s",      "1e999 s",      "1e308 h",
                           "+5 s",  "- 5 s",   "--5 s",  "1 h -30 min", "1 h 30",       "1h,30min",
                           "1,5 h", "1.5.5 h", "0x10 s", "5 s.",        "5 min..10 min"}) {
    INFO(text);
    CHECK_FALSE(parse_seconds(text));
  }
  for (auto const* text : {"137", "137 Gb", "137 gb", "1 KB", "1 GB 1 MB", "1 GB/s", "5 s"}) {
    INFO(text);
    CHECK_FALSE(parse_bytes(text));
  }
  for (auto const* text : {"10", "10 GB", "10 Gb", "10 gbps", "10 /s", "10 GB / s", "10 GB/h"}) {
    INFO(text);
    CHECK_FALSE(parse_rate(text));
  }
}

TEST_CASE("times are written for people", "[units]") {
  CHECK(to_text(Seconds(0)) == "0 s");
  CHECK(to_text(Seconds(-0.)) == "0 s");
  CHECK(to_text(Seconds(0.02)) == "20 ms");
  CHECK(to_text(Seconds(44)) == "44 s");
  CHECK(to_text(Seconds(119)) == "119 s");
  CHECK(to_text(Seconds(300)) == "5 min");
  CHECK(to_text(minutes(90)) == "90 min");
  CHECK(to_text(minutes(119.7)) == "2 h");
  CHECK(to_text(hours(36.6)) == "36.6 h");
  CHECK(to_text(hours(47.94)) == "47.9 h");
  CHECK(to_text(hours(47.97)) == "2 d");
  CHECK(to_text(days(12.4)) == "12.4 d");
  CHECK(to_text(days(12345.6)) == "12346 d");
  CHECK(to_text(-hours(36.6).value() * Seconds(1)) == "-36.6 h");
  CHECK(to_text(Seconds(std::numeric_limits<double>::infinity())) == "inf s");
}

TEST_CASE("sizes and rates are written for people", "[units]") {
  CHECK(to_text(Bytes(0)) == "0 B");
  CHECK(to_text(Bytes(999)) == "999 B");
  CHECK(to_text(Bytes(999.6e6)) == "1 GB");
  CHECK(to_text(Bytes(137e9)) == "137 GB");
  CHECK(to_text(Bytes(1.5e12)) == "1.5 TB");
  CHECK(to_text(Bytes(5e18)) == "5000 PB");
  CHECK(to_text(BytesPerSecond(334e6)) == "334 MB/s");
  CHECK(to_text(BytesPerSecond(1.25e9)) == "1.25 GB/s");
  CHECK(to_text(BytesPerSecond(-2000)) == "-2 kB/s");
}

TEST_CASE("a written quantity is parsed again, to three digits", "[units]") {
  double value = 1e-3;
  for (int i = 0; i < 100; ++i) {
    value *= 1.37;
    INFO(value);
    CHECK(parse_seconds(to_text(Seconds(value)))->value() == Approx(value).epsilon(0.006));
    CHECK(parse_bytes(to_text(Bytes(value)))->value() == Approx(value).epsilon(0.006));
    CHECK(parse_rate(to_text(BytesPerSecond(value)))->value() == Approx(value).epsilon(0.006));
  }
}

}  // namespace
}  // namespace gridcast::inline base
