#include "binding/survey/levelValues.h"

#include <algorithm>
#include <cmath>

namespace stowage::binding {

namespace {

void addDistinct(Napi::Object& value, const char* countName, const Distinct& distinct) {
    value[countName] = std::round(static_cast<double>(distinct.retained.count) / distinct.theta);
    value["uniqueBytes"] = std::round(static_cast<double>(distinct.retained.bytes) / distinct.theta);
    value["exact"] = distinct.exact;
    value["theta"] = distinct.theta;
    value["retained"] = static_cast<double>(distinct.retained.count);
    value["sumBytesRetained"] = static_cast<double>(distinct.retained.bytes);
    value["sumSquaredBytesRetained"] = static_cast<double>(distinct.retained.squaredBytes);
}

} // namespace

/** The retained blocks that are alone in some file. */
static Napi::Value aloneValue(Napi::Env env, const Retained& alone) {
    Napi::Object value = Napi::Object::New(env);
    value["retained"] = static_cast<double>(alone.count);
    value["sumBytesRetained"] = static_cast<double>(alone.bytes);
    value["sumSquaredBytesRetained"] = static_cast<double>(alone.squaredBytes);
    return value;
}

/**
 * The sums over what is retained, but for blocks that are alone in a file and the full blocks of
 * zeros; null if the table does not count.
 */
static Napi::Value calibrationValue(Napi::Env env, const BlockLevel& level) {
    if (!level.counted) return env.Null();
    const Retained& zeros = level.retainedZeros;
    Retained rest = level.retained;
    rest.subtract(zeros);
    const uint64_t apart = level.fullZeroBlocks * level.blockBytes + level.aloneBytes;
    Napi::Object value = Napi::Object::New(env);
    value["apartUniqueBytes"] = static_cast<double>(level.fullZeroBlocks > 0 ? level.blockBytes : 0);
    value["bytes"] = static_cast<double>(level.bytes - std::min(apart, level.bytes));
    value["sumUnique"] = static_cast<double>(rest.bytes - level.alone.bytes);
    value["sumSquaredUnique"] = static_cast<double>(rest.squaredBytes - level.alone.squaredBytes);
    value["sumAll"] = static_cast<double>(rest.bytesOfAll);
    value["sumUniqueTimesAll"] = static_cast<double>(rest.bytesTimesAll);
    value["sumSquaredAll"] = static_cast<double>(rest.squaredBytesOfAll);
    return value;
}

Napi::Value levelsValue(Napi::Env env, const std::vector<BlockLevel>& levels) {
    Napi::Array values = Napi::Array::New(env, levels.size());
    for (uint32_t i = 0; i < levels.size(); ++i) {
        const BlockLevel& level = levels[i];
        Napi::Object value = Napi::Object::New(env);
        value["blockSize"] = static_cast<double>(level.blockBytes);
        value["blocks"] = static_cast<double>(level.blocks);
        value["bytes"] = static_cast<double>(level.bytes);
        addDistinct(value, "uniqueBlocks", level);
        value["zeroBlocks"] = static_cast<double>(level.zeroBlocks);
        value["zeroBytes"] = static_cast<double>(level.zeroBytes);
        value["alone"] = aloneValue(env, level.alone);
        value["calibration"] = calibrationValue(env, level);
        values[i] = value;
    }
    return values;
}

Napi::Value chunkLevelsValue(Napi::Env env, const std::vector<ChunkLevel>& levels) {
    Napi::Array values = Napi::Array::New(env, levels.size());
    for (uint32_t i = 0; i < levels.size(); ++i) {
        Napi::Object value = Napi::Object::New(env);
        value["chunks"] = static_cast<double>(levels[i].chunks);
        value["bytes"] = static_cast<double>(levels[i].bytes);
        addDistinct(value, "uniqueChunks", levels[i]);
        values[i] = value;
    }
    return values;
}

Napi::Value fileLevelValue(Napi::Env env, const FileLevel& level) {
    Napi::Object value = Napi::Object::New(env);
    value["files"] = static_cast<double>(level.files);
    value["bytes"] = static_cast<double>(level.bytes);
    addDistinct(value, "uniqueFiles", level);
    return value;
}

} // namespace stowage::binding
