import { formatCounted, formatSize } from '../../primitives/quantity'
import type { SurveyDocument } from './surveyDocument'

/**
 * Names what a survey that was stopped early has not read; null where it is whole or does not know.
 */
export function unreadText({ partial, unread }: Pick<SurveyDocument, 'partial' | 'unread'>): string | null {
  if (!partial || !unread) return null
  const { files, bytes, atLeast } = unread
  if (files === 0) return atLeast ? 'some folders were not listed' : null
  const were = files === 1 ? 'was' : 'were'
  return `${atLeast ? 'at least ' : ''}${formatCounted(files, 'file')} (${formatSize(bytes)}) ${were} not read`
}
