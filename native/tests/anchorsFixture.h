#pragma once

#include "core/anchors/anchorIndex.h"
#include "slowChunks.h"
#include "surveyFixture.h"

#include <set>
#include <unordered_map>

namespace stowage::testing {

/** The anchors of a content by their definition: each window summed up, short repeats left out. */
inline const std::vector<Anchor>& slowAnchors(const std::string& content) {
    static const auto table = gearTable();
    static std::map<std::string, std::vector<Anchor>> known;
    const auto [place, isNew] = known.try_emplace(content);
    std::vector<Anchor>& found = place->second;
    if (!isNew) return found;
    std::vector<Anchor> all;
    for (size_t end = 1; end <= content.size(); ++end) {
        uint64_t hash = 0;
        for (size_t age = 0; age < 64 && age < end; ++age)
            hash += table[static_cast<uint8_t>(content[end - 1 - age])] << age;
        if (hash >= anchorLimit) continue;
        bool repeats = false;
        for (size_t back = 0; back < std::min<size_t>(4, all.size()); ++back) {
            const Anchor& before = all[all.size() - 1 - back];
            repeats = repeats || (before.hash == hash && end - before.end <= 64);
        }
        all.push_back({hash, end});
        if (!repeats) found.push_back({hash, end});
    }
    return found;
}

struct SlowReuse {
    double quiet = 0;
    std::vector<double> novel;
    std::vector<double> runs;
};

/**
 * The figures by their words, for one dictionary after another. A new archive begins at each of
 * these files.
 */
inline SlowReuse slowReuse(const std::vector<std::string>& files, const std::vector<uint64_t>& dictionaries,
                           const std::set<size_t>& borders = {}) {
    SlowReuse slow;
    for (const uint64_t dictionary : dictionaries) {
        std::unordered_map<uint64_t, uint64_t> last;
        double novel = 0;
        double runs = 0;
        slow.quiet = 0;
        uint64_t base = 0;
        uint64_t lastDistance = ReuseMeter::never;
        for (size_t place = 0; place < files.size(); ++place) {
            const std::string& content = files[place];
            if (borders.contains(place)) last.clear();
            uint64_t end = 0;
            bool isNovel = true;
            const auto account = [&](uint64_t to) {
                if (to - end > quietGap)
                    slow.quiet += static_cast<double>(to - end);
                else if (isNovel)
                    novel += static_cast<double>(to - end);
                end = to;
            };
            for (const Anchor& anchor : slowAnchors(content)) {
                const auto before = last.find(anchor.hash);
                const uint64_t distance =
                    before == last.end() ? ReuseMeter::never : base + anchor.end - before->second;
                isNovel = distance > dictionary;
                if (!isNovel && distance != lastDistance) ++runs;
                lastDistance = distance;
                last[anchor.hash] = base + anchor.end;
                account(anchor.end);
            }
            account(content.size());
            base += content.size();
        }
        slow.novel.push_back(novel);
        slow.runs.push_back(runs);
    }
    return slow;
}

class Anchoring : public SurveyFixture {
  protected:
    std::map<std::string, uint32_t> numbers;

    SurveyOptions with(unsigned threads, size_t tableBytes = size_t{64} << 20U) const {
        SurveyOptions given = options();
        given.threads = threads;
        given.anchors = true;
        given.chunkProfiles = smallProfiles();
        given.maxTableBytes = tableBytes;
        return given;
    }

    AnchorIndex indexed(const SurveyOptions& given) {
        Survey survey(given);
        survey.run();
        numbers.clear();
        for (;;) {
            const EntryColumns entries = survey.takeEntries();
            if (entries.count() == 0) break;
            for (size_t i = 0; i < entries.count(); ++i) {
                const size_t start = i == 0 ? 0 : entries.pathEnds[i - 1];
                if (entries.fileNumbers[i] != noFileNumber)
                    numbers[entries.paths.substr(start, entries.pathEnds[i] - start)] =
                        entries.fileNumbers[i];
            }
        }
        return survey.takeAnchors();
    }

    std::vector<uint32_t> order(const std::vector<std::string>& names) const {
        std::vector<uint32_t> found;
        for (const std::string& name : names)
            found.push_back(numbers.at(name));
        return found;
    }
};

/**
 * Contents that share parts at several distances, with zeros, a pattern and sizes around the
 * limits.
 */
inline std::vector<std::string> relatedContents() {
    std::vector<std::string> contents = {noise(60'000, 1)};
    contents.push_back(contents[0].substr(8000, 30'000) + noise(3000, 2) + contents[0].substr(38'500));
    contents.push_back(std::string(20'000, '\0') + noise(quietGap + 1, 3) + std::string(100, 'x'));
    std::string pattern;
    while (pattern.size() < 20'000)
        pattern += "0123456789abcdef0123456789ABCDEF";
    contents.push_back(pattern);
    for (const size_t size : {0, 1, 63, 64, 65, 127, 128, 129})
        contents.push_back(contents[0].substr(0, size));
    contents.push_back(contents[1].substr(5000, 30'000) + contents[2]);
    contents.push_back(contents[0]);
    return contents;
}

inline const std::atomic<bool> notCancelled{false};

} // namespace stowage::testing
