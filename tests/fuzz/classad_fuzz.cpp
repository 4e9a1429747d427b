// Any bytes as an expression, and its lines as those of an ad: an answer or an InputError.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "sim/classad/expression.hpp"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  using namespace gridcast::classad;
  std::string_view text(reinterpret_cast<char const*>(data), size);
  Ad ad;
  std::string_view rest = text;
  while (!rest.empty()) {
    auto const end = rest.find('\n');
    parse_attribute(rest.substr(0, end), ad);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  }
  try {
    Expression const expression = parse(text);
    static_cast<void>(evaluate(expression, {ad, &ad, 1}).to_text().size());
  } catch (gridcast::InputError const&) {
  }
  for (auto const& attribute : ad.attributes()) ad.lookup(attribute.name);
  return 0;
}
