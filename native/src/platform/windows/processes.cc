#include "platform/processes.h"

#include "platform/windows/ntFile.h"

namespace stowage::platform {

uint64_t processStart(uint32_t id) {
    HANDLE const opened = OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION, FALSE, id);
    if (opened == nullptr) return 0;
    const Handle process = handleFrom(opened);
    FILETIME created{};
    FILETIME exited{};
    FILETIME kernel{};
    FILETIME user{};
    if (!GetProcessTimes(opened, &created, &exited, &kernel, &user)) return 0;
    return uint64_t{created.dwHighDateTime} << 32U | created.dwLowDateTime;
}

} // namespace stowage::platform
