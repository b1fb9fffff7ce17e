import type { NotTrusted, SurveyDocument } from '../../contract/dto/survey'
import { formatCount, formatSize } from '../../primitives/quantity'
import type { Terminal } from '../terminal'

const REASONS: Readonly<Record<NotTrusted['reason'], string>> = {
  full: '--full was given',
  sha256: 'only one of them has SHA-256',
  blockSizes: 'only one of them counts 512-byte blocks',
  chunkers: 'only one of them cuts chunks',
  noSketch: 'it has no sketch of the contents',
  noOrder: 'it has no current order of its files',
  damagedSketch: 'its sketch of the contents is damaged',
}

const FORECASTS = {
  same: null,
  joined: 'codec forecasts: earlier samples of the unchanged files, new samples of the files that were read',
  sampled: 'codec forecasts: recomputed, with new samples of some unchanged files',
} as const

/** What the survey took over from an earlier one, or why it did not. */
export function printTrust({ trusted, notTrusted, compression }: SurveyDocument, out: Terminal): void {
  if (trusted && trusted.files > 0) {
    const kind = trusted.partial ? 'unfinished survey' : 'survey'
    out.line(
      `  ${formatCount(trusted.files)} files (${formatSize(trusted.bytes)}) unchanged since the ${kind} of ` +
        `${isoMinute(trusted.createdWallMs)} (${trusted.surveyId}), not read again`,
    )
    const forecasts = FORECASTS[trusted.forecasts]
    if (forecasts !== null && compression.length > 0) out.line(`  ${forecasts}`)
  } else if (notTrusted?.reason === 'damagedSketch') {
    // Something has damaged a file: that is said in a script's log too.
    out.note(
      `the sketch of survey ${notTrusted.surveyId} is damaged: every file was read and the sketch was replaced`,
    )
  } else if (notTrusted && notTrusted.reason !== 'full') {
    out.line(
      `  every file was read: the survey cannot build on ${notTrusted.surveyId}, because ${REASONS[notTrusted.reason]}`,
    )
  }
}

/** `2026-11-21 03:15Z`. */
export function isoMinute(wallMs: number): string {
  return `${new Date(wallMs).toISOString().slice(0, 16).replace('T', ' ')}Z`
}
