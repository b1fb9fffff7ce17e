import type { Estimate } from '../../primitives/estimate'
import type { ContainerChoice } from './bandKind'
import { CONTAINER_STATES, type ContainerOfAll, type ContainerState, type InUse } from './measurement'

/** One state of one container in the table of every kind. Bytes on the disk. */
export interface ContainerRow extends Readonly<ContainerChoice> {
  readonly bandSize: number | null
  readonly state: ContainerState
  /** Bytes per second; null where nothing was timed. */
  readonly write: Estimate | null
  readonly read: Estimate | null
  /** At the end of the state, and between deleting and writing again; null where it did not end. */
  readonly occupied: InUse | null
  readonly deleted: InUse | null
}

/** The table of a measurement of every kind: three rows for each container. */
export function containerRows(containers: readonly ContainerOfAll[]): ContainerRow[] {
  return containers.flatMap((container) =>
    CONTAINER_STATES.map((state): ContainerRow => {
      const { kind, encryption, bandSize } = container
      const { write, read } = container[state]
      const last = [...new Map(container.occupied.map((each) => [each.test, each])).values()]
      const after: Readonly<Record<ContainerState, (each: (typeof last)[number]) => InUse | null>> = {
        fresh: ({ freshBytes, full }) => ({ bytes: freshBytes, bands: full?.bands ?? null }),
        rewritten: ({ full }) => full,
        refilled: ({ refilled }) => refilled,
      }
      return {
        kind,
        encryption,
        bandSize,
        state,
        write: write?.bytesPerSecond ?? null,
        read: read?.bytesPerSecond ?? null,
        occupied: together(last.map(after[state])),
        deleted: state === 'refilled' ? together(last.map(({ deleted }) => deleted)) : null,
      }
    }),
  )
}

/** All tests together; null where one of them did not come so far. */
function together(parts: readonly (InUse | null)[]): InUse | null {
  const known = parts.filter((part) => part !== null)
  if (known.length === 0 || known.length < parts.length) return null
  return known.reduce((one, other) => ({
    bytes: one.bytes + other.bytes,
    bands: one.bands === null || other.bands === null ? null : one.bands + other.bands,
  }))
}
