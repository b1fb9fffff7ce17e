import { Button } from 'react-aria-components'
import { costSum } from '../../../../src/contract/costText'
import { folderLines } from '../../../../src/contract/dto/options'
import type { PlanDocument } from '../../../../src/contract/dto/plan'
import { spokenNumber } from '../../../../src/primitives/figureLanguage'
import { formatExactBytes, formatSize } from '../../../../src/primitives/quantity'
import { HowDoWeKnow } from '../../components/Figure'
import { t } from '../../copy'
import { sayRanges } from '../../format/sayRanges'
import { useStateOf, useUnits } from '../../state/sessionContext'
import { addedTo } from './growing'
import { growthWords } from './PlanFacts'
import { notesOf } from './PlanProblems'
import { parityAsked } from './parity'
import { PlanSession } from './planSession'
import { canProtect, recoveryOf } from './recovery'

/**
 * The figures that decide about a plan and its settings, in one line; and the button that shows all
 * settings.
 */
export function PlanLine({
  document,
  isCurrent,
  isUnfolded,
  onToggle,
}: {
  /** Null while the first plan is being made. */
  document: PlanDocument | null
  /** The plan is of the settings, or another one is being made. */
  isCurrent: boolean
  isUnfolded: boolean
  /** Null while a plan is being made. */
  onToggle: (() => void) | null
}) {
  const notes = document === null ? 0 : notesOf(document)
  return (
    <div className="settings-line">
      <div className="fills" role="group" aria-label={t('plan.facts')}>
        <div className="plan-line">
          {document && <DecidingFacts plan={document} />}
          {isCurrent && <SettingsWords />}
          {notes > 0 && <span className="warn">{t('facts.notes', { count: notes })}</span>}
        </div>
        {document && <GrowthLine plan={document} />}
      </div>
      <Button
        className="quiet"
        aria-expanded={isUnfolded}
        isDisabled={onToggle === null}
        onPress={() => onToggle?.()}
      >
        {t(isUnfolded ? 'desk.settings.hide' : 'desk.settings')}
      </Button>
    </div>
  )
}

/** Words one after another, divided by dots; those that wrap begin a line without one. */
function Words({ words }: { words: readonly string[] }) {
  return words.map((each) => <span key={each}>{each}</span>)
}

/** The figures that decide: what it holds, and where that is more than the least or not whole. */
function DecidingFacts({ plan }: { plan: PlanDocument }) {
  const units = useUnits()
  const { totals, packing, filledBy, medium } = plan
  const more = packing ? 0 : totals.volumes - (totals.fewestVolumes ?? totals.volumes)
  const { volumes: some, without } = recoveryOf(plan)
  const count = some + without.length
  const cost = costSum(plan)
  return (
    <>
      <span className="plan-content">
        {t('facts.content', { size: formatSize(totals.bytes, units), count: totals.files })}{' '}
        <HowDoWeKnow
          className="mark-button"
          label={t('plan.content')}
          exactly={formatExactBytes(totals.bytes)}
          basis={{ provenance: 'exact', text: t('basis.planned') }}
        />
      </span>
      <Words
        words={[
          ...(more > 0 ? [t('facts.more', { count: totals.volumes, more })] : []),
          ...(filledBy === undefined ? [] : [t(`facts.filled.${filledBy}`, { kind: medium.kind })]),
          ...romSetsWords(plan),
          ...(!packing && totals.splitFiles > 0 ? [t('facts.split', { count: totals.splitFiles })] : []),
          ...(plan.protection === undefined || (some === 0 && packing)
            ? []
            : [t(without.length === 0 ? 'facts.recovery.all' : 'facts.recovery.some', { some, count })]),
          ...(cost === null ? [] : [t('facts.cost', { sum: cost })]),
        ]}
      />
    </>
  )
}

/** Where ROM sets lie whole, and how many do not; nothing for a single volume. */
function romSetsWords({ romSets, medium, totals }: PlanDocument): string[] {
  if (!romSets || totals.volumes === 1) return []
  const { parents, divided } = romSets
  const { kind } = medium
  return [
    divided === 0
      ? t('facts.romSets.whole', { count: parents, kind })
      : t('facts.romSets.divided', { count: parents, divided, kind }),
  ]
}

/** The files that are added to the archive; nothing where the plan adds to none. */
function GrowthLine({ plan }: { plan: PlanDocument }) {
  const units = useUnits()
  return growthWords(plan, units).map((words) => <p key={words}>{words}</p>)
}

/** How files are stored, and what else is asked for. */
function SettingsWords() {
  const plan = useStateOf(PlanSession)
  const { packing, protection, earlier } = plan
  const stored =
    packing === null
      ? t('packing.plain')
      : packing.form === 'plain'
        ? t('packing.once')
        : folderLines(packing.recipe).length > 0
          ? t('packing.byFolder')
          : (packing.name ?? packing.recipe)
  return (
    <Words
      words={[
        stored,
        ...(canProtect(plan) && protection !== 'fill'
          ? [
              protection === 'none'
                ? t('recovery.noneLine')
                : t('recovery.shareLine', { share: spokenNumber(String(protection)) }),
            ]
          : []),
        ...(parityAsked(plan) > 0 ? [t('parity.line', { count: parityAsked(plan) })] : []),
        ...(earlier !== null && addedTo(plan) !== null
          ? [t('growing.line', { labels: sayRanges(earlier.labels) })]
          : []),
      ]}
    />
  )
}
