import type { PlanDocument, PlanTimes, PlanVolume } from '../../../../src/contract/dto/plan'
import type { Estimate } from '../../../../src/primitives/estimate'
import { formatSpan } from '../../../../src/primitives/spokenTime'
import { type Column, csvOf, DataTable } from '../../components/DataTable'
import { HowDoWeKnow } from '../../components/Figure'
import { Panel } from '../../components/Panel'
import { t } from '../../copy'

/** In the order in which they come. */
const STEPS = ['pack', 'build', 'write', 'verify', 'restore'] as const
type Step = (typeof STEPS)[number]

/** How long each step takes, from packing to restoring: in all, and for the picked volume where there are several. */
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
  const mark = markColumn((one) => times.total[one])
  return (
    <Panel
      title={t('times.title')}
      says={t('times.says')}
      csv={() => ({
        name: 'times',
        ...csvOf(volumes.length === 1 ? [step, all] : [step, all, ...volumes.map(ofVolume)], steps),
      })}
    >
      <DataTable
        label={t('times.title')}
        columns={picked ? [step, all, ofVolume(picked), mark] : [step, all, mark]}
        rows={steps}
        rowKey={(one) => one}
        empty=""
      />
    </Panel>
  )
}

function stepColumn(): Column<Step> {
  return {
    key: 'step',
    header: t('times.step'),
    track: 'minmax(58px, 1fr)',
    cell: (step) => t(`times.${step}`),
    csv: (step) => step,
    csvHeader: 'step',
  }
}

function markColumn(of: (step: Step) => Estimate | null): Column<Step> {
  return {
    key: 'mark',
    header: '',
    track: '24px',
    align: 'end',
    cell: (step) => <Source step={step} time={of(step)} />,
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
    csv: (step) => of(step)?.value ?? '',
    csvHeader: `${name}_seconds`,
    csvMore: [
      { header: `${name}_seconds_low`, csv: (step) => of(step)?.low ?? '' },
      { header: `${name}_seconds_high`, csv: (step) => of(step)?.high ?? '' },
    ],
  }
}

function Span({ time }: { time: Estimate | null | undefined }) {
  if (!time) return <span className="muted">–</span>
  return <span title={time.basis}>{formatSpan(time)}</span>
}

/** Where the time of a step comes from. */
function Source({ step, time }: { step: Step; time: Estimate | null }) {
  if (!time) return null
  const { provenance, basis } = time
  return (
    <HowDoWeKnow
      className="mark-button"
      label={t(`times.${step}`)}
      exactly={formatSpan(time)}
      basis={{ provenance, text: basis }}
    />
  )
}
