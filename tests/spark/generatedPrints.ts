import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type CompleteNote, completeNoteSchema, FOOTER_KEY } from '../../src/domain/fingerprints/completeNote'
import {
  FILES_COLUMNS,
  HASH_COLUMNS,
  partName,
  ZEROS_COLUMNS,
} from '../../src/engine/fingerprints/fingerprintTables'
import { type PartColumn, type PartRows, writePart } from '../../src/engine/fingerprints/parquetPart'
import { seededRandom } from '../../src/primitives/seededRandom'

/** Contents by the sources that have them: 2,002,000 rows of 1,334,000 contents. */
export const CLASSES = {
  a: 300_000,
  b: 250_000,
  c: 150_000,
  ab: 200_000,
  bc: 200_000,
  ac: 100_000,
  abc: 134_000,
}
type Letters = keyof typeof CLASSES
export const LETTERS = ['a', 'b', 'c'] as const
export type Letter = (typeof LETTERS)[number]

const SCHEME = { name: 'blocks-4k', table: 'blocks', nominalBytes: 4096, shift: 0 } as const

/** The bytes of the contents of each class. */
export type ClassBytes = Readonly<Record<Letters, number>>

/**
 * Writes the fingerprints of three sources with random hashes, as a survey at share 1 would, with
 * one way of cutting.
 * @returns what was made, and the folder of each source
 */
export async function writeGenerated(
  folder: string,
): Promise<{ bytes: ClassBytes; places: Record<Letter, string> }> {
  const random = seededRandom(5904)
  const classes = (Object.entries(CLASSES) as [Letters, number][]).map(([letters, many]) => {
    const words = new Uint32Array(2 * many)
    for (let at = 0; at < words.length; at++) words[at] = random.uint32()
    const lengths = Int32Array.from({ length: many }, () =>
      random.below(50) === 0 ? 1 + random.below(4095) : 4096,
    )
    return { letters, hashes: new BigInt64Array(words.buffer), lengths }
  })
  const bytes = Object.fromEntries(
    classes.map(({ letters, lengths }) => [letters, lengths.reduce((sum, one) => sum + one, 0)]),
  ) as unknown as ClassBytes
  const places = {} as Record<Letter, string>
  for (const letter of LETTERS) {
    const own = classes.filter(({ letters }) => letters.includes(letter))
    const rows = own.flatMap(({ hashes, lengths }) =>
      Array.from(hashes, (hash, at) => ({ hash, length: BigInt(lengths[at] ?? 0) })),
    )
    rows.sort((one, other) => (one.hash < other.hash ? -1 : 1))
    const total = own.reduce((sum, { letters }) => sum + bytes[letters], 0)
    places[letter] = await writeSurvey(folder, `s-00000000000${letter}`, rows, total)
  }
  return { bytes, places }
}

async function writeSurvey(
  folder: string,
  survey: string,
  rows: readonly { hash: bigint; length: bigint }[],
  total: number,
): Promise<string> {
  const place = join(folder, survey.slice(-1))
  const own = join(place, 'format=1', `survey=${survey}`)
  const about = {
    format: 1,
    survey,
    createdWallMs: 1_796_000_000_000,
    hash: 'xxh3-128.high',
    key: null,
  } as const
  const parts: CompleteNote['parts'] = []
  const write = async (
    name: string,
    columns: readonly PartColumn[],
    footer: object,
    ...batches: PartRows[]
  ): Promise<void> => {
    mkdirSync(dirname(join(own, name)), { recursive: true })
    const part = await writePart(
      join(own, name),
      columns,
      { key: FOOTER_KEY, value: { ...about, ...footer } },
      each(batches),
    )
    parts.push({ name, ...part })
  }
  const blocks: PartRows = [
    BigInt64Array.from(rows, ({ hash }) => hash),
    BigInt64Array.from(rows, ({ length }) => length),
    new Int32Array(rows.length),
    new Int32Array(rows.length).fill(1),
  ]
  await write(partName('blocks', SCHEME.name), HASH_COLUMNS, { table: 'blocks', scheme: SCHEME }, blocks)
  await write(partName('zeros', SCHEME.name), ZEROS_COLUMNS, { table: 'zeros', scheme: SCHEME })
  const content: PartRows = [
    BigInt64Array.of(BigInt(survey.charCodeAt(13))),
    BigInt64Array.of(BigInt(total)),
    Int32Array.of(0),
    Int32Array.of(1),
  ]
  await write(partName('contents'), HASH_COLUMNS, { table: 'contents', shift: 0 }, content)
  const file: PartRows = [
    Int32Array.of(0),
    ['/data/image'],
    BigInt64Array.of(BigInt(total)),
    BigInt64Array.of(0n),
    [''],
  ]
  await write(partName('files'), FILES_COLUMNS, { table: 'files' }, file)
  const note = completeNoteSchema.parse({
    schema: 'stowage.fingerprints/1',
    ...about,
    schemes: [SCHEME],
    paths: true,
    carried: null,
    totals: { files: 1, bytes: total, skipped: 0 },
    parts,
  })
  writeFileSync(join(own, '_COMPLETE.json'), JSON.stringify(note))
  return place
}

async function* each(batches: readonly PartRows[]): AsyncIterable<PartRows> {
  yield* batches
}
