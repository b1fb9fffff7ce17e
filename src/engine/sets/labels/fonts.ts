import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { create, type Font, type FontCollection } from 'fontkit'
import type { Measure } from '../../../domain/sets/labels/drawing'
import { visualOrder } from '../../../domain/sets/labels/visualOrder'
import { AppError } from '../../../primitives/appError'
import { pathForDisplay } from '../../../primitives/pathText'
import { said } from '../../../primitives/said'
import { attempt, fsPath } from '../../files/fileSystem'

/** The fonts that come with Stowage, and one that a person gives for other scripts. */
export interface LabelFonts {
  readonly regular: LabelFont
  readonly bold: LabelFont
  readonly other: LabelFont | null
}

interface LabelFont {
  readonly data: Buffer
  readonly font: Font
  /** Its name, where the file holds several; the first is taken. */
  readonly inCollection?: string
}

/**
 * Reads the fonts of labels.
 * @param other the path of a TrueType or OpenType font
 * @throws AppError `bad-input`, `not-found`, `io`
 */
export async function labelFonts(other: string | null): Promise<LabelFonts> {
  const [regular, bold] = await Promise.all(['', '-Bold'].map(ownFont))
  return {
    regular: regular as LabelFont,
    bold: bold as LabelFont,
    other: other === null ? null : await givenFont(other),
  }
}

async function ownFont(weight: string): Promise<LabelFont> {
  const here = typeof __filename === 'string' ? pathToFileURL(__filename).href : import.meta.url
  const path = createRequire(here).resolve(`dejavu-fonts-ttf/ttf/DejaVuSansCondensed${weight}.ttf`)
  const data = await readFile(path)
  return { data, font: create(data) as Font }
}

async function givenFont(path: string): Promise<LabelFont> {
  const data = await attempt('read', path, readFile(fsPath(path)))
  let made: Font | FontCollection
  try {
    made = create(data)
  } catch (thrown) {
    const message = said`cannot use ${pathForDisplay(path)}: it is not a TrueType or OpenType font`
    throw new AppError('bad-input', message, { path, cause: thrown })
  }
  if (!('fonts' in made)) return { data, font: made }
  const [font] = made.fonts as [Font]
  return { data, font, inCollection: font.postscriptName }
}

/** A stretch of a text in one font and direction. */
export interface FontRun {
  readonly font: 'regular' | 'bold' | 'other'
  readonly text: string
}

/**
 * A text from left to right, in fonts that have all of its letters; a letter that none has is its
 * code: `[65C5]`.
 */
export function fontRuns(text: string, isBold: boolean, fonts: LabelFonts): FontRun[] {
  const usual = isBold ? 'bold' : 'regular'
  return visualOrder(withCodes(text, fonts)).flatMap((part) => {
    const runs: { font: FontRun['font']; text: string }[] = []
    for (const letter of lettersOf(part.text)) {
      const isOther = !hasLetter(fonts[usual], letter) && hasLetter(fonts.other, letter)
      const font = isOther ? 'other' : usual
      const last = runs.at(-1)
      if (last?.font === font) last.text += letter
      else runs.push({ font, text: letter })
    }
    return part.isRightToLeft ? runs.toReversed() : runs
  })
}

/**
 * A text with the codes of letters that no font has: `旅` is `[65C5]`. A picture of several signs
 * (a family, a flag) has one code of several numbers.
 */
export function withCodes(text: string, fonts: LabelFonts): string {
  return lettersOf(text)
    .map((letter) => {
      if (/\s/u.test(letter)) return ' '
      const shown = [letter, letter.replaceAll(INVISIBLE, '')].find((each) =>
        [fonts.regular, fonts.other].some((font) => hasLetter(font, each)),
      )
      return shown ?? `[${Array.from(letter, codeOf).join(' ')}]`
    })
    .join('')
    .replaceAll('][', ' ')
}

/** Selectors and joiners, which change the look of the sign before them. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu

/** The signs of a text as a reader counts them. */
function lettersOf(text: string): string[] {
  return Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment)
}

function hasLetter(one: LabelFont | null, letter: string): boolean {
  return (
    one !== null &&
    Array.from(letter).every((sign) => one.font.hasGlyphForCodePoint(sign.codePointAt(0) ?? 0))
  )
}

function codeOf(sign: string): string {
  return (sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
}

/** Widths by these fonts, with their joined letters and kerning, as a PDF has them. */
export function measureBy(fonts: LabelFonts): Measure {
  const known = new Map<string, number>()
  return (text, size, isBold) => {
    const key = `${isBold} ${text}`
    const width = known.get(key) ?? widthOf(fontRuns(text, isBold, fonts), fonts)
    known.set(key, width)
    return width * size
  }
}

/** The width of runs in the size 1. */
export function widthOf(runs: readonly FontRun[], fonts: LabelFonts): number {
  return runs.reduce((width, run) => {
    const { font } = fonts[run.font] ?? fonts.regular
    return width + font.layout(run.text, []).advanceWidth / font.unitsPerEm
  }, 0)
}
