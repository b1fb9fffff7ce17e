import { t } from '../copy'
import { useFrame } from '../state/sessionContext'

/** Says when the engine is gone, why, and whether it is coming back. Nothing while it is there. */
export function EngineBanner() {
  const { engine } = useFrame()
  const shown = engine.state === 'lost' || engine.restarting
  return (
    <div role="status">
      {shown && (
        <div className="banner">
          <strong>{t(engine.restarting ? 'engine.restarting' : 'engine.lost')}</strong>
          {engine.reason !== null && <span> {t('engine.reason', { reason: engine.reason })}</span>}{' '}
          <span>{t(engine.restarting ? 'engine.restarting.now' : 'engine.lost.now')}</span>
        </div>
      )}
    </div>
  )
}
