import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Expected } from '../../../../../../src/engine/sets/volume/lists/expectedTree'
import { foundLists, isProved } from '../../../../../../src/engine/sets/volume/lists/foundLists'
import { HISTORY_COLUMNS } from '../../../../../../src/engine/sets/volume/lists/historyLines'
import { INDEX_COLUMNS } from '../../../../../../src/engine/sets/volume/lists/indexColumns'
import { parityTsv, readParityTsv } from '../../../../../../src/engine/sets/volume/lists/parityTsv'
import {
  hasListedSize,
  partsByWhole,
  readableIndex,
  readRow,
} from '../../../../../../src/engine/sets/volume/lists/setIndex'
import { sha256Line } from '../../../../../../src/engine/sets/volume/lists/sha256Sums'
import { skippedOn, skippedTsv } from '../../../../../../src/engine/sets/volume/lists/skippedList'
import { openFolder } from '../../../../../../src/engine/sets/volume/lists/volume'
import { compareTrees } from '../../../../../../src/engine/sets/volume/open/compareTrees'
import { differenceText } from '../../../../../../src/engine/sets/volume/open/difference'
import { guessedNumber, saidNumber } from '../../../../../../src/engine/sets/volume/open/givenVolumes'
import { openVolumes } from '../../../../../../src/engine/sets/volume/open/openVolumes'
import { volumeLists } from '../../../../../../src/engine/sets/volume/open/volumeLists'
import { fileRow, partRow } from '../../../../../support/indexRows'
import { temporaryFolder } from '../../../../../support/surveyedFolder'
import { addStowageFolders, entriesBelow, OWN_FOLDER } from '../../../../../support/volumeFolders'

const SHA = 'a'.repeat(64)
const sha256 = (text: string | Buffer): string => createHash('sha256').update(text).digest('hex')

/** A volume with one file, as a folder. */
function volumeWith(name: string, more: (path: string) => void = () => undefined): string {
  const path = join(temporaryFolder(), 'volume')
  mkdirSync(path)
  more(path)
  writeFileSync(join(path, name), name)
  addStowageFolders([{ path, entries: entriesBelow(path) }])
  return path
}

describe('the lists of a volume', () => {
  test('are proved by checksums, and by nothing without them', async () => {
    const path = volumeWith('a')
    expect(isProved(await foundLists(await openFolder(path)))).toBe(true)
    writeFileSync(join(path, OWN_FOLDER, 'SHA256SUMS'), 'no list')
    expect(isProved(await foundLists(await openFolder(path)))).toBe(false)
  })

  test.each(['A copied disc', 'Z copied disc'])(
    'are its own, not those of a disc copied into it: %s',
    async (name) => {
      const old = volumeWith('old')
      const path = volumeWith('new', (inside) => {
        mkdirSync(join(inside, name))
        for (const list of ['INDEX.tsv', 'SHA256SUMS'])
          writeFileSync(join(inside, name, list), readFileSync(join(old, OWN_FOLDER, list)))
      })
      const files = await openFolder(path)
      const { own } = await foundLists({ ...files, topFolders: files.topFolders.toSorted() })
      expect(own).toBe(OWN_FOLDER)
    },
  )

  test('name the set by the checksums where the index is damaged', async () => {
    const path = volumeWith('a')
    const list = join(path, OWN_FOLDER, 'INDEX.tsv')
    const index = readFileSync(list)
    writeFileSync(list, index.toString('latin1').replace('\ta\t', '\tb\t'), 'latin1')
    const { setId } = await volumeLists(await openFolder(path))
    expect(setId).toBe(sha256(index))
  })

  test('leave out what they list as left out only where the checksums have that list', async () => {
    const path = volumeWith('a')
    const text = skippedTsv(new Map([['a', 'changed']]))
    writeFileSync(join(path, OWN_FOLDER, 'SKIPPED.tsv'), text)
    const volume = await openFolder(path)
    expect((await skippedOn(volume, OWN_FOLDER)).size).toBe(0)
    writeFileSync(
      join(path, OWN_FOLDER, 'SHA256SUMS'),
      sha256Line(sha256(text), `${OWN_FOLDER}/SKIPPED.tsv`),
      { flag: 'a' },
    )
    expect([...(await skippedOn(volume, OWN_FOLDER))]).toEqual([['a', 'changed']])
  })

  test('of a plan none of whose volumes can be opened are refused with the reason', async () => {
    const plan = temporaryFolder()
    for (const folder of ['volumes', 'images/01.iso']) mkdirSync(join(plan, folder), { recursive: true })
    writeFileSync(join(plan, 'plan.json'), '{}')
    const seen: string[] = []
    const opened = openVolumes(plan, 'restore from', (path) => seen.push(path))
    await expect(opened).rejects.toMatchObject({ path: join(plan, 'images/01.iso') })
    expect(seen).toEqual([join(plan, 'images/01.iso')])
  })
})

