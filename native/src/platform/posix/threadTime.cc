#include "platform/threadTime.h"

#include <ctime>

namespace stowage::platform {

double threadCpuMs() {
    timespec time = {};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
}

} // namespace stowage::platform
