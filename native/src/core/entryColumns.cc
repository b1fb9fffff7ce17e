#include "core/entryColumns.h"

namespace stowage {

void EntryColumns::add(const Entry& entry, const std::string& prefix, const char* name, bool withSha256) {
    rootIndex.push_back(entry.rootIndex);
    paths += prefix;
    paths += name;
    pathEnds.push_back(static_cast<uint32_t>(paths.size()));
    kinds.push_back(static_cast<uint8_t>(entry.kind));
    fileNumbers.push_back(entry.fileNumber);
    trustedAs.push_back(entry.trustedAs);
    bytes.push_back(static_cast<double>(entry.bytes));
    allocatedBytes.push_back(static_cast<double>(entry.facts.allocatedBytes));
    mtimeNs.push_back(entry.facts.mtimeNs);
    ctimeNs.push_back(entry.facts.ctimeNs);
    device.push_back(entry.facts.device);
    inode.push_back(entry.facts.inode);
    mode.push_back(entry.facts.mode);
    if (entry.kind == EntryKind::file) {
        const auto digest = canonicalBytes(entry.digest);
        digests.insert(digests.end(), digest.begin(), digest.end());
    } else {
        digests.resize(digests.size() + 16);
    }
    if (withSha256) sha256.insert(sha256.end(), entry.sha256.begin(), entry.sha256.end());
}

} // namespace stowage
