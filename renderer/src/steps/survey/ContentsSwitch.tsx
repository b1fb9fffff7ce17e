import { Segments } from '../../components/Segments'
import { t } from '../../copy'
import { useSession, useStateOf } from '../../state/sessionContext'
import { SurveySession } from './surveySession'
import { CONTENTS_VIEWS } from './surveyState'

/** The choice between the contents by types, and by folders and years. */
export function ContentsSwitch() {
  const session = useSession(SurveySession)
  const chosen = useStateOf(SurveySession, ({ contents }) => contents)
  return (
    <div className="contents-switch">
      <Segments
        label={t('contents.by')}
        all={CONTENTS_VIEWS}
        chosen={chosen}
        words={(each) => t(`contents.by.${each}`)}
        onChange={(next) => session.divideBy(next)}
      />
    </div>
  )
}
