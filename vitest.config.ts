import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { LONG_TAG } from './scripts/testing/longTests.mjs'
import { reachPlugin, reachSetup } from './scripts/testing/mutants/reach.mjs'
import { mutantPlugin } from './scripts/testing/mutants/replacement.mjs'
import { IN_MEMORY } from './tests/support/inMemory'

/** What a test of real tools or windows may take on a machine that others keep busy: no bound of what is tested. */
const PATIENCE = { testTimeout: 300_000, hookTimeout: 300_000 }

/** Tests of windows and of time run one file after another: on two cores they would only starve each other. */
const ONE_AFTER_ANOTHER = { fileParallelism: false, ...PATIENCE }

/** They change nothing outside of themselves but windows, which they close. */
const IN_ONE_PROCESS = { isolate: false, ...ONE_AFTER_ANOTHER }

const LONG = { name: LONG_TAG, description: 'only in `npm test -- --all` and with a filter' }

/** How long a test waits for a state that must come: no bound of what is tested. */
const STATE_MS = 60_000

/** The window's page in the system's Chromium, against an engine made from the contract, or one that repeats what a real one sent. */
const CHROMIUM = [
  'tests/e2e/renderer/**/*.test.ts',
  'tests/latency/window/{manyFolders,surveyReplay}.test.ts',
]

/**
 * The same in all themes and sizes: whether text is cut, covered or wider than the window, and pictures of it. With all else they take
 * too long for every change: `.ci/run` runs them, `npm test` does not.
 */
const LOOKS = 'tests/e2e/looks/**/*.test.ts'

/** Bounds of the CPU time that the code itself takes: they hold on a busy machine too. */
const CPU_TIME = 'tests/latency/cpuTime/**/*.test.ts'

/** The window itself while 78,000 files are made and surveyed: too long for every change, for which a replay of it stands. */
const WINDOW_CPU_TIME = 'tests/latency/window/surveyInElectron.test.ts'

/** What Node has compiled of programs that tests start: kept from run to run. */
const COMPILED = join(import.meta.dirname, '.cache/compiled')

/** They start the command hundreds of times, each with a data folder of its own: it is compiled once for all of them. */
const COMPILED_ONCE = { NODE_COMPILE_CACHE: COMPILED }

/** Half of the time they wait for tools to start and for disks to flush: two files fill that. */
const TWO_FILES = { maxWorkers: 2, ...PATIENCE, sequence: { groupOrder: 1 } }

/** Thousands of small files, made and removed again. */
const IN_MEMORY_FILES = {
  env: { ...COMPILED_ONCE, ...IN_MEMORY },
  globalSetup: ['tests/support/inMemory.ts'],
  ...TWO_FILES,
}

/** A bound must hold in one of three tries. */
const TRIES = { retry: 2 }

export default defineConfig({
  // Only for `npm run test:mutants`.
  plugins: [...mutantPlugin(import.meta.dirname), ...reachPlugin(import.meta.dirname)],
  test: {
    sequence: { shuffle: true },
    allowOnly: false,
    tags: [LONG],
    setupFiles: reachSetup(),
    // Of states that come: on a busy machine later, and a state that never comes still fails the test.
    expect: { poll: { timeout: STATE_MS } },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          // They change nothing outside of themselves, and loading the code anew for each file takes as long as half of the tests.
          isolate: false,
          include: ['tests/{unit,conformance,security}/**/*.test.{ts,tsx}'],
          ...PATIENCE,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          // Commands and jobs in the test's own process: their texts, documents, exit codes and files.
          name: 'command',
          // They put back what they change of their process. Loading the code anew for each file
          // takes a fifth of the tests' CPU time.
          isolate: false,
          include: ['tests/command/**/*.test.ts'],
          ...IN_MEMORY_FILES,
        },
      },
      {
        extends: true,
        // Real programs read and write what ours do.
        test: { name: 'tools', include: ['tests/tools/**/*.test.ts'], ...IN_MEMORY_FILES },
      },
      {
        extends: true,
        // What times a disk, reads past the cache, reads discs back or compares what a file takes: that is about real disks. So is
        // watching programs at their work, which in memory is too short to be seen.
        test: { name: 'disk', include: ['tests/disk/**/*.test.ts'], env: COMPILED_ONCE, ...TWO_FILES },
      },
      {
        extends: true,
        test: {
          name: 'chromium',
          include: CHROMIUM,

          globalSetup: ['tests/e2e/renderer/site.ts'],
          ...IN_ONE_PROCESS,
          sequence: { groupOrder: 2 },
        },
      },
      {
        extends: true,
        test: {
          name: 'looks',
          include: [LOOKS],
          globalSetup: ['tests/e2e/renderer/site.ts'],
          ...IN_ONE_PROCESS,
          sequence: { groupOrder: 6 },
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: ['tests/e2e/**/*.test.ts'],
          exclude: [...CHROMIUM, LOOKS],
          ...IN_ONE_PROCESS,
          sequence: { groupOrder: 3 },
        },
      },
      {
        extends: true,
        test: {
          name: 'latency',
          include: ['tests/latency/**/*.test.ts'],
          exclude: [CPU_TIME, WINDOW_CPU_TIME, ...CHROMIUM],
          // What is asked is how soon the code answers, not how busy the machine is.
          ...TRIES,
          ...ONE_AFTER_ANOTHER,
          sequence: { groupOrder: 4 },
        },
      },
      {
        extends: true,
        test: {
          name: 'cpu-time',
          include: [CPU_TIME],
          ...TRIES,
          ...ONE_AFTER_ANOTHER,
          sequence: { groupOrder: 5 },
        },
      },
      {
        extends: true,
        test: {
          name: 'windows',
          include: ['tests/windows/**/*.test.ts'],
          globalSetup: ['tests/windows/wineSetup.ts'],
          ...ONE_AFTER_ANOTHER,
          sequence: { groupOrder: 8 },
        },
      },
      {
        extends: true,
        test: {
          name: 'packages',
          include: ['tests/packages/**/*.test.ts'],
          ...ONE_AFTER_ANOTHER,
          // A package is made several times, and a system is installed.
          testTimeout: 1_800_000,
          sequence: { groupOrder: 9 },
        },
      },
      {
        extends: true,
        test: {
          name: 'arm',
          include: ['tests/arm/**/*.test.ts'],
          globalSetup: ['tests/arm/armSetup.ts'],
          ...ONE_AFTER_ANOTHER,
          sequence: { groupOrder: 10 },
        },
      },
      {
        extends: true,
        test: {
          name: 'spark',
          include: ['tests/spark/**/*.test.ts'],
          ...ONE_AFTER_ANOTHER,
          // Spark starts anew for each question, and loads a library of 640 MB for S3 first.
          testTimeout: 1_800_000,
          hookTimeout: 1_800_000,
          sequence: { groupOrder: 11 },
        },
      },
      {
        extends: true,
        test: {
          name: 'window-cpu-time',
          include: [WINDOW_CPU_TIME],
          ...TRIES,
          ...ONE_AFTER_ANOTHER,
          sequence: { groupOrder: 7 },
        },
      },
    ],
  },
})
