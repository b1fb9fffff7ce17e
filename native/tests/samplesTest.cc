#include "surveyFixture.h"

#include <cmath>
#include <thread>

using namespace stowage;
using namespace stowage::testing;

namespace {

constexpr size_t mebibyte = size_t{1} << 20U;
constexpr size_t unitBytes = size_t{256} << 10U;

/** Units of files of many lengths, each file named after the trial. */
std::vector<Sample> population(unsigned trial, size_t files) {
    std::mt19937 random(trial);
    std::vector<Sample> units;
    for (size_t i = 0; i < files; ++i) {
        const UnitFile file{0, std::to_string(trial) + "/" + std::to_string(i), 0};
        const size_t length = random() % 3 == 0 ? 1000 : 1 + random() % 10;
        units.push_back({file, 0, Samples::priorityOf(Samples::seedOf(file), 0, length), {}, {}, {}});
        units.back().data.resize(length);
    }
    return units;
}

double total(const std::vector<Sample>& units) {
    double bytes = 0;
    for (const Sample& unit : units)
        bytes += static_cast<double>(unit.data.size());
    return bytes;
}

struct Taken {
    double tau;
    std::vector<Sample> samples;
};

Taken sampled(const SurveyOptions& options) {
    Survey survey(options);
    survey.run();
    return {survey.samples().tau(), survey.samples().take()};
}

SurveyOptions with(SurveyOptions options, uint64_t sampleBytes, unsigned threads = 3) {
    options.sampleBytes = sampleBytes;
    options.threads = threads;
    return options;
}

} // namespace

