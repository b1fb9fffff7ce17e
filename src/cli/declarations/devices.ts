import { BAND_KINDS } from '../../domain/devices/bandKind'
import { MEASURE_PRESETS, MEASURED_CODECS, TEST_OPERATIONS } from '../../domain/devices/testWords'
import { type CommandDeclaration, form, REPLACE_FILE } from './declaration'

export const MEASURE = form(
  '',
  'stowage measure <folder> [--preset NAME | --size SIZE --count N --mix LIST | --again ID] [options]',
  {
    preset: {
      type: 'string',
      value: 'NAME',
      words: MEASURE_PRESETS,
      text:
        'quick (default, writes 1 GB), small (0.2 GB), streaming (12 GB), sustained (41 GB), stibium (56 GB) or ' +
        'survey:ID (the file sizes of a survey)',
    },
    size: {
      type: 'string',
      value: 'SIZE',
      text: 'a test of your own: the size of its files, or a range such as 1MB-100MB (the default)',
    },
    count: { type: 'string', value: 'N', text: 'the number of its files, 1 to 20,000 (default 30)' },
    mix: {
      type: 'string',
      value: 'LIST',
      words: TEST_OPERATIONS,
      text:
        'what is done with them once they are written: write,read (default), stream (both at once), ' +
        'randomRead, randomWrite (1,000 accesses of 4 KiB)',
    },
    depth: {
      type: 'string',
      value: 'N',
      text: 'number of requests in flight, 1 to 64 (default 1, or as the preset says)',
    },
    codec: {
      type: 'string',
      value: 'CODEC',
      words: MEASURED_CODECS,
      text:
        'every test that reads its files also reads, compresses and writes compressible files: gzip-1, gzip-6, ' +
        'gzip-9, zstd-1, zstd-3, zstd-9, zstd-19 or lz4',
    },
    spec: {
      type: 'string',
      value: 'FILE',
      text: 'read a test specification, YAML or JSON; the next version no longer does',
    },
    again: { type: 'string', value: 'ID', text: 'repeat the specification of an earlier measurement' },
    budget: {
      type: 'string',
      value: 'SIZE',
      text: 'write at most this much in total, with fewer and smaller files',
    },
    'read-only': {
      type: 'boolean',
      default: false,
      text: 'write nothing; read the files that the folder already holds',
    },
    in: {
      type: 'string',
      value: 'KIND',
      words: ['udsb', 'udrw', 'udsp', 'all'],
      text:
        'measure inside a container on that disk: udsb, udrw or udsp, encrypted with :128 or :256 (such as ' +
        'udsb:256), or all: every kind, plain and encrypted, new, rewritten and after most was deleted ' +
        '(preset stibium, at most 43 GB); options then use the figures for that kind',
    },
    buffered: {
      type: 'boolean',
      default: false,
      text: 'use the page cache instead of direct I/O; the result is marked as buffered',
    },
    list: { type: 'boolean', default: false, text: 'list earlier measurements' },
    show: { type: 'string', value: 'ID', text: 'show an earlier measurement' },
    all: { type: 'boolean', default: false, text: 'show every test, proof and warning' },
    compare: {
      type: 'string',
      multiple: true,
      value: 'A B',
      text: 'compare two measurements side by side',
    },
    csv: {
      type: 'string',
      value: 'FILE',
      text: 'save all samples as a table, of all containers one row each state',
    },
    ...REPLACE_FILE,
  },
)

export const MEASURE_COMMAND: CommandDeclaration = {
  does: 'Benchmarks the disk that holds a folder and proves that the page cache was bypassed.',
  forms: [MEASURE],
  notes: [
    [
      'test files',
      'are in one folder inside the given one; Stowage removes it at the end, also after a failure',
    ],
  ],
}

export const BANDS = form('', 'stowage bands <folder> [--sizes LIST] [--full-size SIZE] [options]', {
  sizes: {
    type: 'string',
    value: 'LIST',
    text:
      'band sizes to test, whole multiples of 4 KiB from 1MiB to 8GiB (default 2, 4, 8MiB, 15.4MB, 24, ' +
      '32, 48, 64, 128, 256, 512, 973MiB)',
  },
  kinds: {
    type: 'string',
    value: 'LIST',
    words: BAND_KINDS,
    text: 'containers to test: UDSB (default), UDSP, UDRW; a raw file is always tested for comparison',
  },
  encrypt: {
    type: 'string',
    value: 'LIST',
    words: ['none', '128', '256'],
    text: 'none (default), 128, 256; the recommendation is for the first one given',
  },
  'full-size': {
    type: 'string',
    value: 'SIZE',
    text: 'size of the bundle when full (default 1TB), which decides how many bands it gets',
  },
  budget: {
    type: 'string',
    value: 'SIZE',
    text: 'write at most this much in total (default 43GB, at least 336MB for the default sizes)',
  },
  repeats: {
    type: 'string',
    value: 'N',
    text: 'number of rounds, 3 to 25 (default 6, or as many as the budget allows)',
  },
  request: { type: 'string', value: 'SIZE', text: 'size of one I/O request (default 1MiB)' },
  seed: { type: 'string', value: 'N', text: 'random seed for run order and test data' },
  'show-mac-commands': {
    type: 'boolean',
    default: false,
    text: 'print the hdiutil commands that create the recommended bundle',
  },
  list: { type: 'boolean', default: false, text: 'list earlier band sweeps' },
  show: { type: 'string', value: 'ID', text: 'show an earlier band sweep' },
  all: { type: 'boolean', default: false, text: 'show every size, ratio and warning' },
  csv: { type: 'string', value: 'FILE', text: 'save every pass as a table' },
  ...REPLACE_FILE,
  mounted: {
    type: 'boolean',
    default: false,
    text: 'is refused: tests of mounted images are removed until a Mac has run them',
    hidden: 'it is refused with the reason',
  },
})

export const BANDS_COMMAND: CommandDeclaration = {
  does: 'Tests sparse bundles with many band sizes on your disk and recommends one.',
  forms: [BANDS],
}
