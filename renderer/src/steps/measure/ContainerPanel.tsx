import type { ContainerMeasurement, MeasurementDocument, TestRow } from '../../../../src/contract/dto/measure'
import { containerName } from '../../../../src/primitives/containerName'
import { formatRate, formatSize, type Units } from '../../../../src/primitives/quantity'
import { figureColumn } from '../../components/columns'
import type { Column } from '../../components/DataTable'
import { TablePanel } from '../../components/TablePanel'
import { spoken, t } from '../../copy'
import { useUnits } from '../../state/sessionContext'
import { testColumn } from './testColumn'

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
  const figure = (
    of: Exclude<keyof ContainerRow, 'name'>,
    header: string,
    write: (value: number, units: Units) => string,
    key: string,
  ): Column<ContainerRow> =>
    figureColumn(
      key,
      header,
      'minmax(80px, 1fr)',
      (row) => row[of] && Math.round(row[of]),
      (value) => write(value, units),
    )
  return [
    testColumn(),
    figure('diskBytes', t('column.ranges'), formatSize, 'disk_bytes'),
    figure('freshBytes', t('column.occupied'), formatSize, 'occupied_bytes'),
    figure('rewrittenBytes', t('column.occupiedAgain'), formatSize, 'occupied_rewritten_bytes'),
    figure('write', t('column.writeFresh'), formatRate, 'write_bytes_per_second'),
    figure('writeAgain', t('column.writeAgain'), formatRate, 'write_rewritten_bytes_per_second'),
    figure('read', t('column.readFresh'), formatRate, 'read_bytes_per_second'),
    figure('readAgain', t('column.readAgain'), formatRate, 'read_rewritten_bytes_per_second'),
  ]
}
