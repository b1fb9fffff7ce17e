#include "platform/processes.h"

#include <gtest/gtest.h>

#include <limits>

#ifdef _WIN32
#include <windows.h>
#else
#include <unistd.h>
#endif

using namespace stowage::platform;

namespace {

uint32_t ownId() {
#ifdef _WIN32
    return GetCurrentProcessId();
#else
    return static_cast<uint32_t>(::getpid());
#endif
}

} // namespace

TEST(ProcessStart, IsTheSameEveryTime) {
    EXPECT_NE(processStart(ownId()), 0U);
    EXPECT_EQ(processStart(ownId()), processStart(ownId()));
}

TEST(ProcessStart, IsNoneOfWhatIsNotThere) {
    EXPECT_EQ(processStart(std::numeric_limits<int32_t>::max()), 0U);
}
