import type { NotTrusted, SurveyDocument } from '../../contract/dto/survey'
import { formatCount, formatSize } from '../../primitives/quantity'
import type { Terminal } from '../terminal'

const REASONS: Readonly<Record<NotTrusted['reason'], string>> = {
  full: '--full was given',
  sha256: 'one of them has SHA-256 and the other has not',
  blockSizes: 'one of them counts 512-byte blocks and the other does not',
  chunkers: 'one of them cuts chunks and the other does not',
  noSketch: 'it has no sketch of the contents',
  noOrder: 'it has no current order of its files',
  damagedSketch: 'its sketch of the contents is damaged',
}

const FORECASTS = {
  same: null,
  joined: 'forecasts of codecs: the earlier ones for what stayed, samples of what was read for the rest',
  sampled: 'forecasts of codecs: made anew, for which some of the trusted files were sampled',
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
      `the sketch of survey ${notTrusted.surveyId} is damaged: everything was read, and the sketch replaced`,
    )
  } else if (notTrusted && notTrusted.reason !== 'full') {
    out.line(
      `  everything was read: survey ${notTrusted.surveyId} could not be built on, ${REASONS[notTrusted.reason]}`,
    )
  }
}

/** `2026-11-21 03:15Z`. */
export function isoMinute(wallMs: number): string {
  return `${new Date(wallMs).toISOString().slice(0, 16).replace('T', ' ')}Z`
}
