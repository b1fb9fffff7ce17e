import type { SafeDocument, UnsafeReason } from '../../contract/dto/copies'
import type { TableColumn } from '../../contract/tables/declaredTable'
import { absolutePath } from '../../files/absolutePath'
import { AppError } from '../../primitives/appError'
import { EXIT } from '../../primitives/exitCode'
import { pathForDisplay } from '../../primitives/pathText'
import { formatCount, formatCounted } from '../../primitives/quantity'
import { formatDay } from '../../primitives/spokenTime'
import { readArguments } from '../arguments'
import { SAFE } from '../declarations/catalog'
import { pathsOf, projectGiven } from '../project'
import { openSession } from '../session'
import { nextCommand } from '../shape/nextCommand'
import { formatSize } from '../shape/sizes'
import { ownTableLines } from '../shape/tableLines'
import { wrapped } from '../shape/wrapped'
import type { Terminal } from '../terminal'
import { unknownName } from '../unknownName'
import { COPY_COLUMNS, copyName, countedCopies, placeLines } from './catalogCopies'
import { copyNumber } from './copyArguments'
import { surveyGiven } from './givenSurvey'

const SHOWN = 5
const EVERY_ROW = 1_000_000

/** `stowage safe`: exit code 0 only where nothing speaks against deleting the source. */
export async function safeCommand(args: readonly string[], out: Terminal): Promise<number> {
  const { values, positionals } = readArguments(args, SAFE)
  const { table } = values
  if (table !== undefined && table !== 'few' && table !== 'copies')
    throw unknownName('table', table, ['few', 'copies'])
  const project = await projectGiven(values, positionals, out)
  if (!project && (positionals.length === 0) === (values.survey === undefined))
    throw new AppError('usage', 'give either folders or a survey (--survey)')
  const copies = copyNumber(values.copies, '--copies') ?? project?.project.copies ?? null
  const paths = project ? pathsOf(project) : positionals.map((path) => absolutePath(path))
  await using session = openSession(out)
  const surveyId =
    values.survey === undefined
      ? await session.engine.copies.surveyOf({ paths })
      : await surveyGiven(session, values.survey)
  const limit = table === undefined ? SHOWN : EVERY_ROW
  const lookedAt = values['looked-at']
  const document = await session.engine.copies.safe({ surveyId, copies, lookedAt, limit })
  out.document(document)
  if (table === 'few') printFew(document, out)
  else if (table === 'copies') out.lines(ownTableLines(COPY_COLUMNS, document.copies))
  else printVerdict(document, out)
  return document.safe ? EXIT.done : EXIT.notDone
}

function printVerdict(document: SafeDocument, out: Terminal): void {
  const { safe, reasons, roots, wanted, files, bytes, keptFiles, threeTwoOne, places, few, surveyId } =
    document
  const names = roots.map(pathForDisplay).join(', ')
  const left = leftOutText(document)
  const show = (text: string): void => out.lines(wrapped(text, '  '))
  if (safe) {
    show(
      `Safe to delete ${names}: all ${formatCounted(files, 'file')}, ${formatSize(bytes)}, are on ` +
        `${formatCount(wanted)} good copies or more, at two places${left}${farText(document)}.`,
    )
    show('Stowage deletes nothing: that is for you to do.')
  } else {
    show(
      `Not safe to delete ${names}: ${formatCount(keptFiles)} of ${formatCounted(files, 'file')} ` +
        `${keptFiles === 1 ? 'is' : 'are'} on ${formatCount(wanted)} good copies at two places${left}${farText(document)}.`,
    )
    out.line()
    for (const reason of reasons) {
      show(`- ${reasonText(reason, document)}`)
      for (const path of reason.paths.slice(0, SHOWN)) show(`    ${pathForDisplay(path)}`)
      const more = Math.max(0, reason.files - reason.paths.length)
      if (reason.paths.length > 0 && more > 0) show(`    and ${formatCount(more)} more`)
    }
  }
  printWrong(document, show)
  out.line()
  const { copies, media, isElsewhere, isMet } = threeTwoOne
  show(
    `3-2-1: ${isMet ? 'met' : 'not met'}. ${countedCopies(copies)} of every file, of 3; ` +
      `on ${media.length === 0 ? 'no kind of medium that has all' : media.map(pathForDisplay).join(' and ')}, of 2 kinds; ` +
      `${isElsewhere ? 'at two places or more' : 'not at two places'}. ` +
      'The source is one of the copies while it is as surveyed.',
  )
  if (places.length > 0) {
    out.line()
    out.lines(placeLines(document.copies), '  ')
  }
  if (safe) return
  out.line()
  if (few.length > 0)
    out.lines(nextCommand('Every file on too few copies:', ['safe', '--survey', surveyId, '--table', 'few']))
  out.lines(nextCommand('Each copy:', ['catalog', 'status', '--all']))
}

