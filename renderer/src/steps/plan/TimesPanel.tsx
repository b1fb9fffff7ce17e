import { burnText } from '../../../../src/contract/burnText'
import type { PlanDocument, PlanTimes, PlanVolume } from '../../../../src/contract/dto/plan'
import type { Estimate } from '../../../../src/primitives/estimate'
import { formatSpan } from '../../../../src/primitives/spokenTime'
import { markColumn } from '../../components/columns'
import { type Column, csvOf } from '../../components/DataTable'
import { TablePanel } from '../../components/TablePanel'
import { spoken, t } from '../../copy'

/** In the order in which they come. */
const STEPS = ['pack', 'build', 'write', 'verify', 'restore'] as const
type Step = (typeof STEPS)[number]

/**
 * How long each step takes, from packing to restoring: in all, and for the picked volume where
 * there are several; and burning.
 */
export function TimesPanel({
  plan: { times, volumes },
  picked,
}: {
  plan: PlanDocument & { readonly times: PlanTimes }
  picked: PlanVolume | null
}) {
  // A step that takes no time, such as writing what is in a folder already, has no row.
  const steps = STEPS.filter((step) => (times.total[step]?.high ?? 0) > 0)
  const all = timesColumn('all', t('times.all'), (step) => times.total[step])
  const ofVolume = ({ index, label }: PlanVolume) =>
    timesColumn(
      label,
      label,
      (step) => times.volumes[volumes.findIndex((one) => one.index === index)]?.[step],
    )
  const step = stepColumn()
  const mark = markColumn<Step>((one) => {
    const time = times.total[one]
    return (
      time && {
        label: t(`times.${one}`),
        exactly: formatSpan(time),
        basis: { provenance: time.provenance, text: time.basis },
      }
    )
  }, '24px')
  return (
    <TablePanel
      title={t('times.title')}
      says={t('times.says')}
      csv={() => ({
        name: 'times',
        ...csvOf(volumes.length === 1 ? [step, all] : [step, all, ...volumes.map(ofVolume)], steps),
      })}
      columns={picked ? [step, all, ofVolume(picked), mark] : [step, all, mark]}
      rows={steps}
      rowKey={(one) => one}
      empty=""
    >
      {times.burn && <p className="field-note">{burnText(times.burn, t)}</p>}
    </TablePanel>
  )
}

function stepColumn(): Column<Step> {
  return {
    key: 'step',
    header: t('times.step'),
    track: 'minmax(58px, 1fr)',
    cell: (step) => t(`times.${step}`),
    csv: { step: (step) => step },
  }
}

function timesColumn(
  name: string,
  header: string,
  of: (step: Step) => Estimate | null | undefined,
): Column<Step> {
  return {
    key: name,
    header,
    track: 'minmax(172px, 1fr)',
    align: 'end',
    cell: (step) => <Span time={of(step)} />,
    csv: {
      [`${name}_seconds`]: (step) => of(step)?.value ?? '',
      [`${name}_seconds_low`]: (step) => of(step)?.low ?? '',
      [`${name}_seconds_high`]: (step) => of(step)?.high ?? '',
    },
  }
}

function Span({ time }: { time: Estimate | null | undefined }) {
  if (!time) return <span className="muted">–</span>
  return <span title={spoken(time.basis)}>{formatSpan(time)}</span>
}
