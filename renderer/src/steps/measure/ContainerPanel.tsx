import type { ContainerMeasurement, MeasurementDocument, TestRow } from '../../../../src/contract/dto/measure'
import { containerName } from '../../../../src/primitives/containerName'
import { type Units } from '../../../../src/primitives/quantity'
import type { Column } from '../../components/DataTable'
import { columnsOf, type WindowTable } from '../../components/declaredColumns'
import { TablePanel } from '../../components/TablePanel'
import { spoken, t } from '../../copy'
import { useUnits } from '../../state/sessionContext'
import { shownTest } from './testColumn'

/**
 * One test in its container; of repeats the last. Bytes, and bytes per second as the medians over
 * the ranges.
 */
interface ContainerRow {
  readonly test: number
  readonly name: string
  readonly diskBytes: number
  readonly freshBytes: number
  readonly rewrittenBytes: number | null
  readonly write: number | null
  readonly writeAgain: number | null
  readonly read: number | null
  readonly readAgain: number | null
}

/** The container's size on the disk, and its rates when it is new and when it is written again. */
export function ContainerPanel({
  document,
  container,
}: {
  document: MeasurementDocument
  container: ContainerMeasurement
}) {
  const units = useUnits()
  return (
    <TablePanel
      title={t('container.title')}
      says={t('container.says', { name: containerName(container), ranges: t('container.ranges') })}
      csv={`measurement-${document.id}-container`}
      columns={columnsIn(units)}
      rows={rowsOf(document, container)}
      rowKey={(row) => row.test}
      visibleRows={8}
      empty={t('container.none')}
    />
  )
}

function rowsOf({ tests }: MeasurementDocument, container: ContainerMeasurement): ContainerRow[] {
  const rate = (rows: readonly TestRow[], test: number, op: TestRow['op']): number | null =>
    rows.find((row) => row.test === test && row.op === op)?.rates.median ?? null
  const last = new Map(container.occupied.map((each) => [each.test, each]))
  return [...last.values()].map(({ test, diskBytes, freshBytes, rewrittenBytes }) => ({
    test,
    name: spoken(tests.find((row) => row.test === test)?.name ?? ''),
    diskBytes,
    freshBytes,
    rewrittenBytes,
    write: rate(tests, test, 'write'),
    writeAgain: rate(container.rewritten.tests, test, 'write'),
    read: rate(tests, test, 'read'),
    readAgain: rate(container.rewritten.tests, test, 'read'),
  }))
}

function columnsIn(units: Units): Column<ContainerRow>[] {
  const track = 'minmax(80px, 1fr)'
  return columnsOf<ContainerRow, keyof typeof CONTAINER>(CONTAINER, units, {
    test: shownTest(),
    disk_bytes: track,
    occupied_bytes: track,
    occupied_rewritten_bytes: track,
    write_bytes_per_second: track,
    write_rewritten_bytes_per_second: track,
    read_bytes_per_second: track,
    read_rewritten_bytes_per_second: track,
  })
}

const rounded = (value: number | null): number | null => value && Math.round(value)

const CONTAINER = {
  test: { heading: 'test', kind: 'code', of: ({ name }) => name },
  disk_bytes: { heading: 'ranges', kind: 'bytes', of: ({ diskBytes }) => diskBytes },
  occupied_bytes: { heading: 'occupied', kind: 'bytes', of: ({ freshBytes }) => freshBytes },
  occupied_rewritten_bytes: {
    heading: 'occupiedAgain',
    kind: 'bytes',
    of: ({ rewrittenBytes }) => rewrittenBytes,
  },
  write_bytes_per_second: { heading: 'writeFresh', kind: 'rate', of: ({ write }) => rounded(write) },
  write_rewritten_bytes_per_second: {
    heading: 'writeAgain',
    kind: 'rate',
    of: ({ writeAgain }) => rounded(writeAgain),
  },
  read_bytes_per_second: { heading: 'readFresh', kind: 'rate', of: ({ read }) => rounded(read) },
  read_rewritten_bytes_per_second: {
    heading: 'readAgain',
    kind: 'rate',
    of: ({ readAgain }) => rounded(readAgain),
  },
} satisfies WindowTable<ContainerRow>
