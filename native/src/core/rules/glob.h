#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace stowage {

/** The first place at which a pattern cannot be understood. */
struct GlobFault {
    /** In bytes from the pattern's start. */
    size_t offset = 0;
    /** A few plain words. */
    std::string cause;
};

/** Nothing where the pattern is one. */
std::optional<GlobFault> globFault(std::string_view pattern);

/**
 * True when the pattern describes the whole path, byte for byte, as gitignore(5) has it: `*`, `?`
 * and `[...]` stay within a name; between slashes `**` is any number of folders; `\` takes the
 * special meaning away from the next byte. The time is at most proportional to the product of both
 * lengths. A pattern with a fault matches nothing.
 */
bool globMatches(std::string_view pattern, std::string_view path);

/** How many bytes at its start stand for themselves. */
size_t literalLength(std::string_view pattern);

/** How many bytes at its end are at the end of every path that it describes. */
size_t literalTail(std::string_view pattern);

} // namespace stowage
