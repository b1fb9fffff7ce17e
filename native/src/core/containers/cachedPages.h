#pragma once

#include "core/containers/task.h"

#include <string>

namespace stowage::containers {

/**
 * The bytes of a container's files that the system's cache held after it was asked to forget them.
 */
struct CachedPages {
    uint64_t checkedBytes = 0;
    uint64_t residentBytes = 0;
    /** False where the system does not tell. */
    bool known = true;
};

/**
 * Asks the system to forget what it holds of a container's content (an image's file, a bundle's
 * bands) and then looks what is left. Only what is on the medium already can be forgotten; names
 * and lengths of files stay known. The container may be open for reading, but not for writing.
 */
CachedPages dropCachedPages(const std::string& path, Task& task);

} // namespace stowage::containers
