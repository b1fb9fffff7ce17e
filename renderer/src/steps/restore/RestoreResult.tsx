import { Button } from 'react-aria-components'
import type { RestoreDocument } from '../../../../src/contract/dto/restore'
import type { WireError } from '../../../../src/primitives/appError'
import { pathForDisplay } from '../../../../src/primitives/pathText'
import { formatCount } from '../../../../src/primitives/quantity'
import { formatDuration } from '../../../../src/primitives/spokenTime'
import { Size } from '../../components/Figure'
import { Panel } from '../../components/Panel'
import { t } from '../../copy'
import { sentence } from '../../format/sentence'
import { useSession, useUnits } from '../../state/sessionContext'
import { AddVolumes } from './AddVolumes'
import { RestoreSession } from './restoreSession'
import { useUnitWord } from './useUnitWord'

/** More files of one kind are counted, not listed. */
const LISTED = 8

/** The result of a restore, and how it goes on where discs are missing. */
export function RestoreResult({ document, isAsking }: { document: RestoreDocument; isAsking: boolean }) {
  const session = useSession()
  const restore = useSession(RestoreSession)
  const units = useUnits()
  const unit = useUnitWord()
  const failures = [...document.damaged, ...document.missing, ...document.differing]
  return (
    <Panel
      title={t('restore.result')}
      className="restore-result"
      says={
        <>
          {t('restore.restored', {
            count: document.restored,
            time: formatDuration(document.elapsedMs),
          })}{' '}
          <Size bytes={document.restoredBytes} units={units} />.
          {document.kept > 0 && ` ${t('restore.kept', { count: document.kept })}`}
        </>
      }
    >
      <Generation document={document} />
      {document.repaired > 0 && <p>{t('restore.repaired', { count: document.repaired })}</p>}
      {!isAsking &&
        document.volumesNeeded.map(({ index, label, files }) => (
          <p key={index} className="warn">
            {t('restore.needed', { disc: formatCount(index), label, count: files, unit })}
          </p>
        ))}
      {!isAsking && document.volumesNeeded.length > 0 && (
        <div className="stack tight restore-next">
          <p>{t('restore.goOn', { unit })}</p>
          <AddVolumes onAdd={(kind) => void restore.addAndGoOn(kind)} />
        </div>
      )}
      {document.ownersLeft > 0 && <p>{t('restore.owners', { count: document.ownersLeft })}</p>}
      {document.renamed > 0 && <p>{t('restore.renamed', { count: document.renamed })}</p>}
      {document.linksLeft > 0 && (
        <p className="warn">{t('restore.linksLeft', { count: document.linksLeft })}</p>
      )}
      {document.notes.length > 0 && (
        <ul className="plain-list" aria-label={t('restore.notes')}>
          {document.notes.map((note) => (
            <li key={note}>{sentence(note)}</li>
          ))}
        </ul>
      )}
      <Reasons label={t('restore.damagedLists', { unit })} of={document.damagedLists} />
      <Reasons label={t('restore.failures')} of={failures} />
      <Reasons label={t('restore.skipped')} of={document.skipped ?? []} />
      <Reasons label={t('restore.notPutBack')} of={document.notPutBack} />
      <Button
        className="plain restore-show"
        onPress={() => void session.showFolder(document.directory, 'restore')}
      >
        {t('restore.show')}
      </Button>
    </Panel>
  )
}

/** The generation whose files were wanted, where a newer one is known or possible. */
function Generation({ document }: { document: RestoreDocument }) {
  const { generation = 1, newestGeneration, mayBeNewer = [] } = document
  const values = { generation: formatCount(generation) }
  return (
    <>
      {newestGeneration !== undefined && (
        <p className="warn">
          {t('restore.olderGeneration', { ...values, newest: formatCount(newestGeneration) })}
        </p>
      )}
      {mayBeNewer.length > 0 && (
        <p className="warn">
          {t('restore.mayBeNewer', { ...values, volumes: mayBeNewer.map(pathForDisplay).join(', ') })}
        </p>
      )}
    </>
  )
}

/** Why each of some things was not restored; the first few. */
export function Reasons({ label, of }: { label: string; of: readonly { readonly error: WireError }[] }) {
  if (of.length === 0) return null
  return (
    <ul className="plain-list" aria-label={label}>
      {of.slice(0, LISTED).map(({ error }) => (
        <li key={error.message} className="warn">
          {sentence(error.message)}
        </li>
      ))}
      {of.length > LISTED && <li>{t('restore.more', { count: of.length - LISTED })}</li>}
    </ul>
  )
}
