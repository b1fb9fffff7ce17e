import { describe, expect, it } from 'vitest'
import type { PlanEntry } from '../../../../../../src/contract/dto/plan'
import {
  hasImageList,
  imageTsv,
  readImageTsv,
  versionOf,
} from '../../../../../../src/engine/sets/volume/lists/imageTsv'
import { haveCopies } from '../../../../../../src/engine/sets/volume/lists/recoveryTsv'

const plan = {
  discLists: ['image' as const],
  mastering: { version: '0.1.0', volumeDateWallMs: 1_700_000_000_999 },
}
const entries: PlanEntry[] = [
  { kind: 'folder', path: 'a\tb', source: '/s/a\tb', createdNs: '-1' },
  {
    kind: 'file',
    path: 'a\tb/c\\\n\u{dc80}',
    source: '/s/c',
    bytes: 1,
    sha256: 'a'.repeat(64),
    createdNs: '1600000000123456789',
  },
  { kind: 'file', path: 'd', source: '/s/d', bytes: 1, sha256: 'b'.repeat(64) },
  { kind: 'symlink', path: 'l', source: '/s/l', target: 'd' },
]
const text = [...imageTsv(plan, { entries })].join('')

describe('the list of what an image follows from', () => {
  it('is read as it was written, whatever the names are', () => {
    expect(readImageTsv(Buffer.from(text))).toEqual({
      madeSeconds: 1_700_000_000,
      version: '0.1.0',
      created: new Map([
        ['a\tb', '-1'],
        ['a\tb/c\\\n\u{dc80}', '1600000000123456789'],
      ]),
    })
  })

  it('is refused with any damaged line', () => {
    const damaged = [
      text.replace('made\t', 'made'),
      text.replace('made\t17', 'made\tx7'),
      text.replace('version\t', 'version '),
      text.replace('created\t-1', 'created\t-'),
      text.replace('# Dates', '# dates'),
      `${text}created\t1\ta\tb\n`,
      text.replace('\\t', '\\q'),
    ]
    for (const one of damaged) expect(readImageTsv(Buffer.from(one)), one).toBeNull()
  })

  it('is on volumes with recovery data or parity alone, of plans that say so', () => {
    const protection = {}
    expect(hasImageList({ discLists: ['image'] }, { protection })).toBe(true)
    expect(hasImageList({ discLists: ['image'], protectSet: 1 }, {})).toBe(true)
    expect(hasImageList({ discLists: ['image'] }, {})).toBe(false)
    expect(hasImageList({ protectSet: 1 }, { protection })).toBe(false)
    expect(versionOf(plan)).toBe('0.1.0')
    expect(versionOf({ mastering: plan.mastering })).not.toBe('0.1.0')
  })

  it('has a second copy, as all lists with it', () => {
    expect(haveCopies(new Set(['INDEX.tsv', 'IMAGE.tsv']))).toBe(true)
    expect(haveCopies(new Set(['INDEX.tsv', 'RECOVERY.tsv']))).toBe(true)
    expect(haveCopies(new Set(['INDEX.tsv', 'REBUILD.py']))).toBe(false)
  })
})
