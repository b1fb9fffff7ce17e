import type { FileClass, SurveyDocument } from '../../../src/contract/dto/survey'
import { formatCount, formatExactBytes, formatShare, type Units } from '../../../src/primitives/quantity'
import { type Column, csvOf, DataTable } from '../components/DataTable'
import { HowDoWeKnow, Size } from '../components/Figure'
import { Panel } from '../components/Panel'
import { t } from '../copy'
import type { SurveyFigures } from '../state/survey'

type TypeRow = SurveyDocument['types'][number]

/** The token of each class's colour: one class, one colour, in every picture. */
const TOKEN: Record<FileClass, string> = {
  text: '--class-text',
  image: '--class-image',
  audio: '--class-audio',
  video: '--class-video',
  archive: '--class-archive',
  executable: '--class-executable',
  discImage: '--class-disc-image',
  other: '--class-other',
}

/** What is in it: a bar of classes, and the table of types behind it. */
export function TypePanel({ figures, units }: { figures: SurveyFigures | null; units: Units }) {
  const rows = figures?.types ?? []
  const total = rows.reduce((sum, row) => sum + row.bytes, 0)
  const columns = columnsFor(total, units)
  return (
    <Panel
      title={t('types.title')}
      says={rows.length === 0 ? t('types.says.none') : t('types.says', { count: rows.length })}
      csv={rows.length === 0 ? undefined : () => ({ name: 'file-types', ...csvOf(columns, rows) })}
    >
      <ClassBar rows={rows} total={total} />
      <DataTable
        label={t('types.title')}
        columns={columns}
        rows={rows}
        rowKey={(row) => row.extension ?? ' rest'}
        visibleRows={9}
        empty={t('types.says.none')}
      />
    </Panel>
  )
}

function ClassBar({ rows, total }: { rows: readonly TypeRow[]; total: number }) {
  const byClass = new Map<FileClass, number>()
  for (const row of rows) byClass.set(row.fileClass, (byClass.get(row.fileClass) ?? 0) + row.bytes)
  const classes = [...byClass].filter(([, bytes]) => bytes > 0).sort(([, one], [, other]) => other - one)
  return (
    <div className="class-bar-box">
      <div className="class-bar" aria-hidden="true">
        {classes.map(([name, bytes]) => (
          <span key={name} style={{ flexGrow: bytes, background: `var(${TOKEN[name]})` }} />
        ))}
      </div>
      <ul className="class-legend">
        {classes.map(([name, bytes]) => (
          <li key={name}>
            <span className="swatch" style={{ background: `var(${TOKEN[name]})` }} aria-hidden="true" />
            {t(`class.${name}`)} <span className="muted">{formatShare(total === 0 ? 0 : bytes / total)}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}

function columnsFor(total: number, units: Units): Column<TypeRow>[] {
  return [
    {
      key: 'type',
      header: t('column.type'),
      track: 'minmax(96px, 1fr)',
      cell: (row) => (
        <span className="type-name" title={t(`class.${row.fileClass}`)}>
          <span
            className="swatch"
            style={{ background: `var(${TOKEN[row.fileClass]})` }}
            aria-hidden="true"
          />
          <span className="type-word">{extensionName(row.extension)}</span>
        </span>
      ),
      sortBy: (row) => row.extension ?? '',
      csv: (row) => row.extension ?? '*',
      csvHeader: 'extension',
      csvMore: [{ header: 'class', csv: (row) => row.fileClass }],
    },
    {
      key: 'files',
      header: t('column.files'),
      track: '76px',
      align: 'end',
      cell: (row) => formatCount(row.files),
      sortBy: (row) => row.files,
      csv: (row) => row.files,
      csvHeader: 'files',
    },
    {
      key: 'size',
      header: t('column.size'),
      track: '84px',
      align: 'end',
      cell: (row) => <Size bytes={row.bytes} units={units} />,
      sortBy: (row) => row.bytes,
      csv: (row) => row.bytes,
      csvHeader: 'bytes',
    },
    {
      key: 'share',
      header: t('column.share'),
      track: 'minmax(110px, 1.400fr)',
      cell: (row) => {
        const share = total === 0 ? 0 : row.bytes / total
        return (
          <span className="bar-cell">
            <span className="bar-track">
              <span
                className="bar"
                style={{ width: `${share * 100}%`, background: `var(${TOKEN[row.fileClass]})` }}
              />
            </span>
            <span className="bar-number">{formatShare(share)}</span>
          </span>
        )
      },
      sortBy: (row) => row.bytes,
      csv: (row) => (total === 0 ? 0 : row.bytes / total),
      csvHeader: 'share',
    },
    {
      key: 'mark',
      header: '',
      track: '28px',
      align: 'end',
      cell: (row) => (
        <HowDoWeKnow
          className="mark-button"
          label={extensionName(row.extension)}
          exactly={formatExactBytes(row.bytes)}
          basis={{ provenance: 'exact', text: t('basis.types') }}
        />
      ),
    },
  ]
}

function extensionName(extension: string | null): string {
  if (extension === null) return t('types.rest')
  return extension === '' ? t('types.noExtension') : `.${extension}`
}
