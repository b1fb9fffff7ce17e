#pragma once

#include "core/discImage/entries.h"

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace stowage::discImage {

/**
 * Gives the entries of one folder their identifiers of ISO 9660 level 3: at most 31 characters of
 * A to Z, 0 to 9 and `_`, files with a dot and the version `;1`. No two are the same; Rock Ridge
 * and UDF keep the real names.
 */
class IsoNames {
  public:
    std::string identifierFor(EntryKind kind, std::string_view name);

  private:
    /** Without versions, and without the dot where no extension follows: readers drop both. */
    std::unordered_set<std::string> taken_;
    /** The number given last, by the shortest cut of a stem and its extension. */
    std::unordered_map<std::string, uint32_t> numbers_;
};

} // namespace stowage::discImage
