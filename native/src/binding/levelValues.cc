#include "binding/levelValues.h"

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
