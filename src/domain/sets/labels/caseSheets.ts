import { CASES, type CaseKind } from './cases'
import { type Drawing, fittingSize, linesOf, type Mark, type Measure, shortened } from './drawing'
import type { LabelTexts } from './labelTexts'

const MARGIN = 7
const CODE_SIDE = 26
const TEXT = 2.8
const LINE = 4

interface Panel {
  readonly x: number
  readonly width: number
  readonly height: number
}

/** A sheet for the case of a volume; `name` is the end of its file's name. */
export interface CaseSheet extends Drawing {
  readonly name: 'case' | 'tray'
}

/**
 * The sheets of a case. The first has the contents, the spine and the front side by side, as it is
 * folded; a jewel case has a second one for the tray.
 */
export function caseSheets(
  texts: LabelTexts,
  modules: readonly (readonly boolean[])[],
  kind: CaseKind,
  measure: Measure,
): CaseSheet[] {
  const { front, height, spine, tray } = CASES[kind]
  const sheet: CaseSheet = {
    name: 'case',
    width: 2 * front + spine,
    height,
    marks: [
      ...contentsPanel(texts, { x: 0, width: front, height }, measure),
      ...(spine > 0 ? spineText(texts, { x: front, width: spine, height }, 90, measure) : []),
      ...frontPanel(texts, modules, { x: front + spine, width: front, height }, measure),
    ],
  }
  if (!tray) return [sheet]
  const card = { width: tray.width, height: tray.height }
  return [
    sheet,
    {
      name: 'tray',
      ...card,
      marks: [
        ...spineText(texts, { x: 0, width: tray.spine, height: card.height }, -90, measure),
        ...contentsPanel(
          texts,
          { x: tray.spine, width: card.width - 2 * tray.spine, height: card.height },
          measure,
        ),
        ...spineText(
          texts,
          { x: card.width - tray.spine, width: tray.spine, height: card.height },
          90,
          measure,
        ),
      ],
    },
  ]
}

/** Where a case is folded: vertical lines at these distances. */
export function foldsOf(kind: CaseKind, sheet: CaseSheet['name']): number[] {
  const { front, spine, tray } = CASES[kind]
  if (sheet === 'tray' && tray) return [tray.spine, tray.width - tray.spine]
  return spine > 0 ? [front, front + spine] : [front]
}

function frontPanel(
  texts: LabelTexts,
  modules: readonly (readonly boolean[])[],
  { x, width, height }: Panel,
  measure: Measure,
): Mark[] {
  const left = x + MARGIN
  const room = width - 2 * MARGIN
  const size = fittingSize(texts.label, room, { most: 12, least: 4, isBold: true }, measure)
  const label = shortened(texts.label, room, size, measure, true)
  const marks: Mark[] = [
    {
      kind: 'text',
      x: left,
      y: 13,
      text: shortened(texts.name, room, 4.4, measure),
      size: 4.4,
      tone: 'muted',
    },
    { kind: 'text', x: left, y: 26, text: label, size, isBold: true },
    { kind: 'text', x: left, y: 34, text: texts.number, size: 4.6 },
    { kind: 'rect', x: left, y: 38.5, width: room, height: 0.3, tone: 'hairline' },
  ]
  const names = Math.max(...texts.facts.map(([name]) => measure(name, TEXT, false))) + 4
  for (const [at, [name, value]] of texts.facts.entries()) {
    const y = 45 + at * 5
    const text = shortened(value, room - names, 3.2, measure)
    marks.push(
      { kind: 'text', x: left, y, text: name, size: TEXT, tone: 'muted' },
      { kind: 'text', x: left + names, y, text, size: 3.2 },
    )
  }
  const codeTop = height - MARGIN - CODE_SIDE
  const codeLeft = x + width - MARGIN - CODE_SIDE
  marks.push({ kind: 'qr', x: codeLeft, y: codeTop, side: CODE_SIDE, modules })
  const identityTop = height - MARGIN - (texts.identity.length - 1) * 3.4
  for (const [at, text] of texts.identity.entries())
    marks.push({
      kind: 'text',
      x: left,
      y: identityTop + at * 3.4,
      text: shortened(text, codeLeft - left - 4, 2.3, measure),
      size: 2.3,
      tone: 'muted',
    })
  const notesTop = 45 + texts.facts.length * 5 + 3
  marks.push(...paragraphs(texts.notes, { x: left, y: notesTop, end: codeTop - 4 }, room, measure))
  return marks
}

