import { useEffect, useRef } from 'react'
import type { Provenance } from '../../../src/primitives/estimate'
import { t } from '../copy'
import type { StepState } from '../state/frame'

/**
 * The four marks of provenance, the same everywhere: ■ exact ● measured ◐ modelled ○ assumed.
 * Their shapes differ.
 */
export function ProvenanceMark({ provenance }: { provenance: Provenance }) {
  return (
    <svg className="mark" viewBox="0 0 10 10" width="9" height="9" aria-hidden="true">
      {provenance === 'exact' && <rect x="1" y="1" width="8" height="8" rx="1" fill="currentColor" />}
      {provenance === 'measured' && <circle cx="5" cy="5" r="4.2" fill="currentColor" />}
      {provenance === 'modelled' && <HalfDisc />}
      {provenance === 'assumed' && <Ring />}
    </svg>
  )
}

/**
 * A step's state: ✓ done, a spinner while it runs, ✕ failed, ↻ out of date, ? to be decided, and
 * nothing while there is nothing.
 */
export function StateMark({ state }: { state: StepState }) {
  return (
    <svg
      ref={useRotating(state === 'running')}
      className={`state-mark is-${state}`}
      viewBox="0 0 12 12"
      width="12"
      height="12"
      aria-hidden="true"
    >
      {state === 'empty' ? null : (
        <path
          d={STATE_PATHS[state]}
          fill="none"
          stroke="currentColor"
          strokeWidth="1.6"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      )}
    </svg>
  )
}

const EIGHTH_TURN_MS = 500

/**
 * Turns a mark by an eighth, twice a second, while work runs. An animation would have the window
 * drawn sixty times a second all the while.
 */
function useRotating(isRunning: boolean) {
  const mark = useRef<SVGSVGElement>(null)
  useEffect(() => {
    const rotated = mark.current
    if (!isRunning || rotated === null) return undefined
    let eighths = 0
    const timer = setInterval(() => {
      eighths = (eighths + 1) % 8
      rotated.style.transform = `rotate(${eighths / 8}turn)`
    }, EIGHTH_TURN_MS)
    return () => {
      clearInterval(timer)
      rotated.style.transform = ''
    }
  }, [isRunning])
  return mark
}

/** Marks a figure that the data cannot tell from the smallest one. */
export function AsSmallMark() {
  return (
    <abbr className="tag" title={t('codecs.close')}>
      ≈
    </abbr>
  )
}

const STATE_PATHS = {
  running: 'M6 1.500a4.500 4.500 0 1 1-4.500 4.500',
  done: 'M2 6.500l2.800 2.800 5.200-6.300',
  failed: 'M2.500 2.500l7 7M9.500 2.500l-7 7',
  asks: 'M4 4.200a2.050 2.050 0 1 1 3 1.800c-.7.4-1 .9-1 1.600M6 10v.1',
  stale: 'M10.300 6.200a4.300 4.300 0 1 1-1.500-3.400M9 .8v2.300h-2.300',
} as const

function Ring() {
  return <circle cx="5" cy="5" r="3.8" fill="none" stroke="currentColor" strokeWidth="1.3" />
}

function HalfDisc() {
  return (
    <>
      <Ring />
      <path d="M5 1.2a3.8 3.8 0 0 0 0 7.6z" fill="currentColor" />
    </>
  )
}
