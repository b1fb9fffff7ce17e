import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { PlanEntry } from '../../../../../src/contract/dto/plan'
import type { VolumeProtection } from '../../../../../src/domain/sets/protection/volumeProtection'
import { ownLayout, ownPlaces } from '../../../../../src/engine/sets/mastering/ownLayout'
import { withRecovery } from '../../../../../src/engine/sets/mastering/recoveryFiles'
import { plannedVolumes } from '../../../../../src/engine/sets/volume/planned/plannedVolume'
import { type SeededRandom, seededRandom } from '../../../../../src/primitives/seededRandom'

const LISTS = ['INDEX.tsv', 'README.txt', 'RESTORE.sh', 'RECOVERY.tsv', 'SHA256SUMS']
const plan = { id: 'p-000000000000', mastering: { version: '0.2.0', volumeDateWallMs: 0 } }

function entries(random: SeededRandom): PlanEntry[] {
  const facts = { sha256: '0'.repeat(64), mtimeNs: '1', mode: 0o644 }
  const files = Array.from({ length: 1 + random.below(60) }, (_, k): PlanEntry => {
    const path = `d${random.below(9)}/${'n'.repeat(random.below(120))}${k}`
    return { kind: 'file', path, source: `/${path}`, bytes: random.below(4) * random.below(3000), ...facts }
  })
  const [first] = files
  if (first?.kind !== 'file') return files
  return [...files, { ...first, path: 'second name', linkOf: first.path }]
}

/** Recovery data of any lengths; some files take several extents, and more records. */
function protection(random: SeededRandom): VolumeProtection | undefined {
  if (random.below(8) === 0) return undefined
  const range = (): { sector: number; bytes: number } => ({
    sector: 0,
    bytes: random.below(30) === 0 ? 0x1_0000_0000 * (1 + random.below(20)) : random.below(100_000),
  })
  const set = () => ({
    blocks: 0,
    recoveryBlocks: random.below(9) === 0 ? 40 : 7,
    description: range(),
    recovery: range(),
  })
  return { blockBytes: 2048, sets: [set(), set()], bytes: 0, scratchBytes: 0 }
}

it('images of a plan differ by more than their labels', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'stowage-image-'))
  const imageOf = async (index: number): Promise<Buffer> => {
    const [volume] = plannedVolumes([{ index, label: 'SAME' }], 'STOWAGE', () => [])
    if (!volume) throw new Error('no volume')
    const path = join(folder, `${index}.iso`)
    const output = openSync(path, 'wx')
    const { layout } = await ownLayout(plan, volume, [])
    await layout.write(output, [], false, false).finished
    closeSync(output)
    return readFileSync(path)
  }
  const [first, again, second] = [await imageOf(1), await imageOf(11), await imageOf(2)]
  rmSync(folder, { recursive: true })
  expect(first.length).toBe(second.length)
  expect(first.equals(second)).toBe(false)
  expect(first.equals(again)).toBe(false)
})

describe('the places of the files on an image', () => {
  it('are those of its layout, whatever lengths Stowage’s own files had before', async () => {
    for (let seed = 0; seed < 40; seed++) {
      const random = seededRandom(seed)
      const all = entries(random)
      const [volume] = plannedVolumes([{ index: 1, label: 'A' }], 'STOWAGE', () => all)
      if (!volume) throw new Error('no volume')
      for (let round = 0; round < 12; round++) {
        const lists = LISTS.map((name) => ({
          name,
          bytes: random.below(9) * random.below(9999),
          source: null,
        }))
        const own = withRecovery(lists, protection(random))
        const places = await ownPlaces(plan, volume, own)
        const { layout, contents } = await ownLayout(plan, volume, own)
        expect([seed, round, places.layout.sectors()]).toEqual([seed, round, layout.sectors()])
        expect(places.layout.firstSectors()).toEqual(layout.firstSectors())
        expect(places.contents.entries.bytes).toEqual(contents.entries.bytes)
        expect([...places.contents.numbers]).toEqual([...contents.numbers])
      }
    }
  })
})
