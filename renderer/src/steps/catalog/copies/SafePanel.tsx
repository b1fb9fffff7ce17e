import { useEffect, useRef } from 'react'
import { Button } from 'react-aria-components'
import type { SafeDocument, UnsafeReason } from '../../../../../src/contract/dto/copies'
import { formatSize, type Units } from '../../../../../src/primitives/quantity'
import { formatDay } from '../../../../../src/primitives/spokenTime'
import { Panel } from '../../../components/Panel'
import { PathText } from '../../../components/PathText'
import { spoken, t } from '../../../copy'
import { titleOfRoots } from '../../../format/paths'
import { CopiesSession } from '../../../state/catalog/copiesSession'
import { useSession, useStateOf, useUnits } from '../../../state/sessionContext'

/**
 * The verdict on a source, there only while it is asked for: it takes the focus when it comes.
 * @param of the surveys that it may be about; any where none are given
 */
export function SafeVerdict({ of }: { of?: ReadonlySet<string> }) {
  const surveyId = useStateOf(CopiesSession, ({ judging, verdict }) => judging ?? verdict?.surveyId ?? null)
  return surveyId !== null && (of?.has(surveyId) ?? true) ? <SafePanel /> : null
}

/** The verdict on one source: may it be deleted? */
function SafePanel() {
  const session = useSession(CopiesSession)
  const verdict = useStateOf(CopiesSession, (copies) => copies.verdict)
  const body = useRef<HTMLDivElement>(null)
  // The button that asked for it is elsewhere: the person is led here.
  useEffect(() => body.current?.querySelector('button')?.focus(), [])
  return (
    <Panel title={t('safe.title')} says={t('safe.says')} className="restore">
      <div ref={body}>
        <div role="status" className="restore-result">
          {verdict === null ? <p className="muted">{t('safe.looking')}</p> : <Verdict verdict={verdict} />}
        </div>
        <div className="row-actions">
          <Button className="quiet" onPress={() => void session.close()}>
            {t('safe.close')}
          </Button>
        </div>
      </div>
    </Panel>
  )
}

function Verdict({ verdict }: { verdict: SafeDocument }) {
  const units = useUnits()
  const { safe, roots, reasons, wanted, files, bytes, keptFiles, leftOut, ownFolders, places } = verdict
  const wrong = verdict.copies.filter(({ look }) => look?.found === 'gone' || look?.found === 'other')
  const words = { title: titleOfRoots(roots), files, size: formatSize(bytes, units), wanted, kept: keptFiles }
  return (
    <>
      <p className={safe ? undefined : 'warn'}>
        <strong>{t(safe ? 'safe.yes' : 'safe.no', words)}</strong>{' '}
        {t(safe ? 'safe.yes.because' : 'safe.no.because', words)} {farText(verdict)}
      </p>
      {reasons.length > 0 && (
        <ul className="plain-list" aria-label={t('safe.reasons')}>
          {reasons.map((reason) => (
            <li key={reason.code}>
              {reasonText(reason, verdict, units)}
              {reason.paths[0] !== undefined && (
                <div className="muted">
                  <PathText path={reason.paths[0]} />
                </div>
              )}
            </li>
          ))}
        </ul>
      )}
      {wrong.length > 0 && (
        <ul className="plain-list" aria-label={t('safe.reasons')}>
          {wrong.map(({ planId, volume, copy, label, look }) => (
            <li key={`${planId} ${volume} ${copy}`}>
              {t('safe.wrong', { copy, label, because: spoken(look?.because ?? '') })}
            </li>
          ))}
        </ul>
      )}
      {leftOut && <p>{t('safe.leftOut', { count: leftOut.files, folders: leftOut.folders })}</p>}
      {ownFolders.map((path) => (
        <p key={path}>{t('safe.ownFolder', { path })}</p>
      ))}
      <p>{threeTwoOneText(verdict)}</p>
      {places.length > 0 && (
        <ul className="plain-list" aria-label={t('safe.places')}>
          {places.map(({ place, copies, states }) => (
            <li key={place ?? ''}>
              {t('safe.place', { place: place ?? t('safe.noPlace'), copies, good: states.good })}
            </li>
          ))}
        </ul>
      )}
      {safe && <p className="muted">{t('safe.deletesNothing')}</p>}
    </>
  )
}

/** How much of the verdict is by what the catalog noted alone. */
function farText({ looked }: SafeDocument): string {
  const far = looked === undefined ? 0 : looked.copies - looked.there - looked.wrong
  if (looked === undefined || looked.verifiedWallMs === null || far === 0) return ''
  return t('safe.far', { far, copies: looked.copies, day: formatDay(looked.verifiedWallMs) })
}

function threeTwoOneText({ threeTwoOne: { copies, media, isElsewhere, isMet } }: SafeDocument): string {
  return t(isMet ? 'safe.321.met' : 'safe.321.notMet', {
    copies,
    kinds: media.length,
    places: isElsewhere ? 'yes' : 'no',
  })
}

function reasonText(
  { code, files, bytes }: UnsafeReason,
  { wanted, surveyedWallMs }: SafeDocument,
  units: Units,
): string {
  return t(`safe.because.${code}`, {
    count: files,
    size: formatSize(bytes, units),
    wanted,
    day: formatDay(surveyedWallMs),
  })
}
