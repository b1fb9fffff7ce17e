#define STOWAGE_HASH_KERNEL stowageHashBlocksAvx512
#include "core/blocks/blockHashKernel.h"
