#pragma once

#include <cctype>
#include <string>
#include <system_error>

namespace stowage::platform {

#ifdef _WIN32
/** Words where the C library there has others than ours, or none; null otherwise. */
const char* ownCause(int error);
#endif

/** The system's words for an errno value, in lower case as they are needed within a sentence. */
inline std::string errorCause(int error) {
#ifdef _WIN32
    if (const char* const own = ownCause(error)) return own;
#endif
    std::string cause = std::generic_category().message(error);
    const auto isUpper = [&cause](size_t at) {
        return at < cause.size() && std::isupper(static_cast<unsigned char>(cause[at])) != 0;
    };
    // "RPC struct is bad" stays.
    if (isUpper(0) && !isUpper(1))
        cause[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(cause[0])));
    return cause;
}

} // namespace stowage::platform
