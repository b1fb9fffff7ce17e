import { z } from 'zod'
import { keyIdSchema, schemeSchema } from '../fingerprints/completeNote'
import { bytesSchema, countSchema, idSchema, pathSchema, wallMsSchema } from '../scalars'
import { added, NO_SUMS, type Sums } from './sampledBytes'

/** The ways to divide what the sources have. */
export const FLEET_BY = ['source', 'type', 'folder'] as const
export type FleetBy = (typeof FLEET_BY)[number]

export const fleetSourceSchema = z.object({
  survey: idSchema,
  /** The folder of its fingerprints. */
  folder: pathSchema,
  /** The folder in which all of its files are; null where paths were left out. */
  name: z.string().nullable(),
  createdWallMs: wallMsSchema,
  files: countSchema,
  bytes: bytesSchema,
  skipped: countSchema,
  /**
   * The files that have gone or changed since the survey that rows were carried over from: contents
   * of more than eight files may count some of them still. 0 where nothing was carried over.
   */
  changedSince: countSchema,
})

export const fleetGroupSchema = z.object({ name: z.string(), files: countSchema, bytes: bytesSchema })

/** A whole number that JSON's may be too small for. */
const wholeSchema = z.string().regex(/^\d{1,38}$/)
/** Contents, bytes and the sum of their squares, of one group or of two. */
const countedSchema = z.object({
  group: countSchema,
  other: countSchema.optional(),
  contents: wholeSchema,
  bytes: wholeSchema,
  squares: wholeSchema,
})
type Counted = z.infer<typeof countedSchema>

/** A way of cutting, as it is compared over all sources. */
export const comparedSchemeSchema = z.object({
  name: z.string(),
  table: z.enum([...schemeSchema.shape.table.options, 'contents']),
  /** The block size, or the average chunk; null for whole files. */
  nominalBytes: bytesSchema.nullable(),
  /** The share compared is 2^-shift: the smallest of those that the sources kept. */
  shift: countSchema,
  sharesDiffer: z.boolean(),
  /** The sources that were not cut this way, and are not in the figures. */
  missing: z.array(countSchema),
})

/** The sums of a scheme over a range of its kept hashes. */
const countedSchemeSchema = comparedSchemeSchema.extend({
  own: z.array(countedSchema),
  adds: z.array(countedSchema),
  onlyHere: z.array(countedSchema),
  /** Null where they were not counted. */
  pairs: z.array(countedSchema).nullable(),
})
export type CountedScheme = z.infer<typeof countedSchemeSchema>

/** Part `index`, from 1, of `count`: the counts of a range of hashes, which add up exactly. */
export const fleetCountsSchema = z.object({
  schema: z.literal('stowage.fleetPart/1'),
  range: z.object({ index: countSchema.min(1), count: countSchema.min(1) }),
  by: z.enum(FLEET_BY),
  sources: z.array(fleetSourceSchema),
  groups: z.array(fleetGroupSchema),
  key: keyIdSchema,
  schemes: z.array(countedSchemeSchema),
})
export type FleetCounts = z.infer<typeof fleetCountsSchema>

/** Sums by group, or by two groups. */
export class SumsByGroup {
  readonly #sums = new Map<
    string,
    { readonly group: number; readonly other: number | undefined; sums: Sums }
  >()

  add(group: number, sums: Sums, other?: number): void {
    const key = `${group} ${other ?? ''}`
    const known = this.#sums.get(key)
    if (known) known.sums = added(known.sums, sums)
    else this.#sums.set(key, { group, other, sums })
  }

  addAll(counted: readonly Counted[]): void {
    for (const { group, other, ...sums } of counted) this.add(group, numbersOf(sums), other)
  }

  /** Those of one group; none where it has none. */
  of(group: number): Sums {
    return this.#sums.get(`${group} `)?.sums ?? NO_SUMS
  }

  get all(): Sums {
    return [...this.#sums.values()].reduce((sum, { sums }) => added(sum, sums), NO_SUMS)
  }

  /** By the groups, in their order. */
  get counted(): Counted[] {
    return [...this.#sums.values()]
      .toSorted((a, b) => a.group - b.group || (a.other ?? 0) - (b.other ?? 0))
      .map(({ group, other, sums: { contents, bytes, squares } }): Counted => {
        const counted: Counted = {
          group,
          contents: String(contents),
          bytes: String(bytes),
          squares: String(squares),
        }
        if (other !== undefined) counted.other = other
        return counted
      })
  }
}

/** The sums as numbers of any size. */
export function numbersOf({
  contents,
  bytes,
  squares,
}: Pick<Counted, 'contents' | 'bytes' | 'squares'>): Sums {
  return { contents: BigInt(contents), bytes: BigInt(bytes), squares: BigInt(squares) }
}

/** The counts of all ranges, from those of each: they have the same sources, groups and schemes. */
export function summedCounts(parts: readonly [FleetCounts, ...FleetCounts[]]): FleetCounts {
  const [first] = parts
  const summed = (listsOf: (scheme: CountedScheme) => readonly Counted[] | null, at: number): Counted[] => {
    const sums = new SumsByGroup()
    for (const { schemes } of parts) {
      const scheme = schemes[at]
      if (scheme) sums.addAll(listsOf(scheme) ?? [])
    }
    return sums.counted
  }
  return {
    ...first,
    range: { index: 1, count: 1 },
    schemes: first.schemes.map(
      ({ name, table, nominalBytes, shift, sharesDiffer, missing, ...scheme }, at) => ({
        name,
        table,
        nominalBytes,
        shift,
        sharesDiffer,
        missing,
        own: summed(({ own }) => own, at),
        adds: summed(({ adds }) => adds, at),
        onlyHere: summed(({ onlyHere }) => onlyHere, at),
        pairs: scheme.pairs && summed(({ pairs }) => pairs, at),
      }),
    ),
  }
}
