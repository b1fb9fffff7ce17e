#include "core/containers/sparse/sparseIndex.h"

#include "core/containers/bigEndian.h"
#include "core/containers/container.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace stowage::containers {

namespace {

constexpr std::array<uint8_t, 4> sparseSignature = {'s', 'p', 'r', 's'};
constexpr size_t firstTable = 64;
constexpr size_t firstSlots = 1008;
constexpr size_t furtherTable = 56;
constexpr size_t furtherSlots = 1010;
/**
 * 4 TiB at the usual band of 1 MiB; bounds what a forged table makes us keep in memory to some
 * 400 MB.
 */
constexpr size_t mostBands = size_t{1} << 22U;
constexpr uint64_t mostBandBytes = uint64_t{1} << 33U;

size_t slotsOf(size_t node) {
    return node == 0 ? firstSlots : furtherSlots;
}

} // namespace

SparseIndex::SparseIndex(uint64_t diskBytes, uint64_t bandBytes)
    : diskBytes_(diskBytes), bandBytes_(bandBytes) {
    checkDiskSize(diskBytes);
    if (bandBytes % nodeBytes != 0 || bandBytes < nodeBytes || bandBytes > mostBandBytes) {
        fail(Fault::usage, "a sparse image's band must be a multiple of 4096 bytes, at most 8 GiB");
    }
    if ((diskBytes + bandBytes - 1) / bandBytes > mostBands) {
        fail(Fault::usage, "the disk would have more than 4194304 bands; choose larger ones");
    }
    nodes_.push_back({0, std::vector<uint32_t>(firstSlots), true, true});
}

SparseIndex::SparseIndex(ByteStore& image) {
    readFirst(image);
    uint64_t offset = 0;
    uint64_t next = readNode(image, 0);
    while (next != 0) {
        const uint64_t behind = offset + nodeBytes;
        if (next < behind || next > image.bytes() || image.bytes() - next < nodeBytes) {
            damaged("the band table points outside of the image");
        }
        checkPlaces(nodes_.back(), next);
        offset = next;
        next = readNode(image, offset);
    }
    checkPlaces(nodes_.back(), image.bytes());
    for (uint32_t number = 0; number < nodes_.size(); ++number)
        take(number);
}

void SparseIndex::readFirst(ByteStore& image) {
    std::array<uint8_t, firstTable> head{};
    if (image.bytes() < nodeBytes) damaged("the sparse image's header is cut off");
    image.read(0, head.data(), head.size());
    if (std::memcmp(head.data(), sparseSignature.data(), sparseSignature.size()) != 0)
        damaged("it is not a sparse image");
    if (load32(&head[4]) != 3) {
        fail(Fault::refused,
             "sparse images of version " + std::to_string(load32(&head[4])) + " are not supported");
    }
    const uint64_t sectors = load64(&head[28]);
    bandBytes_ = uint64_t{load32(&head[8])} * sectorBytes;
    if (bandBytes_ == 0 || bandBytes_ > mostBandBytes) damaged("the sparse image's band size is invalid");
    if (sectors == 0 || sectors > static_cast<uint64_t>(INT64_MAX) / sectorBytes) {
        damaged("the sparse image's disk size is invalid");
    }
    diskBytes_ = sectors * sectorBytes;
}

uint64_t SparseIndex::readNode(ByteStore& image, uint64_t offset) {
    std::array<uint8_t, nodeBytes> content{};
    image.read(offset, content.data(), content.size());
    if (std::memcmp(content.data(), sparseSignature.data(), sparseSignature.size()) != 0) {
        damaged("a further band table has no signature");
    }
    const size_t number = nodes_.size();
    Node node{offset, std::vector<uint32_t>(slotsOf(number)), true, false};
    const size_t table = number == 0 ? firstTable : furtherTable;
    for (size_t i = 0; i < node.slots.size(); ++i)
        node.slots[i] = load32(&content[table + 4 * i]);
    nodes_.push_back(std::move(node));
    return load64(&content[number == 0 ? 20 : 12]);
}

void SparseIndex::checkPlaces(const Node& node, uint64_t end) const {
    const uint64_t room = (end - node.offset - nodeBytes) / bandBytes_;
    for (size_t i = static_cast<size_t>(std::min<uint64_t>(room, node.slots.size())); i < node.slots.size();
         ++i) {
        if (node.slots[i] != 0) damaged("the band table points outside of the image, or it is cut off");
    }
}

void SparseIndex::take(uint32_t nodeNumber) {
    const Node& node = nodes_[nodeNumber];
    const uint64_t bands = (diskBytes_ + bandBytes_ - 1) / bandBytes_;
    for (uint32_t i = 0; i < node.slots.size(); ++i) {
        const uint32_t value = node.slots[i];
        if (value == 0) continue;
        // Bands behind the disk's end are no part of it.
        const bool isNew = value - 1 < bands && places_.emplace(value - 1, Place{nodeNumber, i}).second;
        if (!isNew) {
            if (value - 1 < bands) ++repeated_;
            setSlot({nodeNumber, i}, 0);
            continue;
        }
        stored_.emplace(Place{nodeNumber, i}, value - 1);
        if (places_.size() > mostBands) fail(Fault::refused, "it has more than 4194304 bands");
    }
}

uint64_t SparseIndex::positionOf(Place place) const {
    return nodes_[place.node].offset + nodeBytes + uint64_t{place.slot} * bandBytes_;
}

std::optional<uint64_t> SparseIndex::position(uint64_t band) const {
    if (band >= UINT32_MAX) return std::nullopt;
    const auto found = places_.find(static_cast<uint32_t>(band));
    if (found == places_.end()) return std::nullopt;
    return positionOf(found->second);
}

