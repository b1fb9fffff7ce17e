/**
 * V8 options for the engine's process. Without the limit, young objects take up to 128 MiB of a
 * machine with much memory and keep it: what the engine does with such objects is little, and most
 * of its work is native.
 */
export const ENGINE_V8_OPTIONS: readonly string[] = ['--max-semi-space-size=8']
