// How columns of a calibration's draws (draw_columns.hpp) put their numbers into a ParameterDraw.
#pragma once

#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "sim/scenario/draw_columns.hpp"

namespace gridcast::scenario {

/// The member at the end of a chain: at<&A::b, &B::c>(a) is a.b.c.
template <auto member, auto... more>
auto& at(auto& object) {
  if constexpr (sizeof...(more) == 0) {
    return object.*member;
  } else {
    return at<more...>(object.*member);
  }
}

/// A number into a field: a count, an index, a quantity.
template <class Field>
void put(Field& field, double value) {
  if constexpr (std::is_enum_v<Field> || std::is_same_v<Field, std::optional<int>>) {
    field = static_cast<Field>(static_cast<int>(value));
  } else {
    field = static_cast<Field>(value);
  }
}

template <auto... members>
void in_draw(ParameterDraw& draw, double value) {
  put(at<members...>(draw), value);
}
template <auto... members>
void at_site(SiteParameters& site, double value) {
  put(at<members...>(site), value);
}

/// A member of a distribution of times, which may be absent.
template <auto times, auto member>
void in_times(ParameterDraw& draw, double value) {
  if constexpr (requires { (draw.*times).has_value(); }) {
    if (!(draw.*times)) (draw.*times).emplace(no_time);
    put((*(draw.*times)).*member, value);
  } else {
    put((draw.*times).*member, value);
  }
}

/// The four columns of a distribution of times.
template <auto times>
void add_times(std::vector<DrawColumn>& columns, std::string const& name, std::string const& time) {
  using enum Allowed;
  columns.push_back({name + "_family", family, in_times<times, &Distribution::family>,
                     "Family of the time " + time + "; indices as of epoch_family"});
  columns.push_back(
      {name + "_shape", positive, in_times<times, &Distribution::shape>, "Its shape"});
  columns.push_back(
      {name + "_scale_s", not_negative, in_times<times, &Distribution::scale>, "Its scale, s"});
  columns.push_back({name + "_shift_s", not_negative, in_times<times, &Distribution::shift>,
                     "Constant added to it, s"});
}

}  // namespace gridcast::scenario
