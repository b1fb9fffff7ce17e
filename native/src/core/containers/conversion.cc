#include "core/containers/conversion.h"

#include "core/containers/compressed/udifWriter.h"
#include "core/containers/sparse/bundleInfo.h"
#include "core/containers/sparse/sparseBundle.h"

#include <algorithm>
#include <cerrno>

namespace stowage::containers {

namespace {

constexpr uint64_t copyBytes = uint64_t{4} << 20U;
constexpr uint64_t spareBytes = uint64_t{16} << 20U;

void copyDisk(Container& from, Container& into, Task& task) {
    std::vector<uint8_t> piece(copyBytes);
    uint64_t seen = 0;
    uint64_t start = 0;
    uint64_t end = 0;
    task.expect(from.bytes());
    for (from.nextData(0, start, end); start < end; from.nextData(end, start, end)) {
        for (uint64_t at = start; at < end; at += copyBytes) {
            const auto length = static_cast<size_t>(std::min(copyBytes, end - at));
            from.read(at, piece.data(), length);
            into.write(at, piece.data(), length);
            task.advance(at + length - seen);
            seen = at + length;
        }
    }
    into.flush();
    task.advance(from.bytes() - seen);
}

bool isPartOfBundle(const std::string& name) {
    return name == "Info.plist" || name == "Info.bckup" || name == "bands" || name.ends_with(".partial");
}

/** Copies the token and what other programs keep in a bundle. */
void copyOtherFiles(const platform::Handle& from, const platform::Handle& into) {
    platform::FolderListing listing(from);
    std::string text;
    std::vector<platform::FolderListing::Name> names;
    do {
        checkSystem(listing.next(text, names), "the bundle");
        for (const auto& listed : names) {
            const std::string name = text.c_str() + listed.offset;
            if (isPartOfBundle(name)) continue;
            platform::FileFacts facts;
            checkSystem(platform::factsAt(from, name.c_str(), facts), name);
            if (facts.kind != platform::FileKind::file)
                fail(Fault::refused, name + " in it is no part of a bundle");
            platform::Handle source;
            platform::Handle target;
            checkSystem(platform::openStorage(from, name.c_str(), platform::Opening::toRead, source), name);
            platform::removeFile(into, name.c_str());
            checkSystem(platform::openStorage(into, name.c_str(), platform::Opening::toCreate, target), name);
            FileStore read(std::move(source), name);
            FileStore written(std::move(target), name);
            std::vector<uint8_t> piece(static_cast<size_t>(std::min(read.bytes(), copyBytes)));
            for (uint64_t at = 0; at < read.bytes(); at += piece.size()) {
                const auto length = static_cast<size_t>(std::min<uint64_t>(piece.size(), read.bytes() - at));
                read.read(at, piece.data(), length);
                written.write(at, piece.data(), length);
            }
            written.flush();
        }
    } while (!names.empty());
}

void requireSpace(const platform::Handle& folder, uint64_t bytes) {
    uint64_t free = 0;
    checkSystem(platform::freeBytes(folder, free), "its folder");
    if (free < bytes + spareBytes) {
        fail(Fault::noSpace, "it needs " + std::to_string(bytes + spareBytes) + " bytes beside it and " +
                                 std::to_string(free) + " are free");
    }
}

} // namespace

void convertContainer(const Conversion& conversion, Task& task) {
    const Place place = placeOf(conversion.target);
    Unfinished made(place);
    const auto source = openContainer(conversion.source, {false, conversion.sourcePassword});
    NewContainer wish = conversion.wish;
    wish.bytes = (source->bytes() + sectorBytes - 1) / sectorBytes * sectorBytes;
    if (wish.kind == ContainerKind::compressedImage) {
        const auto store = makeStore(place.parent, place.name, wish.encryption);
        writeUdif(*source, *store, conversion.level, task);
    } else {
        makeContainer(place.parent, place.name, wish, task);
        const SecretBytes* const password = wish.encryption ? wish.encryption->password : nullptr;
        const auto target = openContainerIn(place.parent, place.name, {true, password});
        copyDisk(*source, *target, task);
    }
    made.keep();
}

void rebandBundle(const std::string& path, const std::string& partialPath, const SecretBytes* password,
                  uint64_t bandBytes, Task& task) {
    const Place place = placeOf(path);
    const Place beside{placeOf(path).parent, placeOf(partialPath).name};
    Unfinished another(beside);
    auto source = openContainerIn(place.parent, place.name, {true, password});
    const ContainerInfo info = source->info();
    if (info.kind != ContainerKind::sparseBundle)
        fail(Fault::usage, "only a sparse bundle's bands can be changed");
    if (info.bandBytes == bandBytes) return;
    requireSpace(place.parent, info.allocatedBytes);
    platform::Handle old;
    platform::Handle made;
    checkSystem(platform::openFolderIn(place.parent, place.name.c_str(), old), place.name);
    checkSystem(platform::makeFolder(place.parent, beside.name.c_str()), beside.name);
    checkSystem(platform::openFolderIn(place.parent, beside.name.c_str(), made), beside.name);
    SparseBundle::format(made, {info.bytes, bandBytes}, {});
    copyOtherFiles(old, made);
    {
        const auto target = openContainerIn(place.parent, beside.name, {true, password});
        copyDisk(*source, *target, task);
    }
    checkSystem(platform::syncFolder(made), beside.name);
    if constexpr (platform::openFilesKeepNames) {
        source.reset();
        old = platform::Handle();
        made = platform::Handle();
    }
    another.exchange(place);
}

} // namespace stowage::containers
