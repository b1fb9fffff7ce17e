import { type LookedFigure, lookBesideSurvey } from '../../../../src/contract/dto/look'
import { areSameRules, type SurveyDocument } from '../../../../src/contract/dto/survey'
import { formatCount, formatSize, formatSizeRange, type Units } from '../../../../src/primitives/quantity'
import { Folded } from '../../components/Folded'
import { t } from '../../copy'
import { codecName } from '../../format/permanentNames'
import { useStateOf } from '../../state/sessionContext'
import { LookSession } from '../../state/source/lookSession'
import { samePaths } from '../../state/source/sourcesState'

/** More are counted: figures of several codecs are wrong together. */
const MOST_LINES = 3

/**
 * The preliminary figures of the same source in whose range the survey's do not lie, a line each,
 * below all else: nothing moves when the survey ends.
 */
export function LookCorrected({ document, units }: { document: SurveyDocument; units: Units }) {
  const look = useStateOf(LookSession, ({ document: looked }) => looked)
  if (look === null || !samePaths(look.roots, document.roots) || !areSameRules(look.rules, document.rules))
    return null
  const texts = lookBesideSurvey(look, document).flatMap((one) =>
    one.isWithin ? [] : correctedWords(one, units),
  )
  if (texts.length === 0) return null
  const more = texts.length - MOST_LINES
  return (
    <Folded summary={t('look.corrected.show')}>
      {texts.slice(0, MOST_LINES).map((text) => (
        <p key={text}>{text}</p>
      ))}
      {more > 0 && <p>{t('look.corrected.more', { count: more })}</p>}
    </Folded>
  )
}

/** None where the difference does not show in the digits of a size. */
function correctedWords({ figure, low, high, found }: LookedFigure, units: Units): string[] {
  const name =
    figure.kind === 'codec'
      ? codecName(figure.codec)
      : t(figure.kind === 'identical' ? 'look.identical' : `look.counted.${figure.of}`)
  if (figure.kind === 'count' && figure.of !== 'bytes')
    return [t('look.corrected', { name, was: formatCount(low), found: formatCount(found) })]
  const largest = Math.max(found, high)
  const [from = '', to = ''] = formatSizeRange(largest, low, high, units).split('–')
  const [shown] = formatSizeRange(largest, found, high, units).split('–')
  if (shown === from || shown === to) return []
  const unit = formatSize(largest, units).split(/\s/).at(-1) ?? ''
  const was = `${from === to ? from : `${from}–${to}`}\u00a0${unit}`
  return [t('look.corrected', { name, was, found: formatSize(found, units) })]
}
