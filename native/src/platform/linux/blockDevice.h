#pragma once

#include "platform/deviceFacts.h"

namespace stowage::platform {

/**
 * The folder of a device's whole disk below `sys` (normally `/sys`): a partition leads to its disk,
 * a mapping or array with a single member to that member. Empty if there is none.
 */
std::string diskFolder(const std::string& sys, unsigned deviceMajor, unsigned deviceMinor);

/** Fills in model, kind and bus from a disk's folder. */
void describeDisk(const std::string& disk, DeviceFacts& facts);

/** Kind and bus where there is no disk below: memory and network. Unknown for all others. */
StorageKind kindOfFileSystem(const std::string& fileSystem);

} // namespace stowage::platform
