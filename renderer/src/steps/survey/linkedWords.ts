import { binName } from '../../charts/SizeChart'
import { t } from '../../copy'
import { extensionName } from '../../format/extensionName'
import type { Linked } from './linked'
import type { SurveyFigures } from './surveyState'

/** Words for a selection. */
export function nameOfLinked(linked: Exclude<Linked, null>, figures: SurveyFigures | null): string {
  switch (linked.by) {
    case 'class':
      return t(`class.${linked.fileClass}`)
    case 'type':
      return extensionName(linked.extension)
    case 'size':
      return binName(figures?.sizeHistogram[linked.bin])
  }
}
