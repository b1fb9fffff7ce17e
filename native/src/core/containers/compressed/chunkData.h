#pragma once

#include "core/containers/compressed/udifTables.h"

namespace stowage::containers {

/** True when chunks of this method can be decompressed. */
bool canDecompress(ChunkMethod method);

/** Decompresses one chunk of exactly `bytes`. False when it is damaged, shorter or longer.
 * @pre `canDecompress(method)` */
bool decompressTo(ChunkMethod method, const uint8_t* from, size_t length, uint8_t* into, size_t bytes);

} // namespace stowage::containers
