import { Button } from 'react-aria-components'
import { t } from '../../copy'
import { useSession } from '../../state/sessionContext'
import { SourceSession } from '../../state/source/sourceSession'

const LINES = ['one', 'two', 'three'] as const

/** Nothing is kept yet: how to begin, and the place to begin at. */
export function Newcomer() {
  const sources = useSession(SourceSession)
  return (
    <>
      <ol className="home-start" aria-label={t('home.start')}>
        {LINES.map((line) => (
          <li key={line}>{t(`home.start.${line}`)}</li>
        ))}
      </ol>
      <div className="drop-target large">
        <h2 className="drop-target-title">{t('source.drop.title')}</h2>
        <p className="muted">{t('source.drop.text')}</p>
        <div className="row-actions">
          <Button className="primary" onPress={() => void sources.choose('folders')}>
            {t('source.folders')}
          </Button>
          <Button className="plain" onPress={() => void sources.choose('files')}>
            {t('source.files')}
          </Button>
          <Button className="quiet" onPress={() => void sources.takeSample()}>
            {t('source.sample')}
          </Button>
        </div>
      </div>
    </>
  )
}
