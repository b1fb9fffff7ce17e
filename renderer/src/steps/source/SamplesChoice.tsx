import { Label, Radio, RadioGroup } from 'react-aria-components'
import { samplesSchema } from '../../../../src/contract/dto/survey'
import { t } from '../../copy'
import { useSession } from '../../state/sessionContext'
import { useStore } from '../../state/store'

/** How much of the machine's time goes into forecasting what codecs would make of the source; remembered. */
export function SamplesChoice() {
  const session = useSession()
  const { settings } = useStore(session.stores.frame)
  return (
    <RadioGroup
      className="samples"
      value={settings.samples}
      onChange={(value) => {
        const samples = samplesSchema.options.find((option) => option === value)
        if (samples) void session.saveSettings({ samples })
      }}
    >
      <Label className="samples-label">{t('samples.label')}</Label>
      <div className="samples-options">
        {samplesSchema.options.map((option) => (
          <Radio key={option} value={option} className="sample">
            <span className="radio-dot" aria-hidden="true" />
            <span>
              {t(`samples.${option}`)}{' '}
              <span className="option-note muted">{t(`samples.${option}.note`)}</span>
            </span>
          </Radio>
        ))}
      </div>
    </RadioGroup>
  )
}
