import { Button } from 'react-aria-components'
import type { DrillDocument } from '../../../../../src/contract/dto/drill'
import { t } from '../../../copy'
import { sentence } from '../../../format/sentence'
import { useSession, useUnits } from '../../../state/sessionContext'
import { Reasons } from '../RestoreResult'
import { useUnitWord } from '../useUnitWord'
import { DrillSession } from './drillSession'
import { isOfBuilt, sayCached, sayDrilled, sayTook } from './drillWords'

/** The result of a restore drill, of which volumes it is, and by what it is known. */
export function DrillResult({ document }: { document: DrillDocument }) {
  const session = useSession(DrillSession)
  const units = useUnits()
  const { files, right, wrong, volumes, evidence, notes, seed } = document
  const unit = useUnitWord()
  const cached = sayCached(document, units)
  return (
    <div className="stack tight drill-result">
      <p className={wrong.length > 0 ? 'bad' : undefined}>
        <strong>{t('drill.outcome', { right, count: files })}</strong>
      </p>
      <Reasons label={t('drill.wrong')} of={wrong} />
      {wrong.length > 0 && <p>{t('drill.wrong.now')}</p>}
      <p>{sayTook(document, units)}</p>
      <p>{t(`drill.readFrom.${evidence}`, { volumes: sayDrilled(volumes) })}</p>
      {isOfBuilt(volumes) && <p>{t('drill.built.result', { unit })}</p>}
      {cached !== null && <p>{cached}</p>}
      {notes.length > 0 && (
        <ul className="plain-list" aria-label={t('restore.notes')}>
          {notes.map((note) => (
            <li key={note} className="warn">
              {sentence(note)}
            </li>
          ))}
        </ul>
      )}
      <p className="muted">{t('drill.removed')}</p>
      <div className="row-actions">
        <Button className="plain" onPress={() => void session.start(seed)}>
          {t('drill.same')}
        </Button>
      </div>
    </div>
  )
}
