#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace stowage::platform {

/** An optical drive and the disc in it, as Windows reports them without writing to it. */
struct OpticalDrive {
    /** Its letter: `D:`. */
    std::string device;
    bool hasDisc = false;
    /** Empty for a disc without one that Windows reads, such as a blank one. */
    std::string fileSystem;
    std::string label;
    /** That the file system has in all. */
    uint64_t bytes = 0;
};

/** All of them. A drive that spins up a disc takes some seconds to answer. */
std::vector<OpticalDrive> opticalDrives();

} // namespace stowage::platform
