#include "platform/processes.h"

#include <libproc.h>

namespace stowage::platform {

uint64_t processStart(uint32_t id) {
    proc_bsdinfo info = {};
    const int got = ::proc_pidinfo(static_cast<int>(id), PROC_PIDTBSDINFO, 0, &info, sizeof(info));
    if (got != static_cast<int>(sizeof(info))) return 0;
    constexpr uint64_t microsecondsOfASecond = 1'000'000;
    return info.pbi_start_tvsec * microsecondsOfASecond + info.pbi_start_tvusec;
}

} // namespace stowage::platform
