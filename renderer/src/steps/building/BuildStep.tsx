import { useState } from 'react'
import { Button } from 'react-aria-components'
import type { JobKind, WaitingFor } from '../../../../src/contract/dto/job'
import type { Medium } from '../../../../src/contract/dto/plan'
import type { RunDocument } from '../../../../src/contract/dto/run'
import { Check } from '../../components/fields'
import { PathText } from '../../components/PathText'
import { EmptyState, StepPage } from '../../components/StepPage'
import { type CopyKey, t } from '../../copy'
import { titleOfRoots } from '../../format/paths'
import type { StepState } from '../../state/frame'
import { allRunning, runningOf } from '../../state/jobs'
import { useFrame, useSession, useStateOf } from '../../state/sessionContext'
import { useStore } from '../../state/store'
import { CheckSession } from '../catalog/checkSession'
import { PlanSession } from '../plan/planSession'
import { BuildPassword } from './BuildPassword'
import { type BuildRow, type BuildState, buildRows, isVerifiedRow, lastRun } from './buildState'
import { ChangedPrompt } from './ChangedPrompt'
import { DiscPrompt } from './DiscPrompt'
import { FlowPicture } from './FlowPicture'
import { PrintMenu } from './printing/PrintMenu'
import { RunPanel } from './RunPanel'
import { RunTotals } from './RunTotals'
import { RunSession } from './runSession'
import { WritePanel } from './WritePanel'

/**
 * Is it really happening, and right? From source to set, then forecast vs. actual, volume by
 * volume.
 */
export function BuildStep({ state }: { state: StepState }) {
  const session = useSession()
  const runs = useSession(RunSession)
  const build = useStateOf(RunSession)
  const plan = useStateOf(PlanSession)
  const frame = useFrame()
  const job = useStore(session.jobs, (jobs) => runningOf(jobs, 'build', 'verify', 'write'))
  const running = useStore(session.jobs)
  const writing = allRunning(running, 'write')
  const able = job === null && build.directory !== null && frame.engine.state !== 'lost'
  const checked = useStateOf(CheckSession, ({ volumes }) => volumes)
  const rows = buildRows(build, checked)
  const { built, verified, written, failed } = standing(build, rows)
  const [asked, setAsked] = useState<{ directory: string; kind: 'build' | 'write' } | null>(null)
  const encryption = build.plan?.packing?.encryption ?? 'none'
  const isAsked =
    encryption !== 'none' && job === null && (build.andVerify || asked?.directory === build.directory)
  const ask = (kind: 'build' | 'write') => {
    if (build.directory !== null) setAsked({ directory: build.directory, kind })
  }
  const startBuild = () => {
    // Also where a build is continued: what is packed already is tried with it, the rest needs it.
    if (encryption !== 'none') ask('build')
    else void runs.build(built)
  }
  const startWrite = () => {
    if (encryption !== 'none' && !built) ask('write')
    else void runs.write(written)
  }
  const isOptical = OPTICAL.has(build.plan?.medium.family ?? 'custom')
  const next = nextStep({ built, verified, written, failed }, isOptical)
  const isShown = (verified || written) && !failed
  const accent = (step: NextStep): string => (next === step && !build.isWriting ? 'primary' : 'plain')
  return (
    <StepPage
      step="build"
      says={sayWhat(build, { verified, failed }, job?.kind ?? null)}
      banner={
        build.directory !== null && (state === 'failed' || state === 'stale') ? t(`build.${state}`) : null
      }
      action={
        build.directory !== null && (
          <>
            <Button className={accent('build')} isDisabled={!able || isAsked} onPress={startBuild}>
              {buildWords(build, built, built || state === 'failed')}
            </Button>
            <Button className={accent('verify')} isDisabled={!able} onPress={() => void runs.verify()}>
              {t(build.picked.length === 0 ? 'build.verifyAll' : 'build.verifySome', {
                count: build.picked.length,
              })}
            </Button>
            {isShown && (
              <Button
                className={accent('show')}
                onPress={() => void session.showFolder(build.directory as string, 'build')}
              >
                {t(build.plan?.medium.kind === 'folder' ? 'build.showSet' : 'build.showImages')}
              </Button>
            )}
            <Button
              className={accent('write')}
              isDisabled={!able || build.isWriting}
              onPress={() => void runs.openWriting()}
            >
              {t('build.burn')}
            </Button>
          </>
        )
      }
    >
      {build.plan === null ? (
        <EmptyState title={t('build.empty.title')} text={t('build.empty.text')}>
          {plan.document !== null && plan.exportedTo === null && (
            <Button className="primary" onPress={() => session.goTo('plan')}>
              {t('build.toPlan')}
            </Button>
          )}
          {plan.exportedTo !== null && (
            <Button className="primary" onPress={() => void runs.open(plan.exportedTo ?? undefined)}>
              {t('build.openLast')}
            </Button>
          )}
          <Button className="plain" onPress={() => void runs.open()}>
            {t('build.open')}
          </Button>
        </EmptyState>
      ) : (
        <div className="build stack">
          <div className="result-line line">
            <span>{titleOfRoots(build.plan.roots)}</span>
            {build.directory === null ? (
              <span className="warn">{t('build.noFolder')}</span>
            ) : (
              <>
                <PathText path={build.directory} />
                <Button
                  className="quiet"
                  onPress={() => void session.showFolder(build.directory as string, 'build')}
                >
                  {t('folder.show')}
                </Button>
              </>
            )}
            <Button className="quiet" isDisabled={job !== null} onPress={() => void runs.open()}>
              {t('build.openOther')}
            </Button>
            {build.directory !== null && (
              <PrintMenu
                key={build.directory}
                plan={build.plan}
                directory={build.directory}
                picked={build.picked}
                step="build"
              />
            )}
          </div>
          {isAsked && (
            <BuildPassword
              encryption={encryption}
              addsTo={build.plan.addsTo}
              onStart={(password) => {
                setAsked(null)
                void (asked?.kind === 'write' ? runs.write(written, password) : runs.build(built, password))
              }}
              onCancel={() => {
                setAsked(null)
                runs.store.dispatch({ type: 'set', form: { andVerify: false } })
              }}
            />
          )}
          {[...allRunning(running, 'build'), ...writing].map(({ jobId, progress }) => (
            <Prompt
              key={jobId}
              jobId={jobId}
              waiting={progress?.waitingFor ?? null}
              isFile={build.to?.kind === 'file'}
            />
          ))}
          {(writing.length > 1 ? writing : [job]).map((one, at) => (
            <FlowPicture key={one?.jobId ?? at} build={build} job={one} />
          ))}
          {build.isWriting && job === null && (
            <WritePanel build={build} off={!able || isAsked} onStart={startWrite} />
          )}
          {build.plan?.packing?.arrangement === 'independent' && build.plan.volumes.length > 1 && !built && (
            <Check
              words={t('build.stream')}
              note={t('build.stream.note')}
              isOn={build.stream}
              isDisabled={job !== null}
              onChange={(stream) => runs.store.dispatch({ type: 'set', form: { stream } })}
            />
          )}
          <RunTotals build={build} rows={rows} sectorBytes={build.plan.medium.sectorBytes} />
          <RunPanel rows={rows} sectorBytes={build.plan.medium.sectorBytes} job={job} writing={writing} />
        </div>
      )}
    </StepPage>
  )
}

