#include "core/survey/entryColumns.h"

#include <charconv>
#include <numeric>

namespace stowage {

namespace {

static_assert(std::accumulate(Cells::widths.begin(), Cells::widths.end(), size_t{0}) == Cells::rowBytes);

void appendCells(std::string& cells, const Entry& entry, size_t pathStart, size_t pathBytes) {
    const size_t start = cells.size();
    cells.append(Cells::rowBytes, ' ');
    char* at = cells.data() + start;
    const bool fits = entry.kind != EntryKind::symlink && entry.kind != EntryKind::skipped &&
                      entry.trustedAs == noFileNumber;
    *at++ = fits ? static_cast<char>('0' + static_cast<int>(entry.kind)) : '-';
    size_t cell = 1;
    const auto put = [&](auto number) {
        const size_t width = Cells::widths[cell++];
        std::to_chars(at, at + width, number);
        at += width;
    };
    put(entry.rootIndex);
    put(pathStart);
    put(pathBytes);
    put(entry.bytes);
    put(entry.facts.allocatedBytes);
    put(entry.facts.mtimeNs);
    put(entry.facts.ctimeNs);
    put(static_cast<int64_t>(entry.facts.device));
    put(static_cast<int64_t>(entry.facts.inode));
    put(entry.facts.mode);
    put(entry.fileNumber);
}

} // namespace

void EntryColumns::add(const Entry& entry, const std::string& prefix, const char* name, bool withSha256) {
    const size_t pathStart = paths.size();
    rootIndex.push_back(entry.rootIndex);
    paths += prefix;
    paths += name;
    pathEnds.push_back(static_cast<uint32_t>(paths.size()));
    appendCells(cells, entry, pathStart, paths.size() - pathStart);
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
