import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { PlanEntry } from '../../../../src/contract/dto/plan'
import type { SurveyDocument } from '../../../../src/contract/dto/survey'
import type { Catalog } from '../../../../src/engine/catalog/catalog'
import type { NewEntry, SurveyEntry } from '../../../../src/engine/catalog/entry'
import { MIGRATIONS } from '../../../../src/engine/catalog/migrate'
import { openCatalog } from '../../../../src/engine/catalog/openCatalog'
import { type Bytes, bytes } from '../../../../src/primitives/bytes'
import { pathFromBytes, pathToBytes } from '../../../../src/primitives/pathText'
import { planDocument } from '../../../support/catalogPlan'
import { EMPTY_DOCUMENT } from '../../../support/catalogSurvey'

let folder: string
let catalog: Catalog
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stowage-catalog-'))
  catalog = openCatalog(folder)
})
afterEach(() => {
  catalog.close()
  rmSync(folder, { recursive: true })
})

function entry(id: number, path: string, rest: Partial<NewEntry> = {}): NewEntry {
  return {
    id,
    kind: 'file',
    rootIndex: 0,
    path: pathToBytes(path),
    bytes: 5 as Bytes,
    allocatedBytes: 4096 as Bytes,
    mtimeNs: 1_700_000_000_123_456_789n,
    ctimeNs: 1_700_000_000_000_000_001n,
    device: 2n ** 64n - 1n,
    inode: BigInt(id),
    mode: 0o100644,
    digest: new Uint8Array(16).fill(id),
    sha256: null,
    linkTarget: null,
    ...rest,
  }
}

function surveyDocument(id: string, createdWallMs = 1): SurveyDocument {
  return {
    ...EMPTY_DOCUMENT,
    id,
    createdWallMs,
    roots: ['/archive'],
    totals: { ...EMPTY_DOCUMENT.totals, files: 3, folders: 1, bytes: 15, allocatedBytes: 15, skipped: 1 },
    skipped: [{ path: '/archive/x', code: 'io', message: 'cannot read /archive/x: input/output error' }],
  }
}

