import { Segments } from '../../../components/Segments'
import { t } from '../../../copy'
import { useSession, useStateOf } from '../../../state/sessionContext'
import { BandsSession } from './bandsSession'

/** The two things that the Measure step times. */
export function MeasureViews() {
  const session = useSession(BandsSession)
  const { view } = useStateOf(BandsSession)
  return (
    <Segments
      className="measure-views"
      label={t('measureView.label')}
      all={['disk', 'bands']}
      chosen={view}
      words={(id) => t(`measureView.${id}`)}
      onChange={(id) => session.show(id)}
    />
  )
}
