import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, test } from 'vitest'
import type { SurveyDocument } from '../../src/contract/dto/survey'
import { openCatalog } from '../../src/engine/catalog/openCatalog'
import { seededRandom } from '../../src/primitives/seededRandom'
import { bytesAskedFor, type SurveyEngine, surveyEngine } from '../support/surveyEngine'

const FILES = 80
const BYTES = 100_000
/** Files younger than this when a survey begins are not trusted by the next. */
const RACY_MS = 2100

const racyTime = (): Promise<void> => pause(RACY_MS)

/** Files of the sources that are old when a test begins. */
const SOURCES = {
  unchanged: FILES,
  changed: FILES,
  few: 8,
  digests: 8,
  sized: 8,
}

let folder: string
let source: string
let bench: SurveyEngine
/** Where sources lie that are old enough to be trusted: all waited for at once. */
let old: string
beforeAll(async () => {
  old = mkdtempSync(join(tmpdir(), 'stowage-incremental-old-'))
  for (const [name, files] of Object.entries(SOURCES)) writeSource(join(old, name), files)
  await racyTime()
})
afterAll(() => rmSync(old, { recursive: true, force: true }))
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stowage-incremental-'))
  source = join(folder, 'source')
  mkdirSync(source)
  bench = surveyEngine(join(folder, 'home'))
})
afterEach(async () => {
  await bench.engine.close()
  rmSync(folder, { recursive: true, force: true })
})

const random = seededRandom(31)
function content(bytes = BYTES): Buffer {
  const noise = Buffer.alloc(bytes)
  random.fillBytes(noise)
  return noise
}

function sketches(): string[] {
  return readdirSync(join(folder, 'home', 'sketches'))
}

function writeSource(place: string, files: number): void {
  mkdirSync(place)
  const shared = content()
  for (let index = 0; index < files; index++) {
    writeFileSync(join(place, `f${index}.dat`), index % 4 === 0 ? shared : content())
  }
  linkSync(join(place, 'f1.dat'), join(place, 'a second name'))
}

/** The files in the order that the survey proposes for a solid archive. */
function orderOf(surveyId: string): string[] {
  const catalog = openCatalog(join(folder, 'home'))
  try {
    return [...(catalog.contentOrder(surveyId) ?? [])].map((entry) => entry.path)
  } finally {
    catalog.close()
  }
}

/** The files that the survey found to share data, by their paths. */
function groupsOf(surveyId: string): string[][] {
  const catalog = openCatalog(join(folder, 'home'))
  try {
    return [...(catalog.fileGroups(surveyId, 'groups') ?? [])].map((group) =>
      group.map((entry) => entry.path),
    )
  } finally {
    catalog.close()
  }
}

/** What two surveys of the same content must agree on. */
function figures(document: SurveyDocument) {
  return { ...document, id: '', createdWallMs: 0, timing: null, trusted: null, notTrusted: null }
}

test('a survey whose document is damaged hinders neither the list nor the next survey', async () => {
  source = join(old, 'few')
  const first = await bench.survey([source])
  const second = await bench.survey([source])
  damage(second.id)
  const third = await bench.survey([source])
  expect(third.trusted?.surveyId).toBe(first.id)
  damage(first.id)
  damage(third.id)
  const fourth = await bench.survey([source])
  expect([fourth.trusted, fourth.notTrusted]).toEqual([null, null])
  expect(figures(fourth)).toEqual(figures(first))
  const listed = await bench.engine.handlers.survey.list()
  expect(listed.map(({ id }) => id)).toEqual([fourth.id])
})

/** Leaves a stored survey as an older version with an error could leave it. */
function damage(surveyId: string): void {
  const database = new Database(join(folder, 'home', 'catalog.db'))
  database
    .prepare(`UPDATE surveys SET document = json_set(document, '$.solid', json('[null]')) WHERE id = ?`)
    .run(surveyId)
  database.close()
}

