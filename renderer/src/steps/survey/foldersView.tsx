import { type ReactNode, useEffect } from 'react'
import {
  areSameRules,
  type SourceFolder,
  type SurveyDocument,
  type WalkDocument,
  type YearBytes,
} from '../../../../src/contract/dto/survey'
import { pathForDisplay } from '../../../../src/primitives/pathText'
import { formatExactBytes, formatSize, type Units } from '../../../../src/primitives/quantity'
import { yearColour, yearRamp } from '../../charts/yearColour'
import { type YearColumn, yearColumns } from '../../charts/yearColumns'
import { csvOf, DataTable } from '../../components/DataTable'
import { columnsOf, type WindowTable } from '../../components/declaredColumns'
import { ProvenanceMark } from '../../components/Marks'
import type { Csv } from '../../components/Panel'
import { t } from '../../copy'
import { sayYears } from '../../format/contentsWords'
import { nameOf } from '../../format/paths'
import { useSession, useStateOf } from '../../state/sessionContext'
import { KeptSession } from '../../state/source/keptSession'
import type { Folders } from '../../state/source/keptState'
import { samePaths } from '../../state/source/sourcesState'

/** The largest that are named; the others are one bar. */
const MOST_FOLDERS = 5
/** A folder with this share of the bytes divides nothing: what is in it does. */
const WHOLE = 0.98
/** The widest column of a year, with the gap to the next one. */
const YEAR_PX = 52

interface Part {
  readonly key: string
  readonly name: string
  readonly bytes: number
  readonly share: number
}

/** One way to show the contents: parts of a panel. */
export interface ContentsParts {
  readonly says: ReactNode
  readonly chart: ReactNode
  readonly table: ReactNode
  readonly csv: (() => Csv) | undefined
}

/**
 * The largest folders of the sources, and their bytes by year, as the listing of the sources
 * counted them; why there are none where the sources listed are not those of the survey.
 */
export function useFoldersView({
  isShown,
  document,
  isOther,
  units,
}: {
  isShown: boolean
  /** Null while the survey runs. */
  document: SurveyDocument | null
  /** The sources at hand are not those of the figures. */
  isOther: boolean
  units: Units
}): ContentsParts {
  const session = useSession(KeptSession)
  const { document: listed, folders, status } = useStateOf(KeptSession)
  const walk = listed && !isOther && (document === null || isOf(listed, document)) ? listed : null
  const branch = walk ? branchOf(walk, folders) : null
  const wanted = isShown && walk && branch !== null && !folders.has(branch) ? branch : null
  useEffect(() => {
    if (wanted !== null) void session.lookInto([wanted])
  }, [session, wanted])
  const folder = walk ? folders.get(branch) : undefined
  const years = (walk && folders.get(null)?.years) ?? []
  const parts = folder ? partsOf(folder) : []
  const rows = [...parts, ...yearsOf(years)]
  const columns = columnsOf(TABLE, units, { name: 'minmax(160px, 2fr)', size: '96px', share: '72px' })
  return {
    says: walk ? (
      <>
        {t('folders.says')} <ProvenanceMark provenance="exact" />
      </>
    ) : (
      t(status === 'walking' ? 'folders.listing' : 'folders.absent')
    ),
    chart: (
      <div className="split even folders-bars">
        <FolderBars parts={parts} units={units} />
        {years.length > 0 && <YearBars years={years} units={units} />}
      </div>
    ),
    table: (
      <DataTable
        label={t('contents.title')}
        columns={columns}
        rows={rows}
        rowKey={({ key }) => key}
        visibleRows={9}
        empty={t('folders.none')}
      />
    ),
    csv: rows.length === 0 ? undefined : () => ({ name: 'folders-and-years', ...csvOf(columns, rows) }),
  }
}