std::optional<uint64_t> SparseIndex::nextStored(uint64_t band) const {
    if (band >= UINT32_MAX) return std::nullopt;
    const auto found = places_.lower_bound(static_cast<uint32_t>(band));
    if (found == places_.end()) return std::nullopt;
    return found->first;
}

void SparseIndex::setSlot(Place place, uint32_t value) {
    nodes_[place.node].slots[place.slot] = value;
    nodes_[place.node].isDirty = true;
}

bool SparseIndex::needsSaving() const {
    return std::any_of(nodes_.begin(), nodes_.end(), [](const Node& node) { return node.isDirty; });
}

bool SparseIndex::fits(Place place) const {
    if (place.slot >= slotsOf(place.node)) return false;
    // A node that another one follows early has no room for all of its slots.
    return place.node + 1 == nodes_.size() || positionOf(place) + bandBytes_ <= nodes_[place.node + 1].offset;
}

SparseIndex::Place SparseIndex::freePlace() {
    Place place{0, 0};
    if (!stored_.empty()) {
        place = stored_.rbegin()->first;
        ++place.slot;
    }
    while (!fits(place)) {
        if (place.node + 1 == nodes_.size()) {
            nodes_.push_back({positionOf(place), std::vector<uint32_t>(furtherSlots), false, true});
            nodes_[place.node].isDirty = true;
        }
        place = {place.node + 1, 0};
    }
    return place;
}

uint64_t SparseIndex::allocate(uint64_t band) {
    if (places_.size() >= mostBands || band >= UINT32_MAX - 1)
        fail(Fault::cannotFit, "a sparse image cannot have more than 4194304 bands");
    const Place place = freePlace();
    const auto number = static_cast<uint32_t>(band);
    places_.emplace(number, place);
    stored_.emplace(place, number);
    setSlot(place, number + 1);
    return positionOf(place);
}

void SparseIndex::release(uint64_t band) {
    const auto found = places_.find(static_cast<uint32_t>(band));
    if (found == places_.end()) return;
    setSlot(found->second, 0);
    stored_.erase(found->second);
    places_.erase(found);
}

void SparseIndex::setDiskBytes(uint64_t bytes) {
    if ((bytes + bandBytes_ - 1) / bandBytes_ > mostBands) {
        fail(Fault::usage, "the disk would have more than 4194304 bands");
    }
    const uint64_t bands = (bytes + bandBytes_ - 1) / bandBytes_;
    for (auto band = nextStored(bands); band; band = nextStored(bands))
        release(*band);
    diskBytes_ = bytes;
    nodes_[0].isDirty = true;
}

std::vector<SparseIndex::Move> SparseIndex::fillGaps() {
    std::vector<Move> moves;
    Place free{0, 0};
    while (!stored_.empty()) {
        const auto last = std::prev(stored_.end());
        const auto [from, band] = *last;
        while (free < from && (!fits(free) || stored_.contains(free)))
            free = fits(free) ? Place{free.node, free.slot + 1} : Place{free.node + 1, 0};
        if (!(free < from)) break;
        stored_.erase(last);
        stored_.emplace(free, band);
        places_[band] = free;
        setSlot(free, band + 1);
        moved_.push_back(from);
        moves.push_back({positionOf(from), positionOf(free)});
    }
    return moves;
}

void SparseIndex::forgetMoved() {
    for (const Place place : moved_)
        setSlot(place, 0);
    moved_.clear();
}

void SparseIndex::dropEmptyNodes() {
    const size_t needed = stored_.empty() ? 1 : stored_.rbegin()->first.node + 1;
    if (needed == nodes_.size()) return;
    nodes_.resize(needed);
    nodes_.back().isDirty = true;
}

uint64_t SparseIndex::usedBytes() const {
    const uint64_t nodesEnd = nodes_.back().offset + nodeBytes;
    return stored_.empty() ? nodesEnd : std::max(nodesEnd, positionOf(stored_.rbegin()->first) + bandBytes_);
}

std::vector<uint8_t> SparseIndex::nodeContent(size_t number) const {
    std::vector<uint8_t> content(nodeBytes);
    const uint64_t next = number + 1 < nodes_.size() ? nodes_[number + 1].offset : 0;
    std::copy(sparseSignature.begin(), sparseSignature.end(), content.begin());
    if (number == 0) {
        store32(&content[4], 3);
        store32(&content[8], static_cast<uint32_t>(bandBytes_ / sectorBytes));
        store32(&content[12], 1);
        store32(&content[16], static_cast<uint32_t>(diskBytes_ / sectorBytes));
        store64(&content[20], next);
        store64(&content[28], diskBytes_ / sectorBytes);
    } else {
        store32(&content[4], static_cast<uint32_t>(number - 1));
        store32(&content[8], 1);
        store64(&content[12], next);
    }
    const size_t table = number == 0 ? firstTable : furtherTable;
    for (size_t i = 0; i < nodes_[number].slots.size(); ++i)
        store32(&content[table + 4 * i], nodes_[number].slots[i]);
    return content;
}

void SparseIndex::save(ByteStore& image) {
    for (const bool linked : {false, true}) {
        for (size_t number = 0; number < nodes_.size(); ++number) {
            Node& node = nodes_[number];
            if (!node.isDirty || node.isLinked != linked) continue;
            const std::vector<uint8_t> content = nodeContent(number);
            image.write(node.offset, content.data(), content.size());
            node.isDirty = false;
        }
        // Bands and nodes that nothing points to must be there before something does.
        image.flush();
    }
    for (Node& node : nodes_)
        node.isLinked = true;
}

} // namespace stowage::containers
