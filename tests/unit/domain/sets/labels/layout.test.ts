import { describe, expect, it } from 'vitest'
import { caseSheets } from '../../../../../src/domain/sets/labels/caseSheets'
import { CASE_KINDS, CASES, DISC_FACE } from '../../../../../src/domain/sets/labels/cases'
import { discFace } from '../../../../../src/domain/sets/labels/discFace'
import { type Drawing, linesOf, type Mark, shortened } from '../../../../../src/domain/sets/labels/drawing'
import { identityLines, type LabelTexts } from '../../../../../src/domain/sets/labels/labelTexts'

/** Every letter is 0.6 of its size wide. */
const measure = (text: string, size: number): number => Array.from(text).length * size * 0.6
const modules = Array.from({ length: 37 }, () => Array.from({ length: 37 }, () => true))

function textsOf(length: number, folders: number): LabelTexts {
  const word = (letters: number): string => 'photograph '.repeat(Math.ceil(letters / 11)).slice(0, letters)
  return {
    name: word(length),
    label: 'P'.repeat(Math.min(32, length)),
    number: 'Disc 12 of 345',
    facts: ['Planned on', 'Medium', 'Files', 'Copy'].map((name) => [name, word(length)]),
    contents: 'On this disc',
    folders: Array.from({ length: folders }, (_, at) => ({
      path: `${at} ${word(length)}`,
      files: '1,234,567 files',
      size: '12.3 GB',
      part: 1 / (at + 1),
    })),
    notes: [word(length), word(length), word(length)],
    discNotes: [word(length), word(length)],
    identity: identityLines({
      label: 'P'.repeat(Math.min(32, length)),
      index: 12,
      volumes: 345,
      planId: 'p-0123456789ab',
      setId: 'f'.repeat(64),
      copy: 2,
    }),
  }
}

/** Printers do not hit the edge of a disc exactly: so much room stays free. */
const MARGIN = 4

/** The corners of a mark, as far as its texts are as wide as measured. */
function cornersOf(mark: Mark): [number, number][] {
  if (mark.kind === 'qr')
    return [
      [mark.x, mark.y],
      [mark.x + mark.side, mark.y + mark.side],
      [mark.x, mark.y + mark.side],
      [mark.x + mark.side, mark.y],
    ]
  if (mark.kind === 'rect')
    return [
      [mark.x, mark.y],
      [mark.x + mark.width, mark.y + mark.height],
    ]
  const { x, y, text, size, anchor = 'start', turned } = mark
  const width = measure(text, size)
  const from = anchor === 'end' ? -width : anchor === 'middle' ? -width / 2 : 0
  const ends = [from, from + width].flatMap((along) => [0, -0.75 * size].map((up) => [along, up] as const))
  return ends.map(([along, up]) =>
    turned === 90 ? [x - up, y + along] : turned === -90 ? [x + up, y - along] : [x + along, y + up],
  )
}

const cases = [1, 12, 40, 200].flatMap((length) => [0, 1, 13].map((folders) => ({ length, folders })))

describe('labels', () => {
  it.each(cases)(
    'stay on the printable ring with texts of $length letters and $folders folders',
    ({ length, folders }) => {
      const face = discFace(textsOf(length, folders), modules, DISC_FACE, measure)
      const middle = face.width / 2
      for (const mark of face.marks)
        for (const [x, y] of cornersOf(mark)) {
          const distance = Math.hypot(x - middle, y - middle)
          expect([JSON.stringify(mark).slice(0, 90), distance <= DISC_FACE.outer / 2 - MARGIN]).toEqual([
            expect.anything(),
            true,
          ])
          expect([JSON.stringify(mark).slice(0, 90), distance >= DISC_FACE.hub / 2]).toEqual([
            expect.anything(),
            true,
          ])
        }
    },
  )

  it.each(CASE_KINDS.flatMap((kind) => cases.map((each) => Object.assign({ kind }, each))))(
    'stay on the sheets of a $kind case with texts of $length letters and $folders folders',
    ({ kind, length, folders }) => {
      const sheets = caseSheets(textsOf(length, folders), modules, kind, measure)
      expect(sheets.map(({ width, height }) => [width, height])[0]).toEqual([
        2 * CASES[kind].front + CASES[kind].spine,
        CASES[kind].height,
      ])
      for (const sheet of sheets) expect(outside(sheet)).toEqual([])
    },
  )

  it('count the folders that there is no row for, each once', () => {
    for (let folders = 0; folders <= 13; folders++) {
      const { marks } = discFace(textsOf(12, folders), modules, DISC_FACE, measure)
      const texts = marks.flatMap((mark) => (mark.kind === 'text' ? [mark] : []))
      const named = texts.filter(
        ({ text, anchor }) => anchor === 'end' && /^\d+ /.test(text) && text !== '12.3 GB',
      )
      const rest = texts.flatMap(({ text }) => (/^\+ \d+$/.test(text) ? [Number(text.slice(2))] : []))
      expect([folders, named.length + (rest[0] ?? 0)]).toEqual([folders, folders])
      // One row lies below another, and all beside the code.
      const code = marks.find(({ kind }) => kind === 'qr')
      const bottom = code?.kind === 'qr' ? code.y + code.side : 0
      for (const { y, text } of texts.filter(({ anchor }) => anchor === 'end'))
        expect([text, y <= bottom]).toEqual([text, true])
    }
  })

  it('keep the code free of other marks, as readers need', () => {
    for (const kind of CASE_KINDS)
      for (const { marks } of caseSheets(textsOf(200, 13), modules, kind, measure)) {
        const code = marks.find((mark) => mark.kind === 'qr')
        if (!code) continue
        const quiet = (4 * code.side) / modules.length
        const near = marks.filter(
          (mark) =>
            mark !== code &&
            cornersOf(mark).some(
              ([x, y]) =>
                x > code.x - quiet &&
                x < code.x + code.side + quiet &&
                y > code.y - quiet &&
                y < code.y + code.side + quiet,
            ),
        )
        expect(near).toEqual([])
      }
  })
})

function outside({ width, height, marks }: Drawing): string[] {
  return marks
    .filter((mark) =>
      cornersOf(mark).some(([x, y]) => x < 0 || y < 0 || x > width + 0.01 || y > height + 0.01),
    )
    .map((mark) => JSON.stringify(mark).slice(0, 120))
}

describe('texts of labels', () => {
  it('are shortened in the middle, by whole letters', () => {
    expect(shortened('abcdefghij', 6, 1, measure)).toBe('abcdefghij')
    expect(shortened('abcdefghij', 3, 1, measure)).toBe('ab…ij')
    expect(shortened('e\u0301e\u0301e\u0301e\u0301e\u0301e\u0301', 4.2, 1, measure)).toBe(
      'e\u0301e\u0301…e\u0301',
    )
  })

  it('are wrapped at spaces', () => {
    expect(linesOf('one two three', 4.2, 1, measure)).toEqual(['one two', 'three'])
  })

  it('name a volume so that a person can read the code', () => {
    expect(textsOf(9, 0).identity).toEqual([
      'Stowage PPPPPPPPP',
      'volume 12 of 345',
      'plan p-0123456789ab',
      `set ${'f'.repeat(16)}`,
      'copy 2',
    ])
  })
})
