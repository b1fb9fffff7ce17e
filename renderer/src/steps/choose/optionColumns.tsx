import {
  DISK_MEDIUM,
  OPTION_FIGURES,
  type Option,
  type OptionFigure,
  type OptionsDocument,
} from '../../../../src/contract/dto/options'
import type { Units } from '../../../../src/primitives/quantity'
import { shapeOf } from '../../charts/paretoPicture'
import type { Column } from '../../components/DataTable'
import { OptionName } from '../../components/OptionName'
import { t } from '../../copy'
import { readsWords, shortReaders } from './candidates/candidateWords'
import { FamilyMark } from './candidates/FamilyMark'
import { InlineFigure } from './OptionFigure'
import { beatenWords, breaksWords, standingWord } from './optionWords'

/** The height of a row of options: a name in two lines, and what beats it in three small ones. */
export const OPTION_ROW_PX = 50

/** A value with its unit, range and mark. */
const FIGURE_TRACK = '136px'

/** The columns of the table of options; `chosen` stands out among them. */
export function optionColumns(
  document: OptionsDocument,
  chosen: Option | null,
  units: Units,
): Column<Option>[] {
  return [
    {
      key: 'option',
      header: t('column.option'),
      track: 'minmax(27ch, 2fr)',
      cell: (option) => (
        <span className={option === chosen ? 'option-name option-chosen' : 'option-name'}>
          <FamilyMark shape={shapeOf(option.family)} />
          <OptionName name={option.name} />
        </span>
      ),
      sortBy: (option) => option.name,
    },
    figureColumn('bytes', t('column.optionSize'), FIGURE_TRACK, units, true),
    // In one volume on a disk every row has the same: the column would only take room.
    ...(document.options.some(({ medium }) => medium !== DISK_MEDIUM)
      ? [
          {
            ...volumesColumn(units),
            isForComparing: new Set(document.options.map(({ medium }) => medium)).size === 1,
          },
        ]
      : []),
    figureColumn('restoreSeconds', t('column.toRestore'), FIGURE_TRACK, units, true),
    figureColumn('buildSeconds', t('column.toBuild'), FIGURE_TRACK, units, true),
    figureColumn('ramBytes', t('column.optionMemory'), '10ch', units, false),
    {
      key: 'readers',
      header: t('column.readBy'),
      track: 'minmax(92px, 1fr)',
      cell: (option) => <span title={readsWords(option)}>{shortReaders(option)}</span>,
      sortBy: (option) => option.portability,
    },
    {
      key: 'standing',
      header: t('column.standing'),
      track: 'minmax(150px, 2fr)',
      cell: (option) => <Standing option={option} document={document} />,
      sortBy: (option) => (option.breaks.length > 0 ? 3 : option.pareto ? 0 : option.beatenBy ? 1 : 2),
    },
  ]
}

/** The columns of the CSV of options: every figure with its range and its provenance. */
export function optionsCsv(document: OptionsDocument): Pick<Column<Option>, 'csv'>[] {
  return [
    {
      csv: {
        id: (option) => option.id,
        name: (option) => option.name,
        family: (option) => option.family,
        variant: (option) => option.variant,
        medium: (option) => option.medium,
        encryption: (option) => option.encryption,
        protection: (option) => option.protection,
      },
    },
    ...OPTION_FIGURES.map((figure) => ({
      csv: {
        [columnName(figure)]: (option: Option) => option.estimate[figure].value,
        [`${columnName(figure)}_low`]: (option: Option) => option.estimate[figure].low,
        [`${columnName(figure)}_high`]: (option: Option) => option.estimate[figure].high,
        [`${columnName(figure)}_provenance`]: (option: Option) => option.estimate[figure].provenance,
      },
    })),
    {
      csv: {
        portability: (option) => option.portability,
        score: (option) => option.score,
        front: (option) => String(option.pareto),
        breaks: (option) => option.breaks.join(' '),
        beaten_by: (option) => option.beatenBy?.id ?? '',
        beaten_how: (option) => beatenWords(option, document) ?? '',
      },
    },
  ]
}

/** `restoreSeconds` as the headers of CSV files are written: `restore_seconds`. */
function columnName(figure: OptionFigure): string {
  return figure.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** How many volumes of what. */
function volumesColumn(units: Units): Column<Option> {
  return {
    key: 'volumes',
    header: t('column.optionVolumes'),
    track: '84px',
    align: 'end',
    cell: (option) => (
      <span className="lines">
        <InlineFigure option={option} figure="volumes" units={units} hasRange={false} isTabStop={false} />
        <span className="small muted">{option.mediumName}</span>
      </span>
    ),
    sortBy: (option) => option.estimate.volumes.value,
  }
}

function figureColumn(
  figure: OptionFigure,
  header: string,
  track: string,
  units: Units,
  hasRange: boolean,
): Column<Option> {
  return {
    key: figure,
    header,
    track,
    align: 'end',
    cell: (option) => (
      <InlineFigure option={option} figure={figure} units={units} hasRange={hasRange} isTabStop={false} />
    ),
    sortBy: (option) => option.estimate[figure].value,
  }
}

function Standing({ option, document }: { option: Option; document: OptionsDocument }) {
  if (option.breaks.length > 0) {
    const words = t('standing.breaks', { limits: breaksWords(option.breaks) })
    return <span className="lines small warn">{words}</span>
  }
  return (
    <span
      className="lines small muted"
      title={beatenWords(option, document) ?? option.beatenBy?.because ?? undefined}
    >
      {beatenWords(option, document, 1) ?? standingWord(option)}
    </span>
  )
}
