/**
 * The room `fleet` has the figures of many sources that are compared by their fingerprints.
 * How: `fleetCounts` are exact sums over the contents that were kept, which add up over ranges of
 * hashes; `sampledBytes` makes a figure with its range of each; `fleetReport` is the document.
 * Not here: asking the database (`src/engine/fleet`), checking fingerprints (`fingerprints`).
 */

import { z } from 'zod'
import { keyIdSchema } from '../fingerprints/completeNote'
import { bytesSchema, countSchema } from '../scalars'
import { copiedFoldersSchema } from './copiedFolders'
import {
  type CountedScheme,
  comparedSchemeSchema,
  FLEET_BY,
  type FleetCounts,
  fleetGroupSchema,
  fleetSourceSchema,
  numbersOf,
  SumsByGroup,
} from './fleetCounts'
import { fleetMediumSchema } from './fleetMedia'
import { type Sums, sampledBytes } from './sampledBytes'

const FLEET_REPORT_SCHEMA = 'stowage.fleetReport/1'

/** The scheme by which whole files are compared. */
export const FILES_SCHEME = 'files'

/** Bytes with their 95 % range, and the contents that they were counted or estimated from. */
const figureSchema = z.object({
  bytes: bytesSchema,
  low: bytesSchema,
  high: bytesSchema,
  provenance: z.enum(['exact', 'measured']),
  /** How many contents were kept and counted. */
  kept: countSchema,
})
export type FleetFigure = z.infer<typeof figureSchema>

/** A source, or all files of a type or in a folder, cut in one way. */
const groupFiguresSchema = z.object({
  /** Its place in `groups`. */
  group: countSchema,
  /** Its unique bytes by itself. */
  unique: figureSchema,
  /** Those that no group before it has. */
  adds: figureSchema,
  /** Those that no other group has. */
  onlyHere: figureSchema,
})

const pairSchema = z.object({ one: countSchema, other: countSchema, shared: figureSchema })

/** Groups in the order in which each adds most to those before it. */
const greedySchema = z.object({
  /** The share that was compared for it is 2^-shift. */
  shift: countSchema,
  steps: z.array(z.object({ group: countSchema, adds: figureSchema, together: figureSchema })),
})
export type FleetGreedy = z.infer<typeof greedySchema>

const fleetSchemeSchema = comparedSchemeSchema.extend({
  /** The bytes of all files of the others. */
  totalBytes: bytesSchema,
  unique: figureSchema,
  groups: z.array(groupFiguresSchema),
  /** With `--table pairs`: those that share anything, the largest first. */
  pairs: z.array(pairSchema).optional(),
  /** With `--table new`: the first 50. */
  greedy: greedySchema.optional(),
})
export type FleetScheme = z.infer<typeof fleetSchemeSchema>

export const fleetReportSchema = z.object({
  schema: z.literal(FLEET_REPORT_SCHEMA),
  by: z.enum(FLEET_BY),
  /** In the order given. */
  sources: z.array(fleetSourceSchema),
  /** By source these are the sources. */
  groups: z.array(fleetGroupSchema),
  key: keyIdSchema,
  /** Each way of cutting, and whole files last. */
  schemes: z.array(fleetSchemeSchema),
  /** With `--table folders`. */
  folders: copiedFoldersSchema.optional(),
  /** With `--medium`. */
  media: z.array(fleetMediumSchema).optional(),
})
export type FleetReport = z.infer<typeof fleetReportSchema>

/** The figures that follow from counts of all hashes. */
export function reportOf(counts: FleetCounts): FleetReport {
  const { by, sources, groups, key } = counts
  return {
    schema: FLEET_REPORT_SCHEMA,
    by,
    sources,
    groups,
    key,
    schemes: counts.schemes.map((scheme) => schemeFigures(scheme, counts)),
  }
}

function schemeFigures(scheme: CountedScheme, { by, sources, groups }: FleetCounts): FleetScheme {
  const { name, table, nominalBytes, shift, sharesDiffer, missing } = scheme
  const sumsOf = (counted: CountedScheme['own']): SumsByGroup => {
    const sums = new SumsByGroup()
    sums.addAll(counted)
    return sums
  }
  const [own, adds, onlyHere] = [scheme.own, scheme.adds, scheme.onlyHere].map(sumsOf) as [
    SumsByGroup,
    SumsByGroup,
    SumsByGroup,
  ]
  const totalBytes = sources.reduce((sum, { bytes }, at) => (missing.includes(at) ? sum : sum + bytes), 0)
  // A group without files of its own has contents of any of them.
  const bytesOf = (group: number): number => groups[group]?.bytes || totalBytes
  const isCertain = isCounted(sources.filter((_, at) => !missing.includes(at)))
  const figure = (sums: Sums, most: number): FleetFigure =>
    figureOf(sums, { shift, nominalBytes, isCertain }, most)
  return {
    name,
    table,
    nominalBytes,
    shift,
    sharesDiffer,
    missing,
    totalBytes,
    unique: figure(adds.all, totalBytes),
    groups: groups.flatMap((_, group) => {
      if (by === 'source' && missing.includes(group)) return []
      const most = bytesOf(group)
      return {
        group,
        unique: figure(own.of(group), most),
        adds: figure(adds.of(group), most),
        onlyHere: figure(onlyHere.of(group), most),
      }
    }),
    ...(scheme.pairs && {
      pairs: scheme.pairs
        .map(({ group, other = 0, ...sums }) => ({
          one: group,
          other,
          shared: figure(numbersOf(sums), Math.min(bytesOf(group), bytesOf(other))),
        }))
        .toSorted((a, b) => b.shared.bytes - a.shared.bytes || a.one - b.one || a.other - b.other),
    }),
  }
}

/** True where every content of these sources is one of a file that is there. */
export function isCounted(sources: readonly Pick<FleetCounts['sources'][number], 'changedSince'>[]): boolean {
  return sources.every(({ changedSince }) => changedSince === 0)
}

/**
 * The bytes of contents of which a share was kept. They are exact where all were kept and
 * `isCertain`.
 * @param most the bytes of all files that they are of
 */
export function figureOf(
  sums: Sums,
  {
    shift,
    nominalBytes,
    isCertain,
  }: { readonly shift: number; readonly nominalBytes: number | null; readonly isCertain: boolean },
  most: number,
): FleetFigure {
  // Whole files are of any size: where none was kept, nothing is known but the bytes of all.
  const figure = sampledBytes(sums, shift, { typicalBytes: nominalBytes ?? most, most })
  return isCertain ? figure : { ...figure, provenance: 'measured' }
}
