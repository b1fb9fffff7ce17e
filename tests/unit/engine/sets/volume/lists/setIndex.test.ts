import { describe, expect, test } from 'vitest'
import { type PlanEntry, planEntrySchema } from '../../../../../../src/contract/dto/plan'
import { INDEX_VERSION } from '../../../../../../src/domain/sets/planDocument'
import { wantedOf } from '../../../../../../src/engine/sets/restore/wantedFiles'
import { indexTsv, indexTsvBytes } from '../../../../../../src/engine/sets/volume/lists/indexTsv'
import { readSetIndex } from '../../../../../../src/engine/sets/volume/lists/setIndex'
import { pathFromBytes } from '../../../../../../src/primitives/pathText'

const SHA = 'a'.repeat(64)
const hostile = pathFromBytes(Buffer.from('tab\tnew\nline\\\xff', 'latin1'))
const method = '7z-solid-64m-path'

function entry(facts: Partial<PlanEntry> & Pick<PlanEntry, 'kind' | 'path'>): PlanEntry {
  return planEntrySchema.parse({ source: '/s', bytes: 3, sha256: SHA, ...facts })
}

const read = (text: string) => readSetIndex(Buffer.from(text), 'INDEX.tsv')

function indexOf(entries: readonly PlanEntry[]) {
  return readSetIndex(Buffer.from([...indexTsv([{ index: 1, label: 'A', entries }])].join('')), 'INDEX.tsv')
}

describe('the index of a packed set', () => {
  const part = { offset: 0, part: 1, parts: 2, wholePath: 'a.7z', wholeBytes: 6, wholeSha256: SHA }
  const index = indexOf([
    entry({ kind: 'file', path: `${hostile}.7z`, method }),
    entry({ kind: 'part', path: 'a.7z.001', method, ...part }),
    entry({ kind: 'folder', path: 'repository', method: 'borg-1-none' }),
    entry({ kind: 'folder', path: 'folder' }),
    entry({ kind: 'file', path: `folder/${hostile}`, in: `${hostile}.7z`, member: hostile }),
    entry({ kind: 'file', path: 'same name', in: 'a.7z' }),
    entry({ kind: 'file', path: 'plain' }),
  ])

  test('says of files of the source where they are packed, byte for byte', () => {
    const packed = index.rows.map((row) => (row.kind === 'file' ? row.packed : null))
    expect(packed).toEqual([
      null,
      null,
      null,
      null,
      { in: `${hostile}.7z`, member: hostile },
      { in: 'a.7z', member: 'same name' },
      null,
    ])
  })

  test('says of containers, their parts and their folders which recipe made them', () => {
    const methods = index.rows.map((row) => row.method)
    expect(methods).toEqual([method, method, 'borg-1-none', null, null, null, null])
  })

  test('gives a person who wants everything only what is of the source', () => {
    const { files, folders } = wantedOf(index, { files: [] })
    expect(files.map(({ path }) => path)).toEqual([`folder/${hostile}`, 'same name', 'plain'])
    expect(folders.map(({ path }) => path)).toEqual(['folder'])
    expect(() => wantedOf(index, { files: ['*.7z'] })).toThrow('nothing in this set matches')
  })
})

test.each([
  ['in', '../a.7z', 'x'],
  ['member', 'a.7z', '../x'],
  ['member', 'a.7z', '/etc/passwd'],
])('an index whose %s leads out of the set is damaged', (_, container, member) => {
  const entries = [entry({ kind: 'file', path: 'x', in: container, member })]
  expect(() => indexOf(entries)).toThrow('line 4 is damaged')
})

test.each([['../x'], ['/etc/passwd'], ['a/../../x']])(
  'an index whose first name of a file leads out of the set is damaged: %s',
  (of) => {
    expect(() => indexOf([entry({ kind: 'file', path: 'x', linkOf: of })])).toThrow('line 4 is damaged')
    const part = { offset: 0, part: 1, parts: 2, wholePath: of, wholeBytes: 6, wholeSha256: SHA }
    expect(() => indexOf([entry({ kind: 'part', path: 'x.001', ...part })])).toThrow('line 4 is damaged')
  },
)

