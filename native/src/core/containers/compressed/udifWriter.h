#pragma once

#include "core/containers/byteStore.h"
#include "core/containers/container.h"

namespace stowage::containers {

/**
 * Writes a container's disk as a compressed read-only image (UDZO: zlib, in chunks of 1 MiB, as
 * macOS since 10.10): empty chunks are left out, chunks that do not shrink are stored as they are.
 * Uses several threads. The store must be empty. Layout after libmodi's documentation and
 * libdmg-hfsplus; the checksums after what 7-Zip checks.
 * @param level of zlib, 1 to 9; macOS uses 1
 */
void writeUdif(Container& source, ByteStore& into, int level, Task& task);

} // namespace stowage::containers
