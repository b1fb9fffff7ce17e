import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PlanDocument, PlanEntry } from '../../src/contract/dto/plan'
import type { ProgressUpdate } from '../../src/engine/jobs/jobContext'
import { runsOfFolder } from '../../src/engine/sets/runs/knownRuns'
import { openPlanFolder } from '../../src/engine/sets/volume/planned/planFolder'
import { sevenZip } from '../../src/engine/tools/sevenZip'
import { makeHostileTree } from '../fixtures/hostileTree'
import { type Bench, openBench, temporaryFolder } from '../support/archiveRun'

const folder = temporaryFolder('build')
const source = join(folder.path, 'source')
const exported = join(folder.path, 'plan')
let bench: Bench
let plan: PlanDocument
let files = 0

const sha256 = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex')
const imagesOf = (directory: string): string[] => readdirSync(join(directory, 'images')).toSorted()
const entriesOf = (index: number): PlanEntry[] => [...bench.catalog.planEntries(plan.id, index)]

beforeAll(async () => {
  files = makeHostileTree(source, { seed: 7, bigBytes: 5_000_000 })
  bench = openBench(join(folder.path, 'data'))
  plan = await bench.plan(await bench.survey([source]), 'custom:3MB')
  await bench.export(plan.id, exported)
})
afterAll(() => {
  bench.close()
  folder.dispose()
})

