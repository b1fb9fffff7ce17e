import { ToggleButton, ToggleButtonGroup } from 'react-aria-components'
import { t } from '../../../copy'
import { useSession } from '../../../state/sessionContext'
import { useStore } from '../../../state/store'

/** The two things that the Measure step times. */
export function MeasureViews() {
  const session = useSession()
  const { view } = useStore(session.stores.bands)
  return (
    <ToggleButtonGroup
      className="segmented measure-views"
      aria-label={t('measureView.label')}
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={[view]}
      onSelectionChange={(keys) => session.bands.show(keys.has('bands') ? 'bands' : 'disk')}
    >
      <ToggleButton id="disk">{t('measureView.disk')}</ToggleButton>
      <ToggleButton id="bands">{t('measureView.bands')}</ToggleButton>
    </ToggleButtonGroup>
  )
}
