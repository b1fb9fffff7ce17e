#pragma once

#include "core/sketches/sketchMerge.h"

#include <napi.h>

namespace stowage::binding {

Napi::Value levelsValue(Napi::Env env, const std::vector<BlockLevel>& levels);
Napi::Value chunkLevelsValue(Napi::Env env, const std::vector<ChunkLevel>& levels);
Napi::Value fileLevelValue(Napi::Env env, const FileLevel& level);

} // namespace stowage::binding