TEST(Samples, AreTheUnitsThatComeFirstAsLongAsTheyFitInWhateverOrderTheyCome) {
    std::vector<Sample> units = population(1, 500);
    std::vector<Sample> sorted = units;
    std::sort(sorted.begin(), sorted.end(),
              [](const Sample& a, const Sample& b) { return a.priority < b.priority; });
    for (const uint64_t room : {1U, 5000U, 40'000U, 10'000'000U}) {
        size_t fitting = 0;
        for (uint64_t bytes = 0; fitting < sorted.size(); ++fitting) {
            bytes += sorted[fitting].data.size();
            if (bytes > room) break;
        }
        for (unsigned order = 0; order < 3; ++order) {
            std::shuffle(units.begin(), units.end(), std::mt19937(order));
            Samples samples(room);
            std::vector<std::thread> threads;
            for (size_t thread = 0; thread < 3; ++thread) {
                threads.emplace_back([&samples, &units, thread] {
                    for (size_t i = thread; i < units.size(); i += 3) {
                        if (samples.wants(units[i].priority)) samples.keep(units[i]);
                    }
                });
            }
            for (std::thread& thread : threads)
                thread.join();
            const double tau = samples.tau();
            const std::vector<Sample> taken = samples.take();
            ASSERT_EQ(taken.size(), fitting) << room;
            for (size_t i = 0; i < fitting; ++i)
                EXPECT_EQ(taken[i].file.path, sorted[i].file.path);
            EXPECT_EQ(tau, fitting < sorted.size() ? sorted[fitting].priority : HUGE_VAL);
        }
    }
}

TEST(Samples, WeighedByTheirProbabilitiesGiveTheWholeOnAverage) {
    constexpr unsigned trials = 400;
    double sum = 0;
    double squares = 0;
    for (unsigned trial = 0; trial < trials; ++trial) {
        std::vector<Sample> units = population(trial, 300);
        // The estimated quantity: compressed bytes, say, which depend on the length but not on it
        // alone.
        const auto value = [](const Sample& unit) {
            return static_cast<double>(unit.data.size() * (1 + unit.file.path.back() % 4));
        };
        double whole = 0;
        for (const Sample& unit : units)
            whole += value(unit);
        Samples samples(20'000);
        for (Sample& unit : units)
            samples.keep(std::move(unit));
        const double tau = samples.tau();
        double estimate = 0;
        for (const Sample& sample : samples.take())
            estimate += value(sample) / std::min(1.0, static_cast<double>(sample.data.size()) * tau);
        sum += estimate / whole;
        squares += estimate / whole * (estimate / whole);
    }
    const double mean = sum / trials;
    const double error = std::sqrt((squares / trials - mean * mean) / trials);
    EXPECT_NEAR(mean, 1, 4 * error);
    EXPECT_LT(error, 0.02);
}

class Sampling : public SurveyFixture {};

TEST_F(Sampling, HoldsTheBytesOfTheFilesAndThoseBeforeThem) {
    std::map<std::string, std::string> contents = {
        {"empty", ""},
        {"short", "some text"},
        {"folder/a mebibyte", noise(mebibyte, 1)},
        {"folder/more", noise(mebibyte + 1, 2)},
        {"folder/long", noise(5 * mebibyte + 77'777, 3)},
        {"sparse", noise(5000, 4) + std::string(3 * mebibyte, '\0') + noise(3000, 5)},
    };
    for (const auto& [name, content] : contents)
        write(name, content);
    // The same bytes with a hole in them.
    const std::string sparse = (root / "sparse").string();
    std::filesystem::resize_file(sparse, 5000);
    std::filesystem::resize_file(sparse, contents["sparse"].size());
    std::fstream(sparse, std::ios::binary | std::ios::in | std::ios::out).seekp(5000 + 3 * mebibyte)
        << noise(3000, 5);
    double bytes = 0;
    for (const auto& [name, content] : contents)
        bytes += static_cast<double>(content.size());
    for (const unsigned threads : {1U, 3U}) {
        const Taken all = sampled(with(options(), 64 * mebibyte, threads));
        EXPECT_TRUE(std::isinf(all.tau));
        EXPECT_EQ(total(all.samples), bytes);
        EXPECT_EQ(all.samples.size(), 1U + 4U + 5U + 21U + 13U);
        for (const Sample& sample : all.samples) {
            const std::string& content = contents.at(sample.file.path);
            EXPECT_EQ(sample.file.bytes, content.size());
            EXPECT_EQ(sample.offset % unitBytes, 0U);
            EXPECT_TRUE(std::string(sample.data.begin(), sample.data.end()) ==
                        content.substr(sample.offset, unitBytes))
                << sample.file.path << " from " << sample.offset;
            const size_t history = std::min<size_t>(sample.offset, 32'768);
            EXPECT_TRUE(std::string(sample.history.begin(), sample.history.end()) ==
                        content.substr(sample.offset - history, history));
        }
    }
}

TEST_F(Sampling, ChoosesTheSameUnitsWithAnyNumberOfThreads) {
    for (unsigned i = 0; i < 300; ++i)
        write(std::to_string(i % 9) + "/" + std::to_string(i), noise(10 + i * i * (i % 7), i));
    const Taken first = sampled(with(options(), 2 * mebibyte, 1));
    EXPECT_LE(total(first.samples), 2.0 * mebibyte);
    EXPECT_GT(total(first.samples), 1.0 * mebibyte);
    for (const unsigned threads : {2U, 7U}) {
        const Taken other = sampled(with(options(), 2 * mebibyte, threads));
        EXPECT_EQ(other.tau, first.tau);
        ASSERT_EQ(other.samples.size(), first.samples.size());
        for (size_t i = 0; i < first.samples.size(); ++i) {
            EXPECT_EQ(other.samples[i].file.path, first.samples[i].file.path);
            EXPECT_EQ(other.samples[i].offset, first.samples[i].offset);
        }
    }
}

TEST_F(Sampling, CountsTheCopiesOfEveryBlockInTheWholeSource) {
    const std::string part = noise(3 * mebibyte / 2, 1);
    const std::vector<std::string> contents = {part, part, part.substr(mebibyte) + noise(5000, 2),
                                               noise(70'001, 3), std::string(200'000, '\0')};
    for (size_t i = 0; i < contents.size(); ++i)
        write(std::to_string(i), contents[i]);
    write("hole", "");
    std::filesystem::resize_file(root / "hole", 10 * mebibyte);
    std::vector<std::string> all = contents;
    all.emplace_back(10 * mebibyte, '\0');
    SurveyOptions given = with(options(), 64 * mebibyte);
    given.blocksFrom512 = true;
    const Taken taken = sampled(given);
    ASSERT_FALSE(taken.samples.empty());
    for (unsigned level = 0; level < 12; ++level) {
        const size_t blockBytes = size_t{512} << level;
        std::map<std::string, uint32_t> counts;
        for (const std::string& content : all) {
            for (size_t at = 0; at < content.size(); at += blockBytes)
                ++counts[content.substr(at, blockBytes)];
        }
        for (const Sample& sample : taken.samples) {
            const std::vector<uint32_t>& copies = sample.copies.at(level);
            if (blockBytes > unitBytes && sample.file.bytes > unitBytes) {
                ASSERT_TRUE(copies.empty());
                continue;
            }
            ASSERT_EQ(copies.size(), (sample.data.size() + blockBytes - 1) / blockBytes);
            const std::string data(sample.data.begin(), sample.data.end());
            for (size_t i = 0; i < copies.size(); ++i) {
                ASSERT_EQ(copies[i], counts.at(data.substr(i * blockBytes, blockBytes)))
                    << blockBytes << " in " << sample.file.path;
            }
        }
    }
}

TEST_F(Sampling, KeepsNothingUnlessAsked) {
    write("file", noise(3 * mebibyte, 1));
    const Taken none = sampled(options());
    EXPECT_TRUE(none.samples.empty());
}
