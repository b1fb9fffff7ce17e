import type { DiscFace } from './cases'
import { type Drawing, fittingSize, linesOf, type Mark, type Measure, shortened } from './drawing'
import type { LabelTexts } from './labelTexts'

/** Free room at the edges, which printers do not hit exactly. */
const MARGIN = 4
const CODE_SIDE = 22
/** Between the hub and the code. */
const CODE_BELOW = 6
const SMALL = 2.3
const ROW = 3.6

/** The face of a disc: its name above the hub, its code below, its folders and notes around. */
export function discFace(
  texts: LabelTexts,
  modules: readonly (readonly boolean[])[],
  { outer, hub }: DiscFace,
  measure: Measure,
): Drawing {
  const centre = outer / 2
  const reach = centre - MARGIN
  /** Half of the printable width so far above or below the middle. */
  const half = (y: number): number => Math.sqrt(Math.max(0, reach ** 2 - y ** 2))
  const marks: Mark[] = []
  const middle = (
    text: string,
    y: number,
    most: number,
    { isBold = false, tone = 'ink' as const }: { isBold?: boolean; tone?: 'ink' | 'muted' } = {},
  ): void => {
    if (text === '') return
    const room = 2 * half(y < 0 ? y - most : y)
    const size = fittingSize(text, room, { most, least: 2.2, isBold }, measure)
    const shown = shortened(text, room, size, measure, isBold)
    marks.push({ kind: 'text', x: centre, y: centre + y, text: shown, size, isBold, tone, anchor: 'middle' })
  }
  middle(texts.name, -reach + 13, 4)
  middle(texts.label, -reach + 25, 8.5, { isBold: true })
  middle(texts.number, -reach + 32, 4)

  // Next to the hub: facts to the left, notes to the right.
  const gap = hub / 2 + 4
  const besideTop = -8
  const facts = texts.facts.slice(0, 4)
  // The topmost name is the furthest from the middle.
  const left = centre - half(besideTop - 2.6 - 1.9)
  const factRoom = centre - gap - left
  for (const [at, [name, value]] of facts.entries()) {
    const y = besideTop + at * 6
    marks.push(
      {
        kind: 'text',
        x: left,
        y: centre + y - 2.6,
        text: shortened(name, factRoom, 1.9, measure),
        size: 1.9,
        tone: 'muted',
      },
      { kind: 'text', x: left, y: centre + y, text: shortened(value, factRoom, 2.6, measure), size: 2.6 },
    )
  }
  const right = centre + gap
  let down = besideTop - 1.6
  for (const note of texts.discNotes) {
    for (const text of linesOf(note, half(13) - gap, SMALL, measure)) {
      if (down > -besideTop + 6) break
      marks.push({ kind: 'text', x: right, y: centre + down, text, size: SMALL })
      down += 3.1
    }
    down += 1
  }

  // Below the hub: the code, folders to its left, its text to its right.
  const top = hub / 2 + CODE_BELOW
  marks.push({ kind: 'qr', x: centre - CODE_SIDE / 2, y: centre + top, side: CODE_SIDE, modules })
  const beside = CODE_SIDE / 2 + 4
  const rows = Math.floor(CODE_SIDE / ROW)
  const shown = texts.folders.slice(0, texts.folders.length > rows ? rows - 1 : rows)
  for (const [at, { path, size }] of shown.entries()) {
    const y = top + 2.4 + at * ROW
    const room = half(y) - beside
    const taken = measure(size, SMALL, false) + 1.5
    const name = shortened(path, room - taken, SMALL, measure)
    marks.push(
      {
        kind: 'text',
        x: centre - beside,
        y: centre + y,
        text: size,
        size: SMALL,
        tone: 'muted',
        anchor: 'end',
      },
      { kind: 'text', x: centre - beside - taken, y: centre + y, text: name, size: SMALL, anchor: 'end' },
    )
  }
  if (shown.length < texts.folders.length) {
    const y = top + 2.4 + shown.length * ROW
    const text = `+ ${texts.folders.length - shown.length}`
    marks.push({
      kind: 'text',
      x: centre - beside,
      y: centre + y,
      text,
      size: SMALL,
      tone: 'muted',
      anchor: 'end',
    })
  }
  for (const [at, line] of texts.identity.entries()) {
    const y = top + 2.4 + at * ROW
    const text = shortened(line, half(y) - beside, SMALL, measure)
    marks.push({ kind: 'text', x: centre + beside, y: centre + y, text, size: SMALL, tone: 'muted' })
  }
  return { width: outer, height: outer, marks }
}
