import { Segments } from '../../../components/Segments'
import { t } from '../../../copy'
import { useSession } from '../../../state/sessionContext'
import { useStore } from '../../../state/store'

/** The two things that the Measure step times. */
export function MeasureViews() {
  const session = useSession()
  const { view } = useStore(session.stores.bands)
  return (
    <Segments
      className="measure-views"
      label={t('measureView.label')}
      all={['disk', 'bands']}
      chosen={view}
      words={(id) => t(`measureView.${id}`)}
      onChange={(id) => session.bands.show(id)}
    />
  )
}
