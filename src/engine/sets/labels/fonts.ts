import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { create, type Font, type FontCollection } from 'fontkit'
import type { Measure } from '../../../domain/sets/labels/drawing'
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

/** A stretch of a text in one font. */
export interface FontRun {
  readonly font: 'regular' | 'bold' | 'other'
  readonly text: string
}

/** A text in fonts that have all of its letters; a letter that none has is its code: `[65C5]`. */
export function fontRuns(text: string, isBold: boolean, fonts: LabelFonts): FontRun[] {
  const usual = isBold ? 'bold' : 'regular'
  const runs: { font: FontRun['font']; text: string }[] = []
  for (const letter of withCodes(text, fonts)) {
    const font = fonts[usual].font.hasGlyphForCodePoint(letter.codePointAt(0) as number) ? usual : 'other'
    const last = runs.at(-1)
    if (last?.font === font) last.text += letter
    else runs.push({ font, text: letter })
  }
  return runs
}

/** A text with the codes of letters that no font has: `旅` is `[65C5]`. */
export function withCodes(text: string, fonts: LabelFonts): string {
  const missing = /\s/u
  return Array.from(text)
    .map((letter) => {
      const code = letter.codePointAt(0) as number
      if (missing.test(letter)) return ' '
      const isThere = [fonts.regular, fonts.other].some((one) => one?.font.hasGlyphForCodePoint(code))
      return isThere ? letter : `[${code.toString(16).toUpperCase().padStart(4, '0')}]`
    })
    .join('')
    .replaceAll('][', ' ')
}

/** Widths by the glyphs of these fonts, without kerning. */
export function measureBy(fonts: LabelFonts): Measure {
  return (text, size, isBold) => {
    let width = 0
    for (const run of fontRuns(text, isBold, fonts)) {
      const { font } = fonts[run.font] ?? fonts.regular
      for (const letter of run.text)
        width += font.glyphForCodePoint(letter.codePointAt(0) as number).advanceWidth / font.unitsPerEm
    }
    return width * size
  }
}
