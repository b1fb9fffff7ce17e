import german from '../../../../../assets/copy/de/discTexts.json' with { type: 'json' }
import english from '../../../../../assets/copy/en/discTexts.json' with { type: 'json' }
import { type Messages, messagesPerLanguage } from '../../../../language/messages'

export type DiscTextKey = keyof typeof english
export type SayDiscText = Messages<DiscTextKey>['say']

/** The words of the texts on volumes and in the folders of plans. */
export const DISC_TEXTS = messagesPerLanguage<DiscTextKey>({ en: english, de: german })
