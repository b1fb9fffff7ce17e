import { useEffect, useRef } from 'react'
import { Button } from 'react-aria-components'
import type { CheckDocument, CheckedVolume, DamagedFile } from '../../../../src/contract/dto/check'
import { skippedWords } from '../../../../src/contract/dto/run'
import { formatCount } from '../../../../src/primitives/quantity'
import { formatDay, formatDuration } from '../../../../src/primitives/spokenTime'
import { TextLine } from '../../components/fields'
import { Panel } from '../../components/Panel'
import { spoken, t } from '../../copy'
import { copyTyped } from '../../format/typedCopy'
import { CheckSession } from '../../state/catalog/checkSession'
import { useIsRunning, useSession, useStateOf } from '../../state/sessionContext'

/** More files are counted, not listed. */
const LISTED = 8

/** Verifies discs and images by their own checksums; then what was found. */
export function CheckPanel() {
  const session = useSession(CheckSession)
  const document = useStateOf(CheckSession, (state) => state.document)
  const copy = useStateOf(CheckSession, (state) => state.copy)
  const running = useIsRunning('check')
  const first = useRef<HTMLDivElement>(null)
  // The button that asked for it is elsewhere: the person is led here.
  useEffect(() => first.current?.querySelector('button')?.focus(), [])
  return (
    <Panel title={t('check.title')} says={t('check.says')} className="restore">
      <TextLine
        label={t('check.copy')}
        example="1"
        text={copy}
        isWrong={copy.trim() !== '' && copyTyped(copy) === null}
        note={t('check.copy.note')}
        isDisabled={running}
        onChange={(typed) => session.store.dispatch({ type: 'copy', copy: typed })}
      />
      <div ref={first} className="row-actions">
        <Button className="primary" isDisabled={running} onPress={() => void session.choose('folders')}>
          {t('check.folders')}
        </Button>
        <Button className="plain" isDisabled={running} onPress={() => void session.choose('images')}>
          {t('check.images')}
        </Button>
        <Button className="quiet" onPress={() => session.store.dispatch({ type: 'closed' })}>
          {t('check.close')}
        </Button>
      </div>
      <div role="status">{!running && document !== null && <Result document={document} />}</div>
    </Panel>
  )
}

function Result({ document }: { document: CheckDocument }) {
  const damaged = document.volumes.flatMap(({ label, damaged: files }) =>
    files.map((file) => ({ label, file })),
  )
  const skipped = document.volumes.flatMap(({ label, skipped: files = [] }) =>
    files.map((file) => ({ label, ...file })),
  )
  const labels = document.notGiven.map(({ label }) => label)
  return (
    <div className="restore-result">
      {document.volumes.map((volume) => (
        <div key={volume.path} className="stack tight">
          <p className={volume.state === 'good' ? undefined : 'warn'}>
            <strong>{volume.label}</strong> {sayWhat(volume)}
          </p>
          {volume.verdict === 'repairable' && volume.kind === 'image' && <MakeWhole volume={volume} />}
        </div>
      ))}
      {damaged.length > 0 && (
        <ul className="plain-list" aria-label={t('check.damagedFiles')}>
          {damaged.slice(0, LISTED).map(({ label, file }) => (
            <li key={`${label} ${file.path}`} className="warn">
              {label}: {file.path}: {file.because}
              {sectorsOf(file)}
            </li>
          ))}
          {damaged.length > LISTED && <li>{t('check.more', { count: damaged.length - LISTED })}</li>}
        </ul>
      )}
      {skipped.length > 0 && (
        <ul className="plain-list" aria-label={t('build.skipped')}>
          {skipped.slice(0, LISTED).map(({ label, path, cause }) => (
            <li key={`${label} ${path}`} className="warn">
              {label}: {path}: {skippedWords(cause)}
            </li>
          ))}
          {skipped.length > LISTED && <li>{t('check.more', { count: skipped.length - LISTED })}</li>}
        </ul>
      )}
      {labels.length > 0 && (
        <p className="muted">{t('check.notGiven', { labels: labels.slice(0, LISTED).join(', ') })}</p>
      )}
    </div>
  )
}

/** Makes a whole image from a damaged one, and says what became of it. */
function MakeWhole({ volume }: { volume: CheckedVolume }) {
  const session = useSession(CheckSession)
  const repair = useStateOf(CheckSession, (state) => state.repair)
  const running = useIsRunning('repair')
  const done = repair?.path === volume.path ? repair : null
  return (
    <>
      <div className="row-actions">
        <Button className="plain" isDisabled={running} onPress={() => void session.repair(volume)}>
          {t('check.makeWhole')}
        </Button>
      </div>
      <p role="status">
        {!running &&
          done &&
          t(done.isAsMade ? 'check.madeWhole' : 'check.madeOther', { path: done.image, count: done.files })}
      </p>
    </>
  )
}

function sayWhat(volume: CheckedVolume): string {
  const { state, files, damaged, elapsedMs, error, checkByWallMs, reading } = volume
  if (error) return spoken(error.message)
  if (state === 'damaged')
    return `${t('check.damaged', { count: damaged.length })} ${sayVerdict(volume)}`.trim()
  const good = t('check.good', { count: files, time: formatDuration(elapsedMs) })
  const again = checkByWallMs === null ? [] : [t('check.again', { day: formatDay(checkByWallMs) })]
  const how = reading && reading.way !== 'uncached' ? [`${reading.because}.`] : []
  return [good, ...again, ...how].join(' ')
}

function sayVerdict({ verdict, damaged, recovery }: CheckedVolume): string {
  if (verdict === undefined) return ''
  const lost = damaged.filter((file) => file.verdict !== 'repairable').length
  if (lost === 0)
    return t(damaged.every(({ protects }) => protects) ? 'check.protection' : 'check.repairable')
  return recovery ? t('check.lost', { count: lost }) : t('check.unprotected')
}

function sectorsOf({ sectors }: DamagedFile): string {
  if (!sectors || sectors.length === 0) return ''
  const texts = sectors
    .slice(0, LISTED)
    .map(({ first, count }) =>
      count === 1 ? formatCount(first) : `${formatCount(first)}–${formatCount(first + count - 1)}`,
    )
  return ` (${t('check.sectors', { sectors: texts.join(', ') })})`
}
