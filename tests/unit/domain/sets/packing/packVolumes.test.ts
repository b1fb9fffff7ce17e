import { describe, expect, it } from 'vitest'
import { fullAllowances } from '../../../../../src/domain/sets/packing/allowances'
import { costsOf } from '../../../../../src/domain/sets/packing/costModel'
import type { Assignment, InventoryItem, Packing } from '../../../../../src/domain/sets/packing/inventory'
import { type PackingOptions, packVolumes } from '../../../../../src/domain/sets/packing/packVolumes'
import { checkPlan } from '../../../../../src/domain/sets/packing/planTotals'
import { FILL_BY } from '../../../../../src/domain/sets/placement'
import { AppError } from '../../../../../src/primitives/appError'
import { seededRandom } from '../../../../../src/primitives/seededRandom'
import { seededInventory, shuffled } from './seededInventory'

const iso: PackingOptions = {
  capacitySectors: 5_000,
  cost: costsOf('image'),
  reserveBytes: 100_000,
  splitBoundaryBytes: 65_536,
}

function file(index: number, path: string, bytes: number): InventoryItem {
  return { index, path, kind: 'file', bytes }
}

/** For every volume the paths on it in the order of the assignments. */
function pathsOf(packing: Packing, items: readonly InventoryItem[]): string[][] {
  const byIndex = new Map(items.map((item) => [item.index, item]))
  const pathOf = (one: Assignment): string =>
    one.kind === 'whole' || one.kind === 'name' ? (byIndex.get(one.index) as InventoryItem).path : one.path
  return packing.volumes.map((volume) => volume.assignments.map(pathOf))
}

/** Checks everything that must hold for any packing, from the inventory alone. */
function expectSound(packing: Packing, items: readonly InventoryItem[], options: PackingOptions): void {
  const byIndex = new Map(items.map((item) => [item.index, item]))
  const seen = new Map<number, number>()
  const parts = new Map<number, { offset: number; bytes: number; path: string }[]>()
  const sector = options.cost.sectorBytes
  pathsOf(packing, items).forEach((paths, v) => {
    const volume = packing.volumes[v] as Packing['volumes'][number]
    const there = new Set(paths)
    expect(there.size).toBe(paths.length)
    let sectors = 0
    const contents = new Set<number>()
    volume.assignments.forEach((one, k) => {
      const path = paths[k] as string
      const slash = path.lastIndexOf('/')
      if (slash >= 0) {
        expect(there.has(path.slice(0, slash))).toBe(true)
        expect(paths.indexOf(path.slice(0, slash))).toBeLessThan(k)
      }
      if (one.kind === 'part') {
        parts.set(one.index, [...(parts.get(one.index) ?? []), { ...one, path }])
        sectors += Math.ceil(one.bytes / sector)
      } else if (one.kind === 'name') {
        seen.set(one.index, (seen.get(one.index) ?? 0) + 1)
      } else if (one.kind === 'whole') {
        const item = byIndex.get(one.index) as InventoryItem
        if (item.kind !== 'folder') seen.set(one.index, (seen.get(one.index) ?? 0) + 1)
        else seen.set(one.index, 1)
        const content = item.linkOf ?? item.index
        if (item.kind !== 'symlink' && !contents.has(content)) sectors += Math.ceil(item.bytes / sector)
        contents.add(content)
      }
    })
    expect(volume.modelSectors * sector + options.reserveBytes).toBeLessThanOrEqual(
      volume.allowanceSectors * sector,
    )
    expect(sectors).toBeLessThanOrEqual(volume.modelSectors)
  })
  for (const item of items) {
    if (item.path === '') continue
    const pieces = parts.get(item.index)
    if (!pieces) {
      expect([item.path, seen.get(item.index)]).toEqual([item.path, 1])
      continue
    }
    expect(seen.has(item.index)).toBe(false)
    const byName = pieces.toSorted((a, b) => (a.path < b.path ? -1 : 1))
    let offset = 0
    for (const piece of byName) {
      expect(piece.offset).toBe(offset)
      expect(piece.bytes).toBeGreaterThan(0)
      offset += piece.bytes
      if (offset < item.bytes) expect(offset % sector).toBe(0)
    }
    expect(offset).toBe(item.bytes)
  }
  expect(packing.lowerBoundVolumes).toBeLessThanOrEqual(packing.volumes.length)
}

