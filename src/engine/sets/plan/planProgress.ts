import type { JobContext } from '../../jobs/jobContext'

const PHASES = ['owners', 'hashing', 'packing', 'sizing', 'hashingParts', 'timing'] as const
/** Reading owners, attributes and times of an entry. */
const OWNER_MS_AN_ENTRY = 0.02
/** Assigning entries to volumes and asking xorriso for their sizes. */
const LAYOUT_MS_AN_ENTRY = 0.1
/**
 * Reading a sample of the source takes up to two seconds, where figures vary up to six, and as long
 * again where some of it was in the system's cache.
 */
const TIMING_MS = 4000

interface PlanProgress {
  owners(): void
  hashing(files: readonly [done: number, total: number], bytes: number, current: string): void
  /** @param volumes 0 while files are assigned to volumes, before any is sized */
  layout(round: number, sized: number, volumes: number): void
  parts(bytes: number, count: number, total: number): void
  /** The last phase: a sample of the source is timed, and the plan is stored. */
  timing(): void
}

/**
 * The progress of making a plan over all of its phases.
 * @param expected bytes to hash, entries to lay out, and bytes of files that have to be split
 */
export function planProgress(
  context: Pick<JobContext, 'progress'>,
  expected: {
    readonly hashing: number
    readonly entries: number
    readonly parts: number
    /** The volumes are folders, not images. */
    readonly isOfFolders?: boolean
  },
): PlanProgress {
  const layoutMs = LAYOUT_MS_AN_ENTRY * expected.entries
  const ownersMs = OWNER_MS_AN_ENTRY * expected.entries
  const tell = (
    name: (typeof PHASES)[number],
    files: readonly [number, number | null],
    bytes: readonly [number, number | null],
    current: string | null,
    layoutShare: number,
  ): void => {
    const [bytesDone, bytesTotal] = bytes
    const phase = PHASES.indexOf(name)
    const isAfter = (other: (typeof PHASES)[number]): boolean => phase > PHASES.indexOf(other)
    const partsDone = name === 'hashingParts' ? bytesDone : isAfter('hashingParts') ? expected.parts : 0
    context.progress({
      phase: {
        index: phase + 1,
        count: PHASES.length,
        name: name === 'sizing' && expected.isOfFolders ? 'sizingFolders' : name,
      },
      filesDone: files[0],
      filesTotal: files[1],
      bytesDone,
      bytesTotal,
      current,
      work: [
        { kind: 'owners', unit: 'ms', done: isAfter('owners') ? ownersMs : 0, total: ownersMs },
        {
          kind: 'hashing',
          unit: 'bytes',
          done: name === 'hashing' ? bytesDone : isAfter('hashing') ? expected.hashing : 0,
          total: expected.hashing,
        },
        { kind: 'layout', unit: 'ms', done: layoutMs * layoutShare, total: layoutMs },
        {
          kind: 'parts',
          unit: 'bytes',
          done: partsDone,
          total: name === 'hashingParts' ? (bytesTotal ?? 0) : expected.parts,
        },
        { kind: 'timing', unit: 'ms', done: 0, total: TIMING_MS, isTimed: true },
      ],
    })
  }
  return {
    owners: () => tell('owners', [0, expected.entries], [0, null], null, 0),
    hashing: (files, bytes, current) => tell('hashing', files, [bytes, expected.hashing], current, 0),
    layout(round, sized, volumes) {
      // How many rounds there will be is not known: each is taken to bring half of what is left.
      const share = 1 - 0.5 ** (round - 1) * (1 - (volumes === 0 ? 0 : sized / volumes / 2))
      const name = volumes === 0 ? 'packing' : 'sizing'
      const current = round === 1 ? null : `round ${round}`
      tell(name, [sized, volumes === 0 ? null : volumes], [0, null], current, share)
    },
    parts: (bytes, count, total) => tell('hashingParts', [0, count], [bytes, total], null, 1),
    timing: () => tell('timing', [0, null], [0, null], null, 1),
  }
}
