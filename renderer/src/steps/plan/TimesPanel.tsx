import type { PlanDocument, PlanTimes } from '../../../../src/contract/dto/plan'
import type { Estimate } from '../../../../src/primitives/estimate'
import { formatSpan } from '../../../../src/primitives/spokenTime'
import { type Column, csvOf, DataTable } from '../../components/DataTable'
import { Panel } from '../../components/Panel'
import { VolumeLabel } from '../../components/VolumeLabel'
import { t } from '../../copy'

/** What the steps from a plan to restored files take, and in which order they come. */
const STEPS = ['pack', 'build', 'write', 'verify', 'restore'] as const

interface Row {
  /** 0 for all volumes together. */
  readonly index: number
  readonly label: string
  readonly times: PlanTimes['total']
}

function columnsOf(total: PlanTimes['total']): Column<Row>[] {
  return [
    {
      key: 'label',
      header: t('column.volume'),
      track: 'minmax(96px, 1.2fr)',
      cell: ({ index, label }) => (index === 0 ? <strong>{label}</strong> : <VolumeLabel label={label} />),
      csv: ({ label }) => label,
      csvHeader: 'label',
    },
    // A step that takes no time, such as writing what is in a folder already, has no column.
    ...STEPS.filter((step) => (total[step]?.high ?? 0) > 0).map((step): Column<Row> => {
      const of = (row: Row): Estimate | null => row.times[step]
      return {
        key: step,
        header: t(`times.${step}`),
        track: 'minmax(112px, 1fr)',
        align: 'end',
        cell: (row) => <Span time={of(row)} />,
        csv: (row) => of(row)?.value ?? '',
        csvHeader: `${step}_seconds`,
        csvMore: [
          { header: `${step}_seconds_low`, csv: (row) => of(row)?.low ?? '' },
          { header: `${step}_seconds_high`, csv: (row) => of(row)?.high ?? '' },
        ],
      }
    }),
  ]
}

/** How long it takes, from packing to restoring: in all, and disc by disc where there are several. */
export function TimesPanel({ plan }: { plan: PlanDocument & { readonly times: PlanTimes } }) {
  const { times, volumes } = plan
  const rows: Row[] = [
    { index: 0, label: t('times.all'), times: times.total },
    ...(volumes.length === 1 ? [] : volumes).flatMap(({ index, label }, at) => {
      const own = times.volumes[at]
      return own ? [{ index, label, times: own }] : []
    }),
  ]
  const columns = columnsOf(times.total)
  return (
    <Panel
      title={t('times.title')}
      says={t('times.says')}
      csv={() => ({ name: 'times', ...csvOf(columns, rows) })}
    >
      <DataTable
        label={t('times.title')}
        columns={columns}
        rows={rows}
        rowKey={({ index }) => index}
        visibleRows={8}
        empty=""
      />
    </Panel>
  )
}

function Span({ time }: { time: Estimate | null }) {
  if (!time) return <span className="muted">–</span>
  return <span title={time.basis}>{formatSpan(time)}</span>
}
