#pragma once

#include <sys/types.h>

#include <cerrno>
#include <string>

namespace stowage::platform {

/** Reads the text of a call that needs to know the room for it, and may find more the next time. */
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
