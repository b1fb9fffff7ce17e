import { Button } from 'react-aria-components'
import { t } from '../../../copy'
import { useIsRunning, useSession, useStateOf } from '../../../state/sessionContext'
import { DrillSession } from './drillSession'
import { isTooFull } from './drillWords'

/** The next step of a restore drill: it starts, or after its result another sample is drawn. */
export function DrillAction() {
  const session = useSession(DrillSession)
  const { preview, document } = useStateOf(DrillSession)
  const isBusy = useIsRunning('restore', 'drill')
  if (document !== null && !isBusy)
    return (
      <Button className="primary" onPress={() => void session.draw()}>
        {t('drill.another')}
      </Button>
    )
  return (
    <Button
      className="primary"
      isDisabled={isBusy || preview === null || isTooFull(preview)}
      onPress={() => preview && void session.start(preview.seed)}
    >
      {t('drill.start')}
    </Button>
  )
}
