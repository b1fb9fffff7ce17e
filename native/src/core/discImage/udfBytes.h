#pragma once

#include "core/discImage/diskBytes.h"
#include "core/discImage/layout.h"

namespace stowage::discImage {

/** The bytes of UDF's list of a folder's names, not filled up to whole sectors. */
uint64_t udfFolderBytes(const Layout& layout, uint32_t folder);
void addUdfFolder(const Layout& layout, uint32_t folder, Bytes& to);

/**
 * The file entry of a folder or a content, one sector, with the extents of allocation
 * descriptors that do not fit into it behind it.
 */
void addFileEntry(const Layout& layout, uint32_t index, Bytes& to);

/** Sectors 18 to 20, which say that UDF is there. */
void addRecognition(Bytes& to);
/** Sixteen sectors of volume descriptors, from the sector given. */
void addVolumeSequence(const Layout& layout, uint64_t sector, Bytes& to);
/** Two sectors: the volume is closed. */
void addIntegritySequence(const Layout& layout, Bytes& to);
void addAnchor(uint64_t sector, Bytes& to);
/** The descriptor of the tree, and the end of such. */
void addFileSet(const Layout& layout, Bytes& to);

} // namespace stowage::discImage
