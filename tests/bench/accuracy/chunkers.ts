/**
 * Forecasts of chunkers against real repositories. Run with Node 24: node tests/bench/accuracy/chunkers.ts
 * [--sets releases-loose,releases-tar,django-tar,packages-source,disk-images,edited-copies] [--repositories 5] [--tools borg-1,restic]
 * Boundaries are a secret of each repository, so every set goes into several: their spread is the luck, and the error of a
 * forecast is against their mean. Points are hundredths of the set's bytes. Sets and results are kept in .cache/truth.
 * Needs the native addon, borg 1, restic with repositories of version 2, tar, npm and python3.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { CACHE, median, withBundle } from './bundled.ts'

const { values: given } = parseArgs({
  options: {
    sets: { type: 'string' },
    tools: { type: 'string', default: 'borg-1,restic' },
    repositories: { type: 'string', default: '5' },
  },
})

interface Row {
  readonly data: number
  readonly reported: number
  readonly luck: number
  readonly half: number
  readonly covered: number
  readonly repositories: number
}

mkdirSync(CACHE, { recursive: true })
await withBundle('chunkForecast.ts', async (truth: typeof import('./chunkForecast.ts')) => {
  const rows: Row[] = []
  const points = (bytes: number, of: number): string => ((100 * bytes) / of).toFixed(2).padStart(8)
  for (const name of given.sets?.split(',') ?? Object.keys(truth.CHUNK_SETS)) {
    const make = truth.CHUNK_SETS[name]
    if (!make) throw new Error(`no such set: ${name} (there are ${Object.keys(truth.CHUNK_SETS).join(', ')})`)
    const folder = truth.madeOnce(CACHE, name, make)
    const { bytes, files, figures } = await truth.chunkForecast(folder)
    console.log(`\n${name}: ${(bytes / 1e6).toFixed(1)} MB in ${files} files; all figures in points of that`)
    console.log(
      'tool       unique     low    high  mean of data  reported    error  error of reported  luck (sd)  held',
    )
    for (const tool of given.tools.split(',')) {
      const found = truth.repositoriesOf(
        tool,
        folder,
        Number(given.repositories),
        join(CACHE, `${name}.${tool}.json`),
      )
      const one = figures.get(tool)
      if (!one) continue
      const data = found.map((stored) => stored.dataBytes)
      const mean = average(data)
      const reported = average(found.map((stored) => stored.reportedBytes))
      const luck = Math.sqrt(
        data.reduce((sum, each) => sum + (each - mean) ** 2, 0) / Math.max(1, data.length - 1),
      )
      const held = data.filter((each) => one.low <= each && each <= one.high).length
      rows.push({
        data: (one.uniqueBytes - mean) / bytes,
        reported: (one.uniqueBytes - reported) / bytes,
        luck: luck / bytes,
        half: (one.high - one.low) / 2 / bytes,
        covered: held,
        repositories: data.length,
      })
      console.log(
        `${tool.padEnd(8)} ${[one.uniqueBytes, one.low, one.high].map((each) => points(each, bytes)).join('')} ${points(mean, bytes).padStart(13)} ${points(reported, bytes).padStart(9)} ${points(one.uniqueBytes - mean, bytes)} ${points(one.uniqueBytes - reported, bytes).padStart(18)} ${points(luck, bytes).padStart(10)} ${`${held}/${data.length}`.padStart(5)}`,
      )
    }
  }
  const all = rows.reduce((sum, row) => sum + row.repositories, 0)
  const held = rows.reduce((sum, row) => sum + row.covered, 0)
  for (const [label, errors] of [
    ['data', rows.map((row) => Math.abs(row.data))],
    ['reported', rows.map((row) => Math.abs(row.reported))],
  ] as const)
    console.log(
      `${label}: median |error| ${points(median(errors) ?? 0, 1)} points, worst ${points(Math.max(...errors), 1)}, within 2 points: ${errors.filter((error) => error <= 0.02).length} of ${errors.length}`,
    )
  console.log(
    `luck: median ${points(median(rows.map((row) => row.luck)) ?? 0, 1)} points; ranges hold ${held} of ${all} repositories, median half-width ${points(median(rows.map((row) => row.half)) ?? 0, 1)} points`,
  )
})

function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
