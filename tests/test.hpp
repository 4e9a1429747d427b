// The only place that knows which Catch2 this is: Debian 12 has version 2, Debian 13 version 3.
#pragma once

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
using Catch::Approx;
#else
#include <catch2/catch.hpp>
#endif

#include <filesystem>
#include <string>

namespace gridcast::test {

/// The checkout, where the files are that come with it.
std::filesystem::path source_dir();

/// For REQUIRE_THAT: the text contains `part`.
inline auto has_text(std::string const& part) {
#if __has_include(<catch2/catch_all.hpp>)
  return Catch::Matchers::ContainsSubstring(part);
#else
  return Catch::Matchers::Contains(part);
#endif
}

}  // namespace gridcast::test