/** How much of the verdict is by what the catalog noted alone. */
function farText({ looked }: SafeDocument): string {
  const far = looked === undefined ? 0 : looked.copies - looked.there - looked.wrong
  if (looked === undefined || far === 0) return ''
  const since = looked.verifiedWallMs === null ? '' : `, last verified on ${formatDay(looked.verifiedWallMs)}`
  return `; ${formatCount(far)} of ${countedCopies(looked.copies)} ${far === 1 ? 'was' : 'were'} not looked at${since}`
}

/** The copies that do not count for what was found at their places. */
function printWrong({ copies }: SafeDocument, show: (text: string) => void): void {
  const wrong = copies.filter(({ look }) => look?.found === 'gone' || look?.found === 'other')
  for (const { label, copy, place, look } of wrong.slice(0, SHOWN)) {
    const where = place === null ? '' : ` (${pathForDisplay(place)})`
    show(`- ${copyName(copy)} of ${label}${where} does not count: ${look?.because}`)
  }
  const more = wrong.length - SHOWN
  if (more > 0) show(`  and ${countedCopies(more)} more`)
}

/** The files that rules left out are not kept, on purpose. */
function leftOutText({ leftOut, ownFolders }: SafeDocument): string {
  const own = ownFolders.map((path) => `; ${pathForDisplay(path)}, Stowage's own, is not kept`).join('')
  if (leftOut === null) return own
  const folders = leftOut.folders === 0 ? '' : ` and ${formatCounted(leftOut.folders, 'folder')}`
  return `; ${formatCounted(leftOut.files, 'file')}${folders} that rules left out are not kept${own}`
}

function reasonText({ code, files, bytes }: UnsafeReason, { wanted, surveyedWallMs }: SafeDocument): string {
  const [is, has] = files === 1 ? ['is', 'has'] : ['are', 'have']
  const many = formatCounted(files, 'file')
  const much = `${many}, ${formatSize(bytes)},`
  const since = `since the survey of ${formatDay(surveyedWallMs)}`
  switch (code) {
    case 'unread':
      return 'the source cannot be listed as a whole'
    case 'partial':
      return 'the survey was stopped early: what it did not reach is not known'
    case 'changed':
      return `${many} ${has} changed ${since}`
    case 'added':
      return `${formatCounted(files, 'name')} ${is} new ${since}`
    case 'gone':
      return `${formatCounted(files, 'name')} ${is} gone ${since}`
    case 'excluded':
      return `${many} ${is} left out by rules now, and ${is === 'is' ? 'was' : 'were'} not ${since.replace('since', 'in')}`
    case 'empty':
      return 'there is no file in it: is its disk mounted, and is this the folder that you mean?'
    case 'oneDisk':
      return `${much} ${is} on enough copies, but several of them are on one disk: they count as one`
    case 'few':
      return `${much} ${is} on fewer than ${formatCount(wanted)} good copies`
    case 'onePlace':
      return `${much} would be lost with one place: note places by write --place or catalog place`
    case 'noDigest':
      return `${much} ${has} no SHA-256 in the survey`
    case 'skipped':
      return `${many} could not be read by the survey, so ${is} not kept`
  }
}

function printFew({ few }: SafeDocument, out: Terminal): void {
  if (few.length === 0) {
    out.line('No file is on too few copies.')
    return
  }
  out.lines(ownTableLines(FEW_COLUMNS, few))
}

const FEW_COLUMNS: readonly TableColumn<SafeDocument['few'][number], string>[] = [
  { heading: 'good copies', kind: 'count', of: ({ copies }) => copies },
  { heading: 'two places', kind: 'words', of: ({ isAtTwoPlaces }) => (isAtTwoPlaces ? 'yes' : 'no') },
  { heading: 'size', kind: 'bytes', of: ({ bytes }) => bytes },
  { heading: 'file', kind: 'path', of: ({ path }) => path },
]
