/**
 * Prints what Stowage recommends, with its reasons: six sources, six goals, on discs, on a disk and on both, plain and with AES-256.
 * Exits with 1 where a goal's answer is not within its floor of the true extreme of what can be carried out. Run with Node 24 after the command line has been built: node tests/bench/accuracy/recommendations.ts [--sets media,source,…] [--saved FOLDER]
 * Each seeded set is surveyed by the command itself. The figures of some are then multiplied, so that they are of the size that such
 * sources have: a few pictures fit on one disc, a collection of them does not. `--saved FOLDER` keeps the surveys and uses those of
 * an earlier run.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { SurveyDocument } from '../../../src/contract/dto/survey'
import { CACHE, withBundle } from './bundled.ts'

const COMMAND = resolve(import.meta.dirname, '../../../dist/cli/stowage.cjs')

/** How many times larger than the set each source is. */
const SOURCES: Readonly<Record<string, number>> = {
  media: 2000,
  source: 1,
  logs: 400,
  tiny: 20,
  collections: 1,
  disk: 300,
}

const MEDIA: Readonly<Record<string, readonly string[]>> = {
  discs: ['bd-r-25'],
  disk: ['disk'],
  both: ['bd-r-25', 'disk'],
}

const ENCRYPTIONS = ['none', 'aes-256'] as const

let answers = 0
let missed = 0

const { values: given } = parseArgs({
  options: {
    sets: { type: 'string', default: Object.keys(SOURCES).join(',') },
    saved: { type: 'string' },
  },
})

mkdirSync(CACHE, { recursive: true })
const home = mkdtempSync(join(CACHE, 'home-'))
try {
  await withBundle('recommendationsOf.ts', async (bench: typeof import('./recommendationsOf.ts')) => {
    for (const name of given.sets.split(',')) {
      const times = SOURCES[name] ?? 1
      const survey = bench.timesLarger(surveyOf(name, bench.setFolder(CACHE, name)), times)
      for (const [where, mediumIds] of Object.entries(MEDIA)) {
        for (const encryption of ENCRYPTIONS) {
          const document = await bench.optionsOf(survey, mediumIds, encryption)
          const { source, options, recommended, presets } = document
          const front = options.filter(({ pareto }) => pareto)
          console.log(
            `\n${name} × ${times}, ${where}, ${encryption}: ${source.files} files, ${(source.bytes / 1e9).toFixed(2)} GB; ${options.length} options, on the front ${front.map(({ id }) => id).join(', ')}`,
          )
          for (const { goal, medium, id, because } of mediumIds.length === 1 ? recommended : [])
            console.log(`  ${goal.padEnd(14)} ${id.replace(`@${medium}`, '')}\n      ${because}`)
          for (const { goal, id } of mediumIds.length === 1 ? [] : presets)
            console.log(`  ${goal.padEnd(14)} overall ${id}`)
          const misses = bench.missedExtremes(document)
          answers += recommended.length + presets.length
          missed += misses.length
          for (const miss of misses) console.log(`  MISSED ${miss}`)
        }
      }
    }
  })
} finally {
  rmSync(home, { recursive: true })
}
console.log(`\n${answers} answers, ${missed} beyond the floor of the true extreme`)
process.exitCode = missed === 0 && answers > 0 ? 0 : 1

function surveyOf(name: string, folder: string): SurveyDocument {
  const file = given.saved === undefined ? null : join(given.saved, `${name}.json`)
  if (file !== null && existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as SurveyDocument
  const text = execFileSync(process.execPath, [COMMAND, 'survey', folder, '--json'], {
    env: { ...process.env, STOWAGE_HOME: home },
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
  })
  if (file !== null) {
    mkdirSync(resolve(file, '..'), { recursive: true })
    writeFileSync(file, text)
  }
  return JSON.parse(text) as SurveyDocument
}
