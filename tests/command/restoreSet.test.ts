import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  closeSync,
  copyFileSync,
  cpSync,
  existsSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { PlanDocument } from '../../src/contract/dto/plan'
import type { RestoreDocument, RestoreRequest } from '../../src/contract/dto/restore'
import { makeHostileTree } from '../fixtures/hostileTree'
import { type Bench, openBench, type RunOptions, temporaryFolder } from '../support/archiveRun'
import { memoryDisk } from '../support/memoryDisk'
import { type RestoreOutcome, runRestore } from '../support/restoreRun'
import { type TreeFact, treeFacts } from '../support/treeFacts'

const folder = temporaryFolder('restore')
const source = join(folder.path, 'source')
const to = join(folder.path, 'restored')
let bench: Bench
let wanted: Record<string, TreeFact>
let plan: PlanDocument
let folderVolumes: string[]
/** The images alone, in a folder that is no plan's. */
const discs = join(folder.path, 'discs')

async function exportedAndBuilt(mediumId: string, directory: string): Promise<PlanDocument> {
  const made = await bench.plan(await bench.survey([source]), mediumId)
  await bench.export(made.id, directory)
  const { error } = await bench.build(directory)
  expect(error).toBeNull()
  return made
}

const restore = (
  request: Partial<RestoreRequest> & Pick<RestoreRequest, 'volumes'>,
  options: RunOptions = {},
): Promise<RestoreOutcome> => runRestore({ to, ...request }, options)

/** The contents of files by their names, but for split ones that are still joined. */
function contentsIn(directory: string): Record<string, unknown> {
  return contentsOf(treeFacts(directory))
}

function contentsOf(facts: Record<string, TreeFact>, names = Object.keys(facts)): Record<string, unknown> {
  const files = names.filter((name) => facts[name]?.kind === 'file' && !name.endsWith('.joining'))
  return Object.fromEntries(files.map((name) => [name, facts[name]?.content]))
}

const discsOf = (...numbers: number[]): string[] => numbers.map((n) => join(discs, `0${n}.iso`))
/** The discs with parts of the split file, in their order. */
const partDiscs = (): string[] => {
  const volumes = readFileSync(join(folder.path, 'plan/index.tsv'), 'latin1')
    .split('\n')
    .filter((line) => line.includes('\tpart\t'))
    .map((line) => Number(line.split('\t')[0]))
  return discsOf(...volumes)
}
const allDiscs = (): string[] =>
  readdirSync(discs)
    .toSorted()
    .map((name) => join(discs, name))

/** ISO 9660 keeps no doubled or trailing slashes in a link's target; the index does. */
beforeAll(async () => {
  makeHostileTree(source, { seed: 7, bigBytes: 5_000_000 })
  chmodSync(join(source, 'empty file'), 0o640)
  chmodSync(join(source, 'exactly one sector'), 0o755)
  chmodSync(join(source, 'empty folder'), 0o700)
  const sparse = openSync(join(source, 'sparse'), 'w')
  writeSync(sparse, 'begin', 0)
  writeSync(sparse, 'end', 900_000)
  ftruncateSync(sparse, 1_200_000)
  closeSync(sparse)
  execFileSync('touch', ['-h', '-d', '1969-12-31 23:59:59.999999999Z', join(source, 'dangling')])
  execFileSync('touch', ['-d', '1933-03-03 03:03:03.123456789Z', join(source, 'empty folder')])
  execFileSync('touch', ['-d', '2024-05-06 07:08:09.987654321Z', join(source, 'a sector and a byte')])
  wanted = treeFacts(source)
  bench = openBench(join(folder.path, 'data'))
  plan = await exportedAndBuilt('custom:3MB', join(folder.path, 'plan'))
  expect(plan.volumes.length).toBeGreaterThan(2)
  cpSync(join(folder.path, 'plan/images'), discs, { recursive: true })
  await exportedAndBuilt('folder:3MB', join(folder.path, 'folder plan'))
  const folders = join(folder.path, 'folder plan/folders')
  folderVolumes = readdirSync(folders)
    .toSorted()
    .map((name) => join(folders, name))
})
beforeEach(() => rmSync(to, { recursive: true, force: true }))
afterAll(() => {
  bench.close()
  folder.dispose()
})

