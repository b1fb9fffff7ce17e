import { seededRandom, type SeededRandom } from './seededRandom'

/** One file of the sample source: its path below the root (`/` separates) and its content. */
export interface SampleFile {
  readonly path: string
  readonly content: Uint8Array
}

const SEED = 20_260_101
const KIB = 1024
const WORDS =
  'anchor ballast berth bollard bow bulkhead buoy capstan cargo chart cleat compass crane deck draught fathom harbour hatch hawser helm hold hull keel knot ladder league mast mooring pier pilot port quay rigging rudder sail sextant shackle starboard stern tide tiller wake watch winch yard'.split(
    ' ',
  )

/**
 * The sample source, about 25 MB in some 700 files, the same bytes on every machine: letters (text that compresses),
 * pictures (that do not), a backup folder that repeats half of them, a disk image that is mostly zeros and grows from
 * version to version, and names that are awkward but legal everywhere.
 */
export function* sampleTree(): Generator<SampleFile> {
  const random = seededRandom(SEED)
  for (let year = 2019; year <= 2024; year++) {
    for (let index = 1; index <= 60; index++) {
      const content = letter(random, 2 + random.below(30))
      const path = `Letters/${year}/letter ${String(index).padStart(2, '0')}.txt`
      yield { path, content }
      if (index % 2 === 0) yield { path: `Backup/${path}`, content }
    }
  }
  for (let index = 1; index <= 48; index++) {
    const content = picture(random, 60 * KIB + random.below(240 * KIB))
    const name = `IMG_${4000 + index}.jpg`
    yield { path: `Pictures/${name}`, content }
    if (index % 3 === 0) yield { path: `Backup/Pictures/${name}`, content }
  }
  yield* diskImages(random)
  for (const name of AWKWARD) yield { path: `Awkward names/${name}`, content: letter(random, 1) }
  yield { path: 'Awkward names/empty', content: new Uint8Array(0) }
}

const AWKWARD = [
  'two  spaces.txt',
  "quote's.txt",
  '$HOME.txt',
  '100%.txt',
  '-dash.txt',
  'ümläut.txt',
  '写真.txt',
  `${'long '.repeat(40)}.txt`,
]

/** Three versions of one image: each keeps the blocks of the one before, fills some of its zeros and changes a few. */
function* diskImages(random: SeededRandom): Generator<SampleFile> {
  const image = new Uint8Array(3 * KIB * KIB)
  const block = 4 * KIB
  for (let version = 1; version <= 3; version++) {
    for (let change = 0; change < 90; change++) {
      const at = random.below(image.length / block) * block
      random.fillBytes(image.subarray(at, at + block))
    }
    yield { path: `Images/disk version ${version}.img`, content: image.slice() }
  }
}

function letter(random: SeededRandom, paragraphs: number): Uint8Array {
  const lines: string[] = []
  for (let paragraph = 0; paragraph < paragraphs; paragraph++) {
    const words: string[] = []
    const count = 40 + random.below(80)
    for (let index = 0; index < count; index++) words.push(WORDS[random.below(WORDS.length)] as string)
    lines.push(`${words.join(' ')}.\n`)
  }
  return ascii(lines.join('\n'))
}

/** Bytes that no codec shrinks, with the first marks of a JPEG so that tools take it for one. */
function picture(random: SeededRandom, size: number): Uint8Array {
  const content = new Uint8Array(size)
  random.fillBytes(content)
  content.set([0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46, 0])
  return content
}

function ascii(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0))
}
