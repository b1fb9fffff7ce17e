#include "platform/fileSystem.h"

#include <gtest/gtest.h>

using namespace stowage;

// The system's copy into memory 16 bytes past a page takes four times as long on AMD Zen 3.
TEST(Pages, BeginAtACacheLineWhenTheyAreMapped) {
    for (const size_t bytes : {size_t{64} << 10U, (size_t{1} << 20U) + 1, size_t{5} << 20U}) {
        for (const platform::PagesUse use : {platform::PagesUse::some, platform::PagesUse::all}) {
            auto* const pages = static_cast<uint8_t*>(platform::allocateZeroedPages(bytes, use));
            ASSERT_NE(pages, nullptr);
            EXPECT_EQ(reinterpret_cast<uintptr_t>(pages) % 64, 0U) << bytes;
            pages[0] = 1;
            pages[bytes - 1] = 1;
            platform::freePages(pages);
        }
    }
}
