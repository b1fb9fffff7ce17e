import { Radio, RadioGroup } from 'react-aria-components'
import type { OptionsDocument } from '../../../../../src/contract/dto/options'
import { pathForDisplay } from '../../../../../src/primitives/pathText'
import { formatRate } from '../../../../../src/primitives/quantity'
import { formatMoment } from '../../../../../src/primitives/spokenTime'
import { t } from '../../../copy'
import { useSession, useUnits } from '../../../state/sessionContext'
import { useStore } from '../../../state/store'
import { entryBytesIn } from '../optionsState'
import { Check, LimitField } from './WishFields'

const MOST_PROFILES = 5
const NEWEST = 'newest'
const ANY = 'any'

/** What most people leave as it is: the speed of the target, one container, what a table costs, whether builds correct forecasts. */
export function ExpertWishes({ document }: { document: OptionsDocument | null }) {
  const session = useSession()
  const units = useUnits()
  const { form } = useStore(session.stores.options)
  const { list } = useStore(session.stores.measure)
  const target = document?.target ?? null
  // What was measured inside a container is of that container, and options use it by themselves.
  const disks = list.filter(({ container }) => container === undefined)
  const profiles = disks.slice(0, MOST_PROFILES).map((item) => ({
    id: item.id,
    words: t('wishes.profile.item', {
      device: pathForDisplay(item.deviceName),
      moment: formatMoment(item.createdWallMs),
    }),
  }))
  return (
    <details className="expert">
      <summary>{t('wishes.expert')}</summary>
      <div className="expert-wishes">
        <div>
          <div className="figure-label">{t('wishes.profile')}</div>
          <RadioGroup
            aria-label={t('wishes.profile')}
            value={form.measurementId ?? NEWEST}
            onChange={(id) => session.options.set({ measurementId: id === NEWEST ? null : id })}
          >
            {[{ id: NEWEST, words: t('wishes.profile.newest') }, ...profiles].map(({ id, words }) => (
              <Radio key={id} value={id} className="choice">
                <span className="radio-dot" aria-hidden="true" />
                <span className="choice-words">{words}</span>
              </Radio>
            ))}
          </RadioGroup>
          {target !== null && (
            <p className="field-note">
              {t('wishes.profile.used', {
                write: formatRate(target.writeBytesPerSecond.value, units),
                read: formatRate(target.readBytesPerSecond.value, units),
                how: t(`provenance.${target.writeBytesPerSecond.provenance}`).toLowerCase(),
              })}
            </p>
          )}
        </div>
        <RadioGroup
          className="container-wish"
          aria-label={t('wishes.containers')}
          value={form.container ?? ANY}
          onChange={(name) => session.options.set({ container: name === ANY ? null : name })}
        >
          <div className="figure-label">{t('wishes.containers')}</div>
          {[ANY, ...containersOf(document)].map((name) => (
            <Radio key={name} value={name} className="choice">
              <span className="radio-dot" aria-hidden="true" />
              <span className="choice-words">{name === ANY ? t('wishes.containers.any') : name}</span>
            </Radio>
          ))}
        </RadioGroup>
        <LimitField
          label={t('wishes.entry')}
          example="320"
          text={form.tableEntry}
          wrong={entryBytesIn(form.tableEntry) === undefined ? t('wishes.entry.wrong') : null}
          note={t('wishes.entry.note')}
          onChange={(tableEntry) => session.options.set({ tableEntry }, true)}
        />
        <Check
          words={t('wishes.calibrate')}
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