describe('a plan of a tree with hostile names', () => {
  test('has every file of the source once, and splits the one that is too large', () => {
    const all = plan.volumes.flatMap(({ index }) => entriesOf(index))
    const whole = all.filter(({ kind }) => kind === 'file').length
    const wholesOfParts = new Set(all.flatMap((entry) => (entry.kind === 'part' ? [entry.wholePath] : [])))
    expect(wholesOfParts).toEqual(new Set(['big file.bin']))
    expect(whole + wholesOfParts.size).toBe(files)
    expect(plan.totals).toMatchObject({ files, symlinks: 7, splitFiles: 1, volumes: plan.volumes.length })
  })

  test('names the link that the format cannot store exactly', () => {
    const ofTargets = plan.problems.filter(({ code }) => code.startsWith('target-'))
    expect(ofTargets).toMatchObject([{ code: 'target-tidied', path: 'untidy link', blocking: false }])
  })

  test('never exceeds the capacity of a volume', () => {
    for (const { sectors, capacitySectors } of plan.volumes)
      expect(sectors).toBeLessThanOrEqual(capacitySectors)
  })

  test('is built into images of exactly the sectors that were foreseen, with progress', async () => {
    const bytes: number[] = []
    const onProgress = ({ bytesDone }: ProgressUpdate): number => bytes.push(bytesDone)
    const { run, error } = await bench.build(exported, { force: true, onProgress })
    expect(error).toBeNull()
    expect(run.outcome).toBe('done')
    expect(run.volumes.map(({ state, actualSectors }) => [state, actualSectors])).toEqual(
      plan.volumes.map(({ sectors }) => ['done', sectors]),
    )
    expect(bytes).toEqual(bytes.toSorted((a, b) => a - b))
    for (const [at, name] of imagesOf(exported).entries()) {
      expect(statSync(join(exported, 'images', name)).size).toBe((plan.volumes[at]?.sectors ?? 0) * 2048)
    }
  })

  test('is verified: every byte and name of every image is what was planned', async () => {
    await bench.build(exported)
    const { run, error } = await bench.verify(exported)
    expect(run.volumes.flatMap((volume) => volume.errors)).toEqual([])
    expect(error).toBeNull()
    expect(run.volumes.every(({ state }) => state === 'done')).toBe(true)
    expect(existsSync(join(exported, 'runs', `${run.id}.json`))).toBe(true)
  })

  test('reopens as built and verified, also for a catalog that does not know it', async () => {
    await bench.build(exported)
    await bench.verify(exported)
    const listed = bench.catalog.plans().find(({ id }) => id === plan.id)
    expect(listed).toMatchObject({ built: plan.volumes.length, verified: plan.volumes.length })
    const other = openBench(join(folder.path, 'other catalog'))
    const states = async () =>
      (await runsOfFolder(await openPlanFolder(exported), other.catalog)).map(
        ({ kind, outcome, volumes }) => [kind, outcome, volumes.length],
      )
    const all = plan.volumes.length
    expect(await states()).toEqual([
      ['build', 'done', all],
      ['verify', 'done', all],
    ])
    expect(other.catalog.runs(plan.id).length).toBeGreaterThan(1)
    rmSync(join(exported, 'images', '01.iso'))
    expect((await states())[0]).toEqual(['build', 'done', all - 1])
    other.close()
  })

  test('builds one volume alone with the same bytes as with the others, at another time of day', async () => {
    await bench.build(exported)
    const image = join(exported, 'images', '02.iso')
    const before = sha256(image)
    const { run } = await bench.build(exported, { volumes: [2], force: true })
    expect(run.volumes.map(({ index, state }) => [index, state])).toEqual([[2, 'done']])
    expect(sha256(image)).toBe(before)
  })

  test('keeps images that are there already', async () => {
    await bench.build(exported)
    const { run, error } = await bench.build(exported)
    expect(error).toBeNull()
    expect(run.volumes.every(({ state }) => state === 'kept')).toBe(true)
  })

  test('gives back the source when all images are extracted, checked and joined', {
    tags: 'long',
  }, async () => {
    await bench.build(exported)
    const out = join(folder.path, 'out')
    const volumeFolders = imagesOf(exported).map((name) => {
      const to = join(out, name)
      mkdirSync(to, { recursive: true })
      const image = join(exported, 'images', name)
      execFileSync('xorriso', ['-no_rc', '-osirrox', 'on', '-indev', image, '-extract', '/', to], {
        stdio: 'pipe',
      })
      execFileSync('chmod', ['-R', 'u+w', to])
      execFileSync('sha256sum', ['--quiet', '--strict', '-c', 'STOWAGE-1/SHA256SUMS'], {
        cwd: to,
        stdio: 'pipe',
      })
      return to
    })
    const joined = join(folder.path, 'joined')
    const withParts = volumeFolders.find((to) => existsSync(join(to, 'STOWAGE-1', 'REJOIN.sh'))) ?? ''
    const script = join(withParts, 'STOWAGE-1', 'REJOIN.sh')
    // One volume after the other, as from a single drive: only the last call completes the file.
    const ends = volumeFolders.map((to) => {
      try {
        execFileSync('sh', [script, joined, to], { stdio: 'pipe' })
        return 0
      } catch (thrown) {
        return (thrown as { status: number }).status
      }
    })
    expect(ends.at(-1)).toBe(0)
    expect(sha256(join(joined, 'big file.bin'))).toBe(sha256(join(source, 'big file.bin')))
    for (const to of volumeFolders) {
      execFileSync('sh', ['-c', 'rm -rf STOWAGE-1 "big file.bin".0*'], { cwd: to })
      execFileSync('cp', ['-a', `${to}/.`, joined])
    }
    // Rock Ridge tidies link targets, so that one link is compared apart.
    const compare = ['-r', '--no-dereference', '--exclude=untidy link', source, joined]
    expect(execFileSync('diff', compare, { encoding: 'latin1' })).toBe('')
  })

  test('joins by a plain cat of the parts in the order of their names', async () => {
    await bench.build(exported)
    const tool = await sevenZip.find()
    const joined = plan.volumes
      .flatMap(({ index }) => entriesOf(index).map((entry) => ({ index, entry })))
      .filter(({ entry }) => entry.kind === 'part')
      .toSorted((a, b) => (a.entry.path < b.entry.path ? -1 : 1))
      .map(({ index, entry }) =>
        execFileSync(
          tool?.path ?? '',
          ['x', '-so', '-tiso', `${exported}/images/0${index}.iso`, entry.path],
          {
            maxBuffer: 1e8,
          },
        ),
      )
    expect(Buffer.concat(joined).equals(readFileSync(join(source, 'big file.bin')))).toBe(true)
  })
})
