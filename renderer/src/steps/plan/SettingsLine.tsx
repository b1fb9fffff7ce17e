import { Button } from 'react-aria-components'
import { t } from '../../copy'
import { useStateOf } from '../../state/sessionContext'
import { chosenMedium } from './ownSize'
import { PlanSession } from './planSession'

/** The medium and the archives in one line, and the button that shows all settings. */
export function SettingsLine({
  isUnfolded,
  onToggle,
}: {
  isUnfolded: boolean
  /** Null while a plan is being made. */
  onToggle: (() => void) | null
}) {
  const { media, mediumId, packing, builder } = useStateOf(PlanSession)
  const medium = chosenMedium(media, mediumId)
  const stored =
    packing === null
      ? t('packing.plain')
      : packing.form === 'plain'
        ? t('packing.once')
        : (packing.name ?? packing.recipe)
  return (
    <div className="settings-line line">
      <span>
        <strong>{medium?.name ?? mediumId}</strong>
        <span className="muted"> · {stored}</span>
        {medium?.isImage && builder === 'xorriso' && <span className="muted"> · {t('builder.xorriso')}</span>}
      </span>
      <Button
        className="quiet"
        aria-expanded={isUnfolded}
        isDisabled={onToggle === null}
        onPress={() => onToggle?.()}
      >
        {t(isUnfolded ? 'desk.settings.hide' : 'desk.settings')}
      </Button>
    </div>
  )
}
