#define STOWAGE_HASH_KERNEL stowageHashBlocksAvx2
#include "core/blocks/blockHashKernel.h"
