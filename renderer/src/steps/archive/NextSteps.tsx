import { Button } from 'react-aria-components'
import type { VolumeDue } from '../../../../src/contract/dto/check'
import { type CopyGroup, damagedCopies, isLeft, type VolumeCopy } from '../../../../src/contract/dto/copies'
import { Panel } from '../../components/Panel'
import { t } from '../../copy'
import { sayWho } from '../../format/healthWords'
import { sayRanges } from '../../format/sayRanges'
import { CheckSession } from '../../state/catalog/checkSession'
import { dueOf } from '../../state/catalog/checkState'
import { CopiesSession } from '../../state/catalog/copiesSession'
import { ofSets } from '../../state/catalog/copiesState'
import { type KeptArchive, type KeptSet, onlyCopies } from '../../state/catalog/keptArchive'
import { useIsRunning, useSession, useStateOf } from '../../state/sessionContext'
import { ArchiveSession } from './archiveSession'

/**
 * The things to do next for the copies of an archive, each with the action that does it. Lost
 * copies have a panel of their own.
 */
export function NextSteps({ archive }: { archive: KeptArchive }) {
  const check = useStateOf(CheckSession)
  const { ids, sets } = archive
  const due = ofSets(dueOf(check), ids).filter(({ last }) => last?.result !== 'damaged')
  const damaged = damagedCopies(sets.flatMap(({ copies }) => copies))
  const unmade = sets.filter(({ health }) => health.unmade > 0)
  const further = sets.filter((set) => onlyCopies(set).length > 0)
  const unplaced = sets.flatMap(({ copies }) => copies.filter((copy) => isLeft(copy) && copy.place === null))
  if (due.length + damaged.length + unmade.length + further.length + unplaced.length === 0) return null
  return (
    <Panel title={t('next.title')} className="home-attention next-steps">
      <ul>
        {damaged.map((group) => (
          <Damaged
            key={`${group.planId ?? group.setId} ${group.copy} ${group.place}`}
            group={group}
            sets={sets}
          />
        ))}
        {due.length > 0 && <Due due={due} sets={sets} />}
        {unmade.map((set) => (
          <Unmade key={`unmade ${set.id}`} set={set} />
        ))}
        {further.map((set) => (
          <Further key={set.id} set={set} />
        ))}
        {unplaced.length > 0 && <Unplaced copies={unplaced} />}
      </ul>
    </Panel>
  )
}

function Step({
  says,
  answer,
  isOff = false,
  onPress,
}: {
  says: string
  answer: string
  isOff?: boolean
  /** Null where it cannot be done from here. */
  onPress: (() => void) | null
}) {
  return (
    <li>
      <span className="fills">{says}</span>
      {onPress !== null && (
        <Button
          className="plain"
          isDisabled={isOff}
          aria-label={t('home.answer.named', { answer, label: says })}
          onPress={onPress}
        >
          {answer}
        </Button>
      )}
    </li>
  )
}

function Damaged({ group, sets }: { group: CopyGroup; sets: readonly KeptSet[] }) {
  const copies = useSession(CopiesSession)
  const isBusy = useIsRunning('build', 'verify', 'write')
  const isAtHand = sets.some(({ plans }) =>
    plans.some(({ id, directoryExists }) => id === group.planId && directoryExists),
  )
  return (
    <Step
      says={t('next.damaged', { who: sayWho(group) })}
      answer={t('lost.write')}
      isOff={isBusy}
      onPress={isAtHand ? () => void copies.writeAgain(group) : null}
    />
  )
}

/** Verifies what is in folders of plans; discs are asked for. */
function Due({ due, sets }: { due: readonly VolumeDue[]; sets: readonly KeptSet[] }) {
  const session = useSession(ArchiveSession)
  const isBusy = useIsRunning('check', 'verify')
  const folders = sets.flatMap(({ plans }) =>
    plans.flatMap(({ id, directory, directoryExists, onMedia, volumes }) =>
      directory !== null && directoryExists && onMedia < volumes && due.some(({ planId }) => planId === id)
        ? [directory]
        : [],
    ),
  )
  return (
    <Step
      says={t('next.due', { count: due.length, labels: sayRanges(due.map(({ label }) => label)) })}
      answer={t('home.answer.check')}
      isOff={isBusy}
      onPress={() => void session.check(folders)}
    />
  )
}

/** Leads to the first plan of which volumes are missing. */
function Unmade({ set: { plans, health } }: { set: KeptSet }) {
  const session = useSession(ArchiveSession)
  const plan = plans.find(
    ({ directoryExists, built, onMedia, volumes }) => directoryExists && Math.max(built, onMedia) < volumes,
  )
  return (
    <Step
      says={t('next.unmade', { count: health.unmade })}
      answer={t('home.answer.continue')}
      onPress={plan === undefined ? null : () => void session.build(plan.id)}
    />
  )
}

function Further({ set }: { set: KeptSet }) {
  const session = useSession(ArchiveSession)
  const isBusy = useIsRunning('build', 'verify', 'write')
  const single = onlyCopies(set)
  const plan = set.plans.find(
    ({ id, directoryExists, built }) =>
      directoryExists && built > 0 && single.some(({ planId }) => planId === id),
  )
  return (
    <Step
      says={t('next.copy', {
        count: single.length,
        labels: sayRanges(single.map(({ label }) => label)),
      })}
      answer={t('next.copy.answer')}
      isOff={isBusy}
      onPress={plan === undefined ? null : () => void session.writeCopy(plan.id)}
    />
  )
}

function Unplaced({ copies }: { copies: readonly VolumeCopy[] }) {
  const session = useSession(CopiesSession)
  const [first] = copies
  return (
    <Step
      says={t('next.place', { count: copies.length })}
      answer={t('copies.place')}
      onPress={first === undefined ? null : () => session.askPlace(first)}
    />
  )
}
