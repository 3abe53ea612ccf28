// Files that other processes see whole or not at all.
#pragma once

#include <string>
#include <string_view>

namespace lanecl::frontend {

// Makes the folders on the way (readable by the user only), writes a temporary neighbour and renames it.
bool writeFileAtomically(const std::string &path, std::string_view bytes);

} // namespace lanecl::frontend
