import { useEffect, useRef } from 'react'
import { Button } from 'react-aria-components'
import type { Drive } from '../../../../src/contract/dto/run'
import { formatSize, type Units } from '../../../../src/primitives/quantity'
import { Check, ChoiceGroup, TextLine } from '../../components/fields'
import { Panel } from '../../components/Panel'
import { PathText } from '../../components/PathText'
import { t } from '../../copy'
import { nameOf } from '../../format/paths'
import { sentence } from '../../format/sentence'
import { copyTyped } from '../../format/typedCopy'
import { useSession, useUnits } from '../../state/sessionContext'
import { type BuildState, stoppedRun, type WriteTo } from './buildState'
import { RunSession } from './runSession'

const SECTOR = 2048
const DRIVE = 'drive '

/**
 * Where the set goes: a drive with the disc that is in it, a folder or mounted disk, or a file in
 * place of a disc.
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
            ...(isImages ? (['folder', 'file'] as const) : (['folder'] as const)).map((kind) => ({
              id: kind,
              name: t(`write.${kind}`),
              note: to?.kind === kind ? <PathText path={to.path} /> : t(`write.${kind}.note`),
            })),
          ]}
          chosen={to?.kind === 'drive' ? `${DRIVE}${to.path}` : to?.kind}
          isDisabled={off}
          onChange={pick}
        />
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
            isDisabled={off || to === null || copyTyped(build.copy) === null}
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

function driveName({ device, vendor, model }: Drive): string {
  const maker = [vendor, model].filter((part) => part !== null && part !== '').join(' ')
  return maker === '' ? device : `${device} · ${maker}`
}

/** The disc in the drive, and whether it can be written. */
function discWords({ medium, problem }: Drive, units: Units): string {
  if (problem !== null) return sentence(problem)
  if (medium === null) return t('write.noDisc')
  const words = { name: medium.name, size: sizeWords(medium.capacitySectors, units) }
  return t(medium.blank ? 'write.blank' : medium.rewritable ? 'write.rewritable' : 'write.notBlank', words)
}

function sizeWords(sectors: number | null, units: Units): string {
  return sectors === null ? t('write.unknownSize') : formatSize(sectors * SECTOR, units)
}

function startWords(build: BuildState, count: number): string {
  if (stoppedRun(build)?.kind === 'write') return t('write.continue')
  return t(build.to?.kind === 'folder' ? 'write.copy' : 'write.burn', { count })
}
