import type { NotTrusted, SurveyDocument } from '../../contract/dto/survey'
import { formatCounted } from '../../primitives/quantity'
import { isoMinute } from '../../primitives/spokenTime'
import { nextCommand } from '../shape/nextCommand'
import { formatSize } from '../shape/sizes'
import { wrapped } from '../shape/wrapped'
import type { Terminal } from '../terminal'

const REASONS: Readonly<Record<NotTrusted['reason'], string>> = {
  full: '--full was given',
  sha256: 'only one of them has SHA-256',
  blockSizes: 'it has not counted all block sizes asked for',
  chunkers: 'only one of them cuts chunks',
  samples: 'it has no samples, or fewer than asked for',
  noSketch: 'it has no sketch of the contents',
  noOrder: 'it has no current order of its files',
  otherDats: 'its files are not grouped by these DATs',
  damagedSketch: 'its sketch of the contents is damaged',
}

const FORECASTS = {
  same: null,
  joined: 'codec forecasts: earlier samples of the unchanged files, new samples of the files that were read',
  sampled: 'codec forecasts: from new samples; archives and deduplication: as before, new ones with --full',
} as const

/** Prints the part that the survey took over from an earlier one, or why it took none. */
export function printTrust({ trusted, notTrusted }: SurveyDocument, out: Terminal): void {
  if (trusted && trusted.files > 0) {
    const kind = trusted.partial ? 'unfinished survey' : 'survey'
    out.line(
      `  ${formatCounted(trusted.files, 'file')} (${formatSize(trusted.bytes)}) unchanged since ${kind} ` +
        `${trusted.surveyId} of ${isoMinute(trusted.createdWallMs)}`,
    )
  } else if (notTrusted?.reason === 'damagedSketch') {
    // Something has damaged a file: that is said in a script's log too.
    out.note(
      `the sketch of survey ${notTrusted.surveyId} is damaged: every file was read and the sketch was replaced`,
    )
  } else if (notTrusted && notTrusted.reason !== 'full') {
    const why = `  every file was read: ${notTrusted.surveyId} cannot be reused, because ${REASONS[notTrusted.reason]}`
    out.lines(wrapped(why, '  '))
  }
}

/** Warns of files that may be damaged. */
export function printSilentChanges({ id, silentChanges: changes }: SurveyDocument, out: Terminal): void {
  if (!changes || changes.acknowledgedWallMs !== undefined) return
  const { files, bytes, createdWallMs } = changes
  const [has, is] = files === 1 ? ['has', 'its'] : ['have', 'their']
  const what = `${formatCounted(files, 'file')} (${formatSize(bytes)}) ${has} other content than on ${isoMinute(createdWallMs)}`
  const how = `although ${is} size and time are the same: damaged, perhaps (--table silent lists them)`
  out.notes(wrapped(`${what}, ${how}`))
  out.notes(nextCommand('Once you know of it:', ['catalog', 'acknowledge', id]))
}

/**
 * Where the forecasts of codecs are from when files were not read again; null where it makes no
 * difference.
 */
export function forecastsText({ trusted, compression }: SurveyDocument): string | null {
  return trusted && compression.length > 0 ? FORECASTS[trusted.forecasts] : null
}