describe('packing', () => {
  it('loses nothing, doubles nothing and never exceeds a volume, whatever the tree', () => {
    for (let seed = 1; seed <= 60; seed++) {
      const random = seededRandom(seed)
      const items = seededInventory(random, {
        entries: 1 + random.below(600),
        medianBytes: [500, 20_000, 300_000, 3_000_000][seed % 4] as number,
        spread: 1.8,
        perFolder: 2 + random.below(30),
        hardLinks: seed % 3 === 0 ? 0.1 : 0,
        symlinks: 0.05,
        emptyFolders: 0.05,
      })
      const options = seed % 5 === 0 ? { ...iso, cost: costsOf('folder'), splitBoundaryBytes: 4096 } : iso
      expectSound(packVolumes(items, options), items, options)
    }
  })

  it('packs around volumes that have lost some or all of their room', () => {
    for (let seed = 100; seed < 160; seed++) {
      const random = seededRandom(seed)
      const items = seededInventory(random, {
        entries: 1 + random.below(300),
        medianBytes: 200_000,
        spread: 2,
        hardLinks: 0.1,
      })
      const capacitySectors = [370, 510, 1_610, 5_110][seed % 4] ?? 0
      const byBin = new Map(Array.from({ length: 6 }, (_, bin) => [bin, random.below(capacitySectors + 1)]))
      const options = {
        ...iso,
        cost: seed % 3 === 0 ? costsOf('folder') : costsOf('image'),
        reserveBytes: random.below(10_000),
        capacitySectors,
        allowances: { ...fullAllowances(capacitySectors), byBin },
      }
      const packing = packVolumes(items, options)
      checkPlan(
        items,
        packing,
        packing.volumes.map((volume) => volume.modelSectors),
        capacitySectors,
      )
      for (const volume of packing.volumes) {
        expect(volume.allowanceSectors).toBe(byBin.get(volume.bin) ?? capacitySectors)
        expect(volume.modelSectors).toBeLessThanOrEqual(volume.allowanceSectors)
      }
    }
  })

  it('fills first volumes of other capacities, larger or smaller, each up to its own', () => {
    for (let seed = 200; seed < 260; seed++) {
      const random = seededRandom(seed)
      const items = seededInventory(random, {
        entries: 50 + random.below(300),
        medianBytes: [20_000, 300_000, 900_000][seed % 3] as number,
        spread: 1.6,
        hardLinks: seed % 2 === 0 ? 0.05 : 0,
      })
      const large = Array.from({ length: 1 + random.below(4) }, () => 9_000)
      const small = Array.from({ length: random.below(3) }, () => 2_000)
      const firstCapacities = [...large, ...small]
      const order = FILL_BY[seed % FILL_BY.length] ?? 'size'
      const placement = { pins: [], keep: [], order, modifiedMs: (index: number) => (index * 7919) % 1e12 }
      const options = { ...iso, firstCapacities, placement }
      const packing = packVolumes(items, options)
      const capacities = packing.volumes.map(({ bin }) => firstCapacities[bin] ?? iso.capacitySectors)
      const reserved = Math.ceil(iso.reserveBytes / 2048)
      checkPlan(
        items,
        packing,
        packing.volumes.map(({ modelSectors }) => modelSectors + reserved),
        capacities,
      )
      // Volumes of one capacity follow one another.
      const runs = capacities.filter((sectors, k) => sectors !== capacities[k - 1])
      expect(runs.length).toBe(new Set(runs).size)
      expect(packing.lowerBoundVolumes).toBeLessThanOrEqual(packing.volumes.length)
      const alone = packVolumes(items, { ...iso, placement })
      if (small.length === 0) expect(packing.volumes.length).toBeLessThanOrEqual(alone.volumes.length)
    }
  })

  it('names a need above the volume where larger layouts have taken their part', () => {
    const allowances = { ...fullAllowances(400), defaultSectors: 290 }
    const pack = (): unknown => packVolumes([file(0, 'a', 1)], { ...iso, capacitySectors: 400, allowances })
    expect(pack).toThrow(/^a volume of 400 sectors is too small: every volume needs more than 4\d\d /)
  })

  it('says how much is left over where the volumes are not enough', () => {
    const items = Array.from({ length: 7 }, (_, k) => file(k, `${k}`, 8_000_000))
    const options = { ...iso, firstCapacities: [9_000, 9_000], mostVolumes: 3 }
    expect(() => packVolumes(items, options)).toThrow(
      expect.objectContaining({
        code: 'cannot-fit',
        message:
          'cannot fit the source on 3 volumes: 16.0 MB are left over; add 2 volumes of the last medium',
      }),
    )
    expect(packVolumes(items, { ...options, mostVolumes: 5 }).volumes.map(({ bytes }) => bytes)).toEqual([
      16_000_000, 16_000_000, 8_000_000, 8_000_000, 8_000_000,
    ])
  })

  it('does not depend on the order of the inventory', () => {
    for (let seed = 1; seed <= 10; seed++) {
      const random = seededRandom(seed)
      const items = seededInventory(random, {
        entries: 400,
        medianBytes: 100_000,
        spread: 2,
        hardLinks: 0.05,
        symlinks: 0.05,
      })
      expect(packVolumes(shuffled(random, items), iso)).toEqual(packVolumes(items, iso))
    }
  })

  it('keeps a folder together when it fits on a volume', () => {
    const items = ['a', 'b', 'c', 'd'].flatMap((folder, f) =>
      Array.from({ length: 20 }, (_, k) => file(f * 100 + k, `${folder}/${k}`, 180_000)),
    )
    const packing = packVolumes(items, iso)
    expect(packing.volumes.length).toBe(2)
    expect(packing.folderBreaks).toBe(0)
    for (const paths of pathsOf(packing, items)) expect(new Set(paths.map((path) => path[0])).size).toBe(2)
  })

  it('breaks a folder that is larger than a volume in the order of names', () => {
    const items = Array.from({ length: 100 }, (_, k) => file(k, `p/${String(k).padStart(3, '0')}`, 200_000))
    const packing = packVolumes(items, iso)
    expect(packing.volumes.length).toBe(packing.lowerBoundVolumes)
    const names = pathsOf(packing, items).map((paths) => paths.filter((path) => path !== 'p'))
    for (const volume of names) {
      const first = Number((volume[0] as string).slice(2))
      expect(volume.map((path) => Number(path.slice(2)))).toEqual(volume.map((_, k) => first + k))
    }
  })

  it('splits a file larger than a volume into parts that cat rejoins', () => {
    const items = [file(1, 'big', 25_000_000), file(2, 'small', 10)]
    const packing = packVolumes(items, iso)
    expectSound(packing, items, iso)
    expect(packing.splitFiles).toBe(1)
    expect(packing.volumes.length).toBe(3)
    const parts = packing.volumes.flatMap((volume) => volume.assignments).filter((one) => one.kind === 'part')
    expect(parts.map((part) => part.path)).toEqual(['big.001', 'big.002', 'big.003'])
    expect(parts.slice(0, 2).map((part) => part.bytes % 65_536)).toEqual([0, 0])
  })

  it('splits on sectors when a volume has no room for a whole error correction block', () => {
    const tiny = { ...iso, capacitySectors: 320, reserveBytes: 0 }
    const items = [file(1, 'big', 100_001)]
    const packing = packVolumes(items, tiny)
    expectSound(packing, items, tiny)
    expect(packing.volumes.length).toBeGreaterThan(2)
  })

  it('chooses other part names when a neighbour has the same prefix', () => {
    const items = [file(1, 'big', 25_000_000), file(2, 'big.0', 1), file(3, 'big.part.01', 1)]
    const parts = packVolumes(items, iso)
      .volumes.flatMap((volume) => volume.assignments)
      .filter((one) => one.kind === 'part')
    expect(parts.map((part) => part.path)).toEqual(['big.part2.001', 'big.part2.002', 'big.part2.003'])
  })

  it('never gives two split files parts that one pattern would take together', () => {
    const items = [file(1, 'd/x', 25_000_000), file(2, 'd/x.0', 25_000_000), file(3, 'd/x.part', 25_000_000)]
    const packing = packVolumes(items, iso)
    expectSound(packing, items, iso)
    const parts = packing.volumes.flatMap((v) => v.assignments).filter((one) => one.kind === 'part')
    for (const part of parts) {
      const pattern = part.path.slice(0, part.path.lastIndexOf('.') + 2)
      const taken = [...parts, ...items].filter((one) => one.path.startsWith(pattern))
      expect(new Set(taken.map((one) => one.index))).toEqual(new Set([part.index]))
    }
  })

  it('keeps the names of parts within 255 bytes', () => {
    const items = [file(1, `${'ü'.repeat(127)}x`, 25_000_000)]
    const parts = packVolumes(items, iso)
      .volumes.flatMap((volume) => volume.assignments)
      .filter((one) => one.kind === 'part')
    expect(parts.length).toBe(3)
    for (const part of parts) expect(Buffer.byteLength(part.path)).toBeLessThanOrEqual(255)
  })

  it('keeps a leading zero when a file has more than 99 parts', () => {
    const items = [file(1, 'big', 11_000_000)]
    const packing = packVolumes(items, {
      ...iso,
      capacitySectors: 350,
      reserveBytes: 0,
      splitBoundaryBytes: 2048,
    })
    const parts = packing.volumes.flatMap((v) => v.assignments).filter((one) => one.kind === 'part')
    expect(parts.length).toBeGreaterThan(99)
    for (const part of parts) expect(part.path).toMatch(/^big\.0\d{3}$/)
  })

  it('splits what the format cannot hold in one file even when the volume could', () => {
    const options = { ...iso, maxFileBytes: 1_000_000, splitBoundaryBytes: 2048 }
    const items = [file(1, 'big', 4_500_000)]
    const packing = packVolumes(items, options)
    expectSound(packing, items, options)
    for (const one of packing.volumes.flatMap((v) => v.assignments)) {
      expect(one.kind === 'part' && one.bytes <= 1_000_000).toBe(true)
    }
  })

  it('keeps the names of one file on one volume and counts its bytes once', () => {
    const items: InventoryItem[] = [
      file(1, 'a/one', 6_000_000),
      file(2, 'b/other', 6_000_000),
      { index: 3, path: 'b/again', kind: 'hardLink', bytes: 6_000_000, linkOf: 1 },
    ]
    const packing = packVolumes(items, iso)
    expect(packing.volumes.map((volume) => volume.bytes)).toEqual([6_000_000, 6_000_000])
    expect(packing.volumes.map((volume) => volume.hardLinks)).toEqual([1, 0])
    expect(pathsOf(packing, items)).toEqual([
      ['a', 'a/one', 'b', 'b/again'],
      ['b', 'b/other'],
    ])
    expect(packing.problems).toEqual([])
  })

  it('packs a split file with several names whatever the length of its last part', () => {
    // The records of a part take more than those of a whole file: the folder of its other name may
    // not fit on the volume of the last part.
    for (let bytes = 18_900_000; bytes < 20_500_000; bytes += 1_000) {
      const items: InventoryItem[] = [
        { index: 0, path: 'a', kind: 'folder', bytes: 0 },
        file(1, 'a/large', bytes),
        { index: 2, path: 'b', kind: 'folder', bytes: 0 },
        { index: 3, path: 'b/again', kind: 'hardLink', bytes, linkOf: 1 },
      ]
      const packing = packVolumes(items, { ...iso, splitBoundaryBytes: 2048 })
      expectSound(packing, items, iso)
    }
  })

  it('stores a split file once and leaves its further names to the index of the last part', () => {
    const items: InventoryItem[] = [
      file(1, 'a', 25_000_000),
      { index: 2, path: 'b/again', kind: 'hardLink', bytes: 25_000_000, linkOf: 1 },
    ]
    const packing = packVolumes(items, iso)
    expect(packing.splitFiles).toBe(1)
    expect(packing.problems).toEqual([])
    expect(packing.volumes.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(25_000_000)
    const last = packing.volumes.find(({ assignments }) =>
      assignments.some((one) => one.kind === 'part' && one.part === one.parts),
    )
    expect(last?.assignments).toContainEqual({ kind: 'name', index: 2, linkOf: 'a' })
  })

  it('puts empty files, empty folders and symlinks on volumes', () => {
    const items: InventoryItem[] = [
      { index: 1, path: '', kind: 'folder', bytes: 0 },
      { index: 2, path: 'empty', kind: 'folder', bytes: 0 },
      file(3, 'none', 0),
      { index: 4, path: 'to', kind: 'symlink', bytes: 0, targetBytes: 4 },
    ]
    const packing = packVolumes(items, iso)
    expect(pathsOf(packing, items)).toEqual([['empty', 'none', 'to']])
    expect(packing.volumes[0]).toMatchObject({ files: 1, folders: 1, symlinks: 1, bytes: 0 })
  })

  it('names folders that have no entry of their own', () => {
    const packing = packVolumes([file(1, 'a/b/c', 1)], iso)
    expect(packing.volumes[0]?.assignments).toEqual([
      { kind: 'impliedFolder', path: 'a' },
      { kind: 'impliedFolder', path: 'a/b' },
      { kind: 'whole', index: 1 },
    ])
  })

  it('gives no volumes for nothing', () => {
    expect(packVolumes([], iso)).toMatchObject({ volumes: [], lowerBoundVolumes: 0, folderBreaks: 0 })
  })

  it('gives one empty volume for nothing where at least one is asked for', () => {
    expect(packVolumes([], { ...iso, isAtLeastOne: true })).toMatchObject({
      volumes: [{ bin: 0, assignments: [], files: 0, bytes: 0, allowanceSectors: iso.capacitySectors }],
      lowerBoundVolumes: 1,
      splitFiles: 0,
    })
    const items = [file(1, 'a', 5)]
    expect(packVolumes(items, { ...iso, isAtLeastOne: true })).toEqual(packVolumes(items, iso))
  })

  it('survives folders nested 5,000 deep', () => {
    const items: InventoryItem[] = []
    let path = ''
    for (let depth = 0; depth < 5_000; depth++) {
      path += depth === 0 ? 'd' : '/d'
      items.push({ index: depth, path, kind: 'folder', bytes: 0 })
    }
    for (let k = 0; k < 5; k++) items.push(file(5_000 + k, `${path}/${k}`, 4_000_000))
    const whole = packVolumes(items, { ...iso, capacitySectors: 40_000 })
    expect(whole.volumes.map((volume) => volume.folders)).toEqual([5_000])
    // Where every volume needs all the folders again, two of the files fit beside them.
    const broken = packVolumes(items, { ...iso, capacitySectors: 21_000 })
    expect(broken.volumes.map((volume) => volume.files)).toEqual([2, 2, 1])
    expect(broken.folderBreaks).toBe(2 * 5_000)
  })

  it.each([
    ['twice the same path', [file(1, 'a', 1), file(2, 'a', 1)]],
    ['an entry below a file', [file(1, 'a', 1), file(2, 'a/b', 1)]],
    ['a link to nothing', [{ index: 1, path: 'a', kind: 'hardLink', bytes: 1, linkOf: 9 }]],
  ] as const)('refuses %s', (_, items) => {
    expect(() => packVolumes(items, iso)).toThrow(expect.objectContaining({ code: 'bad-input' }))
  })

  it('says that a volume is too small for anything', () => {
    expect(() => packVolumes([file(1, 'a', 1)], { ...iso, capacitySectors: 100 })).toThrow(AppError)
    expect(() => packVolumes([file(1, 'a', 1)], { ...iso, capacitySectors: 100 })).toThrow(
      expect.objectContaining({ code: 'cannot-fit' }),
    )
  })

  it('breaks the fewest folders of the orders that need as many volumes', () => {
    const items: InventoryItem[] = []
    for (const [folder, kilobytes] of [
      ['a', [400, 550, 600]],
      ['b', [500, 600, 500, 550]],
    ] as const) {
      items.push({ index: items.length, path: folder, kind: 'folder', bytes: 0 })
      for (const size of kilobytes) items.push(file(items.length, `${folder}/${items.length}`, 1000 * size))
    }
    const options = { ...iso, capacitySectors: 500, cost: costsOf('folder'), reserveBytes: 0 }
    const volumes = pathsOf(packVolumes(items, options), items)
    expect(volumes).toHaveLength(3)
    const folders = volumes.flat().filter((path) => !path.includes('/'))
    expect(folders.toSorted()).toEqual(['a', 'b', 'b'])
  })
})
