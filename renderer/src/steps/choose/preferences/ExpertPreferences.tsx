import type { OptionsDocument } from '../../../../../src/contract/dto/options'
import { pathForDisplay } from '../../../../../src/primitives/pathText'
import { formatRate } from '../../../../../src/primitives/quantity'
import { formatMoment } from '../../../../../src/primitives/spokenTime'
import { ChoiceGroup, TextLine } from '../../../components/fields'
import { t } from '../../../copy'
import { useSession, useStateOf, useUnits } from '../../../state/sessionContext'
import { MeasureSession } from '../../measure/measureSession'
import { OptionsSession } from '../optionsSession'
import { entryBytesIn } from '../optionsState'

const MOST_PROFILES = 5

/**
 * Preferences that most people leave unchanged: the target's speed, one container, the cost of a
 * table, calibration by builds.
 */
export function ExpertPreferences({ document }: { document: OptionsDocument | null }) {
  const session = useSession(OptionsSession)
  const units = useUnits()
  const { form } = useStateOf(OptionsSession)
  const { list } = useStateOf(MeasureSession)
  const target = document?.target ?? null
  // What was measured inside a container is of that container, and options use it by themselves.
  const disks = list.filter(
    ({ container, containers }) => container === undefined && containers === undefined,
  )
  const profiles = disks.slice(0, MOST_PROFILES).map((item) => ({
    id: item.id,
    name: t('preferences.profile.item', {
      device: pathForDisplay(item.deviceName),
      moment: formatMoment(item.createdWallMs),
    }),
  }))
  const isWrong = entryBytesIn(form.tableEntry) === undefined
  return (
    <div className="expert-preferences stack near">
      <div>
        <ChoiceGroup
          title={t('preferences.profile')}
          isLabelled
          options={[{ id: null, name: t('preferences.profile.newest') }, ...profiles]}
          chosen={form.measurementId}
          onChange={(measurementId) => session.set({ measurementId })}
        />
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
      <ChoiceGroup
        title={t('preferences.containers')}
        isLabelled
        options={[null, ...containersOf(document)].map((id) => ({
          id,
          name: id ?? t('preferences.containers.any'),
        }))}
        chosen={form.container}
        onChange={(container) => session.set({ container })}
      />
      <TextLine
        label={t('preferences.entry')}
        example="320"
        text={form.tableEntry}
        isWrong={isWrong}
        note={t(isWrong ? 'preferences.entry.wrong' : 'preferences.entry.note')}
        onChange={(tableEntry) => session.set({ tableEntry }, true)}
      />
    </div>
  )
}

/** By their permanent names: those that are left out by a limit are in the list too. */
function containersOf(document: OptionsDocument | null): string[] {
  const all = new Set(document?.options.map(({ container }) => container))
  // Archives of several options are in no one container.
  all.delete('by-folder')
  return [...all].sort()
}
