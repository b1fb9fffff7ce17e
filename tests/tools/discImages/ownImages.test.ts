import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { PlanEntry } from '../../../src/contract/dto/plan'
import { checkDisc } from '../../support/discChecker/checkDisc'
import type { TreeNode } from '../../support/discChecker/fileTree'
import { SECTOR } from '../../support/discChecker/sectors'
import {
  libudfread,
  listByIsoinfo,
  missingReader,
  type ReadTree,
  readBy7Zip,
  readByBsdtar,
  readByXorriso,
  udfinfo,
} from '../../support/discReaders'
import { digestOf, expectedTree, udfTree } from '../../support/expectedDisc'
import { mostlyLong } from '../../support/mostlyLong'
import { ownVolume } from '../../support/ownImage'
import { randomDiscTree } from '../../support/randomDiscTree'
import { temporaryFolder } from '../../support/temporaryFolder'

/** How many random trees: STOWAGE_TREES=300 for a long run. */
const TREES = Number(process.env.STOWAGE_TREES ?? 30)
const CLEAN: readonly string[] = []

/** The times of creation in UDF, by path; null where there is none. */
function createdTimes(root: TreeNode): Map<string, bigint | null> {
  const found = new Map<string, bigint | null>()
  const walk = ({ children }: TreeNode): void => {
    for (const child of children) {
      found.set(child.path.slice(1), child.createdMicroseconds)
      walk(child)
    }
  }
  walk(root)
  return found
}

/** Whole microseconds, as UDF holds them: the earlier ones of two. */
function microsecondsOf(ns: string | undefined): bigint | null {
  if (ns === undefined) return null
  const rest = ((BigInt(ns) % 1000n) + 1000n) % 1000n
  return (BigInt(ns) - rest) / 1000n
}

const filesOf = (tree: ReadTree): ReadTree =>
  Object.fromEntries(Object.entries(tree).filter(([, content]) => content !== ''))

mostlyLong(
  it,
  Array.from({ length: TREES }, (_, at) => at + 1),
  (seed) => seed <= 2,
)('both trees of a disc image are the source to every reader (seed %i)', async (seed) => {
  const folder = await temporaryFolder()
  mkdirSync(join(folder, 'tree'))
  const { entries } = randomDiscTree(join(folder, 'tree'), seed)
  const image = join(folder, 'disc.iso')
  const volume = await ownVolume(folder, entries, { equalOnce: seed % 2 === 0 })
  expect(await volume.build(image)).toEqual([])
  expect(statSync(image).size).toBe(volume.forecast * SECTOR)

  const { findings, udf } = checkDisc(image)
  expect(findings).toEqual(CLEAN)
  const expected = expectedTree(entries)
  expect(readByXorriso(image)).toEqual(expected)
  const inUdf = udfTree(image, udf as TreeNode)
  // Names may be others in UDF, but not how many, and not what is in them.
  const contents = (tree: ReadTree): string[] => Object.values(tree).toSorted()
  const withoutLinks = entries.filter(({ kind }) => kind !== 'symlink')
  expect(contents(inUdf)).toEqual(contents(expectedTree(withoutLinks)))
  expect(readBy7Zip(image)).toEqual(inUdf)

  const missing = missingReader('bsdtar', 'isoinfo', 'udfinfo')
  if (missing) process.stderr.write(`left out bsdtar, isoinfo and udfinfo: ${missing}\n`)
  else {
    expect(readByBsdtar(image)).toEqual(expected)
    expect(new Set(listByIsoinfo(image))).toEqual(new Set(Object.keys(expected)))
    const info = udfinfo(image)
    expect(info).toMatchObject({
      label: 'A_01',
      udfrev: '1.02',
      accesstype: 'readonly',
      integrity: 'closed',
    })
    const folders = Object.values(inUdf).filter((content) => content === '').length
    expect(Number(info.numdirs)).toBe(folders + 1)
    expect(Number(info.numfiles)).toBe(Object.keys(inUdf).length - folders)
  }
})

it('libudfread reads the files of the UDF tree', async (context) => {
  const missing = missingReader('cc')
  if (missing) context.skip(missing)
  const folder = await temporaryFolder()
  const read = libudfread(folder)
  for (const seed of [1, 2, 3, 4, 5]) {
    mkdirSync(join(folder, `tree${seed}`))
    const { entries } = randomDiscTree(join(folder, `tree${seed}`), seed)
    const image = join(folder, `disc${seed}.iso`)
    await (await ownVolume(folder, entries)).build(image)
    const inUdf = udfTree(image, checkDisc(image).udf as TreeNode)
    expect(read(image)).toEqual(filesOf(inUdf))
    rmSync(image)
  }
})

