#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace stowage {

/** True when all of it is UTF-8 as of RFC 3629. */
bool isUtf8(std::string_view text);

bool isAscii(std::string_view text);

/**
 * The form NFC of Unicode, in which every way to write a letter with its marks is the same bytes.
 * Nothing for ASCII, of which every text is its own form, and for what is not UTF-8.
 */
std::optional<std::string> composed(std::string_view text);

} // namespace stowage
