#include "core/processorLevel.h"

#include "core/hashing/blockHash.h"
#include "core/hashing/gearHashForms.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

using namespace stowage;

namespace {

template <typename Forms> std::string namesOf(const Forms& forms) {
    std::string names;
    for (const auto& form : forms)
        names += std::string(names.empty() ? "" : " ") + form.name;
    return names;
}

std::string expectedForms(ProcessorLevel level) {
    if (level == ProcessorLevel::avx512) return "avx512 avx2 portable";
    return level == ProcessorLevel::avx2 ? "avx2 portable" : "portable";
}

} // namespace

TEST(ProcessorLevel, BringsAFormOfEachHashForEachInstructionSet) {
    const std::string neon = processorLevel() == ProcessorLevel::neon ? "neon " : "";
    EXPECT_EQ(namesOf(gearHashForms()), neon + expectedForms(processorLevel()));
    EXPECT_EQ(namesOf(blockHashVariants()), expectedForms(processorLevel()));
}

TEST(ProcessorLevel, IsTheLowerOfTheProcessorsAndTheOneNamed) {
    EXPECT_EQ(levelWithin(nullptr, ProcessorLevel::avx2), ProcessorLevel::avx2);
    EXPECT_EQ(levelWithin("", ProcessorLevel::avx2), ProcessorLevel::avx2);
    EXPECT_EQ(levelWithin("portable", ProcessorLevel::avx512), ProcessorLevel::portable);
    EXPECT_EQ(levelWithin("avx2", ProcessorLevel::avx512), ProcessorLevel::avx2);
    EXPECT_EQ(levelWithin("avx512", ProcessorLevel::avx2), ProcessorLevel::avx2);
    EXPECT_EQ(levelWithin("neon", ProcessorLevel::neon), ProcessorLevel::neon);
}

TEST(ProcessorLevel, RefusesAnUnknownName) {
    EXPECT_THROW(levelWithin("AVX2", ProcessorLevel::avx2), std::invalid_argument);
    EXPECT_THROW(levelWithin("avx1024", ProcessorLevel::avx2), std::invalid_argument);
}
