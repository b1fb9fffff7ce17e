import { t } from '../../copy'
import type { Stage } from './stages'

/**
 * The phases of building and verifying side by side, each with a bar where its share is known. Its
 * size never changes.
 */
export function StagePicture({ stages }: { stages: readonly Stage[] }) {
  return (
    <section className="stages" aria-label={t('stage.label')}>
      {stages.map(({ key, title, figure, note, share, isLive }) => (
        <div key={key} className={isLive ? 'flow-station is-live' : 'flow-station'}>
          <div className="small muted">{title}</div>
          <div className="flow-figure">{figure}</div>
          <div className="flow-bar" aria-hidden="true">
            {share !== null && <span style={{ width: `${share * 100}%` }} />}
          </div>
          <div className="flow-note muted ellipsis" title={note}>
            {note}
          </div>
        </div>
      ))}
    </section>
  )
}
