import { ROM_LAYOUTS, type RomLayout } from '../../../src/contract/dto/roms'
import { t } from '../copy'
import { Segments } from './Segments'

const LAYOUTS = ['dat', ...ROM_LAYOUTS] as const

/** The layout of ROM sets; null: as each DAT asks for. */
export function LayoutChoice({
  layout,
  isDisabled = false,
  onChange,
}: {
  layout: RomLayout | null
  isDisabled?: boolean
  onChange: (layout: RomLayout | null) => void
}) {
  const chosen = layout ?? 'dat'
  return (
    <fieldset className="roms-layout" disabled={isDisabled}>
      <span className="figure-label" aria-hidden="true">
        {t('roms.layout')}
      </span>
      <Segments
        label={t('roms.layout')}
        all={LAYOUTS}
        chosen={chosen}
        words={(each) => t(`roms.layout.${each}`)}
        onChange={(each) => onChange(each === 'dat' ? null : each)}
      />
      <p className="field-note">{t(`roms.layout.${chosen}.note`)}</p>
    </fieldset>
  )
}
