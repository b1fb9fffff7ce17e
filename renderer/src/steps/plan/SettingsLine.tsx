import { Button } from 'react-aria-components'
import { spokenNumber } from '../../../../src/primitives/figureLanguage'
import { t } from '../../copy'
import { sayRanges } from '../../format/sayRanges'
import { useStateOf } from '../../state/sessionContext'
import { addedTo } from './growing'
import { chosenMedium } from './ownSize'
import { parityAsked } from './parity'
import { PlanSession } from './planSession'
import { canProtect } from './recovery'

/** The medium and the archives in one line, and the button that shows all settings. */
export function SettingsLine({
  isUnfolded,
  onToggle,
}: {
  isUnfolded: boolean
  /** Null while a plan is being made. */
  onToggle: (() => void) | null
}) {
  const plan = useStateOf(PlanSession)
  const { media, mediumId, packing, protection, earlier } = plan
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
        {canProtect(plan) && protection !== 'fill' && (
          <span className="muted">
            {' · '}
            {protection === 'none'
              ? t('recovery.noneLine')
              : t('recovery.shareLine', { share: spokenNumber(String(protection)) })}
          </span>
        )}
        {parityAsked(plan) > 0 && (
          <span className="muted"> · {t('parity.line', { count: parityAsked(plan) })}</span>
        )}
        {earlier !== null && addedTo(plan) !== null && (
          <span className="muted"> · {t('growing.line', { labels: sayRanges(earlier.labels) })}</span>
        )}
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
