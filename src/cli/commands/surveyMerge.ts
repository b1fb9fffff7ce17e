import type { SurveyMerge } from '../../contract/dto/surveyMerge'
import { absolutePath } from '../../files/absolutePath'
import { EXIT } from '../../primitives/exitCode'
import { pathForDisplay } from '../../primitives/pathText'
import { formatBlockSize, formatCounted, formatShare } from '../../primitives/quantity'
import { readArguments } from '../arguments'
import { SURVEY_MERGE } from '../declarations/survey'
import { openSession } from '../session'
import { formatSize } from '../shape/sizes'
import { textTable } from '../shape/textTable'
import type { Terminal } from '../terminal'

/** `survey merge`: what several surveys hold together. */
export async function surveyMergeCommand(args: readonly string[], out: Terminal): Promise<number> {
  const { values, positionals } = readArguments(args, SURVEY_MERGE)
  await using session = openSession(out)
  const merge = await session.mergeSurveys(positionals)
  if (values.out !== undefined) {
    const file = absolutePath(values.out)
    await session.saveFile(file, values.force, () => [`${JSON.stringify(merge)}\n`])
    out.note(`saved as ${pathForDisplay(file)}`)
  }
  out.document(merge)
  printMerge(merge, out)
  return EXIT.done
}

function printMerge(merge: SurveyMerge, out: Terminal): void {
  const { surveys, totals, duplicateFiles } = merge
  for (const survey of surveys) {
    const what = `${formatCounted(survey.files, 'file')}, ${formatSize(survey.bytes)}${survey.partial ? ' (partial)' : ''}`
    out.line(`${survey.id}  ${survey.roots.map(pathForDisplay).join(', ')}: ${what}`)
  }
  out.line()
  out.line(`  together ${formatCounted(totals.files, 'file')}, ${formatSize(totals.bytes)}`)
  out.line(`  identical files: ${formatSize(duplicateFiles.bytes)} stored again ${certainty(duplicateFiles)}`)
  out.line()
  const header = [
    'cut',
    'unique',
    'share',
    'certainty',
    ...surveys.slice(1).map((survey) => `${survey.id} adds`),
  ]
  const addsOf = (index: number): string[] =>
    surveys.slice(1).map(({ adds }) => {
      const added = adds[index]
      return added ? `${formatSize(added.addedBytes)} ${certainty(added)}` : ''
    })
  const rows = [...merge.fixedBlocks, ...merge.chunked].map((figure, index) =>
    [
      'chunker' in figure ? figure.chunker : `${formatBlockSize(figure.blockSize)} blocks`,
      formatSize(figure.uniqueBytes),
      formatShare(figure.uniqueBytes / Math.max(1, totals.bytes)),
      // A chunker's range is never a point: the tool's own boundaries are secret.
      certainty('chunker' in figure ? { ...figure, exact: false } : figure),
    ].concat(addsOf(index)),
  )
  out.lines(textTable(header, rows, [1, 2]), '  ')
}

function certainty(figure: { exact: boolean; low: number; high: number }): string {
  return figure.exact ? '■ exact' : `◐ ${formatSize(figure.low)} to ${formatSize(figure.high)} (95 %)`
}
