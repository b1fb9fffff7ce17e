import { useEffect, useId, useState } from 'react'
import { Button, ProgressBar } from 'react-aria-components'
import type { JobKind, JobProgress } from '../../../src/contract/dto/job'
import { progressFigures } from '../../../src/contract/progressFigures'
import { systemClock } from '../../../src/primitives/clock'
import {
  formatCount,
  formatRate,
  formatSize,
  sizeQuantity,
  type Units,
} from '../../../src/primitives/quantity'
import { PathText } from '../components/PathText'
import { t, tMaybe } from '../copy'
import { announcementKey, type RunningJob, shareDone, shownJobs } from '../state/jobs'
import { useFrame, useSession, useUnits } from '../state/sessionContext'
import { useStore } from '../state/store'

/**
 * The only place for running work: phase, files, bytes, rate, time left, pause and cancel. Its
 * height changes in low windows alone, with the press that starts work and the next one after its
 * end: nothing moves by itself.
 */
export function Strip() {
  const session = useSession()
  const units = useUnits()
  const jobs = useStore(session.jobs)
  const frame = useFrame()
  const [index, setIndex] = useState(0)
  const shown = shownJobs(jobs)
  const job = shown[index % Math.max(1, shown.length)] ?? null
  const { following } = jobs
  const isIdle = job === null && following === null
  const isLow = useUntilInput(isIdle)
  return (
    <footer className={isIdle && isLow ? 'strip idle' : 'strip'} aria-label={t('strip.label')}>
      {job === null ? (
        <p className="small muted">
          {frame.engine.state !== 'ready'
            ? t(`strip.engine.${frame.engine.state}`)
            : following === null
              ? t('strip.idle')
              : t('strip.following', { job: t(`job.${following}`) })}
        </p>
      ) : (
        <Work job={job} units={units} more={shown.length - 1} onNext={() => setIndex(index + 1)} />
      )}
      <Announcer job={job} isGoingOn={following !== null} units={units} />
    </footer>
  )
}

/**
 * True at first and, where it has become true later, from the end of the next press or key on: what
 * is pressed does not move before it is released.
 */
function useUntilInput(isTrue: boolean): boolean {
  const [isKnown, setIsKnown] = useState(isTrue)
  if (isKnown && !isTrue) setIsKnown(false)
  useEffect(() => {
    if (isKnown || !isTrue) return
    const seen = new AbortController()
    const { signal } = seen
    const know = (): void => setIsKnown(true)
    for (const kind of ['click', 'keyup']) addEventListener(kind, know, { signal, once: true })
    return () => seen.abort()
  }, [isTrue, isKnown])
  return isKnown
}

function Work({
  job,
  units,
  more,
  onNext,
}: {
  job: RunningJob
  units: Units
  more: number
  onNext: () => void
}) {
  const session = useSession()
  const { progress } = job
  const share = shareDone(progress)
  const elapsedMs = useElapsed(progress)
  return (
    <>
      <ProgressBar
        className="strip-bar"
        aria-label={t(`job.${job.kind}`)}
        value={(share ?? 0) * 100}
        isIndeterminate={share === null}
        valueLabel={progress ? figures(progress, units).join(', ') : ''}
      >
        <span
          className={share === null ? 'strip-fill unknown' : 'strip-fill'}
          style={{ width: `${(share ?? 1) * 100}%` }}
        />
      </ProgressBar>
      <div className="fills">
        <p className="strip-line">
          <strong>{stateWords(job)}</strong>
          {progress && progress.phase.count > 1 && (
            <span className="muted">
              {t('strip.phase', { index: progress.phase.index, count: progress.phase.count })}
            </span>
          )}
          {progress &&
            figures(progress, units).map((text) => (
              <span key={text.replace(/[\d.,]+/g, '0')} className="strip-figure">
                {text}
              </span>
            ))}
        </p>
        <div className="strip-current muted">
          {elapsedMs !== null && (
            <span className="strip-clock">{t('strip.elapsed', { time: clockTime(elapsedMs) })}</span>
          )}
          {progress?.current ? <PathText path={progress.current} /> : null}
        </div>
      </div>
      <div className="strip-actions row-actions">
        {more > 0 && (
          <Button className="quiet" onPress={onNext}>
            {t('strip.more', { count: more })}
          </Button>
        )}
        {PAUSABLE.has(job.kind) && <PauseButton job={job} />}
        <Button className="plain" isDisabled={job.cancelling} onPress={() => void session.cancel(job.jobId)}>
          {t('strip.cancel')}
        </Button>
      </div>
    </>
  )
}

const PAUSABLE: ReadonlySet<JobKind> = new Set(['survey', 'measure', 'bands', 'write'])

function stateWords(job: RunningJob): string {
  if (job.cancelling) return t('strip.cancelling')
  const waiting = job.progress?.waitingFor
  if (waiting) return t(waiting.kind === 'disc' ? 'strip.waiting' : 'strip.waiting.changed')
  const state = job.progress?.state
  if (state === 'pausing') return t('strip.pausing.disc')
  return state === 'paused' ? t('strip.paused') : phaseWords(job)
}

/** The label of the button: its action now. */
function pauseWords(progress: JobProgress | null): string {
  if (progress?.state === 'paused') return t('strip.resume')
  if (progress?.state === 'pausing') return t('strip.dontPause')
  return t(progress?.pausesAfter ? 'strip.pauseAfter.disc' : 'strip.pause')
}

