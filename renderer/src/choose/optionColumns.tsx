import {
  OPTION_FIGURES,
  type Option,
  type OptionFigure,
  type OptionsDocument,
} from '../../../src/contract/dto/options'
import { formatShare, type Units } from '../../../src/primitives/quantity'
import type { Column } from '../components/DataTable'
import { t } from '../copy'
import { shapeOf } from '../state/paretoPicture'
import { FamilyMark } from './FamilyMark'
import { InlineFigure } from './OptionFigure'
import { beatenWords, breaksWords, standingWord } from './optionWords'

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
      track: 'minmax(190px, 2.200fr)',
      cell: (option) => (
        <span className="option-name" title={option.name}>
          <FamilyMark shape={shapeOf(option.family)} />
          <span className={option === chosen ? 'ellipsis option-chosen' : 'ellipsis'}>{option.name}</span>
        </span>
      ),
      sortBy: (option) => option.name,
    },
    {
      key: 'medium',
      header: t('column.onMedium'),
      track: 'minmax(64px, 0.500fr)',
      cell: (option) => (
        <span className="ellipsis" title={option.mediumName}>
          {option.mediumName}
        </span>
      ),
      sortBy: (option) => option.mediumName,
    },
    figureColumn('bytes', t('column.optionSize'), '150px', units, true),
    {
      key: 'volumes',
      header: t('column.optionVolumes'),
      track: '66px',
      align: 'end',
      cell: (option) => (
        <InlineFigure option={option} figure="volumes" units={units} hasRange={false} isTabStop={false} />
      ),
      sortBy: (option) => option.estimate.volumes.value,
    },
    figureColumn('restoreSeconds', t('column.toRestore'), '136px', units, true),
    figureColumn('buildSeconds', t('column.toBuild'), '136px', units, true),
    figureColumn('ramBytes', t('column.optionMemory'), '84px', units, false),
    {
      key: 'readers',
      header: t('column.readBy'),
      track: '56px',
      align: 'end',
      cell: (option) => formatShare(option.portability).replace('.0 ', ' '),
      sortBy: (option) => option.portability,
    },
    {
      key: 'standing',
      header: t('column.standing'),
      track: 'minmax(140px, 1.600fr)',
      cell: (option) => <Standing option={option} document={document} />,
      sortBy: (option) => (option.breaks.length > 0 ? 2 : option.pareto ? 0 : 1),
    },
  ]
}

/** What the CSV of options holds: every figure with its range and where it is from. */
export function csvColumns(document: OptionsDocument): Column<Option>[] {
  const plain = (header: string, csv: (option: Option) => string | number): Column<Option> => ({
    key: header,
    header,
    track: '',
    cell: () => null,
    csv,
  })
  return [
    plain('id', (option) => option.id),
    plain('name', (option) => option.name),
    plain('family', (option) => option.family),
    plain('variant', (option) => option.variant),
    plain('medium', (option) => option.medium),
    plain('encryption', (option) => option.encryption),
    plain('protection', (option) => option.protection),
    ...OPTION_FIGURES.flatMap((figure) => [
      plain(columnName(figure), (option) => option.estimate[figure].value),
      plain(`${columnName(figure)}_low`, (option) => option.estimate[figure].low),
      plain(`${columnName(figure)}_high`, (option) => option.estimate[figure].high),
      plain(`${columnName(figure)}_provenance`, (option) => option.estimate[figure].provenance),
    ]),
    plain('portability', (option) => option.portability),
    plain('score', (option) => option.score),
    plain('front', (option) => String(option.pareto)),
    plain('breaks', (option) => option.breaks.join(' ')),
    plain('beaten_by', (option) => option.beatenBy?.id ?? ''),
    plain('beaten_how', (option) => beatenWords(option, document) ?? ''),
  ]
}

/** `restoreSeconds` as the headers of CSV files are written: `restore_seconds`. */
function columnName(figure: OptionFigure): string {
  return figure.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
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
    return (
      <span className="ellipsis warn" title={words}>
        {words}
      </span>
    )
  }
  const beaten = beatenWords(option, document)
  return (
    <span className="ellipsis muted" title={beaten ?? option.beatenBy?.because ?? undefined}>
      {beaten ?? standingWord(option)}
    </span>
  )
}
