import Pdf from 'pdfkit'
import type { DiscFace, Paper } from '../../../domain/sets/labels/cases'
import { PAPERS } from '../../../domain/sets/labels/cases'
import type { Drawing, Mark } from '../../../domain/sets/labels/drawing'
import type { Language } from '../../../primitives/languages'
import { fontRuns, type LabelFonts, widthOf } from './fonts'
import { darkRuns, TONES } from './svgText'

/** Points of PDF in a millimetre. */
const MM = 72 / 25.4
const GUIDE = 0.1 * MM

/** A drawing on a page of its own, with thin lines to cut and fold along. */
export interface LabelPage {
  readonly drawing: Drawing
  readonly guides: { readonly disc: DiscFace } | { readonly folds: readonly number[] }
  /** Below the drawing. */
  readonly caption: string
}

/**
 * The pages as PDF, in true size and with their fonts. The same pages give the same bytes.
 * @param madeWallMs the date in the file
 */
export function pdfOf(
  pages: readonly LabelPage[],
  {
    title,
    language,
    paper,
    fonts,
    madeWallMs,
  }: {
    title: string
    language: Language
    paper: Paper
    fonts: LabelFonts
    madeWallMs: number
  },
): Promise<Uint8Array> {
  const made = new Date(madeWallMs)
  const document = new Pdf({
    autoFirstPage: false,
    font: fonts.regular.data as unknown as string,
    info: { Title: title, Creator: 'Stowage', Producer: 'Stowage', CreationDate: made, ModDate: made },
    lang: language,
  })
  for (const [name, one] of Object.entries(fonts) as [string, LabelFonts['other']][])
    if (one) document.registerFont(name, one.data, one.inCollection)
  const chunks: Uint8Array[] = []
  const done = new Promise<Uint8Array>((resolve, reject) => {
    document.on('data', (chunk: Uint8Array) => chunks.push(chunk))
    document.on('end', () => resolve(Buffer.concat(chunks)))
    document.on('error', reject)
  })
  for (const page of pages) drawPage(document, page, PAPERS[paper], fonts)
  document.end()
  return done
}

type Document = InstanceType<typeof Pdf>

function drawPage(
  document: Document,
  { drawing, guides, caption }: LabelPage,
  [narrow, long]: readonly [number, number],
  fonts: LabelFonts,
): void {
  const isWide = drawing.width > narrow
  const [width, height] = isWide ? [long, narrow] : [narrow, long]
  document.addPage({ size: [width * MM, height * MM], margin: 0 })
  const [left, top] = [(width - drawing.width) / 2, (height - drawing.height) / 2]
  document.save().translate(left * MM, top * MM)
  document.lineWidth(GUIDE).strokeColor(TONES.muted)
  if ('disc' in guides) {
    const middle = (drawing.width / 2) * MM
    document.circle(middle, middle, (guides.disc.outer / 2) * MM).stroke()
    document.circle(middle, middle, (guides.disc.hub / 2) * MM).stroke()
  } else {
    document.rect(0, 0, drawing.width * MM, drawing.height * MM).stroke()
    // Outside of the sheet, so that nothing is seen of them when it is cut.
    for (const fold of guides.folds)
      for (const [from, to] of [
        [-4, -1],
        [drawing.height + 1, drawing.height + 4],
      ] as const)
        document
          .moveTo(fold * MM, from * MM)
          .lineTo(fold * MM, to * MM)
          .stroke()
  }
  for (const mark of drawing.marks) drawMark(document, mark, fonts)
  const below: Mark = {
    kind: 'text',
    x: drawing.width / 2,
    y: drawing.height + 7,
    text: caption,
    size: 2.6,
    tone: 'muted',
    anchor: 'middle',
  }
  drawMark(document, below, fonts)
  document.restore()
}

function drawMark(document: Document, mark: Mark, fonts: LabelFonts): void {
  if (mark.kind === 'rect') {
    const { x, y, width, height, tone } = mark
    document.rect(x * MM, y * MM, width * MM, height * MM).fill(TONES[tone])
    return
  }
  if (mark.kind === 'qr') {
    const module = (mark.side / mark.modules.length) * MM
    for (const [row, from, length] of darkRuns(mark.modules))
      document.rect(mark.x * MM + from * module, mark.y * MM + row * module, length * module, module)
    document.fill('#000')
    return
  }
  const { x, y, text, size, isBold = false, tone = 'ink', anchor = 'start', turned } = mark
  const runs = fontRuns(text, isBold, fonts)
  const width = widthOf(runs, fonts) * size
  document.save()
  if (turned) document.rotate(turned, { origin: [x * MM, y * MM] })
  let at = x - (anchor === 'end' ? width : anchor === 'middle' ? width / 2 : 0)
  document.fontSize(size * MM).fillColor(TONES[tone])
  for (const run of runs) {
    document.font(run.font)
    document.text(run.text, at * MM, y * MM, {
      lineBreak: false,
      baseline: 'alphabetic',
      features: [],
    } as PDFKit.Mixins.TextOptions)
    at += widthOf([run], fonts) * size
  }
  document.restore()
}