/**
 * Pauses and resumes, at once or after what cannot be interrupted. Where it is off it stays in
 * reach of the keyboard and gives the reason.
 */
function PauseButton({ job }: { job: RunningJob }) {
  const session = useSession()
  const id = useId()
  const waiting = job.progress?.waitingFor
  const isOn = (job.progress?.state ?? 'running') !== 'running'
  const off = job.cancelling
    ? t('strip.pauseOff.cancelling')
    : waiting
      ? t(waiting.kind === 'disc' ? 'strip.pauseOff.waiting' : 'strip.pauseOff.waiting.changed')
      : job.progress?.canPause === false
        ? tMaybe(`strip.pauseOff.${job.kind}`, t('strip.pauseOff'))
        : null
  return (
    <>
      <button
        type="button"
        className="plain"
        title={off ?? undefined}
        aria-disabled={off !== null}
        data-disabled={off === null ? undefined : true}
        aria-describedby={off === null ? undefined : id}
        onClick={() => {
          if (off === null) void (isOn ? session.resume(job.jobId) : session.pause(job.jobId))
        }}
      >
        {pauseWords(job.progress)}
      </button>
      <span id={id} className="hidden-text">
        {off}
      </span>
    </>
  )
}

/**
 * How long the work has taken by now: from the last report on it counts by itself, a second at a
 * time, so that it goes on while none comes.
 */
function useElapsed(progress: JobProgress | null): number | null {
  const [ticked, setTicked] = useState({ progress, elapsedMs: 0 })
  useEffect(() => {
    if (progress === null) return undefined
    const fromMs = systemClock.monotonicMs()
    let timer: ReturnType<typeof setTimeout>
    const wait = (elapsedMs: number) => {
      timer = setTimeout(tick, 1000 - (elapsedMs % 1000))
    }
    const tick = () => {
      const elapsedMs = progress.elapsedMs + systemClock.monotonicMs() - fromMs
      setTicked({ progress, elapsedMs })
      wait(elapsedMs)
    }
    wait(progress.elapsedMs)
    return () => clearTimeout(timer)
  }, [progress])
  return progress !== null && ticked.progress === progress
    ? Math.max(ticked.elapsedMs, progress.elapsedMs)
    : (progress?.elapsedMs ?? null)
}

/** `7:05`, `1:02:03`: whole seconds. */
function clockTime(ms: number): string {
  const seconds = Math.floor(ms / 1000)
  const two = (count: number) => String(count).padStart(2, '0')
  const hours = Math.floor(seconds / 3600)
  const minutes = Math.floor(seconds / 60) % 60
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`
}

/** A kind of work may have its own words for a phase. */
function phaseWords({ kind, progress }: RunningJob): string {
  const name = progress?.phase.name ?? ''
  return tMaybe(`phase.${kind}.${name}`, tMaybe(`phase.${name}`, t(`job.${kind}`)))
}

function figures(progress: JobProgress, units: Units): string[] {
  const { filesDone, filesTotal, bytesDone, bytesTotal, bytesPerSecond } = progress
  const { share, left, still, volume } = progressFigures(progress)
  const parts: string[] = []
  // Work that counts no bytes has no rate either.
  const countsBytes = bytesDone > 0 || bytesTotal
  if (share !== null) parts.push(t('strip.done', { share }))
  if (volume !== null) parts.push(t('strip.volume', volume))
  if (filesDone > 0 || filesTotal)
    parts.push(
      filesTotal === null
        ? t('strip.files', { count: filesDone })
        : t('strip.filesOf', { done: filesDone, total: formatCount(filesTotal) }),
    )
  if (countsBytes)
    parts.push(bytesTotal === null ? formatSize(bytesDone, units) : sizeOf(bytesDone, bytesTotal, units))
  if (bytesPerSecond !== null && countsBytes && progress.state !== 'paused')
    parts.push(formatRate(bytesPerSecond, units))
  if (left !== null) parts.push(t('strip.left', { time: left }))
  if (still !== null) parts.push(t('strip.still', { time: still }))
  return parts
}

/** `5.21 of 11.2 GB`, with both units where they differ. */
function sizeOf(done: number, total: number, units: Units): string {
  const part = sizeQuantity(done, units)
  const whole = sizeQuantity(total, units)
  const first = part.unit === whole.unit ? part.number : `${part.number} ${part.unit}`
  return t('strip.bytesOf', { done: first, total: `${whole.number} ${whole.unit}` })
}

/**
 * Tells a screen reader how far the work is: at each new phase and at every tenth, never at every
 * report.
 */
function Announcer({
  job,
  isGoingOn,
  units,
}: {
  job: RunningJob | null
  /** Another job begins at once: there is no end to tell of. */
  isGoingOn: boolean
  units: Units
}) {
  const [said, setSaid] = useState({ key: '', text: '' })
  const progress = job?.progress ?? null
  const key = announcementKey(progress)
  if (key !== said.key && !(progress === null && isGoingOn)) {
    const text = progress
      ? `${t(`job.${progress.kind}`)}: ${figures(progress, units).join(', ')}`
      : t('strip.idle')
    setSaid({ key, text })
  }
  return (
    <div className="hidden-text" role="status" aria-live="polite">
      {said.text}
    </div>
  )
}