/** The question of a job that waits for an answer. Each one takes the focus anew. */
function Prompt({ waiting, ...more }: { jobId: string; waiting: WaitingFor | null; isFile: boolean }) {
  if (waiting === null) return null
  if (waiting.kind === 'disc') return <DiscPrompt key={waiting.volume} waiting={waiting} {...more} />
  return <ChangedPrompt key={`${waiting.volume} ${waiting.path}`} waiting={waiting} jobId={more.jobId} />
}

function buildWords({ picked, plan }: BuildState, built: boolean, again: boolean): string {
  const count = picked.length
  // What is packed anew is packed as a whole.
  if (count > 0 && !(built && plan?.packing)) return t('build.some', { count })
  return t(again ? 'build.again' : 'build.all')
}

const OPTICAL: ReadonlySet<Medium['family']> = new Set(['cd', 'dvd', 'bd', 'bdxl'])

type NextStep = 'build' | 'verify' | 'write' | 'show'

/**
 * The next step after a build: discs that were read back need none; images are verified before they
 * are written.
 */
function nextStep(
  { built, verified, written, failed }: ReturnType<typeof standing>,
  isOptical: boolean,
): NextStep {
  if (failed) return 'build'
  if (written) return 'show'
  if (!built && !verified) return 'build'
  if (!verified) return 'verify'
  return isOptical ? 'write' : 'show'
}

/**
 * How far the volumes in hand are: the picked ones, or all. What is built already is built again
 * only by force.
 */
function standing(
  build: BuildState,
  all: readonly BuildRow[],
): Record<'built' | 'verified' | 'written' | 'failed', boolean> {
  const rows = all.filter((row) => build.picked.length === 0 || build.picked.includes(row.index))
  return {
    built: rows.length > 0 && rows.every(({ build: made }) => made !== null && isWhole(made)),
    verified: rows.length > 0 && rows.every(isVerifiedRow),
    written: rows.length > 0 && rows.every(({ write }) => write !== null && isWhole(write)),
    failed: rows.some(
      (row) => row.check?.result === 'damaged' || (row.check === null && row.verify?.state === 'failed'),
    ),
  }
}

function isWhole({ state }: { readonly state: string }): boolean {
  return state === 'done' || state === 'kept'
}

function writtenWords({ outcome, target }: RunDocument): CopyKey {
  const isDone = outcome === 'done'
  if (target?.kind === 'folder') return isDone ? 'build.says.copied' : 'build.says.notCopied'
  return isDone ? 'build.says.written' : 'build.says.notWritten'
}

function sayWhat(
  build: BuildState,
  { verified: isVerified, failed }: Pick<ReturnType<typeof standing>, 'verified' | 'failed'>,
  running: JobKind | null,
): string {
  if (build.plan === null) return t('build.says.none')
  const isPacked = build.plan?.packing !== undefined
  if (running === 'verify') return t('build.says.verifying')
  if (running === 'write') return t(build.to?.kind === 'folder' ? 'build.says.copying' : 'build.says.writing')
  if (running) return t(isPacked ? 'build.says.runningPacked' : 'build.says.running')
  const { verify, build: made, write } = build
  if (write !== null && lastRun(build) === write) return t(writtenWords(write))
  const isSkipping = verify?.volumes.some(({ skipped = [] }) => skipped.length > 0) === true
  const whole = isPacked ? 'build.says.verifiedPacked' : 'build.says.verified'
  const verified = isSkipping ? 'build.says.verifiedSkipping' : whole
  if (verify || isVerified || failed)
    return t(!failed && (isVerified || verify?.outcome === 'done') ? verified : 'build.says.notVerified')
  if (made?.outcome === 'done') return t('build.says.built')
  if (made) return t(made.volumes.some(isWhole) ? 'build.says.notBuilt' : 'build.says.nothingBuilt')
  return t('build.says.ready', { count: build.plan.totals.volumes })
}
