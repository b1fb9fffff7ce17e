import { RadioGroup } from 'react-aria-components'
import type { OptionsDocument } from '../../../../../src/contract/dto/options'
import { pathForDisplay } from '../../../../../src/primitives/pathText'
import { formatRate } from '../../../../../src/primitives/quantity'
import { formatMoment } from '../../../../../src/primitives/spokenTime'
import { Check, Choice, TextLine } from '../../../components/fields'
import { t } from '../../../copy'
import { useSession, useUnits } from '../../../state/sessionContext'
import { useStore } from '../../../state/store'
import { entryBytesIn } from '../optionsState'

const MOST_PROFILES = 5
const NEWEST = 'newest'
const ANY = 'any'

/** What most people leave as it is: the speed of the target, one container, what a table costs, whether builds correct forecasts. */
export function ExpertPreferences({ document }: { document: OptionsDocument | null }) {
  const session = useSession()
  const units = useUnits()
  const { form } = useStore(session.stores.options)
  const { list } = useStore(session.stores.measure)
  const target = document?.target ?? null
  // What was measured inside a container is of that container, and options use it by themselves.
  const disks = list.filter(({ container }) => container === undefined)
  const profiles = disks.slice(0, MOST_PROFILES).map((item) => ({
    id: item.id,
    words: t('preferences.profile.item', {
      device: pathForDisplay(item.deviceName),
      moment: formatMoment(item.createdWallMs),
    }),
  }))
  const isWrong = entryBytesIn(form.tableEntry) === undefined
  return (
    <details className="expert">
      <summary>{t('preferences.expert')}</summary>
      <div className="expert-preferences stack near">
        <div>
          <div className="figure-label">{t('preferences.profile')}</div>
          <RadioGroup
            aria-label={t('preferences.profile')}
            value={form.measurementId ?? NEWEST}
            onChange={(id) => session.options.set({ measurementId: id === NEWEST ? null : id })}
          >
            {[{ id: NEWEST, words: t('preferences.profile.newest') }, ...profiles].map(({ id, words }) => (
              <Choice key={id} id={id}>
                {words}
              </Choice>
            ))}
          </RadioGroup>
          {target !== null && (
            <p className="field-note">
              {t('preferences.profile.used', {
                write: formatRate(target.writeBytesPerSecond.value, units),
                read: formatRate(target.readBytesPerSecond.value, units),
                how: t(`provenance.${target.writeBytesPerSecond.provenance}`).toLowerCase(),
              })}
            </p>
          )}
        </div>
        <RadioGroup
          className="container-preference"
          aria-label={t('preferences.containers')}
          value={form.container ?? ANY}
          onChange={(name) => session.options.set({ container: name === ANY ? null : name })}
        >
          <div className="figure-label">{t('preferences.containers')}</div>
          {[ANY, ...containersOf(document)].map((name) => (
            <Choice key={name} id={name}>
              {name === ANY ? t('preferences.containers.any') : name}
            </Choice>
          ))}
        </RadioGroup>
        <TextLine
          label={t('preferences.entry')}
          example="320"
          text={form.tableEntry}
          isWrong={isWrong}
          note={t(isWrong ? 'preferences.entry.wrong' : 'preferences.entry.note')}
          onChange={(tableEntry) => session.options.set({ tableEntry }, true)}
        />
        <Check
          words={t('preferences.calibrate')}
          isOn={form.calibrate}
          onChange={(calibrate) => session.options.set({ calibrate })}
        />
      </div>
    </details>
  )
}

/** By their permanent names: those that are left out by a limit are in the list too. */
function containersOf(document: OptionsDocument | null): string[] {
  return [...new Set(document?.options.map(({ container }) => container))].sort()
}
