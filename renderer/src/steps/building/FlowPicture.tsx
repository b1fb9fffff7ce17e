import { Fragment } from 'react'
import { t } from '../../copy'
import type { RunningJob } from '../../state/jobs'
import { useUnits } from '../../state/sessionContext'
import type { BuildState } from './buildState'
import { type FlowStation, flowStations } from './flow'

/** Source, buffer and writer of a copy with their live rates. Its size never changes. */
export function FlowPicture({ build, job }: { build: BuildState; job: RunningJob | null }) {
  const stations = flowStations(build, job, useUnits())
  return (
    <section className="flow flow-3" aria-label={t('flow.label')}>
      {stations.map((station, at) => (
        <Fragment key={station.key}>
          {at > 0 && (
            <span className={job === null ? 'flow-arrow' : 'flow-arrow is-live'} aria-hidden="true">
              →
            </span>
          )}
          <Station station={station} />
        </Fragment>
      ))}
    </section>
  )
}

function Station({ station: { title, name, figure, note, share } }: { station: FlowStation }) {
  return (
    <div className="flow-station">
      <div className="small muted">{title}</div>
      <div className="flow-name ellipsis" title={name}>
        {name}
      </div>
      <div className="flow-figure">{figure}</div>
      <div className="flow-bar" aria-hidden="true">
        {share !== null && <span style={{ width: `${share * 100}%` }} />}
      </div>
      <div className="flow-note muted">{note}</div>
    </div>
  )
}
