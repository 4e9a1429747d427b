// Values of submit commands: sizes in HTCondor's units (powers of 1024), numbers and times that may
// be written as expressions, and the parts of a requirement.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sim/base/units.hpp"

namespace gridcast::import {

/// "10M", "2 GB", "1.5g", "4096": a bare number has the unit given. Nothing if it is no size.
std::optional<Bytes> submit_size(std::string_view text, Bytes bare_unit);

/// A number, or an expression that needs no attributes.
std::optional<double> submit_number(std::string_view text);

/// Text in quotes without them, other text as it stands.
std::string unquoted(std::string_view text);

/// The number behind "?size=" or "&size=" in a URL: bytes.
std::optional<Bytes> size_in_url(std::string_view url);

/// Whether it begins with a scheme, as in osdf://.
bool is_url(std::string_view name);

}  // namespace gridcast::import
