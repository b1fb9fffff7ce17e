#pragma once

#include "core/containers/openContainer.h"

namespace stowage::containers {

struct Conversion {
    std::string source;
    const SecretBytes* sourcePassword = nullptr;
    std::string target;
    /** The container to make; its `bytes` is ignored, the source's size is used. */
    NewContainer wish;
    /** The level of zlib, for a compressed image. */
    int level = 1;
};

/**
 * Makes another container with the same disk; the source is only read. On failure no target is
 * left; a process that is killed leaves a part of it, so a target that is to stay is made under
 * another name first.
 * @throws ContainerError: `exists`, `cancelled`, and those of opening and making.
 */
void convertContainer(const Conversion& conversion, Task& task);

/**
 * Gives a sparse bundle bands of another size; keys, password and files of other programs in it
 * stay. A second bundle is built at `partialPath`, a free name in the same folder, and takes its
 * name in one step; so it needs the space of the stored bands again, which is looked for first, and
 * at every moment the path holds a whole bundle. A process that is killed may leave `partialPath`,
 * which nobody needs. (Where the file system cannot exchange names, a stop between two renames
 * leaves both bundles, whole, under other names.)
 * @throws ContainerError: `no-space`, `usage`, `refused` when it is in use or holds folders that
 *   are no bundle's
 */
void rebandBundle(const std::string& path, const std::string& partialPath, const SecretBytes* password,
                  uint64_t bandBytes, Task& task);

} // namespace stowage::containers
