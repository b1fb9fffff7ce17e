import { pathFromBytes } from '../../primitives/pathText'
import { type SeededRandom, seededRandom } from '../../primitives/seededRandom'

/**
 * One thing of the sample source. Paths are relative, with `/`, in the lossless text form of
 * primitives/pathText.
 */
export type SampleItem =
  | { readonly kind: 'folder'; readonly path: string }
  | {
      readonly kind: 'file'
      readonly path: string
      readonly modifiedSeconds: number
      readonly content: SampleContent
    }

/**
 * The content of a file: bytes as given, or incompressible bytes between zeros, generated from a
 * seed and lengths.
 */
export type SampleContent =
  | { readonly text: string }
  | {
      readonly parts: readonly { readonly seed: number; readonly bytes: number; readonly isZero?: boolean }[]
    }

const KIB = 1024
const MIB = 1024 * KIB
/**
 * The calendar that file times are drawn from: 2009-01-01 to 2024-12-31, in seconds of Unix time.
 */
const EARLIEST_SECONDS = 1_230_768_000
const LATEST_SECONDS = 1_735_603_200

/**
 * The tree of the sample source: what a person's archive tends to hold, at a size that surveys in a
 * moment (about 72 MB). Photographs that do not compress, some of them twice; logs, tables and
 * letters that compress well; source code in two releases that share most of their text; a disc
 * image that is mostly zeros; empty files and folders; awkward names. The same for the same
 * platform, always: a name that the platform cannot hold is left out.
 */
export function sampleTree(platform: NodeJS.Platform): SampleItem[] {
  const random = seededRandom(0x57_04_a6_e5)
  const items: SampleItem[] = []
  const file = (path: string, content: SampleContent) =>
    items.push({
      kind: 'file',
      path,
      content,
      modifiedSeconds: EARLIEST_SECONDS + random.below(LATEST_SECONDS - EARLIEST_SECONDS),
    })
  const photo = (): SampleContent => {
    const seed = random.uint32()
    // A camera writes a thumbnail and its settings before the picture: a little that repeats, much that does not.
    return {
      parts: [
        { seed: 77, bytes: 4 * KIB },
        { seed, bytes: 400 * KIB + random.below(1200 * KIB) },
      ],
    }
  }

  file('READ ME.txt', { text: READ_ME })
  for (const [album, count] of [
    ['2019 Norway', 14],
    ['2021 Garden', 9],
    ['2023 Wedding', 12],
  ] as const) {
    for (let number = 1; number <= count; number++) {
      const content = photo()
      file(`Photos/${album}/IMG_${String(number * 7 + count).padStart(4, '0')}.jpg`, content)
      if (number % 4 === 0) file(`Photos/Best of/${album} ${number}.jpg`, content)
    }
  }
  for (let month = 1; month <= 12; month++) {
    file(`Server/logs/access-${String(month).padStart(2, '0')}.log`, { text: accessLog(random, month, 2200) })
  }
  file('Server/measurements.csv', { text: measurements(random, 24_000) })
  for (const release of ['1.0', '1.1']) {
    const words = seededRandom(4242)
    for (let number = 1; number <= 60; number++) {
      const folder = ['core', 'drawing', 'network'][number % 3]
      const text = sourceCode(words, number)
      // The later release touches every seventh file.
      const changed = release === '1.1' && number % 7 === 0 ? `/* fixed in 1.1 */\n${text}` : text
      file(`Projects/plotter-${release}/${folder}/module${number}.c`, { text: changed })
    }
  }
  file('Disc images/boot floppy.img', {
    parts: [
      { seed: 5, bytes: 36 * KIB },
      { seed: 0, bytes: 1440 * KIB - 36 * KIB, isZero: true },
    ],
  })
  file('Disc images/old disk.img', {
    parts: [
      { seed: 6, bytes: 3 * MIB },
      { seed: 0, bytes: 9 * MIB, isZero: true },
      { seed: 7, bytes: MIB + 512 },
      { seed: 0, bytes: 6 * MIB, isZero: true },
    ],
  })
  for (let number = 1; number <= 40; number++) {
    file(`Letters/${2009 + (number % 15)}/letter ${number}.txt`, {
      text: prose(random, 200 + random.below(1500)),
    })
  }
  for (const empty of ['Projects/plotter-1.1/.keep', 'Letters/untitled.txt', 'Server/logs/error.log']) {
    file(empty, { text: '' })
  }
  items.push(
    { kind: 'folder', path: 'Photos/2025 (not sorted yet)' },
    { kind: 'folder', path: 'Projects/ideas' },
  )
  for (const name of awkwardNames(platform)) file(`Odd names/${name}`, { text: prose(random, 40) })
  return items
}

