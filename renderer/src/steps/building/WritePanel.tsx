import { useEffect, useRef } from 'react'
import { Button } from 'react-aria-components'
import type { Drive } from '../../../../src/contract/dto/run'
import { pathForDisplay } from '../../../../src/primitives/pathText'
import { Check, ChoiceGroup, TextLine } from '../../components/fields'
import { MenuButton } from '../../components/MenuButton'
import { Panel } from '../../components/Panel'
import { PathText } from '../../components/PathText'
import { spoken, t } from '../../copy'
import { nameOf } from '../../format/paths'
import { copyTyped } from '../../format/typedCopy'
import { useSession, useUnits } from '../../state/sessionContext'
import { type BuildState, stoppedRun, type WriteTo } from './buildState'
import { discWords, driveName } from './driveWords'
import { RunSession } from './runSession'
import { SecondCopyChoice } from './SecondCopyChoice'

const DRIVE = 'drive '

/** Rarely wanted: what takes the place of a drive. */
const OTHER_DRIVES = ['file'] as const

/**
 * Where the set goes: a drive with the disc that is in it, a folder or mounted disk, or, from the
 * menu of the drives, a file in place of a disc.
 */
export function WritePanel({
  build,
  off,
  onStart,
}: {
  build: BuildState
  off: boolean
  onStart: () => void
}) {
  const session = useSession(RunSession)
  const units = useUnits()
  const body = useRef<HTMLDivElement>(null)
  // The button that asked for it is elsewhere: the person is led here.
  useEffect(() => body.current?.querySelector<HTMLElement>('input:checked, input, button')?.focus(), [])
  const { drives, to, plan } = build
  const isImages = plan?.medium.kind === 'image'
  const offered = burnsDiscs() ? drives : []
  const count = build.picked.length || (plan?.totals.volumes ?? 0)
  const pick = (value: string) => {
    if (value.startsWith(DRIVE))
      session.store.dispatch({ type: 'to', to: { kind: 'drive', path: value.slice(DRIVE.length) } })
    else void session.chooseTo(value === 'file' ? 'file' : 'folder')
  }
  return (
    <Panel title={t('write.title')} says={t(isImages ? 'write.says' : 'write.saysFolder')} className="write">
      <div ref={body} className="write-form">
        <ChoiceGroup
          title={t('write.where')}
          options={[
            ...(isImages ? (offered ?? []) : []).map((drive) => ({
              id: `${DRIVE}${drive.device}`,
              name: driveName(drive),
              note: discWords(drive, units),
            })),
            ...(to?.kind === 'file' ? (['folder', 'file'] as const) : (['folder'] as const)).map((kind) => ({
              id: kind,
              name: t(`write.${kind}`),
              note:
                to?.kind === kind ? (
                  <PathText path={to.path} />
                ) : (
                  t(build.areLost ? 'write.folder.again' : 'write.folder.note')
                ),
            })),
          ]}
          chosen={to?.kind === 'drive' ? `${DRIVE}${to.path}` : to?.kind}
          isDisabled={off}
          onChange={pick}
        />
        <UnreachedNote build={build} />
        {isImages && (
          <p className="field-note" role="status">
            {driveNote(offered)}
          </p>
        )}
        {to?.kind === 'drive' && <FurtherDrives build={build} to={to} off={off} />}
        {to?.kind === 'file' && build.also.length > 0 && <FurtherFiles build={build} off={off} />}
        <div className="row-actions">
          {isImages && (
            <Button className="plain" isDisabled={off} onPress={() => void session.openWriting()}>
              {t('write.lookAgain')}
            </Button>
          )}
          {isImages && !off && (
            <MenuButton
              className="quiet"
              placement="bottom start"
              name={t('write.otherDrive')}
              all={OTHER_DRIVES}
              words={(kind) => t(`write.${kind}.choose`)}
              onPick={(kind) => void session.chooseTo(kind)}
            />
          )}
          {to !== null && to.kind !== 'drive' && (
            <Button
              className="plain"
              isDisabled={off}
              onPress={() => void session.chooseTo(to.kind === 'file' ? 'file' : 'folder')}
            >
              {t('write.change')}
            </Button>
          )}
          {to?.kind === 'file' && count > 1 + build.also.length && (
            <Button className="plain" isDisabled={off} onPress={() => void session.addFile()}>
              {t('write.addFile')}
            </Button>
          )}
        </div>
        {isImages && to?.kind !== 'folder' && (
          <Check
            words={t('write.onTheFly')}
            note={t('write.onTheFly.note')}
            isOn={build.onTheFly}
            isDisabled={off}
            onChange={(onTheFly) => session.store.dispatch({ type: 'set', form: { onTheFly } })}
          />
        )}
        <div className="write-copy">
          <TextLine
            label={t('write.copyNumber')}
            example="1"
            text={build.copy}
            isWrong={copyTyped(build.copy) === null}
            note={t(copyTyped(build.copy) === null ? 'write.copyNumber.wrong' : 'write.copyNumber.note')}
            isDisabled={off}
            onChange={(copy) => session.store.dispatch({ type: 'set', form: { copy } })}
          />
          <TextLine
            label={t('write.place')}
            example={t('write.place.example')}
            text={build.place}
            isWrong={false}
            note={t('write.place.note')}
            longest={200}
            isDisabled={off}
            onChange={(place) => session.store.dispatch({ type: 'set', form: { place } })}
          />
        </div>
        {!build.areLost && (
          <SecondCopyChoice build={build} drives={isImages ? (offered ?? []) : []} off={off} />
        )}
        <Check
          words={t('write.readBack')}
          note={t('write.readBack.note')}
          isOn={build.readBack}
          isDisabled={off}
          onChange={(readBack) => session.store.dispatch({ type: 'set', form: { readBack } })}
        />
        <div className="row-actions">
          <Button
            className="primary"
            isDisabled={off || to === null || copyTyped(build.copy) === null || build.apart === 'one-folder'}
            onPress={onStart}
          >
            {startWords(build, count)}
          </Button>
          <Button
            className="plain"
            isDisabled={off}
            onPress={() => session.store.dispatch({ type: 'writing', open: false })}
          >
            {t('write.close')}
          </Button>
        </div>
      </div>
    </Panel>
  )
}

