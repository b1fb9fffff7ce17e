#pragma once

#include <cctype>
#include <string>
#include <system_error>

namespace stowage::platform {

/** The system's words for an errno value, in lower case as they are needed within a sentence. */
inline std::string errorCause(int error) {
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
