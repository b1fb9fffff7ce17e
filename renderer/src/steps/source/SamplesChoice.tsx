import { samplesSchema } from '../../../../src/contract/dto/survey'
import { LineChoice } from '../../components/fields'
import { RadioGroup } from '../../components/Radio'
import { t } from '../../copy'
import { useFrame, useSession } from '../../state/sessionContext'

/**
 * How much of the machine's time goes into forecasting what codecs would make of the source;
 * remembered.
 */
export function SamplesChoice() {
  const session = useSession()
  const { settings } = useFrame()
  return (
    <RadioGroup
      className="samples"
      label={t('samples.label')}
      labelClass="samples-label"
      value={settings.samples}
      onChange={(value) => {
        const samples = samplesSchema.options.find((option) => option === value)
        if (samples) void session.saveSettings({ samples })
      }}
    >
      <div className="stack tight">
        {samplesSchema.options.map((option) => (
          <LineChoice
            key={option}
            id={option}
            name={t(`samples.${option}`)}
            note={t(`samples.${option}.note`)}
          />
        ))}
      </div>
    </RadioGroup>
  )
}