test('an index whose digest of a whole file is none is damaged: names of files are made of it', () => {
  const part = { offset: 0, part: 1, parts: 2, wholePath: 'big', wholeBytes: 6, wholeSha256: SHA }
  const text = [
    ...indexTsv([{ index: 1, label: 'A', entries: [entry({ kind: 'part', path: 'x', ...part })] }]),
  ].join('')
  const hostileText = text.replace(`\t0\t${SHA}`, '\t0\t/../../x')
  expect(hostileText).not.toBe(text)
  expect(() => readSetIndex(Buffer.from(hostileText), 'INDEX.tsv')).toThrow('line 4 is damaged')
})

test('says whose a file is and what attributes it has, byte for byte', () => {
  const owner = { uid: 1000, gid: 4_294_967_294, user: hostile, group: 'g' }
  const attributes = [
    { name: `user.a = ${hostile}`, value: '00ff' },
    { name: 'user.b', value: '' },
  ]
  const { rows } = indexOf([
    entry({ kind: 'file', path: 'x', owner, attributes }),
    entry({ kind: 'folder', path: 'y', owner: { uid: 0, gid: 0 } }),
    entry({ kind: 'symlink', path: 'z', target: 'x' }),
  ])
  expect(rows).toMatchObject([
    { path: 'x', owner, attributes },
    { path: 'y', owner: { uid: 0, gid: 0 }, attributes: [] },
    { path: 'z', owner: null, attributes: [] },
  ])
})

test.each(['user.a', 'user.a=00', 'user.a=0x0', '=0x00', 'user.a\\x00=0x00'])(
  'an index whose attributes are damaged is damaged: %s',
  (text) => {
    const lines = [...indexTsv([{ index: 1, label: 'A', entries: [entry({ kind: 'file', path: 'x' })] }])]
    const spoilt = lines.join('').replace(/\t\n$/, `${text}\t\n`)
    expect(() => readSetIndex(Buffer.from(spoilt), 'INDEX.tsv')).toThrow('line 4 is damaged')
  },
)

test('an index names the version that its plan has, and is read the same without one', () => {
  const volumes = [{ index: 1, label: 'A', entries: [entry({ kind: 'file', path: 'x' })] }]
  const one = [...indexTsv(volumes)].join('')
  const two = [...indexTsv(volumes, { version: INDEX_VERSION })].join('')
  expect(two.replace('# version\t2\n', '')).toBe(one)
  expect(indexTsvBytes(volumes, { version: INDEX_VERSION })).toBe(two.length)
  expect(read(two).rows).toEqual(read(one).rows)
})

test('an index of a newer version is refused, but not where only a path looks like one', () => {
  const volumes = [{ index: 1, label: 'A', entries: [entry({ kind: 'file', path: '# version\t9' })] }]
  const text = [...indexTsv(volumes, { version: INDEX_VERSION })].join('')
  expect(read(text).rows).toHaveLength(1)
  expect(() => read(text.replace('# version\t2', '# version\t3'))).toThrow(
    'cannot use INDEX.tsv: its version 3 is newer than this Stowage reads; use a newer one, or the RESTORE.sh on the volume',
  )
})

test('an index of an older version without the columns of packing has plain files', () => {
  const text = [...indexTsv([{ index: 1, label: 'A', entries: [entry({ kind: 'file', path: 'x' })] }])]
  const older = text
    .join('')
    .split('\n')
    .map((line) => (line.includes('\t') ? line.split('\t').slice(0, 13).join('\t') : line))
  const { rows } = readSetIndex(Buffer.from(older.join('\n')), 'INDEX.tsv')
  expect(rows).toMatchObject([{ path: 'x', packed: null, method: null }])
})
