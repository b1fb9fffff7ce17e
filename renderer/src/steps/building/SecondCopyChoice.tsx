import { Button } from 'react-aria-components'
import { MOST_COPIES, placeKey } from '../../../../src/contract/dto/copies'
import type { Drive } from '../../../../src/contract/dto/run'
import { ChoiceGroup, TextLine } from '../../components/fields'
import { PathText } from '../../components/PathText'
import { t } from '../../copy'
import { copyTyped } from '../../format/typedCopy'
import { useSession, useUnits } from '../../state/sessionContext'
import { type BuildState, NO_SECOND } from './buildState'
import { discWords, driveName } from './driveWords'
import { RunSession } from './runSession'

const DRIVE = 'drive '
const LATER = 'later'

/**
 * Where a second copy goes that the same start writes after the first one; a button alone until it
 * is wanted.
 */
export function SecondCopyChoice({
  build,
  drives,
  off,
}: {
  build: BuildState
  drives: readonly Drive[]
  off: boolean
}) {
  const session = useSession(RunSession)
  const units = useUnits()
  const { second } = build
  const copy = session.secondCopy()
  const first = copyTyped(build.copy)
  if (first === null || first >= MOST_COPIES) return null
  if (second === null)
    return (
      <div className="row-actions">
        <Button
          className="plain"
          isDisabled={off}
          onPress={() => session.store.dispatch({ type: 'second', second: NO_SECOND })}
        >
          {t('write.second.add', { copy })}
        </Button>
      </div>
    )
  const { to, place } = second
  const pick = (value: string): Promise<void> => {
    if (value === LATER) return session.chooseSecond(null)
    return session.chooseSecond(
      value === 'folder' ? 'folder' : { kind: 'drive', path: value.slice(DRIVE.length) },
    )
  }
  return (
    <div className="write-second">
      <ChoiceGroup
        title={t('write.second', { copy })}
        isLabelled
        options={[
          { id: LATER, name: t('write.second.later') },
          ...drives.map((drive) => ({
            id: `${DRIVE}${drive.device}`,
            name: driveName(drive),
            note: discWords(drive, units),
          })),
          {
            id: 'folder',
            name: t('write.second.folder'),
            note: to?.kind === 'folder' ? <PathText path={to.path} /> : t('write.second.folder.note'),
          },
        ]}
        chosen={to === null ? LATER : to.kind === 'drive' ? `${DRIVE}${to.path}` : 'folder'}
        isDisabled={off}
        onChange={(value) => void pick(value)}
      />
      {to?.kind === 'folder' && (
        <div className="row-actions">
          <Button className="plain" isDisabled={off} onPress={() => void session.chooseSecond('folder')}>
            {t('write.second.change', { copy })}
          </Button>
        </div>
      )}
      {to !== null && (
        <TextLine
          label={t('write.second.place', { copy })}
          example={t('write.place.example')}
          text={place}
          isWrong={false}
          note={t('write.place.note')}
          longest={200}
          isDisabled={off}
          onChange={(typed) => session.store.dispatch({ type: 'second', second: { to, place: typed } })}
        />
      )}
      <p className={build.apart === 'one-folder' ? 'field-note bad' : 'field-note warn'} role="status">
        {to === null ? '' : apartWords(build, copy)}
      </p>
    </div>
  )
}

/** The losses that would take both copies at once, as far as they are known. */
function apartWords({ apart, place, second, copy: first }: BuildState, copy: number): string {
  if (apart === 'one-folder') return t('write.second.oneFolder', { copy })
  const isOnePlace = place.trim() !== '' && placeKey(place) === placeKey(second?.place ?? '')
  return [
    ...(apart === 'one-disk' ? [t('write.second.oneDisk')] : []),
    ...(isOnePlace ? [t('write.second.onePlace', { first: first.trim(), copy })] : []),
  ].join(' ')
}
