import type { Excluded } from '../../../domain/survey/rules/rules'
import { withFigures } from '../../../primitives/figureLanguage'
import type { Language } from '../../../primitives/languages'
import { formatSize } from '../../../primitives/quantity'
import { DISC_TEXTS } from '../volume/lists/discTexts'

/** `1,204 files, 3.1 GB by 3 rules`, or with folders whose content was not counted. */
export function excludedText(
  {
    files,
    bytes,
    folders,
    counted,
    rules,
  }: Pick<Excluded, 'files' | 'bytes' | 'folders' | 'counted' | 'rules'>,
  language: Language = 'en',
): string {
  const whole = counted ? 'leftOut.counted' : files === 0 ? 'leftOut.folders' : 'leftOut.both'
  return withFigures(language, () =>
    DISC_TEXTS[language].say(folders === 0 ? 'leftOut.files' : whole, {
      files,
      size: formatSize(bytes),
      folders,
      rules: rules.length,
    }),
  )
}
