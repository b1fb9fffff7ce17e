#include "platform/fileTimes.h"
#include "platform/threadTime.h"
#include "platform/windows/errors.h"
#include "platform/windows/ntFile.h"

#include <cerrno>

namespace stowage::platform {

namespace {

constexpr int64_t inASecond = 10'000'000;

int64_t ticks(const FILETIME& time) {
    return static_cast<int64_t>((uint64_t{time.dwHighDateTime} << 32U) | time.dwLowDateTime);
}

/** False for times before 1601 or after 30828, which the system does not have. */
bool systemTime(const FileTime& time, FILETIME& result) {
    constexpr int64_t secondsTo1970 = 11'644'473'600;
    if (time.seconds < -secondsTo1970 || time.seconds > INT64_MAX / inASecond - secondsTo1970 - 1)
        return false;
    const auto value =
        static_cast<uint64_t>((time.seconds + secondsTo1970) * inASecond + time.nanoseconds / 100);
    result = {static_cast<DWORD>(value), static_cast<DWORD>(value >> 32U)};
    return true;
}

} // namespace

int setFileTimes(const std::string& path, const FileTime& accessed, const FileTime& modified) {
    FILETIME times[2] = {};
    if (!systemTime(accessed, times[0]) || !systemTime(modified, times[1])) return EINVAL;
    Handle opened;
    const int error = openPath(path, FILE_WRITE_ATTRIBUTES,
                               FILE_FLAG_BACKUP_SEMANTICS | FILE_FLAG_OPEN_REPARSE_POINT, opened);
    if (error != 0) return error;
    return SetFileTime(handleOf(opened), nullptr, &times[0], &times[1]) ? 0 : lastErrno();
}

double threadCpuMs() {
    FILETIME created{};
    FILETIME exited{};
    FILETIME kernel{};
    FILETIME user{};
    if (!GetThreadTimes(GetCurrentThread(), &created, &exited, &kernel, &user)) return 0;
    return static_cast<double>(ticks(kernel) + ticks(user)) / (static_cast<double>(inASecond) / 1e3);
}

} // namespace stowage::platform