function contentsPanel(texts: LabelTexts, { x, width, height }: Panel, measure: Measure): Mark[] {
  const left = x + MARGIN
  const right = x + width - MARGIN
  const room = width - 2 * MARGIN
  const marks: Mark[] = [
    { kind: 'text', x: left, y: 13, text: texts.contents, size: 4.4, isBold: true },
    { kind: 'text', x: right, y: 13, text: texts.label, size: TEXT, tone: 'muted', anchor: 'end' },
    { kind: 'rect', x: left, y: 16.5, width: room, height: 0.3, tone: 'hairline' },
  ]
  if (texts.folders.length === 0)
    return [...marks, ...paragraphs(texts.notes, { x: left, y: 23, end: height - MARGIN }, room, measure)]
  const row = Math.min(7.2, (height - 22 - MARGIN) / texts.folders.length)
  const sizes = Math.max(...texts.folders.map(({ size }) => measure(size, TEXT, false)))
  const counts = Math.max(...texts.folders.map(({ files }) => measure(files, TEXT, false)))
  for (const [at, { path, files, size, part }] of texts.folders.entries()) {
    const y = 22 + at * row + 0.6
    const name = shortened(path, room - sizes - counts - 10, TEXT, measure)
    marks.push(
      { kind: 'text', x: left, y, text: name, size: TEXT },
      { kind: 'text', x: right - sizes - 5, y, text: files, size: TEXT, tone: 'muted', anchor: 'end' },
      { kind: 'text', x: right, y, text: size, size: TEXT, anchor: 'end' },
      { kind: 'rect', x: left, y: y + 1.4, width: room, height: 0.5, tone: 'hairline' },
      { kind: 'rect', x: left, y: y + 1.4, width: room * part, height: 0.5, tone: 'accent' },
    )
  }
  return marks
}

/** One line along a spine, read from above (90) or from below. */
function spineText(
  texts: LabelTexts,
  { x, width, height }: Panel,
  turned: 90 | -90,
  measure: Measure,
): Mark[] {
  const size = Math.min(4.2, width * 0.55)
  const middle = x + width / 2 + (turned === 90 ? -1 : 1) * size * 0.36
  const [start, end] = turned === 90 ? [MARGIN, height - MARGIN] : [height - MARGIN, MARGIN]
  const room = height - 2 * MARGIN
  const labelWidth = measure(texts.label, size, true)
  const name = texts.name === '' ? texts.number : `${texts.name} · ${texts.number}`
  return [
    { kind: 'text', x: middle, y: start, text: texts.label, size, isBold: true, turned },
    {
      kind: 'text',
      x: middle,
      y: end,
      text: shortened(name, room - labelWidth - 6, size * 0.8, measure),
      size: size * 0.8,
      tone: 'muted',
      anchor: 'end',
      turned,
    },
  ]
}

/** Paragraphs from a line on; what has no room is left out. */
function paragraphs(
  texts: readonly string[],
  { x, y, end }: { x: number; y: number; end: number },
  room: number,
  measure: Measure,
): Mark[] {
  const marks: Mark[] = []
  let line = y
  for (const text of texts) {
    for (const words of linesOf(text, room, TEXT, measure)) {
      if (line > end) return marks
      marks.push({ kind: 'text', x, y: line, text: words, size: TEXT })
      line += LINE
    }
    line += 1.4
  }
  return marks
}
