import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { PlanEntry } from '../../../src/contract/dto/plan'
import type { SkipCause } from '../../../src/domain/sets/skippedFile'
import { openImage } from '../../../src/engine/sets/volume/image/image'
import { readSkippedTsv, skippedTsv } from '../../../src/engine/sets/volume/lists/skippedList'
import { seededRandom } from '../../../src/primitives/seededRandom'
import { checkDisc } from '../../support/discChecker/checkDisc'
import { SECTOR } from '../../support/discChecker/sectors'
import { mostlyLong } from '../../support/mostlyLong'
import { ownVolume, PAYLOAD_NAME } from '../../support/ownImage'
import { randomDiscTree } from '../../support/randomDiscTree'
import { temporaryFolder } from '../../support/temporaryFolder'

const sha256 = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex')

/** A tenth of the contents, with all names that have each. */
function someContents(entries: readonly PlanEntry[], seed: number): Map<string, SkipCause> {
  const random = seededRandom(seed)
  const files = entries.filter((entry) => entry.kind === 'file').filter(({ bytes }) => bytes > 0)
  const digests = new Set(files.map((file) => file.sha256))
  const gone = new Set([...digests].filter((_, at) => at === 0 || random.below(10) === 0))
  return new Map(files.filter((file) => gone.has(file.sha256)).map(({ path }) => [path, 'changed']))
}

mostlyLong(
  it,
  [1, 2, 3, 4, 5, 6, 7, 8],
  (seed) => seed === 2,
)('an image without some files keeps its size and the places of all others (tree %i)', async (seed) => {
  const folder = await temporaryFolder()
  mkdirSync(join(folder, 'tree'))
  const { entries } = randomDiscTree(join(folder, 'tree'), seed)
  const volume = await ownVolume(folder, entries, { equalOnce: seed % 2 === 0, withSums: true })
  const [whole, rest] = [join(folder, 'whole.iso'), join(folder, 'rest.iso')]
  expect(await volume.build(whole)).toEqual([])
  const skipped = someContents(entries, seed)
  expect(await volume.buildWith(rest, { skipped, otherSources: new Map() })).toEqual([])
  expect(statSync(rest).size).toBe(volume.forecast * SECTOR)
  expect(checkDisc(rest).findings).toEqual([])
  const [before, after] = [await openImage(whole), await openImage(rest)]
  for (const entry of entries) {
    if (entry.kind !== 'file') continue
    const place = await after.placeOf(entry.path)
    if (skipped.has(entry.path)) expect(place).toBeNull()
    else if (entry.bytes > 0)
      expect(place).toMatchObject({
        offset: (await before.placeOf(entry.path))?.offset,
        bytes: entry.bytes,
      })
    else expect(place).toMatchObject({ bytes: 0 })
  }
  const list = await after.placeOf(`${PAYLOAD_NAME}/SKIPPED.tsv`)
  const text = readFileSync(rest).subarray(list?.offset, (list?.offset ?? 0) + (list?.bytes ?? 0))
  expect(readSkippedTsv(text)).toEqual(skipped)
})

mostlyLong(
  it,
  [0, 1, 30, 31],
  (spare) => spare === 0,
)('the list of what is left out finds room on an image with %i sectors to spare', async (spare) => {
  const folder = await temporaryFolder()
  const content = Buffer.alloc(SECTOR, 'one sector ')
  const named = (name: string, bytes: number): PlanEntry => {
    const source = join(folder, name)
    const own = Buffer.alloc(bytes, name)
    writeFileSync(source, own)
    return { kind: 'file', path: name, source, bytes, sha256: sha256(own) }
  }
  const gone = named('gone', content.length)
  // The second file fills the image up to the sectors to spare.
  const least = await ownVolume(folder, [gone, named('fill', 1)], { withSums: true })
  const image = join(folder, 'least.iso')
  expect(await least.build(image)).toEqual([])
  const used = Math.max(
    ...(await Promise.all(
      ['SHA256SUMS', 'README.txt', 'INDEX.tsv'].map(async (name) => {
        const place = await (await openImage(image)).placeOf(`${PAYLOAD_NAME}/${name}`)
        return ((place?.offset ?? 0) + (place?.bytes ?? 0)) / SECTOR
      }),
    )),
  )
  const more = least.forecast - 1 - Math.ceil(used) - spare
  const sectors = more < 0 ? more + 32 : more
  const full = await ownVolume(join(folder, 'full'), [gone, named('filled', (sectors + 1) * SECTOR)], {
    withSums: true,
  })
  const rest = join(folder, 'rest.iso')
  const skipped = new Map([['gone', 'vanished' as const]])
  expect(await full.buildWith(rest, { skipped, otherSources: new Map() })).toEqual([])
  expect(statSync(rest).size).toBe(full.forecast * SECTOR)
  expect(checkDisc(rest).findings).toEqual([])
})

it('the list of what is left out holds every name', () => {
  const names = ['a b', 'tab\tin', 'line\nin', 'back\\slash', 'umlaut ü 日本', 'not \udcff utf-8', 'path']
  const skipped = new Map(names.map((name, at) => [name, at % 2 === 0 ? 'changed' : 'unreadable'] as const))
  expect(readSkippedTsv(Buffer.from(skippedTsv(skipped)))).toEqual(skipped)
  expect(readSkippedTsv(Buffer.from('cause\tpath\nchanged\ta\n'))).toBeNull()
  const text = skippedTsv(skipped)
  expect(readSkippedTsv(Buffer.from(`${text}stolen\ta\n`))).toBeNull()
  expect(readSkippedTsv(Buffer.from(`${text}changed\ta\tb\n`))).toBeNull()
})
