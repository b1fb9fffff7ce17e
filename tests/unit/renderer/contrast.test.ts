import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

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

describe('the measure of contrast', () => {
  it('is 21 for black on white and 1 for a colour on itself', () => {
    expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 6)
    expect(contrast('#767676', '#ffffff')).toBeCloseTo(4.54, 2)
    expect(contrast('#336699', '#336699')).toBe(1)
  })
})
