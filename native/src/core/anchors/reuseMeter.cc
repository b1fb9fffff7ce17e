#include "core/anchors/reuseMeter.h"

#include "core/anchors/anchors.h"

#include <algorithm>
#include <unordered_map>

namespace stowage {

ReuseMeter::ReuseMeter(const std::vector<uint64_t>& dictionaries, size_t groups, uint64_t longestGap)
    : dictionaries_(dictionaries), longestGap_(longestGap), lastDictionary_(dictionaries.size()),
      firstSeen_(dictionaries.size() + 1, std::vector<double>(groups)), runStarts_(firstSeen_) {
    sums_.bytes.resize(groups);
    sums_.quietBytes.resize(groups);
}

void ReuseMeter::startFile(size_t group, uint64_t bytes, uint64_t quietBytes) {
    group_ = group;
    fileBytes_ = bytes;
    sums_.bytes[group] += static_cast<double>(bytes);
    sums_.quietBytes[group] += static_cast<double>(quietBytes);
    share_ = bytes == 0 ? 0 : static_cast<double>(bytes - quietBytes) / static_cast<double>(bytes);
    lastEnd_ = 0;
    lastDictionary_ = dictionaries_.size();
}

void ReuseMeter::account(uint64_t gap, size_t dictionary) {
    if (gap > longestGap_) {
        sums_.quietBytes[group_] += static_cast<double>(gap);
    } else {
        firstSeen_[dictionary][group_] += static_cast<double>(gap) * share_;
    }
}

void ReuseMeter::anchor(uint64_t end, uint64_t distance) {
    const auto reaching = std::lower_bound(dictionaries_.begin(), dictionaries_.end(), distance);
    lastDictionary_ = static_cast<size_t>(reaching - dictionaries_.begin());
    account(end - lastEnd_, lastDictionary_);
    // A repeat of the same earlier content at the same distance continues the run.
    if (distance != lastDistance_) runStarts_[lastDictionary_][group_] += 1;
    lastEnd_ = end;
    lastDistance_ = distance;
}

void ReuseMeter::endFile() {
    account(fileBytes_ - lastEnd_, lastDictionary_);
}

Reuse ReuseMeter::result() const {
    Reuse reuse = sums_;
    std::vector<double> novel = firstSeen_.back();
    for (size_t i = dictionaries_.size(); i-- > 0;) {
        reuse.novelBytes.push_back(novel);
        for (size_t group = 0; group < novel.size(); ++group)
            novel[group] += firstSeen_[i][group];
    }
    std::reverse(reuse.novelBytes.begin(), reuse.novelBytes.end());
    std::vector<double> runs(novel.size());
    for (size_t i = 0; i < dictionaries_.size(); ++i) {
        for (size_t group = 0; group < runs.size(); ++group)
            runs[group] += runStarts_[i][group];
        reuse.runs.push_back(runs);
    }
    return reuse;
}

Reuse reuseWithin(const uint8_t* bytes, size_t length, const std::vector<uint64_t>& fileBytes,
                  const std::vector<uint32_t>& groups, size_t groupCount,
                  const std::vector<uint64_t>& dictionaries) {
    AnchorDensity all(std::numeric_limits<uint64_t>::max());
    ReuseMeter meter(dictionaries, groupCount, quietGap);
    std::unordered_map<uint64_t, uint64_t> last;
    std::vector<Candidate> found;
    uint64_t start = 0;
    for (size_t file = 0; file < fileBytes.size() && start + fileBytes[file] <= length; ++file) {
        found.clear();
        uint64_t state = 0;
        findCandidates(bytes + start, fileBytes[file], 0, anchorLimit, state, found);
        AnchorCollector collector(all);
        collector.add(found);
        meter.startFile(groups[file], fileBytes[file], 0);
        for (const Anchor& anchor : collector.anchors()) {
            const uint64_t position = start + anchor.end;
            const auto [place, isNew] = last.try_emplace(anchor.hash, position);
            meter.anchor(anchor.end, isNew ? ReuseMeter::never : position - place->second);
            place->second = position;
        }
        meter.endFile();
        start += fileBytes[file];
    }
    return meter.result();
}

} // namespace stowage
