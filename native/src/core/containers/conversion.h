#pragma once

#include "core/containers/openContainer.h"

namespace stowage::containers {

struct Conversion {
    std::string source;
    const SecretBytes* sourcePassword = nullptr;
    std::string target;
    /** What to make; `bytes` is the source's and not looked at. */
    NewContainer wish;
    /** Of zlib, for a compressed image. */
    int level = 1;
};

/** Makes another container with the same disk. Until it is whole the target does not exist; the source is
 * only read.
 * @throws ContainerError: `exists`, `cancelled`, and those of opening and making. */
void convertContainer(const Conversion& conversion, Task& task);

/**
 * Gives a sparse bundle bands of another size; keys, password and files of other programs in it stay. A
 * second bundle is built beside it and takes its name in one step; so it needs the space of the stored bands
 * again, which is looked for first, and at every moment the path holds a whole bundle. (Where the file system
 * cannot exchange names, a stop between two renames leaves both bundles, whole, under other names.)
 * @throws ContainerError: `no-space`, `usage`, `refused` when it is in use or holds folders that are no
 * bundle's
 */
void rebandBundle(const std::string& path, const SecretBytes* password, uint64_t bandBytes, Task& task);

} // namespace stowage::containers
