#include "sim/report/text/glossary.hpp"

#include <set>

#include "sim/base/text.hpp"
#include "tests/test.hpp"

namespace gridcast::report {
namespace {

TEST_CASE("each form of a term has one meaning, its own", "[glossary]") {
  for (auto const& term : glossary()) {
    INFO(term.name);
    CHECK(find_term(term.name) == &term);
    for (auto const& other : split(term.others, ',')) {
      INFO(other);
      if (!trim(other).empty()) CHECK(find_term(trim(other)) == &term);
    }
  }
}

TEST_CASE("a term is found in the singular and in the plural", "[glossary]") {
  for (auto const& [one, many] : {std::pair("cache", "caches"),
                                  {"loss", "losses"},
                                  {"strategy", "strategies"},
                                  {"batch", "batches"},
                                  {"stall", "stalls"},
                                  {"GPU model", "GPU models"},
                                  {"bad path", "bad paths"},
                                  {"success", "successes"},
                                  {"quantile", "quantiles"},
                                  {"trade-off", "trade-offs"},
                                  {"timeout", "timeouts"},
                                  {"priority factor", "priority factors"}}) {
    INFO(one);
    REQUIRE(find_term(one) != nullptr);
    CHECK(find_term(one) == find_term(many));
  }
}

}  // namespace
}  // namespace gridcast::report
