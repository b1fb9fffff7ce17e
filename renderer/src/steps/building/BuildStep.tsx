/**
 * The room `building` is the step Build: building, writing and verifying the volumes of a plan.
 * How: a run of the engine fills in the table volume by volume, forecast vs. actual.
 * Not here: planning (`plan`), restoring (`restore`).
 */

import { useState } from 'react'
import { Button } from 'react-aria-components'
import type { WaitingFor } from '../../../../src/contract/dto/job'
import type { Medium } from '../../../../src/contract/dto/plan'
import { Check } from '../../components/fields'
import { PathText } from '../../components/PathText'
import { EmptyState, StepPage } from '../../components/StepPage'
import { t } from '../../copy'
import { nameOf, titleOfRoots } from '../../format/paths'
import { CheckSession } from '../../state/catalog/checkSession'
import type { StepState } from '../../state/frame'
import { allRunning, runningOf, wasInterrupted } from '../../state/jobs'
import { useFrame, useSession, useStateOf, useUnits } from '../../state/sessionContext'
import { useStore } from '../../state/store'
import { AfterWrite, useNextWanted } from './AfterWrite'
import { BuildPassword } from './BuildPassword'
import { type BuildState, buildRows, lastRun } from './buildState'
import { ChangedPrompt } from './ChangedPrompt'
import { DiscPrompt } from './DiscPrompt'
import { FlowPicture } from './FlowPicture'
import { PrintMenu } from './printing/PrintMenu'
import { RunPanel } from './RunPanel'
import { RunTotals } from './RunTotals'
import { RunSession } from './runSession'
import { buildWords, type NextStep, nextStep, sayRuns, standing, verifyWords } from './runWords'
import { StagePicture } from './StagePicture'
import { buildStages } from './stages'
import { WritePanel } from './WritePanel'

/**
 * Is it really happening, and right? From source to set, then forecast vs. actual, volume by
 * volume.
 */
export function BuildStep({ state }: { state: StepState }) {
  const session = useSession()
  const runs = useSession(RunSession)
  const build = useStateOf(RunSession)
  const plan = useStore(runs.planned)
  const frame = useFrame()
  const units = useUnits()
  const job = useStore(session.jobs, (jobs) => runningOf(jobs, 'build', 'verify', 'write'))
  const running = useStore(session.jobs)
  const writing = allRunning(running, 'write')
  // Between a build and its verification, and between two copies, nothing runs for a moment.
  const { following } = running
  const isBusy = job !== null || following !== null || build.queued !== null
  const isCopying = job === null ? build.queued !== null : job.kind === 'write'
  const able = !isBusy && build.directory !== null && frame.engine.state !== 'lost'
  const checked = useStateOf(CheckSession, ({ volumes }) => volumes)
  const rows = buildRows(build, checked)
  const { built, verified, written, failed } = standing(build, rows)
  const [asked, setAsked] = useState<{ directory: string; kind: 'build' | 'write' } | null>(null)
  const encryption = build.plan?.packing?.encryption ?? 'none'
  const isAsked =
    encryption !== 'none' && !isBusy && (build.andVerify || asked?.directory === build.directory)
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
  const isWritten = !isBusy && !build.isWriting && lastRun(build)?.kind === 'write'
  const isCopied = isWritten && build.write?.outcome === 'done'
  const wanted = useNextWanted(build)
  const hasAccent = !build.isWriting && !(isCopied && wanted !== null)
  const accent = (step: NextStep): string => (next === step && hasAccent ? 'primary' : 'plain')
  return (
    <StepPage
      step="build"
      says={sayRuns(build, rows, job?.kind ?? following ?? (build.queued === null ? null : 'write'))}
      banner={
        build.directory === null || (state !== 'failed' && state !== 'stale')
          ? null
          : t(`build.${state === 'failed' && wasInterrupted(running, ...RUNS) ? 'interrupted' : state}`)
      }
      action={
        build.directory !== null && (
          <>
            <Button className={accent('build')} isDisabled={!able || isAsked} onPress={startBuild}>
              {buildWords(build, built, built || state === 'failed')}
            </Button>
            <Button className={accent('verify')} isDisabled={!able} onPress={() => void runs.verify()}>
              {verifyWords(build)}
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
                {!isShown && (
                  <Button
                    className="quiet"
                    onPress={() => void session.showFolder(build.directory as string, 'build')}
                  >
                    {t('folder.show')}
                  </Button>
                )}
              </>
            )}
            <Button className="quiet" isDisabled={isBusy} onPress={() => void runs.open()}>
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
          {isCopying ? (
            (writing.length > 1 ? writing : [job]).map((one, at) => (
              <FlowPicture key={one?.jobId ?? at} build={build} job={one} />
            ))
          ) : (
            <StagePicture stages={buildStages({ build, rows, job, following, units })} />
          )}
          {build.queued !== null && (
            <p className="result-line" role="status">
              {queuedWords(build, build.queued)}
            </p>
          )}
          {build.isWriting && !isBusy && (
            <WritePanel build={build} off={!able || isAsked} onStart={startWrite} />
          )}
          {isCopied && build.directory !== null && (
            <AfterWrite build={build} plan={build.plan} directory={build.directory} off={!able} />
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
          <RunPanel
            rows={rows}
            sectorBytes={build.plan.medium.sectorBytes}
            isPacked={build.plan.packing !== undefined}
            job={job}
            writing={writing}
          />
        </div>
      )}
    </StepPage>
  )
}

/** Where the second copy goes, while the first one is written. */
function queuedWords({ second }: BuildState, copy: number): string {
  if (second === null || second.to === null) return ''
  const to = nameOf(second.to.path)
  const place = second.place.trim()
  return place === '' ? t('write.then', { copy, to }) : t('write.then.place', { copy, to, place })
}

/** The question of a job that waits for an answer. Each one takes the focus anew. */
function Prompt({ waiting, ...more }: { jobId: string; waiting: WaitingFor | null; isFile: boolean }) {
  if (waiting === null) return null
  if (waiting.kind === 'disc') return <DiscPrompt key={waiting.volume} waiting={waiting} {...more} />
  return <ChangedPrompt key={`${waiting.volume} ${waiting.path}`} waiting={waiting} jobId={more.jobId} />
}

const RUNS = ['build', 'verify', 'write'] as const

const OPTICAL: ReadonlySet<Medium['family']> = new Set(['cd', 'dvd', 'bd', 'bdxl'])
