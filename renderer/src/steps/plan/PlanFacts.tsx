import { costText } from '../../../../src/contract/costText'
import type { PlanDocument } from '../../../../src/contract/dto/plan'
import { formatSize, type Units } from '../../../../src/primitives/quantity'
import { t } from '../../copy'
import { sayRanges } from '../../format/sayRanges'
import { useStateOf, useUnits } from '../../state/sessionContext'
import { addedTo } from './growing'
import { chosenMedium } from './ownSize'
import { PlanSession } from './planSession'
import { recoveryOf } from './recovery'

/** How a plan adds to the archive, and what its protection survives, a line each. */
export function PlanFacts({ plan }: { plan: PlanDocument }) {
  const units = useUnits()
  const growth = growthWords(plan, units)
  const recovery = [...recoveryWords(plan, units), ...parityWords(plan, units)]
  const cost = costText(plan, t)
  if (growth.length + recovery.length === 0 && cost === null) return null
  return (
    <div
      className={growth.length > 0 ? 'plan-facts grown' : 'plan-facts'}
      role="group"
      aria-label={t('plan.facts')}
    >
      {[...growth, ...recovery, ...(cost === null ? [] : [cost])].map((words) => (
        <p key={words}>{words}</p>
      ))}
    </div>
  )
}

/** Their place while the plan is being made. */
export function AwaitedFacts() {
  const plan = useStateOf(PlanSession)
  const isGrown = addedTo(plan) !== null
  if (!isGrown && chosenMedium(plan.media, plan.mediumId)?.isImage !== true) return null
  return <div className={isGrown ? 'plan-facts grown' : 'plan-facts'} aria-hidden="true" />
}

const KINDS = ['new', 'changed', 'moved', 'copied', 'deleted', 'unchanged'] as const

function growthWords({ addsTo, growth, volumes, totals }: PlanDocument, units: Units): string[] {
  if (!addsTo || !growth) return []
  const kinds = KINDS.flatMap((kind) => {
    const { files, bytes } = growth[kind]
    return files === 0 ? [] : [t(`growing.${kind}`, { count: files, size: formatSize(bytes, units) })]
  })
  const holdsListAlone = totals.files + totals.folders + totals.symlinks === 0
  return [
    t('growing.made', {
      generation: addsTo.length + 1,
      labels: sayRanges(addsTo.flatMap((plan) => plan.volumes.map(({ label }) => label))),
      files: kinds.join(', '),
    }),
    t(holdsListAlone ? 'growing.listAlone' : 'growing.discs', {
      count: volumes.length,
      all: growth.restoreVolumes,
    }),
  ]
}

function parityWords({ parity, medium }: PlanDocument, units: Units): string[] {
  const [first] = parity ?? []
  if (!parity || !first) return []
  const labels = sayRanges(parity.map(({ label }) => label))
  const size = formatSize(first.sectors * medium.sectorBytes, units)
  return [t('parity.made', { labels, size, count: parity.length })]
}

function recoveryWords(plan: PlanDocument, units: Units): string[] {
  if (plan.protection === undefined) return plan.medium.kind === 'image' ? [t('recovery.noneMade')] : []
  const { bytes, volumes, scratchBytes, without } = recoveryOf(plan)
  if (volumes === 0 && plan.packing) return [t('recovery.later')]
  return [
    ...(volumes === 0
      ? []
      : [
          t('recovery.made', {
            size: formatSize(bytes, units),
            count: volumes,
            scratch: formatSize(scratchBytes, units),
          }),
        ]),
    ...(without.length === 0
      ? []
      : [
          t(plan.protection === 'fill' ? 'recovery.without.fill' : 'recovery.without', {
            count: without.length,
            labels: sayRanges(without),
          }),
        ]),
  ]
}
