import type { Provenance } from '../../../src/primitives/estimate'
import { t } from '../copy'
import type { StepState } from '../state/stepStates'

/** The four marks of provenance, the same everywhere: ■ exact ● measured ◐ modelled ○ assumed. Told apart by shape. */
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

/** A step's state: ○ empty, ◐ running, ● done, a dashed ring with a dot for stale. */
export function StateMark({ state }: { state: StepState }) {
  return (
    <svg className={`state-mark is-${state}`} viewBox="0 0 10 10" width="10" height="10" aria-hidden="true">
      {state === 'empty' && <Ring />}
      {state === 'running' && <HalfDisc />}
      {state === 'done' && <circle cx="5" cy="5" r="4.2" fill="currentColor" />}
      {state === 'stale' && (
        <>
          <circle
            cx="5"
            cy="5"
            r="4"
            fill="none"
            stroke="currentColor"
            strokeWidth="1.2"
            strokeDasharray="2 1.6"
          />
          <circle cx="5" cy="5" r="1.6" fill="currentColor" />
        </>
      )}
    </svg>
  )
}

/** Marks a figure that the data cannot tell from the smallest one. */
export function AsSmallMark() {
  return (
    <abbr className="tag" title={t('codecs.close')}>
      ≈
    </abbr>
  )
}

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
