// A file shown in the user's browser.
#pragma once

#include <filesystem>

namespace gridcast::cli {

/// Opens it where there is a screen, and says so; elsewhere nothing happens.
void open_in_browser(std::filesystem::path const& file);

}  // namespace gridcast::cli
