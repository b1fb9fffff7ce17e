#pragma once

#include "platform/timedFile.h"

namespace stowage::platform {

/**
 * The common part of `RunFolder` and `openTimed` of one path: opens a name in a folder. 0 or an
 * errno value.
 */
int openTimed(Descriptor folder, const char* name, Access access, CacheMode mode, TimedFile& file);

} // namespace stowage::platform