describe('a set of images', () => {
  test('restores every name, content, time, permission, link and hole without plan, catalog or source', async () => {
    renameSync(source, `${source}-gone`)
    try {
      const { document, error } = await restore({ volumes: allDiscs() })
      expect(error).toBeNull()
      expect(document).toMatchObject({ outcome: 'done', kept: 0, volumesNeeded: [], notes: [] })
      expect(document.restored).toBe(document.files)
    } finally {
      renameSync(`${source}-gone`, source)
    }
    expect(treeFacts(to)).toEqual(wanted)
    const sparse = statSync(join(to, 'sparse'))
    expect(sparse.blocks * 512).toBeLessThan(sparse.size / 2)
  })

  test('keeps what is restored already when it is run again', async () => {
    const first = await restore({ volumes: allDiscs() })
    const { document, error } = await restore({ volumes: allDiscs() })
    expect(error).toBeNull()
    expect(document).toMatchObject({ restored: 0, kept: first.document.files, outcome: 'done' })
    expect(treeFacts(to)).toEqual(wanted)
  })

  test('restores disc by disc, in any order, and joins a split file in the end', async () => {
    const numbers = plan.volumes.map(({ index }) => index).toReversed()
    let last: RestoreDocument | null = null
    for (let round = 0; round < 2; round++) {
      for (const number of numbers) {
        const { document, error } = await restore({ volumes: discsOf(number) })
        expect(error).toBeNull()
        last = document
      }
    }
    expect(last?.damaged).toEqual([])
    for (const number of numbers) {
      const { document } = await restore({ volumes: discsOf(number) })
      expect(document).toMatchObject({
        outcome: 'done',
        volumesNeeded: [],
        restored: 0,
        kept: document.files,
      })
    }
    expect(treeFacts(to)).toEqual(wanted)
  })

  test('names the discs that a wanted file needs', async () => {
    const { document, error } = await restore({ volumes: discsOf(1), files: ['big file.bin'] })
    expect(error).toBeNull()
    expect(document.outcome).toBe('incomplete')
    expect(document.volumesNeeded.length).toBeGreaterThan(0)
    expect(document.volumesNeeded.map(({ label }) => label)).not.toContain(plan.volumes[0]?.label)
  })

  test('restores one folder or files by a pattern, with the folders above them', async () => {
    await restore({ volumes: allDiscs(), files: ['fol"der\n=\\', '*.txt'] })
    const expected = Object.keys(wanted).filter(
      (path) => path.startsWith('fol"der\n=\\') || (wanted[path]?.kind === 'file' && path.endsWith('.txt')),
    )
    expect(Object.keys(treeFacts(to)).toSorted()).toEqual(expected.toSorted())
  })

  test('refuses a pattern that nothing matches', async () => {
    await expect(restore({ volumes: allDiscs(), files: ['*.nothing'] })).rejects.toMatchObject({
      code: 'refused',
    })
  })

  test('leaves a file that differs alone, and replaces it with force', async () => {
    mkdirSync(to)
    writeFileSync(join(to, 'empty file'), 'mine')
    const { document, error } = await restore({ volumes: allDiscs() })
    expect(error?.code).toBe('exists')
    expect(document.differing.map(({ path }) => path)).toEqual(['empty file'])
    expect(readFileSync(join(to, 'empty file'), 'utf8')).toBe('mine')
    expect((await restore({ volumes: allDiscs(), force: true })).error).toBeNull()
    expect(treeFacts(to)).toEqual(wanted)
  })

  test('gives no further name to a file of its own that has the first name', async () => {
    mkdirSync(to)
    const names = Object.keys(wanted).filter((name) => name === 'exactly one sector' || name === 'hard link')
    const first = wanted['hard link']?.first ?? ''
    expect(names).toContain(first)
    writeFileSync(join(to, first), 'm'.repeat(2048))
    const { document } = await restore({ volumes: allDiscs() })
    expect(document.differing.map(({ path }) => path)).toEqual([first])
    const other = names.find((name) => name !== first) ?? ''
    expect(treeFacts(to)[other]?.content).toBe(wanted[first]?.content)
    expect(readFileSync(join(to, first), 'latin1')).toBe('m'.repeat(2048))
  })

  test('does not write through a link that is in the target', async () => {
    const elsewhere = join(folder.path, 'elsewhere')
    mkdirSync(elsewhere)
    mkdirSync(to)
    symlinkSync(elsewhere, join(to, 'deep'))
    const before = statSync(elsewhere)
    const { error } = await restore({ volumes: allDiscs(), force: true })
    expect(error?.code).toBe('exists')
    expect(readdirSync(elsewhere)).toEqual([])
    expect(statSync(elsewhere)).toMatchObject({ mtimeMs: before.mtimeMs, mode: before.mode })
  })

  test('leaves a file of its own alone that has the name of an unfinished one', async () => {
    mkdirSync(to)
    const own = join(to, 'big file.bin.joining')
    writeFileSync(own, 'mine')
    for (const disc of allDiscs()) expect((await restore({ volumes: [disc] })).error).toBeNull()
    await restore({ volumes: allDiscs(), force: true })
    expect(readFileSync(own, 'utf8')).toBe('mine')
    rmSync(own)
    expect(contentsIn(to)).toEqual(contentsOf(wanted))
    expect(readdirSync(to).filter((name) => name.endsWith('.joining'))).toEqual([])
  })

  test('takes away from an unfinished file what is not of its next part', async () => {
    const [first = '', second = ''] = partDiscs()
    await restore({ volumes: [first] })
    appendFileSync(join(to, 'big file.bin.joining'), 'half a part')
    expect((await restore({ volumes: [second] })).error).toBeNull()
    await restore({ volumes: allDiscs() })
    expect(treeFacts(to)).toEqual(wanted)
  })

  test('begins a split file again whose beginning was damaged while it waited, and keeps the damaged one', async () => {
    await restore({ volumes: partDiscs().slice(0, 1) })
    const waiting = join(to, 'big file.bin.joining')
    const joined = readFileSync(waiting)
    joined[5] = (joined[5] as number) ^ 1
    writeFileSync(waiting, joined)
    expect((await restore({ volumes: allDiscs() })).error).toBeNull()
    expect(contentsIn(to)).toEqual(contentsOf(wanted))
    expect(readFileSync(waiting)).toEqual(joined)
  })

  test('leaves nothing of a split file behind whose part ends early, and restores the others', async () => {
    const short = join(folder.path, 'short')
    mkdirSync(short)
    const [cut = ''] = partDiscs().slice(-1)
    const volumes = allDiscs().map((disc) => (disc === cut ? join(short, 'cut.iso') : disc))
    copyFileSync(cut, join(short, 'cut.iso'))
    const image = readFileSync(cut)
    const content = readFileSync(join(source, 'big file.bin'))
    const at = image.indexOf(content.subarray(-2048 * 8, -2048 * 7))
    expect(at).toBeGreaterThan(0)
    truncateSync(join(short, 'cut.iso'), at)
    try {
      const { document, error } = await restore({ volumes })
      expect(error?.code).toBe('verification-failed')
      const failed = document.damaged.find(({ path }) => path === 'big file.bin')
      expect(failed?.error.message).toMatch(/cut\.iso.*ends early/)
      expect(readdirSync(to).filter((name) => name.endsWith('.joining'))).toEqual([])
      expect(document.restored + document.damaged.length + document.missing.length).toBe(document.files)
      expect(document.restored).toBeGreaterThan(0)
    } finally {
      rmSync(short, { recursive: true })
    }
  })

  test('does not replace a file that appears while it restores, and restores the others', async () => {
    let isMade = false
    const { document, error } = await restore(
      { volumes: allDiscs() },
      {
        onProgress: ({ current }) => {
          if (current !== 'big file.bin' || isMade) return
          isMade = true
          writeFileSync(join(to, 'empty file'), 'mine')
        },
      },
    )
    expect(error?.code).toBe('exists')
    expect(document.differing.map(({ path }) => path)).toEqual(['empty file'])
    expect(document.restored).toBe(document.files - 1)
    expect(readFileSync(join(to, 'empty file'), 'utf8')).toBe('mine')
    const { 'empty file': _, ...others } = wanted
    expect(treeFacts(to)).toMatchObject(others)
  })

  test('names a folder whose place something else has, with what is in it, and restores the others', async () => {
    mkdirSync(to)
    writeFileSync(join(to, 'deep'), 'mine')
    const { document, error } = await restore({ volumes: allDiscs(), force: true })
    expect(error?.code).toBe('exists')
    const isIn = (path: string): boolean => path === 'deep' || path.startsWith('deep/')
    const expected = Object.keys(wanted).filter(isIn)
    expect(document.differing.map(({ path }) => path).toSorted()).toEqual(expected.toSorted())
    expect(readFileSync(join(to, 'deep'), 'utf8')).toBe('mine')
    const others = Object.entries(wanted).filter(([path]) => !isIn(path))
    expect(treeFacts(to)).toMatchObject(Object.fromEntries(others))
  })

  test('reports all of its work as done although other discs are needed', async () => {
    const seen: number[][] = []
    const { document } = await restore(
      { volumes: discsOf(1) },
      {
        onProgress: ({ filesDone, filesTotal, bytesDone, bytesTotal }) =>
          seen.push([filesDone, filesTotal ?? 0, bytesDone, bytesTotal ?? 0]),
      },
    )
    expect(document.volumesNeeded).not.toEqual([])
    const [filesDone, filesTotal, bytesDone, bytesTotal] = seen.at(-1) ?? []
    expect([filesDone, bytesDone]).toEqual([filesTotal, bytesTotal])
  })

  test('names a damaged file, leaves it out and restores the others', async () => {
    const damaged = join(folder.path, 'damaged')
    cpSync(discs, damaged, { recursive: true })
    const content = readFileSync(join(source, 'a sector and a byte'))
    for (const name of readdirSync(damaged)) {
      const image = readFileSync(join(damaged, name))
      const at = image.indexOf(content)
      if (at < 0) continue
      image[at + 7] = (image[at + 7] as number) ^ 1
      writeFileSync(join(damaged, name), image)
    }
    const volumes = readdirSync(damaged).map((name) => join(damaged, name))
    const { document, error } = await restore({ volumes })
    expect(error?.code).toBe('verification-failed')
    expect(document.damaged.map(({ path }) => path)).toEqual(['a sector and a byte'])
    expect(document.restored).toBe(document.files - 1)
    const { 'a sector and a byte': _, ...others } = wanted
    expect(treeFacts(to)).toEqual(others)
  })

  test('leaves no part of a file under its name when it is cancelled, and goes on from there', async () => {
    const controller = new AbortController()
    const { document, error } = await restore(
      { volumes: allDiscs() },
      {
        signal: controller.signal,
        onProgress: ({ bytesDone }) => {
          if (bytesDone > 400_000) controller.abort()
        },
      },
    )
    expect(error?.code).toBe('cancelled')
    expect(document.outcome).toBe('cancelled')
    expect(Object.keys(contentsIn(to))).toHaveLength(document.restored)
    for (const [path, fact] of Object.entries(treeFacts(to))) {
      if (fact.kind === 'file' && !path.endsWith('.joining')) expect(fact.content).toBe(wanted[path]?.content)
    }
    await restore({ volumes: allDiscs() })
    expect(treeFacts(to)).toEqual(wanted)
  })

  test('leaves no part of a file on a full disk, and goes on when there is room', async (context) => {
    const small = memoryDisk(join(folder.path, 'small'), 3 << 20)
    if (typeof small === 'string') return context.skip(small)
    const target = join(small.path, 'restored')
    try {
      writeFileSync(join(small.path, 'mine.txt'), 'mine')
      const { document, error } = await restore({ volumes: allDiscs(), to: target })
      expect(error?.code).toBe('no-space')
      expect(error?.message.split('\n')).toHaveLength(1)
      expect(document.outcome).toBe('failed')
      expect(document.damaged).toEqual([])
      expect(contentsIn(target)).toEqual(contentsOf(wanted, Object.keys(contentsIn(target))))
      expect(readdirSync(target).filter((name) => name.startsWith('.stowage'))).toEqual([])
      expect(readFileSync(join(small.path, 'mine.txt'), 'utf8')).toBe('mine')
      execFileSync('mount', ['-o', `remount,size=${32 << 20}`, small.path])
      expect((await restore({ volumes: allDiscs(), to: target })).error).toBeNull()
      expect(treeFacts(target)).toEqual(wanted)
    } finally {
      small.unmount()
    }
  })

  test.each([
    ['is empty of data', () => Buffer.alloc(1 << 20)],
    ['ends early', (image: Buffer) => image.subarray(0, image.length / 2)],
  ])('names an image that %s, and restores the others without it', async (_, spoiled) => {
    const [first = '', ...others] = allDiscs()
    const unreadable = join(folder.path, 'unreadable.iso')
    writeFileSync(unreadable, spoiled(readFileSync(first)))
    await expect(restore({ volumes: [unreadable] })).rejects.toMatchObject({
      code: 'bad-input',
      path: unreadable,
    })
    const { document, error } = await restore({ volumes: [unreadable, ...others] })
    expect(error).toMatchObject({ code: 'verification-failed' })
    expect(document.damagedLists.map(({ path }) => path)).toEqual([unreadable])
    expect(document.outcome).toBe('failed')
    expect(document.restored).toBeGreaterThan(0)
    // What lies on it is needed from another copy, or known to be lost where its number can be read.
    expect(document.restored).toBeLessThan(document.files)
    expect((await restore({ volumes: allDiscs() })).error).toBeNull()
    expect(treeFacts(to)).toEqual(wanted)
  })

  test('is not mixed with volumes of another set', async () => {
    const other = join(folder.path, 'other')
    await exportedAndBuilt('custom:4MB', other)
    await expect(restore({ volumes: [...discsOf(1), join(other, 'images/01.iso')] })).rejects.toMatchObject({
      code: 'refused',
    })
  })
})

test('the folder of a plan restores all that was built of it', async () => {
  const { error } = await restore({ volumes: [join(folder.path, 'plan')] })
  expect(error).toBeNull()
  expect(treeFacts(to)).toEqual(wanted)
})

test('a set of folders restores like one of images', async () => {
  const { error } = await restore({ volumes: folderVolumes })
  expect(error).toBeNull()
  expect(treeFacts(to)).toEqual(wanted)
})

test('files that a given volume lacks are missing, although it has no other that would show which volume it is', async () => {
  const [volume = ''] = folderVolumes
  const lacking = join(folder.path, 'lacking')
  mkdirSync(lacking)
  const own = readdirSync(volume).find((name) => existsSync(join(volume, name, 'INDEX.tsv'))) ?? ''
  cpSync(join(volume, own), join(lacking, own), { recursive: true })
  const { document, error } = await restore({ volumes: [lacking] })
  expect(error?.code).toBe('verification-failed')
  expect(document.missing).not.toEqual([])
  expect(document.volumesNeeded).toHaveLength(folderVolumes.length - 1)
})

test('a path that is not a volume is named', async () => {
  await expect(restore({ volumes: [source] })).rejects.toThrow(/neither a plan folder nor a volume/)
})