function FolderBars({ parts, units }: { parts: readonly Part[]; units: Units }) {
  return (
    <ul className="folder-bars" aria-label={t('folders.largest')}>
      {parts.map(({ key, name, bytes, share }) => (
        <li key={key} title={formatExactBytes(bytes)}>
          <span className="given-name ellipsis" title={name}>
            {name}
          </span>
          <span className="bar-track whole">
            <span className="bar" style={{ width: `${100 * share}%`, background: 'var(--share-edge)' }} />
          </span>
          <span className="bar-number">{formatSize(bytes, units)}</span>
        </li>
      ))}
    </ul>
  )
}

/** Bytes by the year of their last change, with the first and the last year below. */
function YearBars({ years, units }: { years: readonly YearBytes[]; units: Units }) {
  const ramp = yearRamp(years)
  const all = yearColumns(years)
  const most = all.reduce((sum, { bytes }) => Math.max(sum, bytes), 0)
  const [first, last] = [years[0]?.year, years.at(-1)?.year]
  const say = (column: YearColumn): string =>
    t('folders.year', { year: sayYears(column), size: formatSize(column.bytes, units) })
  return (
    <figure className="year-bars" style={{ width: YEAR_PX * all.length }}>
      <div
        className="year-columns"
        role="img"
        aria-label={`${t('folders.years')} ${all
          .filter(({ bytes }) => bytes > 0)
          .map(say)
          .join(', ')}`}
      >
        {all.map((column) => (
          <span key={column.last} title={say(column)}>
            {column.bytes > 0 && (
              <span
                style={{
                  height: `${(100 * column.bytes) / most}%`,
                  background: yearColour(ramp, column.last),
                }}
              />
            )}
          </span>
        ))}
      </div>
      <figcaption>
        <span>{first}</span>
        <span>{first === last ? '' : last}</span>
      </figcaption>
    </figure>
  )
}

const TABLE = {
  name: { heading: 'name', kind: 'words', of: ({ name }) => name, csv: { name: ({ name }) => name } },
  size: { heading: 'size', kind: 'bytes', of: ({ bytes }) => bytes, csv: { bytes: ({ bytes }) => bytes } },
  share: { heading: 'share', kind: 'share', of: ({ share }) => share, csv: {} },
} satisfies WindowTable<Part>

/** True when a listing is of the sources of a survey, under the same rules. */
function isOf(walk: WalkDocument, survey: SurveyDocument): boolean {
  return samePaths([...walk.roots], survey.roots) && areSameRules(walk.rules, survey.rules)
}

/** The folder whose content divides the sources: below one that holds nearly everything. */
function branchOf({ roots }: WalkDocument, folders: Folders): string | null {
  let at: string | null = roots.length === 1 ? (roots[0] ?? null) : null
  for (;;) {
    const folder = folders.get(at)
    const whole = folder?.years.reduce((sum, { bytes }) => sum + bytes, 0) ?? 0
    const [largest] = folder?.rows ?? []
    if (!largest?.isFolder || whole === 0 || largest.bytes < WHOLE * whole) return at
    at = largest.path
  }
}

function partsOf({ rows, years }: SourceFolder): Part[] {
  const whole = years.reduce((sum, { bytes }) => sum + bytes, 0)
  const partOf = (key: string, name: string, bytes: number): Part => ({
    key,
    name,
    bytes,
    share: bytes / whole,
  })
  const largest = rows
    .filter(({ bytes }) => bytes > 0)
    .sort((one, other) => other.bytes - one.bytes)
    .slice(0, MOST_FOLDERS)
  const rest = whole - largest.reduce((sum, { bytes }) => sum + bytes, 0)
  return [
    ...largest.map(({ path, name, bytes }) =>
      partOf(path, name === path ? nameOf(path) : pathForDisplay(name), bytes),
    ),
    ...(rest > 0 ? [partOf('\0others', t('folders.others'), rest)] : []),
  ]
}

function yearsOf(years: readonly YearBytes[]): Part[] {
  const whole = years.reduce((sum, { bytes }) => sum + bytes, 0)
  return years.map(({ year, bytes }) => ({
    key: String(year),
    name: String(year),
    bytes,
    share: bytes / whole,
  }))
}