describe('the number of a volume', () => {
  test('is that of the label in its readme, not the number alone', () => {
    const readme = (label: string): string => `This is volume 2 of 2, ${label}, of an archive planned\n`
    const volumes = [1, 2].map((index) => ({ index, label: `D_0${index}` }))
    expect(saidNumber({ volumes }, readme('D_02'), null)).toBe(2)
    expect(saidNumber({ volumes }, readme('OTHER_02'), null)).toBeNull()
  })

  test('is not guessed by a file that is packed elsewhere', async () => {
    const rows = [fileRow('a', 1, { packed: { in: 'a.7z', member: 'a' } }), fileRow('b', 2)]
    const index = { id: '', rows, unreadable: [], volumes: [] }
    const placeOf = () => Promise.resolve({ file: '/x', offset: 0, bytes: 3 })
    expect(await guessedNumber({ index, placeOf })).toBe(2)
  })
})

describe('a line of the index', () => {
  /** A file of three bytes, with some columns as they are given. */
  function line(given: Readonly<Record<string, string>>): string {
    const facts: Readonly<Record<string, string>> = {
      volume: '1',
      label: 'D',
      kind: 'file',
      bytes: '3',
      sha256: SHA,
      path: 'a',
      ...given,
    }
    return [...INDEX_COLUMNS, ...HISTORY_COLUMNS].map((name) => facts[name] ?? '').join('\t')
  }

  test('has a digest without a tail', () => {
    expect(readRow(line({}))).toMatchObject({ path: 'a' })
    for (const sha256OfLine of [`${SHA}0`, `${SHA}/../x`, SHA.slice(1)])
      expect(readRow(line({ sha256: sha256OfLine }))).toBeNull()
  })

  test('of an earlier generation is none of the plan itself, though its last is not written', () => {
    const head = '# Index of all volumes.\n# generation\t2\tp-2\t\t2026-01-01T00:00:00.000Z\n'
    const earlier = line({ path: 'b', generation: '1', since: '1' })
    const text = `${head}${line({})}\n${earlier}\n`
    expect(readableIndex(Buffer.from(text)).rows.map(({ path }) => path)).toEqual(['a'])
  })

  test('has no owner whose number means that he is not changed', () => {
    expect(readRow(line({ uid: '4294967294', gid: '0' }))?.owner).toEqual({ uid: 4_294_967_294, gid: 0 })
    expect(readRow(line({ uid: '4294967295', gid: '0' }))?.owner).toBeNull()
    expect(readRow(line({ uid: '0', gid: '4294967295' }))?.owner).toBeNull()
  })

  test('fits a file of its size, or any where the size is unknown', () => {
    expect(hasListedSize({ bytes: 3, sha256: SHA }, 3)).toBe(true)
    expect(hasListedSize({ bytes: 3, sha256: SHA }, 4)).toBe(false)
    expect(hasListedSize({ bytes: 0, sha256: '' }, 4)).toBe(true)
    expect(hasListedSize({ bytes: 0, sha256: '' }, undefined)).toBe(false)
  })
})

test('parts are in the order of the file, whatever the order of their volumes', () => {
  const parts = partsByWhole([partRow('w', 1, 6), partRow('w', 2, 0), partRow('w', 3, 3)]).get('w')
  expect(parts?.map(({ offset }) => offset)).toEqual([0, 3, 6])
})

test('a damaged row of the list of parity makes the list damaged', () => {
  const rows = [1, 2].map((number) => {
    return { number, kind: 'image' as const, label: `D_${number}`, bytes: 9, sha256: SHA }
  })
  const text = parityTsv(rows)
  expect(readParityTsv(text)).toEqual(rows)
  expect(() => readParityTsv(text.replace('D_2', 'd 2'))).toThrow('PARITY.tsv is damaged')
})

describe('a tree that is compared', () => {
  const differences = (expected: [string, Expected][], found: [string, Expected][]): string[] =>
    compareTrees(new Map(expected), new Map(found)).map((difference) => differenceText(difference))
  const file = { kind: 'file', bytes: 3 } as Expected

  test('has links with the same targets', () => {
    const link = (target: string): [string, Expected][] => [['l', { kind: 'symlink', target }]]
    expect(differences(link('a'), link('a'))).toEqual([])
    expect(differences(link('a'), link('b'))).toEqual(['the symbolic link has another target'])
  })

  test('has recovery files only in a folder whose list names such files', () => {
    const names = ['S/recovery-1.par2', 'S/other.par2', 'x.par2', 'S/recovery-1.vol0+3.par2']
    const found = names.map((name): [string, Expected] => [name, file])
    const list: [string, Expected] = ['S/RECOVERY.tsv', file]
    expect(differences([list], [list, ...found])).toHaveLength(2)
    expect(differences([], found)).toHaveLength(4)
  })
})
