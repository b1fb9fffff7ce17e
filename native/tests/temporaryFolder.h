#pragma once

#include <filesystem>
#include <random>
#include <string>

namespace stowage::testing {

/** A new folder for one test, which removes it. */
inline std::filesystem::path makeTemporaryFolder() {
    std::random_device random;
    for (;;) {
        const std::filesystem::path folder =
            std::filesystem::temp_directory_path() / ("stowage-test-" + std::to_string(random()));
        if (std::filesystem::create_directory(folder)) return folder;
    }
}

} // namespace stowage::testing
