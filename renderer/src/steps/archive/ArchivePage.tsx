/**
 * The room `archive` is the page of one archive: how well its copies keep it, and what to do next.
 * How: the catalog's lists become one archive (`state/catalog/keptArchive.ts`), and rules of copies
 * give its health; panels of the Catalog step show its copies alone.
 * Not here: the list of archives (`home`), copies of all sets and their notes (`catalog`).
 */

import { useEffect, useMemo } from 'react'
import { Button } from 'react-aria-components'
import { copyKey, HEALTH_KINDS } from '../../../../src/contract/dto/copies'
import { pathForDisplay } from '../../../../src/primitives/pathText'
import { Notices } from '../../components/Notices'
import { EmptyState, StepPage } from '../../components/StepPage'
import { t } from '../../copy'
import { isTroubled, sayHealth } from '../../format/healthWords'
import { CatalogSession } from '../../state/catalog/catalogSession'
import { CopiesSession } from '../../state/catalog/copiesSession'
import { type KeptArchive, type KeptSet, keptArchive } from '../../state/catalog/keptArchive'
import { useSession, useStateOf } from '../../state/sessionContext'
import { ChecksPanel } from '../catalog/ChecksPanel'
import { CalendarPanel } from '../catalog/copies/CalendarPanel'
import { LostPanel } from '../catalog/copies/LostPanel'
import { PlacePanel } from '../catalog/copies/PlacePanel'
import { SafeVerdict } from '../catalog/copies/SafePanel'
import { ArchiveSession } from './archiveSession'
import { NextSteps } from './NextSteps'
import { PlaceLossPanel } from './PlaceLossPanel'
import './archive.css'

/** Is this archive still good, and what would be left of it if one place burned? */
export function ArchivePage() {
  const session = useSession()
  const key = useStateOf(ArchiveSession, (archive) => archive.key)
  const known = useStateOf(CatalogSession, (catalog) => catalog.archives)
  const copies = useStateOf(CopiesSession, (state) => state.copies)
  const archive = useMemo(() => keptArchive(key ?? '', known, copies), [key, known, copies])
  const back = (
    <Button className="quiet" onPress={() => session.goTo('home')}>
      {t('home.archives')}
    </Button>
  )
  if (archive === null)
    return (
      <StepPage step="archive" says={null} action={back}>
        <EmptyState title={t('archive.none')} text={t('archive.none.text')} />
      </StepPage>
    )
  return <Kept archive={archive} back={back} />
}

function Kept({ archive, back }: { archive: KeptArchive; back: React.ReactNode }) {
  const session = useSession(ArchiveSession)
  const placing = useStateOf(CopiesSession, (copies) => copies.placing)
  const { name, ids, sets } = archive
  const plans = useMemo(() => sets.flatMap((set) => set.plans.map(({ id }) => id)), [sets])
  const surveys = useMemo(
    () => new Set(sets.flatMap((set) => set.plans.map(({ surveyId }) => surveyId))),
    [sets],
  )
  const asked = plans.join(' ')
  useEffect(() => void session.load(asked === '' ? [] : asked.split(' ')), [session, asked])
  return (
    <StepPage
      step="archive"
      name={pathForDisplay(name)}
      says={<Health set={worstOf(sets)} isOfMany={sets.length > 1} />}
      action={
        <>
          {back}
          <AskSafe archive={archive} />
        </>
      }
    >
      <Notices step="catalog" />
      <div className="stack">
        <SafeVerdict of={surveys} />
        {placing && ids.has(placing.of.planId ?? placing.of.setId ?? '') && (
          <PlacePanel key={copyKey(placing.of)} placing={placing} />
        )}
        {sets.length > 1 && (
          <ul className="plain-list" aria-label={t('archive.sets')}>
            {sets.map((set) => (
              <li key={set.id}>
                <Health set={set} isOfMany />
              </li>
            ))}
          </ul>
        )}
        <LostPanel of={ids} />
        <NextSteps archive={archive} />
        <PlaceLossPanel sets={sets} />
        <ChecksPanel kind="all" of={ids} />
        <CalendarPanel of={ids} />
      </div>
    </StepPage>
  )
}

/** The status of a set in one word, then the sentence that says why. */
function Health({ set, isOfMany }: { set: KeptSet | undefined; isOfMany: boolean }) {
  if (set === undefined) return null
  const { status, says } = sayHealth(set.health)
  return (
    <span className="archive-health">
      <strong className={isTroubled(set.health) ? 'warn' : undefined}>{status}</strong>{' '}
      {isOfMany ? t('archive.of', { label: set.label, says }) : says}
    </span>
  )
}

/** Asks if the source of the newest plan may be deleted, where its survey is still there. */
function AskSafe({ archive: { name, sets } }: { archive: KeptArchive }) {
  const copies = useSession(CopiesSession)
  const known = useStateOf(CatalogSession, (catalog) => catalog.surveys)
  const surveyId = sets[0]?.plans.at(-1)?.surveyId
  const survey = known.find(({ id }) => id === surveyId)
  if (survey === undefined) return null
  return (
    <Button
      className="plain"
      aria-label={t('archive.safe', { name: pathForDisplay(name) })}
      onPress={() => void copies.judge(survey.id)}
    >
      {t('safe.ask')}
    </Button>
  )
}

function worstOf(sets: readonly KeptSet[]): KeptSet | undefined {
  const rank = ({ health }: KeptSet): number => HEALTH_KINDS.indexOf(health.kind)
  return [...sets].sort((one, other) => rank(one) - rank(other))[0]
}
