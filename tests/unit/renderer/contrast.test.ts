import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { shareTones } from '../../../renderer/src/steps/plan/shareTones'

const CSS = readFileSync(join(import.meta.dirname, '../../../renderer/src/styles/tokens.css'), 'utf8')

type Tokens = ReadonlyMap<string, string>

/** The colours that a rule of the token file sets, by the start of its selector. */
function tokensOf(...selectors: readonly string[]): Tokens {
  const tokens = new Map<string, string>()
  for (const selector of selectors) {
    const start = CSS.indexOf(`${selector} {`)
    if (start < 0) throw new Error(`no rule for ${selector}`)
    const body = CSS.slice(start, CSS.indexOf('\n}', start))
    for (const match of body.matchAll(/--([a-z0-9-]+):\s*(#[0-9a-f]{6});/g))
      tokens.set(match[1] ?? '', match[2] ?? '')
  }
  return tokens
}

/** WCAG 2.2 relative luminance. */
function luminance(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one: string, other: string): number {
  const [a, b] = [luminance(one), luminance(other)]
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

const TEXT_ON: readonly (readonly [string, readonly string[]])[] = [
  [
    'ink',
    [
      'paper',
      'paper-raised',
      'paper-sunken',
      'accent-wash',
      'warn-wash',
      'bad-wash',
      'share-1',
      'share-2',
      'share-3',
      'share-4',
      'share-5',
      'share-6',
      'share-rest',
    ],
  ],
  ['muted', ['paper', 'paper-raised', 'paper-sunken', 'accent-wash', 'bad-wash']],
  ['accent', ['paper', 'paper-raised', 'paper-sunken', 'accent-wash']],
  ['on-accent', ['accent', 'accent-hover']],
  ['good', ['paper', 'paper-raised']],
  ['warn', ['paper', 'warn-wash']],
  ['bad', ['paper', 'bad-wash']],
  ['paper', ['ink', 'bad']],
]

const MARKS = [
  'accent',
  'line-strong',
  'share-edge',
  'class-text',
  'class-image',
  'class-audio',
  'class-video',
  'class-archive',
  'class-executable',
  'class-disc-image',
  'class-other',
  'op-write',
  'op-read',
  'op-random-read',
  'op-random-write',
]

describe.each([
  ['light', tokensOf(':root')],
  ['dark', tokensOf(':root', ':root[data-theme="dark"]')],
] as const)('the %s colours', (_, tokens) => {
  const colour = (name: string): string => {
    const value = tokens.get(name)
    if (value === undefined) throw new Error(`no colour --${name}`)
    return value
  }

  it.each(TEXT_ON.flatMap(([text, grounds]) => grounds.map((ground) => [text, ground] as const)))(
    'let %s be read on %s: at least 4.5 to 1',
    (text, ground) => {
      expect(contrast(colour(text), colour(ground))).toBeGreaterThanOrEqual(4.5)
    },
  )

  it.each(MARKS.flatMap((mark) => ['paper', 'paper-raised'].map((ground) => [mark, ground] as const)))(
    'let the mark %s be seen on %s: at least 3 to 1',
    (mark, ground) => {
      expect(contrast(colour(mark), colour(ground))).toBeGreaterThanOrEqual(3)
    },
  )
})

describe('the colours of classes', () => {
  it('are eight, and no two the same, in light and in dark', () => {
    for (const tokens of [tokensOf(':root'), tokensOf(':root', ':root[data-theme="dark"]')]) {
      const colours = [...tokens].filter(([name]) => name.startsWith('class-')).map(([, value]) => value)
      expect(colours).toHaveLength(8)
      expect(new Set(colours).size).toBe(8)
    }
  })
})

/** A colour in OKLab, as Ottosson defines it from linear sRGB. */
function oklab(colour: string): [number, number, number] {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  const l = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
  const m = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
  const s = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ]
}

/** The relative luminance of a colour in OKLab. */
function luminanceOf([lightness, a, b]: readonly [number, number, number]): number {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  const red = 4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s
  const green = -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s
  const blue = -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

describe.each([
  ['light', tokensOf(':root')],
  ['dark', tokensOf(':root', ':root[data-theme="dark"]')],
] as const)('the ramp of years in %s', (_, tokens) => {
  const turn = Number(/--share-turn: ([\d.]+);/.exec(CSS)?.[1])
  const ends = [tokens.get('share-old') ?? '', tokens.get('share-new') ?? ''].map(oklab)
  const at = (place: number) =>
    [0, 1, 2].map((part) => {
      const [old = 0, young = 0] = ends.map((end) => end[part] ?? 0)
      return old + (young - old) * place
    }) as [number, number, number]

  it.each([2, 6, 12, 24])('lets the letters of %d years be read: at least 4.5 to 1', (count) => {
    const shares = Array.from({ length: count }, (__, year) => ({
      path: String(2000 + year),
      bytes: 1,
      files: 1,
    }))
    const steps = shareTones([{ shares }]).toned.map(({ tone }) => at(tone.onRamp ?? Number.NaN))
    for (const step of steps) {
      const own = luminanceOf(step)
      const read = step[0] > turn ? (own + 0.05) / 0.05 : 1.05 / (own + 0.05)
      expect(read).toBeGreaterThanOrEqual(4.5)
    }
    // Adjacent colours are distinguishable from a distance of 0.02 in OKLab on.
    for (const [index, step] of steps.slice(1).entries())
      expect(Math.hypot(...step.map((value, part) => value - (steps[index]?.[part] ?? 0)))).toBeGreaterThan(
        0.02,
      )
  })
})

describe.each([
  ['light', ':root'],
  ['dark', ':root[data-theme="dark"]'],
] as const)('the years of the map of the sources in %s', (theme, selector) => {
  const tokens = theme === 'light' ? tokensOf(':root') : tokensOf(':root', selector)
  const body = CSS.slice(CSS.indexOf(`${selector} {`))
  const span = Number(/--year-span: (\d+)%;/.exec(body)?.[1]) / 100
  const [old = [0, 0, 0], young = [0, 0, 0]] = ['share-old', 'share-new'].map((name) =>
    oklab(tokens.get(name) ?? ''),
  )
  const at = (place: number) =>
    old.map((value, part) => value + ((young[part] ?? 0) - value) * place * span) as [number, number, number]

  it('let ink be read on each of them: at least 4.5 to 1', () => {
    const ink = luminance(tokens.get('ink') ?? '')
    for (let step = 0; step <= 20; step++) {
      const own = luminanceOf(at(step / 20))
      expect((Math.max(ink, own) + 0.05) / (Math.min(ink, own) + 0.05)).toBeGreaterThanOrEqual(4.5)
    }
  })

  it('differ in lightness where there are ten of them', () => {
    for (let year = 1; year < 10; year++)
      expect(Math.abs(at(year / 9)[0] - at((year - 1) / 9)[0])).toBeGreaterThan(0.02)
  })
})

describe('the measure of contrast', () => {
  it('is 21 for black on white and 1 for a colour on itself', () => {
    expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 6)
    expect(contrast('#767676', '#ffffff')).toBeCloseTo(4.54, 2)
    expect(contrast('#336699', '#336699')).toBe(1)
  })
})
