import { Button } from 'react-aria-components'
import { Folded } from '../../components/Folded'
import { LayoutChoice } from '../../components/LayoutChoice'
import { PathList } from '../../components/PathList'
import { t } from '../../copy'
import { useSession, useStateOf } from '../../state/sessionContext'
import { SourceSession } from '../../state/source/sourceSession'

/** The DATs by which a survey groups files, folded away from those who have no ROM sets. */
export function DatsChoice() {
  const session = useSession(SourceSession)
  const { dats, layout } = useStateOf(SourceSession)
  return (
    <Folded
      className="source-dats"
      summary={dats.length === 0 ? t('source.dats') : t('source.dats.count', { count: dats.length })}
    >
      <div className="stack near">
        <p className="muted prose">{t('source.dats.note')}</p>
        {dats.length > 0 && (
          <PathList
            label={t('source.dats.list')}
            paths={dats}
            removeNamed={(name) => t('source.dats.removeNamed', { name })}
            onRemove={(path) => session.removeDat(path)}
          />
        )}
        <div>
          <Button className="plain" onPress={() => void session.chooseDats()}>
            {t('roms.dats.add')}
          </Button>
        </div>
        {dats.length > 0 && <LayoutChoice layout={layout} onChange={(chosen) => session.layOut(chosen)} />}
      </div>
    </Folded>
  )
}
