import { type LookedFigure, lookBesideSurvey } from '../../../../src/contract/dto/look'
import { areSameRules, type SurveyDocument } from '../../../../src/contract/dto/survey'
import { correctionsOf, MOST_CORRECTIONS } from '../../../../src/contract/lookCorrection'
import type { Units } from '../../../../src/primitives/quantity'
import { Folded } from '../../components/Folded'
import { t } from '../../copy'
import { codecName } from '../../format/permanentNames'
import { useStateOf } from '../../state/sessionContext'
import { LookSession } from '../../state/source/lookSession'
import { samePaths } from '../../state/source/sourcesState'

/**
 * The preliminary figures of the same source in whose range the survey's do not lie, a line each,
 * below all else: nothing moves when the survey ends.
 */
export function LookCorrected({ document, units }: { document: SurveyDocument; units: Units }) {
  const look = useStateOf(LookSession, ({ document: looked }) => looked)
  if (look === null || !samePaths(look.roots, document.roots) || !areSameRules(look.rules, document.rules))
    return null
  const texts = correctionsOf(lookBesideSurvey(look, document), units).map(({ figure, ...shown }) =>
    t('look.corrected', { name: figureName(figure), ...shown }),
  )
  if (texts.length === 0) return null
  const more = texts.length - MOST_CORRECTIONS
  return (
    <Folded summary={t('look.corrected.show')}>
      {texts.slice(0, MOST_CORRECTIONS).map((text) => (
        <p key={text}>{text}</p>
      ))}
      {more > 0 && <p>{t('look.corrected.more', { count: more })}</p>}
    </Folded>
  )
}

function figureName(figure: LookedFigure['figure']): string {
  if (figure.kind === 'codec') return codecName(figure.codec)
  return t(figure.kind === 'identical' ? 'look.identical' : `look.counted.${figure.of}`)
}
