/** The operations that a person mixes in a test. */
export const TEST_OPERATIONS = ['write', 'read', 'stream', 'randomRead', 'randomWrite'] as const

/** Codecs that work on one stream in this process, as their tools do. */
export const MEASURED_CODECS = [
  'gzip-1',
  'gzip-6',
  'gzip-9',
  'zstd-1',
  'zstd-3',
  'zstd-9',
  'zstd-19',
  'lz4',
] as const

/** The tests that have a name. */
export const MEASURE_PRESETS = ['quick', 'stibium', 'small', 'sustained', 'streaming'] as const
