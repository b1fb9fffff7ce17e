import { costText } from '../../../../src/contract/costText'
import type { PlanDocument } from '../../../../src/contract/dto/plan'
import { formatSize, type Units } from '../../../../src/primitives/quantity'
import { t } from '../../copy'
import { sayRanges } from '../../format/sayRanges'
import { useUnits } from '../../state/sessionContext'
import { recoveryOf } from './recovery'

/** The damage that a plan's protection survives, and the cost of its discs, a line each. */
export function PlanFacts({ plan }: { plan: PlanDocument }) {
  const units = useUnits()
  const cost = costText(plan, t)
  const facts = [...recoveryWords(plan, units), ...parityWords(plan, units), ...(cost === null ? [] : [cost])]
  if (facts.length === 0) return null
  return (
    <div className="plan-facts">
      {facts.map((words) => (
        <p key={words}>{words}</p>
      ))}
    </div>
  )
}

const KINDS = ['new', 'changed', 'moved', 'copied', 'deleted', 'unchanged'] as const

/** How a plan adds to the archive, a sentence each; none where it adds to no plan. */
export function growthWords({ addsTo, growth, volumes, totals }: PlanDocument, units: Units): string[] {
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
