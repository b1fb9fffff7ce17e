import { useMemo } from 'react'
import { Button } from 'react-aria-components'
import { copyKey } from '../../../../src/contract/dto/copies'
import { Notices } from '../../components/Notices'
import { t } from '../../copy'
import { sayHealth } from '../../format/healthWords'
import { CatalogSession } from '../../state/catalog/catalogSession'
import { CopiesSession } from '../../state/catalog/copiesSession'
import { type KeptArchive, keptArchive } from '../../state/catalog/keptArchive'
import { useSession, useStateOf } from '../../state/sessionContext'
import { ArchiveSession } from '../archive/archiveSession'
import { ChecksPanel } from '../catalog/ChecksPanel'
import { PlacePanel } from '../catalog/copies/PlacePanel'

/** The sets of an archive and each of their discs with its copies, below its row. */
export function ArchiveDiscs({ archive, label }: { archive: string; label: string }) {
  const session = useSession(ArchiveSession)
  const known = useStateOf(CatalogSession, (catalog) => catalog.archives)
  const { copies, placing } = useStateOf(CopiesSession)
  const kept = useMemo(() => keptArchive(archive, known, copies), [archive, known, copies])
  return (
    <div className="home-discs stack">
      <Notices step="catalog" />
      {kept === null ? <p className="muted">{t('archive.none')}</p> : <Sets of={kept} />}
      {kept !== null && placing && kept.ids.has(placing.of.planId ?? placing.of.setId ?? '') && (
        <PlacePanel key={copyKey(placing.of)} placing={placing} />
      )}
      {kept !== null && <ChecksPanel kind="all" of={kept.ids} isShort />}
      <Button
        className="plain"
        aria-label={t('home.copiesNamed', { label })}
        onPress={() => session.open(archive)}
      >
        {t('home.copies')}
      </Button>
    </div>
  )
}

/** How well each set is kept. */
function Sets({ of: { sets } }: { of: KeptArchive }) {
  return (
    <ul className="plain-list" aria-label={t('archive.sets')}>
      {sets.map(({ id, label, health }) => {
        const { status, says } = sayHealth(health)
        return <li key={id}>{t('archive.of', { label, says: `${status} ${says}` })}</li>
      })}
    </ul>
  )
}
