import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { targetNames } from '../../../../../src/domain/sets/naming/targetNames'

/** The table of RESTORE.sh: the letter that stands for all cases of a letter, by code points. */
function scriptTable(): Map<number, number> {
  const script = new URL('../../../../../src/engine/sets/export/restore.sh', import.meta.url)
  const [, text = ''] = /\ncases='([^']+)'/.exec(readFileSync(script, 'utf8')) ?? []
  const table = new Map<number, number>()
  for (const item of text.trim().split(/\s+/)) {
    const numbers = item.split(',').map(Number)
    const [first = 0, last = 0, off = 0] = numbers.length === 3 ? numbers : [numbers[0], ...numbers]
    for (let point = first; point <= last; point += off === 1 ? 2 : 1) table.set(point, point + off)
  }
  return table
}

test('RESTORE.sh takes the same letters for one as restore does, on a disk that folds case', () => {
  const table = scriptTable()
  const letters = [...casedLetters(table)]
  const taken = new Set<string>()
  const renamed = letters.filter((letter) => {
    const point = table.get(letter.codePointAt(0) ?? 0)
    const key = point === undefined ? letter.toLowerCase() : String.fromCodePoint(point)
    const one = letter < '\x80' || point !== undefined ? key : letter
    return taken.size === taken.add(one).size
  })
  const names = targetNames(letters, {
    foldsCase: true,
    foldsAccents: false,
    utf8Only: false,
    assignedOnly: false,
    forbidden: new Set(),
    cutsEnds: false,
    hasDevices: false,
    longest: { count: 255, of: 'utf16' },
  })
  expect(renamed).toEqual(names.renamed.map(({ original }) => original))
  expect(renamed.length).toBeGreaterThan(1400)
})

/** All letters with an upper or lower case, and those of the table. */
function* casedLetters(table: ReadonlyMap<number, number>): Generator<string> {
  const listed = new Set([...table].flat())
  for (let point = 0x21; point < 0x11_0000; point++) {
    const letter = String.fromCodePoint(point)
    const isCased = letter.toLowerCase() !== letter || letter.toUpperCase() !== letter
    if (isCased || listed.has(point)) yield letter
  }
}