describe('a second survey', () => {
  it('of an unchanged tree reads nothing and gives the same figures', async () => {
    source = join(old, 'unchanged')
    const before = bytesAskedFor()
    const first = await bench.survey([source], { sha256: true })
    const read = bytesAskedFor() - before
    expect(read).toBeGreaterThan(FILES * BYTES)
    const second = await bench.survey([source], { sha256: true })
    expect(bytesAskedFor() - before - read).toBeLessThan((FILES * BYTES) / 10)
    expect(second.trusted).toMatchObject({ surveyId: first.id, files: FILES, bytes: FILES * BYTES })
    expect(figures(second)).toEqual(figures(first))
    const groups = await bench.engine.handlers.survey.duplicates({ surveyId: second.id, limit: 5 })
    expect(groups).toMatchObject([{ copies: FILES / 4, bytes: BYTES }])
    // A third one builds on the second, whose own sketch was never read from files.
    const third = await bench.survey([source], { sha256: true })
    expect([third.trusted?.surveyId, figures(third)]).toEqual([second.id, figures(first)])
    const full = await bench.survey([source], { sha256: true, full: true })
    expect([full.trusted, full.notTrusted?.reason]).toEqual([null, 'full'])
    expect(figures(full)).toEqual(figures(first))
  })

  it('of a changed tree reads what changed, and agrees with a full one', async () => {
    source = join(old, 'changed')
    await bench.survey([source])
    writeFileSync(join(source, 'f2.dat'), content(70_001))
    writeFileSync(join(source, 'new.txt'), content())
    rmSync(join(source, 'f3.dat'))
    renameSync(join(source, 'f5.dat'), join(source, 'f5 moved.dat'))
    // Nothing but the times: that the content is the same cannot be known without reading it.
    const before60s = new Date(Date.now() - 60_000)
    utimesSync(join(source, 'f6.dat'), before60s, before60s)
    const before = bytesAskedFor()
    const second = await bench.survey([source])
    expect(bytesAskedFor() - before).toBeLessThan(FILES * BYTES * 0.25)
    expect(second.trusted?.files).toBeGreaterThanOrEqual(FILES - 4)
    expect(second.trusted?.files).toBeLessThan(FILES)
    const full = await bench.survey([source], { full: true })
    expect(figures(second)).toEqual(figures(full))
    expect(second.fixedBlocks.every((level) => level.exact)).toBe(true)
  })

  it('forecasts codecs from what is known, without reading it again', async () => {
    source = join(old, 'few')
    const first = await bench.survey([source], { samples: 'fast' })
    const again = await bench.survey([source], { samples: 'fast' })
    expect(again.trusted?.forecasts).toBe('same')
    expect([again.compression, again.combined]).toEqual([first.compression, first.combined])
    expect(first.solid.length).toBeGreaterThan(0)
    expect(again.solid).toEqual(first.solid)
    expect(first.grouped?.length).toBeGreaterThan(1)
    expect(again.grouped).toEqual(first.grouped)
    // Every fourth file is the same.
    expect(groupsOf(first.id)).toContainEqual(['f0.dat', 'f4.dat'])
    expect(groupsOf(again.id)).toEqual(groupsOf(first.id))
    const orders = [first.id, again.id].map((id) => orderOf(id))
    expect(orders[0]?.length).toBe(8)
    expect(orders[1]).toEqual(orders[0])
    writeFileSync(join(source, 'new.txt'), 'words '.repeat(5_000))
    const joined = await bench.survey([source], { samples: 'fast' })
    expect(joined.trusted?.forecasts).toBe('joined')
    expect(joined.compression.length).toBe(first.compression.length)
    for (const [index, row] of joined.compression.entries()) {
      const was = first.compression[index]
      expect(row.predictedBytes).toBeGreaterThanOrEqual(was?.predictedBytes ?? 0)
      expect(row.predictedBytes).toBeLessThan((was?.predictedBytes ?? 0) + 30_000)
      expect(row.low).toBeLessThanOrEqual(row.predictedBytes)
      expect(row.high).toBeGreaterThanOrEqual(row.predictedBytes)
    }
    // One file of thirty kilobytes more: forecasts of everything together are carried, with wider ranges, and the file comes last.
    expect([joined.solid.length, joined.combined.length]).toEqual([first.solid.length, first.combined.length])
    for (const [index, row] of joined.solid.entries()) {
      const known = first.solid[index]
      expect(row.low).toBeLessThanOrEqual(known?.low ?? 0)
      expect(row.high).toBe((known?.high ?? 0) + 30_000)
    }
    expect(orderOf(joined.id)).toEqual([...(orders[0] ?? []), 'new.txt'])
    expect(groupsOf(joined.id)).toEqual([...groupsOf(first.id), ['new.txt']])
    for (const [index, row] of joined.grouped?.entries() ?? []) {
      expect(row.archives).toBe(Math.round(((first.grouped?.[index]?.archives ?? 0) * 9) / 8))
      expect(row.high).toBeGreaterThan(30_000 + (first.grouped?.[index]?.high ?? 0))
    }
  })

  const MAKES_ALL = 'with more samples than %s makes every forecast of a first survey'
  it.each(['none', 'fast'] as const)(MAKES_ALL, { tags: 'long' }, async (few) => {
    source = join(old, `more-than-${few}`)
    writeSource(source, 8)
    await racyTime()
    const poor = await bench.survey([source], { samples: few })
    const again = await bench.survey([source], { samples: 'normal' })
    expect(again).toMatchObject({ trusted: null, notTrusted: { surveyId: poor.id, reason: 'samples' } })
    const first = await bench.survey([source], { samples: 'normal', full: true })
    for (const name of ['compression', 'combined', 'solid', 'grouped', 'fragments'] as const) {
      expect(again[name]?.length, name).toBeGreaterThan(0)
      expect(again[name]?.length, name).toBe(first[name]?.length)
    }
    // One without samples in between takes nothing away.
    await bench.survey([source], { samples: 'none' })
    const later = await bench.survey([source], { samples: 'normal' })
    expect(later.trusted).toMatchObject({ forecasts: 'same' })
    expect(later.solid).toEqual(first.solid)
  })

  it('takes digests that the earlier survey has, and says where some are missing', async () => {
    source = join(old, 'digests')
    const first = await bench.survey([source], { samples: 'none', sha256: true })
    expect(first.sha256).toBe(true)
    const same = await bench.survey([source], { samples: 'none', sha256: false })
    expect(same).toMatchObject({ sha256: true, trusted: { surveyId: first.id } })
    writeFileSync(join(source, 'added.dat'), content())
    const added = await bench.survey([source], { samples: 'none', sha256: false })
    expect(added).toMatchObject({ sha256: false, trusted: { surveyId: same.id } })
    const asked = await bench.survey([source], { samples: 'none', sha256: true })
    expect(asked.trusted?.files).toBeGreaterThan(0)
  })

  it('reads files again whose change the clock could have missed', async () => {
    writeFileSync(join(source, 'young.dat'), content())
    await bench.survey([source])
    const second = await bench.survey([source])
    expect(second.trusted).toBeNull()
  })

  it('leaves the sketches of the five newest surveys of a tree', async () => {
    writeFileSync(join(source, 'a.dat'), content())
    const other = await bench.survey([source], { samples: 'quick' })
    const ids: string[] = []
    for (let count = 0; count < 7; count++) ids.push((await bench.survey([source], { full: true })).id)
    const kept = sketches().map((name) => name.split('.')[0])
    expect(new Set(kept)).toEqual(new Set([other.id, ...ids.slice(2)]))
    await expect(bench.engine.mergeSurveys([ids[0] ?? '', ids[6] ?? ''])).rejects.toThrow(/sketch/)
  })

  it('takes a sketch of another format for none, and removes it', async () => {
    writeFileSync(join(source, 'a.dat'), content())
    const first = await bench.survey([source])
    const name = sketches()[0] as string
    const format = readFileSync(join(folder, 'home', 'sketches', name)).readUInt32LE('STOWSKCH'.length)
    expect(name).toBe(`${first.id}.sketch${format}`)
    renameSync(
      join(folder, 'home', 'sketches', name),
      join(folder, 'home', 'sketches', `${first.id}.sketch${format - 1}`),
    )
    const second = await bench.survey([source])
    expect(second.notTrusted).toEqual({ surveyId: first.id, reason: 'noSketch' })
    await bench.engine.close()
    bench = surveyEngine(join(folder, 'home'))
    expect(sketches()).toEqual([`${second.id}.sketch${format}`])
  })

  it('gives the reason why it could not build on an earlier survey', async () => {
    writeFileSync(join(source, 'a.dat'), content())
    let newest = await bench.survey([source], { sha256: true })
    // Each differs from the newest before it in one thing alone.
    for (const [options, reason] of [
      [{ sha256: true, samples: 'quick' }, 'chunkers'],
      [{ sha256: true, samples: 'quick', blockSizes: [512] }, 'blockSizes'],
    ] as const) {
      const next = await bench.survey([source], options)
      expect(next.notTrusted).toEqual({ surveyId: newest.id, reason })
      newest = next
    }
    expect((await bench.survey([source], { sha256: true })).notTrusted).toBeNull()
  })

  it('reads everything again for block sizes that no sketch has, and builds on such a survey afterwards', async () => {
    const sized = join(old, 'sized')
    const first = await bench.survey([sized])
    const own = await bench.survey([sized], { blockSizes: [2352, 4096, 2352] })
    expect(own.notTrusted).toEqual({ surveyId: first.id, reason: 'blockSizes' })
    const sizes = first.fixedBlocks.map(({ blockSize }) => blockSize)
    expect(own.fixedBlocks.map(({ blockSize }) => blockSize)).toEqual([...sizes, 2352])
    const again = await bench.survey([sized], { blockSizes: [4096] })
    expect(again.notTrusted).toBeNull()
    expect(again.trusted).toMatchObject({ surveyId: own.id, files: 8 })
    writeFileSync(join(sized, 'b.dat'), content())
    const later = await bench.survey([sized])
    expect(later.trusted).toMatchObject({ files: 8 })
    // What was not read again has blocks of powers of two only.
    expect(later.fixedBlocks.map(({ blockSize }) => blockSize)).toEqual(sizes)
  })
})
