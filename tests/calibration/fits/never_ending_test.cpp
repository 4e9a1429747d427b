// Delays of which some never end.
#include <cmath>

#include "calibration/fits/delay_law.hpp"
#include "tests/test.hpp"

namespace gridcast::calibration {

namespace {

Distribution const an_hour{Family::exponential, 1, 3600};

}  // namespace

// With S = 0 they are a binomial: m = k, and q ~ Beta(k + 1/2, n + 1/2), of which the evidence is
// known.
TEST_CASE("An execution far longer than all that end never ends") {
  NeverEnding delays;
  delays.add_ended(6);
  delays.add_open(1e7, 4);
  CHECK(delays.known(an_hour) == Approx(4));
  double const evidence = std::tgamma(4.5) * std::tgamma(6.5) / std::tgamma(11) / std::acos(-1);
  CHECK(delays.log_likelihood(an_hour) == Approx(std::log(evidence)).epsilon(1e-6));
}

TEST_CASE("A transfer that has hardly lasted shows nothing about its end") {
  NeverEnding delays;
  delays.add_ended(6);
  NeverEnding more = delays;
  more.add_open(1e-6, 1000);
  CHECK(more.known(an_hour) < 1e-3);
  CHECK(more.log_likelihood(an_hour) == Approx(delays.log_likelihood(an_hour)).margin(1e-4));
}

// At the most likely q, m / (n + m) = q: with n = 10 and 5 open after ln 2 hours, S = 1/2, the
// likelihood (1 - q)^10 (q + (1 - q) / 2)^5 falls from q = 0 on, where m = 0; after four hours it
// has its top where -10 / (1 - q) + 5 (1 - S) / (q + (1 - q) S) = 0, q = 0.3209, m = 10 q / (1 - q)
// = 4.725.
TEST_CASE("Some long executions are known never to end") {
  NeverEnding soon, late;
  soon.add_ended(10);
  soon.add_open(3600 * std::log(2), 5);
  late.add_ended(10);
  late.add_open(4 * 3600, 5);
  CHECK(soon.known(an_hour) < 1);
  CHECK(late.known(an_hour) == Approx(4.725).epsilon(0.02));
}

}  // namespace gridcast::calibration