describe('the catalog', () => {
  it('shows a survey only when it is finished, and brings every entry back in order', () => {
    const writer = catalog.beginSurvey('s-1')
    const entries = [
      entry(0, '', { kind: 'folder', digest: null }),
      entry(3, 'b', { bytes: (2 ** 53 - 1) as Bytes }),
      entry(1, 'a\nb\udcff', { sha256: new Uint8Array(32).fill(9) }),
      entry(2, 'c', { kind: 'symlink', digest: null, linkTarget: '../\udc80' }),
      entry(4, 'd', { kind: 'hardLink', digest: null, inode: 3n }),
    ]
    writer.add(entries)
    writer.skip({ path: '/archive/x\udcfe', code: 'io', message: 'cannot read it' })
    expect(catalog.surveys()).toEqual([])
    expect(() => catalog.survey('s-1')).toThrow(/no survey s-1/)
    expect(writer.linkNames()).toBe(2 ** 53 - 1)
    const document = surveyDocument('s-1')
    document.totals.hardLinks = 1
    writer.finish(document)
    expect(catalog.survey('s-1')).toEqual(document)
    const back = [...catalog.surveyEntries('s-1')]
    expect(back.map((each) => each.path)).toEqual(['', 'a\nb\udcff', 'b', 'c', 'd'])
    const expected = [0, 2, 1, 3, 4].flatMap((index) => entries.slice(index, index + 1))
    expect(back.slice(0, -1).map(plain)).toEqual(expected.slice(0, -1).map(plain))
    expect(back.at(-1)).toMatchObject({ kind: 'hardLink', linkOf: 3 })
    expect([...catalog.surveySkips('s-1')]).toEqual([
      { path: '/archive/x\udcfe', code: 'io', message: 'cannot read it' },
    ])
  })

  it('brings groups of files back, each with its files in the order given', () => {
    const writer = catalog.beginSurvey('s-1')
    writer.add(['a', 'b', 'c', 'd', 'e'].map((path, id) => entry(id, path)))
    writer.finish(surveyDocument('s-1'))
    expect(catalog.fileGroups('s-1', 'groups')).toBeNull()
    expect(catalog.fileGroupIds('s-1', 'groups')).toBeNull()
    const given = { ids: Uint32Array.of(0, 1, 2, 3, 4), groups: Uint32Array.of(0, 70_000, 0, 1, 70_000) }
    writer.fileGroups('groups', given)
    const groups = [...(catalog.fileGroups('s-1', 'groups') ?? [])]
    expect(groups.map((group) => group.map(({ path }) => path))).toEqual([['a', 'c'], ['d'], ['b', 'e']])
    expect(catalog.fileGroupIds('s-1', 'groups')).toEqual(given)
    expect(catalog.fileGroupIds('s-1', 'dat')).toBeNull()
    const byDat = { ids: Uint32Array.of(4, 1), groups: Uint32Array.of(0, 0), names: ['Größe "1"'] }
    writer.fileGroups('dat', byDat)
    expect(catalog.fileGroupIds('s-1', 'dat')).toEqual(byDat)
    expect(catalog.fileGroupIds('s-1', 'sets')).toBeNull()
    const bySets = { ids: Uint32Array.of(1, 4), groups: Uint32Array.of(0, 1), names: ['one', 'two'] }
    writer.fileGroups('sets', bySets)
    expect(catalog.packedFiles('s-1', 'titles')).toBeNull()
    const packed = { ids: Uint32Array.of(1, 0), bytes: Float32Array.of(0.5, 6e9) }
    writer.packedFiles('titles', packed)
    expect(catalog.packedFiles('s-1', 'titles')).toEqual(packed)
    expect(catalog.packedFiles('s-1', 'sets')).toBeNull()
    expect(catalog.fileGroupIds('s-1', 'sets')).toEqual(bySets)
    expect(catalog.fileGroupIds('s-1', 'dat')).toEqual(byDat)
    expect(catalog.fileGroupIds('s-1', 'groups')).toEqual(given)
  })

  it('keeps surveys apart', () => {
    for (const id of ['s-1', 's-2']) {
      const writer = catalog.beginSurvey(id)
      writer.add([entry(0, `only in ${id}`)])
      writer.finish(surveyDocument(id))
    }
    expect([...catalog.surveyEntries('s-2')].map((each) => each.path)).toEqual(['only in s-2'])
  })

  it('forgets a discarded survey and one whose process died', () => {
    const discarded = catalog.beginSurvey('s-1')
    discarded.add([entry(0, 'x')])
    discarded.skip({ path: '/archive/y', code: 'io', message: 'cannot read it' })
    discarded.contentOrder(Uint32Array.of(0))
    for (const by of ['groups', 'dat', 'sets'] as const)
      discarded.fileGroups(by, { ids: Uint32Array.of(0), groups: Uint32Array.of(0) })
    discarded.packedFiles('titles', { ids: Uint32Array.of(0), bytes: Float32Array.of(1) })
    discarded.discard()
    catalog.beginSurvey('s-2').add([entry(0, 'y')])
    catalog.close()
    catalog = openCatalog(folder)
    expect(catalog.beginSurvey('s-2')).toBeDefined()
    const db = new Database(join(folder, 'catalog.db'), { readonly: true })
    for (const table of [
      'survey_entries',
      'survey_skips',
      'content_orders',
      'content_groups',
      'dat_groups',
      'dat_sets',
      'packed_files',
    ]) {
      expect(db.prepare(`SELECT count(*) FROM ${table}`).pluck().get(), table).toBe(0)
    }
    expect(db.prepare('SELECT count(*) FROM surveys').pluck().get()).toBe(1)
    db.close()
  })

  it('keeps of a survey whose process died what its last checkpoint knew, and no entry or skip after it', () => {
    const writer = catalog.beginSurvey('s-1')
    writer.add(['a', 'b'].map((path, id) => entry(id, path)))
    writer.skip({ path: '/archive/x', code: 'io', message: 'cannot read it' })
    writer.checkpoint(surveyDocument('s-1'), 2)
    writer.add(['c', 'd', 'e', 'f'].map((path, id) => entry(id + 2, path)))
    writer.skip({ path: '/archive/y', code: 'io', message: 'cannot read it' })
    catalog.close()
    catalog = openCatalog(folder)
    expect(catalog.survey('s-1')).toMatchObject({ partial: true, interrupted: true })
    expect([...catalog.surveyEntries('s-1')].map(({ path }) => path)).toEqual(['a', 'b'])
    expect([...catalog.surveySkips('s-1')].map(({ path }) => path)).toEqual(['/archive/x'])
  })

  it('keeps of a survey whose process died no further name without its file', () => {
    const writer = catalog.beginSurvey('s-1')
    const document = surveyDocument('s-1')
    // Threads of the pass hand over what they found in any order.
    writer.add([entry(0, 'a', { inode: 7n, kind: 'hardLink', digest: null }), entry(1, 'b')])
    writer.checkpoint({ ...document, totals: { ...document.totals, hardLinks: 1 } }, 2)
    writer.add([entry(2, 'c', { inode: 7n })])
    const linked = catalog.beginSurvey('s-2')
    linked.add([entry(0, 'b', { inode: 7n })])
    linked.checkpoint(surveyDocument('s-2'), 1)
    linked.add([entry(1, 'a', { inode: 7n, kind: 'hardLink', digest: null })])
    linked.sketched(2)
    linked.linkNames()
    catalog.close()
    catalog = openCatalog(folder)
    expect([...catalog.surveyEntries('s-1')].map(({ path, kind }) => [path, kind])).toEqual([['b', 'file']])
    expect(catalog.survey('s-1').totals.hardLinks).toBe(0)
    // The content of b is a's now, which came after the checkpoint.
    expect(() => catalog.survey('s-2')).toThrow('no survey s-2')
  })

  it('stores no survey that another process has ended, with entries that it has dropped', () => {
    const writer = catalog.beginSurvey('s-1')
    writer.add([entry(0, 'a'), entry(1, 'b')])
    writer.checkpoint(surveyDocument('s-1'), 1)
    // As a process in another container does, which does not see this one.
    openCatalog(folder).close()
    for (const store of [
      () => writer.checkpoint(surveyDocument('s-1'), 2),
      () => writer.finish(surveyDocument('s-1')),
    ])
      expect(store).toThrow(
        expect.objectContaining({
          code: 'refused',
          message: 'survey s-1 was ended or removed by another process meanwhile',
        }),
      )
    expect(catalog.survey('s-1')).toMatchObject({ interrupted: true })
    expect([...catalog.surveyEntries('s-1')].map(({ path }) => path)).toEqual(['a'])
  })

  it('gives as unchanged for certain only files whose content and whose facts changed before a moment', () => {
    const writer = catalog.beginSurvey('s-1')
    const [before, after] = [1000n, 3000n]
    writer.add([
      entry(0, 'old', { mtimeNs: before, ctimeNs: before, fileNumber: 0 }),
      // Written a moment ago, and its time then set back.
      entry(1, 'set back', { mtimeNs: before, ctimeNs: after, fileNumber: 1 }),
      entry(2, 'new', { mtimeNs: after, ctimeNs: before, fileNumber: 2 }),
    ])
    writer.finish(surveyDocument('s-1'))
    expect(catalog.fileRows('s-1', 0, 3, 2000n).map(({ entryId }) => entryId)).toEqual([0])
  })

  it('does not take a survey of some of the roots for an earlier one of all', () => {
    for (const [id, roots] of [
      ['s-1', ['/a']],
      ['s-2', ['/b', '/a']],
    ] as const) {
      catalog.beginSurvey(id).finish({ ...surveyDocument(id), roots: [...roots] })
    }
    const earlier = (roots: string[]): string[] =>
      catalog.earlierSurveys(roots).map(({ surveyId }) => surveyId)
    expect(earlier(['/a', '/b'])).toEqual(['s-2'])
    expect(earlier(['/a'])).toEqual(['s-1'])
    expect(earlier(['/b'])).toEqual([])
  })

  it('orders files by content under the names that are the files, not their further names', () => {
    const writer = catalog.beginSurvey('s-1')
    // The pass met b first; a is the file, since it comes first in the order of paths.
    writer.add([
      entry(0, 'b', { inode: 7n }),
      entry(1, 'a', { inode: 7n, kind: 'hardLink', digest: null }),
      entry(2, 'c'),
    ])
    writer.linkNames()
    writer.contentOrder(Uint32Array.of(2, 0))
    writer.finish(surveyDocument('s-1'))
    expect([...(catalog.contentOrder('s-1') ?? [])].map(({ path, kind }) => [path, kind])).toEqual([
      ['c', 'file'],
      ['a', 'file'],
    ])
  })

  it('finds which volume holds a file, and files that are on none yet', () => {
    for (const id of ['s-1', 's-2']) {
      const writer = catalog.beginSurvey(id)
      writer.add([entry(0, 'holiday/beach.jpg'), entry(1, '100%.txt')])
      writer.finish(surveyDocument(id, id === 's-1' ? 1 : 2))
    }
    const sha256 = 'ab'.repeat(32)
    const volumeEntries: PlanEntry[] = [
      { kind: 'folder', path: 'holiday', source: '/archive/holiday', createdNs: '-5' },
      { kind: 'file', path: 'holiday/beach.jpg', source: '/archive/holiday/beach.jpg', bytes: 5, sha256 },
      {
        kind: 'part',
        path: 'film.mkv.001',
        source: '/archive/film.mkv',
        createdNs: '1600000000123456789',
        bytes: 10,
        sha256,
        offset: 0,
        part: 1,
        parts: 2,
        wholePath: 'film.mkv',
        wholeBytes: 20,
        wholeSha256: sha256,
      },
      { kind: 'symlink', path: 'link', source: '/archive/link', target: 'holiday' },
    ]
    catalog.savePlan(planDocument('p-1', 's-1', 1), [{ index: 1, entries: volumeEntries }])
    expect([...catalog.planEntries('p-1', 1)]).toEqual(volumeEntries)
    catalog.planExported('p-1', '/plans/\udcff')
    expect(catalog.plans()).toMatchObject([{ id: 'p-1', mediumId: 'cd-700', directory: '/plans/\udcff' }])

    expect(catalog.find('BEACH', 10)).toEqual([
      {
        path: 'holiday/beach.jpg',
        bytes: 5,
        volume: {
          planId: 'p-1',
          index: 1,
          label: 'A_01',
          state: {
            plannedWallMs: 2,
            builtWallMs: null,
            writtenWallMs: null,
            verifiedWallMs: null,
            failedWallMs: null,
            checkByWallMs: null,
          },
        },
        surveyId: 's-1',
      },
    ])
    // A later survey of the same folder does not name it again; a file of another size is not the one on the volume.
    const later = catalog.beginSurvey('s-3')
    later.add([{ ...entry(0, 'holiday/beach.jpg'), bytes: bytes(6) }])
    later.finish(surveyDocument('s-3', 3))
    expect(catalog.find('BEACH', 10).map(({ path, surveyId }) => `${surveyId} ${path}`)).toEqual([
      's-1 holiday/beach.jpg',
      's-3 /archive/holiday/beach.jpg',
    ])
    expect(catalog.find('*.mkv', 10).map((found) => found.path)).toEqual(['film.mkv'])
    expect(catalog.find('film.mkv*', 10).map((found) => found.path)).toEqual(['film.mkv'])
    expect(catalog.find('0%', 10).map((found) => found.path)).toEqual(['/archive/100%.txt'])
    expect(catalog.find('1_0', 10)).toEqual([])
    expect(catalog.find('e', 1)).toHaveLength(1)
  })

  it('finds names by a pattern at any depth, and paths by a pattern with a slash', () => {
    const writer = catalog.beginSurvey('s-1')
    const names = [
      '2024/Beach 1.JPG',
      'beach 2.jpg',
      'beach/other.jpg',
      '2024/a/Überblick.txt',
      '100%.txt',
      'a-(b)+[c].z',
    ]
    writer.add(names.map((name, id) => entry(id, name)))
    writer.finish(surveyDocument('s-1'))
    const found = (pattern: string): string[] =>
      catalog.find(pattern, 10).map(({ path }) => path.slice('/archive/'.length))
    expect(found('beach*.jpg')).toEqual(['2024/Beach 1.JPG', 'beach 2.jpg'])
    expect(found('beach ?.jpg')).toEqual(['2024/Beach 1.JPG', 'beach 2.jpg'])
    expect(found('each*.jpg')).toEqual([])
    expect(found('2024/*')).toEqual(['2024/Beach 1.JPG', '2024/a/Überblick.txt'])
    expect(found('beach/*.jpg')).toEqual(['beach/other.jpg'])
    expect(found('/archive/b*')).toEqual(['beach 2.jpg', 'beach/other.jpg'])
    expect(found('über*')).toEqual(['2024/a/Überblick.txt'])
    expect(found('*%.txt')).toEqual(['100%.txt'])
    expect(found('a-(b)+[c].*')).toEqual(['a-(b)+[c].z'])
    expect(found('*[a].jpg')).toEqual([])
    expect(catalog.find('*', 2)).toHaveLength(2)
  })

  it('has no plan whose first export failed, until an export succeeds or the process ends', () => {
    const writer = catalog.beginSurvey('s-1')
    writer.add([entry(0, 'a.jpg')])
    writer.finish(surveyDocument('s-1'))
    const entries: PlanEntry[] = [
      { kind: 'file', path: 'a.jpg', source: '/archive/a.jpg', bytes: 5, sha256: 'ab'.repeat(32) },
    ]
    const labels = (): (string | undefined)[] => catalog.find('a.jpg', 10).map(({ volume }) => volume?.label)
    catalog.savePlan(planDocument('p-1', 's-1', 1), [{ index: 1, entries }])
    catalog.withdrawPlan('p-1')
    expect(catalog.plans()).toEqual([])
    expect(labels()).toEqual([undefined])
    catalog.planExported('p-1', '/plans/1')
    catalog.withdrawPlan('p-1')
    expect(catalog.plans()).toMatchObject([{ id: 'p-1', directory: '/plans/1' }])
    expect(labels()).toEqual(['A_01'])

    catalog.savePlan(planDocument('p-2', 's-1', 1), [{ index: 1, entries }], true)
    expect([catalog.plans().length, labels()]).toEqual([1, ['A_01']])
    expect([...catalog.planEntries('p-2', 1)]).toEqual(entries)
    catalog.close()
    catalog = openCatalog(folder)
    expect(() => catalog.plan('p-2')).toThrow(/no plan p-2/)
    const db = new Database(join(folder, 'catalog.db'), { readonly: true })
    expect(db.prepare('SELECT count(*) AS n FROM plan_entries').get()).toEqual({ n: 1 })
    expect(db.prepare('SELECT count(*) AS n FROM volumes').get()).toEqual({ n: 1 })
    db.close()
  })

  it('refuses a catalog from a newer version and leaves it as it was', () => {
    catalog.close()
    const db = new Database(join(folder, 'catalog.db'))
    db.pragma('user_version = 9999')
    db.close()
    expect(() => openCatalog(folder)).toThrow(expect.objectContaining({ code: 'catalog-newer' }))
    const after = new Database(join(folder, 'catalog.db'))
    expect(after.pragma('user_version', { simple: true })).toBe(9999)
    after.pragma(`user_version = ${MIGRATIONS.at(-1)?.version}`)
    after.close()
    catalog = openCatalog(folder)
  })

  it('is closed to other users whatever the umask, also one that an earlier version left open', (context) => {
    if (process.platform === 'win32') context.skip('Windows has no such permissions')
    const home = join(folder, 'data', 'stowage')
    const modes = (): string[] =>
      [home, ...readdirSync(home).map((name) => join(home, name))].map(
        (path) => `${path.slice(home.length)} ${(statSync(path).mode & 0o777).toString(8)}`,
      )
    const closed = [' 700', '/catalog.db 600', '/catalog.db-shm 600', '/catalog.db-wal 600']
    const before = process.umask(0)
    try {
      const first = openCatalog(home)
      expect(modes()).toEqual(closed)
      for (const name of ['catalog.db', 'catalog.db-wal', 'catalog.db-shm'])
        chmodSync(join(home, name), 0o644)
      chmodSync(home, 0o755)
      const second = openCatalog(home)
      expect(modes()).toEqual(closed)
      second.close()
      first.close()
    } finally {
      process.umask(before)
    }
  })

  it('reports a file that is not a database as damaged', () => {
    const other = mkdtempSync(join(tmpdir(), 'stowage-catalog-'))
    writeFileSync(
      join(other, 'catalog.db'),
      'this is not a database, it only looks like a file of some length'.repeat(99),
    )
    expect(() => openCatalog(other)).toThrow(expect.objectContaining({ code: 'catalog-broken' }))
    rmSync(other, { recursive: true })
  })
})

/** Digests compare as digits, and paths as text. */
function plain(each: SurveyEntry | NewEntry): unknown {
  const path = typeof each.path === 'string' ? each.path : pathFromBytes(each.path)
  const digits = (digest: string | Uint8Array | null): string | null =>
    digest instanceof Uint8Array ? Buffer.from(digest).toString('hex') : digest
  return { linkOf: null, ...each, path, digest: digits(each.digest), sha256: digits(each.sha256) }
}