/** Names that scripts and formats stumble over, as far as the platform can hold them. */
function awkwardNames(platform: NodeJS.Platform): string[] {
  const everywhere = [
    '-rf',
    '$HOME',
    '100% done',
    'a=b',
    "it's",
    'trailing dot.tar.gz',
    'naïve café 日本.txt',
    `${'long '.repeat(39)}name`,
  ]
  if (platform === 'win32') return everywhere
  const unix = ['two\nlines', 'say "hello"', 'back\\slash', 'question?', 'star*', ' leading blank']
  // A name from a system that wrote Latin-1: not UTF-8, and refused by macOS.
  const undecodable = pathFromBytes(Uint8Array.of(0x63, 0x61, 0x66, 0xe9, 0x2e, 0x74, 0x78, 0x74))
  return [...everywhere, ...unix, ...(platform === 'darwin' ? [] : [undecodable])]
}

const READ_ME = `Sample source of Stowage, generation 1

Everything here was made up by a seeded generator, to try a survey and a plan on:
the same on every machine, of no value, free to delete.
`

const PATHS = [
  '/',
  '/index.html',
  '/catalog',
  '/catalog?page=2',
  '/login',
  '/images/logo.png',
  '/api/items',
  '/robots.txt',
]
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

function accessLog(random: SeededRandom, month: number, lines: number): string {
  let text = ''
  for (let line = 0; line < lines; line++) {
    const second = Math.floor((line * 27 * 86_400) / lines)
    const clock = [second / 3600, second / 60, second].map((part, index) =>
      pad(Math.floor(part) % (index === 0 ? 24 : 60)),
    )
    const day = pad(1 + Math.floor(second / 86_400))
    text +=
      `192.0.2.${random.below(200)} - - [${day}/${MONTHS[month - 1]}/2020:${clock.join(':')} +0000] ` +
      `"GET ${pick(random, PATHS)} HTTP/1.1" ${random.below(20) === 0 ? 404 : 200} ${random.below(40_000)}\n`
  }
  return text
}

function measurements(random: SeededRandom, rows: number): string {
  let text = 'row,temperature,humidity,state\n'
  let temperature = 18
  for (let row = 0; row < rows; row++) {
    temperature += (random.unit() - 0.5) / 4
    text += `${row},${temperature.toFixed(2)},${(55 + random.unit() * 5).toFixed(1)},${pick(random, ['ok', 'ok', 'ok', 'late'])}\n`
  }
  return text
}

const NOUNS = [
  'line',
  'axis',
  'pen',
  'paper',
  'motor',
  'frame',
  'buffer',
  'curve',
  'label',
  'point',
  'queue',
  'socket',
]
const VERBS = ['move', 'draw', 'scale', 'read', 'send', 'clip', 'turn', 'measure', 'join', 'wait']

function sourceCode(random: SeededRandom, number: number): string {
  let text = `#include "plotter.h"\n\n/* Module ${number} of the plotter. */\n\n`
  for (let index = 0; index < 30; index++) {
    const [verb, noun] = [pick(random, VERBS), pick(random, NOUNS)]
    text +=
      `static int ${verb}_${noun}_${index}(struct ${noun} *${noun}, int count)\n{\n` +
      `    int result = ${random.below(4096)};\n    for (int i = 0; i < count; i++) {\n` +
      `        result += ${noun}->${pick(random, NOUNS)}[i] * ${random.below(64)};\n    }\n    return result;\n}\n\n`
  }
  return text
}

const WORDS =
  'the of and a to in was that his it with for as had you not be is her on at by which have or from this him but all'.split(
    ' ',
  )

function prose(random: SeededRandom, words: number): string {
  let text = ''
  for (let word = 0; word < words; word++) {
    text += random.below(3) === 0 ? pick(random, NOUNS) : pick(random, WORDS)
    text += word % 12 === 11 ? '.\n' : ' '
  }
  return `${text.trimEnd()}\n`
}

function pick<T>(random: SeededRandom, choices: readonly T[]): T {
  return choices[random.below(choices.length)] as T
}

function pad(value: number): string {
  return String(value).padStart(2, '0')
}
