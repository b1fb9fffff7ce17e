import type { JobContext } from '../../jobs/jobContext'

const PHASES = ['hashing', 'packing', 'sizing', 'hashingParts'] as const
/** Assigning entries to volumes and asking xorriso for their sizes. */
const LAYOUT_MS_AN_ENTRY = 0.1

interface PlanProgress {
  hashing(files: readonly [done: number, total: number], bytes: number, current: string): void
  /** @param volumes 0 while files are assigned to volumes, before any is sized */
  layout(round: number, sized: number, volumes: number): void
  parts(bytes: number, count: number, total: number): void
}

/**
 * The progress of making a plan over all of its phases.
 * @param expected bytes to hash, entries to lay out, and bytes of files that have to be split
 */
export function planProgress(
  context: Pick<JobContext, 'progress'>,
  expected: { readonly hashing: number; readonly entries: number; readonly parts: number },
): PlanProgress {
  const layoutMs = LAYOUT_MS_AN_ENTRY * expected.entries
  const tell = (
    name: (typeof PHASES)[number],
    files: readonly [number, number | null],
    bytes: readonly [number, number | null],
    current: string | null,
    layoutShare: number,
  ): void => {
    const [bytesDone, bytesTotal] = bytes
    const isParts = name === 'hashingParts'
    context.progress({
      phase: { index: PHASES.indexOf(name) + 1, count: PHASES.length, name },
      filesDone: files[0],
      filesTotal: files[1],
      bytesDone,
      bytesTotal,
      current,
      work: [
        {
          kind: 'hashing',
          unit: 'bytes',
          done: name === 'hashing' ? bytesDone : expected.hashing,
          total: expected.hashing,
        },
        { kind: 'layout', unit: 'ms', done: layoutMs * layoutShare, total: layoutMs },
        {
          kind: 'parts',
          unit: 'bytes',
          done: isParts ? bytesDone : 0,
          total: isParts ? (bytesTotal ?? 0) : expected.parts,
        },
      ],
    })
  }
  return {
    hashing: (files, bytes, current) => tell('hashing', files, [bytes, expected.hashing], current, 0),
    layout(round, sized, volumes) {
      // How many rounds there will be is not known: each is taken to bring half of what is left.
      const share = 1 - 0.5 ** (round - 1) * (1 - (volumes === 0 ? 0 : sized / volumes / 2))
      const name = volumes === 0 ? 'packing' : 'sizing'
      const current = round === 1 ? null : `round ${round}`
      tell(name, [sized, volumes === 0 ? null : volumes], [0, null], current, share)
    },
    parts: (bytes, count, total) => tell('hashingParts', [0, count], [bytes, total], null, 1),
  }
}
