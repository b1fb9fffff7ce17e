import { Button } from 'react-aria-components'
import { formatSize } from '../../../../src/primitives/quantity'
import { formatMoment } from '../../../../src/primitives/spokenTime'
import { t } from '../../copy'
import { titleOfRoots } from '../../format/paths'
import { useSession, useStateOf, useUnits } from '../../state/sessionContext'
import { AddVolumes } from './AddVolumes'
import { DrillSession } from './drill/drillSession'
import { RestoreSession } from './restoreSession'
import { type KnownSet, unitWord } from './restoreWords'

/** Which set: those that the catalog knows, or any disc, image or folder of a plan. */
export function KnownSets({ sets }: { sets: readonly KnownSet[] }) {
  const session = useSession(RestoreSession)
  const drill = useSession(DrillSession)
  const which = t(useStateOf(DrillSession, ({ isOpen }) => isOpen) ? 'drill.which' : 'restore.which')
  const units = useUnits()
  return (
    <section className="known-sets stack near" aria-label={which}>
      <h2>{which}</h2>
      {sets.length > 0 && (
        <ul className="source-list">
          {sets.map(({ id, roots, createdWallMs, mediumId, volumes, bytes, directory }) => {
            const title = titleOfRoots(roots)
            const moment = formatMoment(createdWallMs)
            return (
              <li key={id}>
                <div className="source-words fills">
                  <strong className="given-name ellipsis">{title}</strong>
                  <span className="muted">
                    {t('restore.known', {
                      moment,
                      count: volumes,
                      size: formatSize(bytes, units),
                      unit: unitWord(mediumId),
                    })}
                  </span>
                </div>
                <Button
                  className="quiet"
                  aria-label={t('drill.openNamed', { title, moment })}
                  onPress={() => drill.open([directory])}
                >
                  {t('drill.open')}
                </Button>
                <Button
                  className="plain"
                  aria-label={t('restore.openNamed', { title, moment })}
                  onPress={() => session.open([directory])}
                >
                  {t('restore.openShort')}
                </Button>
              </li>
            )
          })}
        </ul>
      )}
      <p className="prose muted">{t(sets.length > 0 ? 'restore.orGiven' : 'restore.given')}</p>
      <AddVolumes isPrimary={sets.length === 0} onAdd={(kind) => void session.add(kind)} />
    </section>
  )
}
