#pragma once

#include <sys/types.h>

#include <cerrno>
#include <string>

namespace stowage::platform {

/** What a call gives that wants to know how much room there is, and may find more the next time. */
template <typename Call> int readText(std::string& result, Call call) {
    for (;;) {
        const ssize_t wanted = call(nullptr, 0);
        if (wanted < 0) return errno;
        result.resize(static_cast<size_t>(wanted));
        if (wanted == 0) return 0;
        const ssize_t got = call(result.data(), result.size());
        if (got >= 0) {
            result.resize(static_cast<size_t>(got));
            return 0;
        }
        if (errno != ERANGE) return errno;
    }
}

} // namespace stowage::platform