it('creation times are in UDF to the microsecond, and none where the plan has none', async () => {
  const folder = await temporaryFolder()
  for (const seed of [1, 2, 3]) {
    mkdirSync(join(folder, `tree${seed}`))
    const { entries } = randomDiscTree(join(folder, `tree${seed}`), seed)
    const image = join(folder, `disc${seed}.iso`)
    await (await ownVolume(folder, entries)).build(image)
    const { findings, udf } = checkDisc(image)
    expect(findings).toEqual(CLEAN)
    const found = createdTimes(udf as TreeNode)
    const planned = entries
      .filter(({ kind, path }) => kind !== 'symlink' && found.has(path))
      .map(
        (entry) => [entry.path, microsecondsOf('createdNs' in entry ? entry.createdNs : undefined)] as const,
      )
    expect(planned.map(([path]) => [path, found.get(path)])).toEqual(planned)
    const known = planned.filter(([, time]) => time !== null).length
    expect(known).toBeGreaterThan(planned.length / 4)
    expect(known).toBeLessThan((planned.length * 3) / 4)
    rmSync(image)
  }
})

it('identical files are on the image once when asked for', async () => {
  const folder = await temporaryFolder()
  const content = Buffer.alloc(300 * SECTOR + 5, 'content')
  const entries: PlanEntry[] = ['a', 'b', 'c'].map((path) => {
    const source = join(folder, path)
    writeFileSync(source, content)
    return { kind: 'file', path, source, bytes: content.length, sha256: digestOf(content) }
  })
  const once = join(folder, 'once.iso')
  const apart = join(folder, 'apart.iso')
  const volumes = [
    await ownVolume(folder, entries, { equalOnce: true }),
    await ownVolume(folder, entries),
  ] as const
  expect(await volumes[0].build(once)).toEqual([])
  expect(await volumes[1].build(apart)).toEqual([])
  expect(checkDisc(once).findings).toEqual(CLEAN)
  expect(checkDisc(apart).findings).toEqual(CLEAN)
  // Two contents and two file entries less, in images of whole units of 32 sectors.
  const saved = volumes[1].forecast - volumes[0].forecast
  expect(Math.abs(saved - (2 * 301 + 2))).toBeLessThan(32)
  expect(readBy7Zip(once)).toEqual(readBy7Zip(apart))
})

it('targets of links come back wherever a field of Rock Ridge ends', { tags: 'long' }, async (context) => {
  const missing = missingReader('bsdtar')
  if (missing) context.skip(missing)
  const folder = await temporaryFolder()
  const targets = Array.from({ length: 24 }, (_, at) => ['..', '.', 'x'].map((next) => [at, next] as const))
    .flat()
    .map(([at, next]) => `${'n'.repeat(228 + at)}/${next}/${next}/${next}/end`)
  const entries = targets.map(
    (target, at): PlanEntry => ({
      kind: 'symlink',
      path: `link ${at}`,
      source: join(folder, 'none'),
      target,
    }),
  )
  const image = join(folder, 'disc.iso')
  expect(await (await ownVolume(folder, entries)).build(image)).toEqual([])
  expect(checkDisc(image).findings).toEqual(CLEAN)
  expect(readByXorriso(image)).toEqual(expectedTree(entries))
  expect(readByBsdtar(image)).toEqual(expectedTree(entries))
})

it('two builds of one volume are byte-identical', { tags: 'long' }, async () => {
  const folder = await temporaryFolder()
  mkdirSync(join(folder, 'tree'))
  const { entries } = randomDiscTree(join(folder, 'tree'), 99)
  const images = [join(folder, '1.iso'), join(folder, '2.iso')]
  for (const image of images) await (await ownVolume(folder, entries)).build(image)
  const [first, second] = images.map((image) => digestOf(readFileSync(image)))
  expect(first).toBe(second)
})

it('a content with more names than UDF counts is on the image once more', { tags: 'long' }, async () => {
  const folder = await temporaryFolder()
  const source = join(folder, 'source')
  writeFileSync(source, 'the same')
  const entries: PlanEntry[] = Array.from({ length: 66_000 }, (_, at) => ({
    kind: 'file',
    path: `folder/name ${at}`,
    source,
    bytes: 8,
    sha256: digestOf('the same'),
  }))
  const image = join(folder, 'disc.iso')
  const volume = await ownVolume(folder, entries, { equalOnce: true })
  expect(await volume.build(image)).toEqual([])
  const { findings, udf } = checkDisc(image)
  expect(findings).toEqual(CLEAN)
  const places = new Set(
    udf?.children.find(({ name }) => name === 'folder')?.children.map(({ runs }) => runs[0]?.first),
  )
  expect(places.size).toBe(2)
})