/** Where there are several drives, others may burn other volumes at the same time. */
function FurtherDrives({ build, to, off }: { build: BuildState; to: WriteTo; off: boolean }) {
  const session = useSession(RunSession)
  const units = useUnits()
  const others = (build.drives ?? []).filter(({ device }) => device !== to.path)
  if (others.length === 0) return null
  return (
    <fieldset>
      <legend className="field-note">{t('write.also')}</legend>
      {others.map((drive) => (
        <Check
          key={drive.device}
          words={driveName(drive)}
          note={discWords(drive, units)}
          isOn={build.also.includes(drive.device)}
          isDisabled={off}
          onChange={(on) => session.store.dispatch({ type: 'also', path: drive.device, on })}
        />
      ))}
    </fieldset>
  )
}

/** Files that stand in for the discs of further drives. */
function FurtherFiles({ build, off }: { build: BuildState; off: boolean }) {
  const session = useSession(RunSession)
  return (
    <fieldset>
      <legend className="field-note">{t('write.alsoFiles')}</legend>
      {build.also.map((path) => (
        <div key={path} className="row-actions">
          <PathText path={path} />
          <Button
            className="quiet"
            isDisabled={off}
            aria-label={t('write.addFile.removeNamed', { name: nameOf(path) })}
            onPress={() => session.store.dispatch({ type: 'also', path, on: false })}
          >
            {t('write.addFile.remove')}
          </Button>
        </div>
      ))}
    </fieldset>
  )
}

/** On Windows a batch file of the plan burns its images. */
function burnsDiscs(): boolean {
  return !/^win/i.test(navigator.platform)
}

function driveNote(drives: readonly Drive[] | null): string {
  if (!burnsDiscs()) return t('write.windows')
  if (drives === null) return t('write.looking')
  return drives.length === 0 ? t('write.noDrive') : ''
}

/** Where the lost copy was, if nothing can be written there now. */
function UnreachedNote({ build: { unreached, copy } }: { build: BuildState }) {
  if (unreached === null) return null
  const words = { copy, path: pathForDisplay(unreached.path) }
  return (
    <p className="field-note warn" role="status">
      {unreached.problem === null
        ? t('write.unreached.drive', words)
        : t('write.unreached', { ...words, problem: spoken(unreached.problem) })}
    </p>
  )
}

function startWords(build: BuildState, count: number): string {
  if (stoppedRun(build)?.kind === 'write') return t('write.continue')
  if (build.second !== null && build.second.to !== null) return t('write.both', { count })
  return t(build.to?.kind === 'folder' ? 'write.copy' : 'write.burn', { count })
}
