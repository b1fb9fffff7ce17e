import type { PlanDocument } from '../../../contract/dto/plan'
import type { JobContext } from '../../jobs/jobContext'
import type { OnWritten } from './writeVolumes'

/**
 * The progress of an export: its index has a line for each file, and so has the list of each
 * volume, which is written next to checksums and a table for xorriso.
 */
export function exportProgress(
  context: Pick<JobContext, 'progress'>,
  { totals, volumes }: Pick<PlanDocument, 'totals' | 'volumes'>,
  directory: string,
): OnWritten {
  const listed = volumes.reduce((sum, { files }) => sum + files, 0)
  const lines = (kind: string, done: number) => ({
    kind,
    unit: 'bytes' as const,
    done: 0,
    total: null,
    files: { done, total: listed },
  })
  const tell = (index: number, lists: number): void =>
    context.progress({
      phase: { index: 1, count: 1, name: 'exporting' },
      filesDone: Math.min(lists, totals.files),
      filesTotal: totals.files,
      bytesDone: 0,
      bytesTotal: null,
      current: directory,
      work: [lines('index', index), lines('lists', lists)],
    })
  tell(0, 0)
  return (written) =>
    tell(
      listed,
      volumes.slice(0, written).reduce((sum, { files }) => sum + files, 0),
    )
}
