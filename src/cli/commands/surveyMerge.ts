import type { SurveyMerge } from '../../contract/dto/surveyMerge'
import type { TableColumn } from '../../contract/tables/declaredTable'
import { absolutePath } from '../../files/absolutePath'
import { EXIT } from '../../primitives/exitCode'
import { pathForDisplay } from '../../primitives/pathText'
import { formatBlockSize, formatCounted } from '../../primitives/quantity'
import { readArguments } from '../arguments'
import { SURVEY_MERGE } from '../declarations/survey'
import { openSession } from '../session'
import { formatSize } from '../shape/sizes'
import { ownTableLines } from '../shape/tableLines'
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
  const added: readonly TableColumn<Cut, string>[] = surveys.slice(1).map(({ id, adds }) => ({
    heading: `${id} adds`,
    kind: 'words',
    of: ({ index }) => {
      const each = adds[index]
      return each ? `${formatSize(each.addedBytes)} ${certainty(each)}` : ''
    },
  }))
  const cuts = [...merge.fixedBlocks, ...merge.chunked].map((figure, index) => ({ figure, index }))
  out.lines(ownTableLines([...cutColumns(totals.bytes), ...added], cuts), '  ')
}

interface Cut {
  readonly figure: SurveyMerge['fixedBlocks'][number] | SurveyMerge['chunked'][number]
  readonly index: number
}

function cutColumns(total: number): readonly TableColumn<Cut, string>[] {
  return [
    {
      heading: 'cut',
      kind: 'words',
      of: ({ figure }) =>
        'chunker' in figure ? figure.chunker : `${formatBlockSize(figure.blockSize)} blocks`,
    },
    { heading: 'unique', kind: 'bytes', of: ({ figure }) => figure.uniqueBytes },
    { heading: 'share', kind: 'share', of: ({ figure }) => figure.uniqueBytes / Math.max(1, total) },
    {
      heading: 'certainty',
      kind: 'words',
      // A chunker's range is never a point: the tool's own boundaries are secret.
      of: ({ figure }) => certainty('chunker' in figure ? { ...figure, exact: false } : figure),
    },
  ]
}

function certainty(figure: { exact: boolean; low: number; high: number }): string {
  return figure.exact ? '■ exact' : `◐ ${formatSize(figure.low)} to ${formatSize(figure.high)} (95 %)`
}
