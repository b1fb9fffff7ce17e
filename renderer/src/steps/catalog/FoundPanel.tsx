import { Button } from 'react-aria-components'
import type { FoundFile, VolumeState } from '../../../../src/contract/dto/plan'
import { FOUND_TABLE } from '../../../../src/contract/tables/catalogTables'
import type { Units } from '../../../../src/primitives/quantity'
import { formatDay, formatMoment } from '../../../../src/primitives/spokenTime'
import { type Column } from '../../components/DataTable'
import { columnsOf, type WindowTable } from '../../components/declaredColumns'
import { Panel } from '../../components/Panel'
import { TablePanel } from '../../components/TablePanel'
import { VolumeLabel } from '../../components/VolumeLabel'
import { t } from '../../copy'
import { titleOfRoots } from '../../format/paths'
import { CatalogSession } from '../../state/catalog/catalogSession'
import { useSession, useStateOf, useUnits } from '../../state/sessionContext'
import { RestoreSession } from '../restore/restoreSession'
import { knownSets } from '../restore/restoreWords'

/** The engine is asked for no more than this many. */
const MOST = 10_000

/** Which disc is it on? */
export function FoundPanel({
  found,
  pattern,
  searching,
}: {
  found: readonly FoundFile[]
  pattern: string
  searching: boolean
}) {
  const units = useUnits()
  const columns = columnsFor(units)
  const discs = new Set(
    found.flatMap((file) => (file.volume ? (file.volume.needs ?? [file.volume.label]) : [])),
  ).size
  // A file may be in several plans.
  const title = t('catalog.found', { count: new Set(found.map(({ path }) => path)).size })
  if (found.length === 0)
    return (
      <Panel
        title={title}
        says={searching ? t('catalog.searching') : t('catalog.nothingSays', { pattern })}
      />
    )
  return (
    <TablePanel
      title={title}
      says={
        searching
          ? t('catalog.searching')
          : found.length >= MOST
            ? t('catalog.first', { count: MOST })
            : t('catalog.foundSays', { pattern, count: discs })
      }
      above={<RestoreFound found={found} />}
      csv="found"
      columns={columns}
      rows={found}
      rowKey={(file) =>
        `${file.surveyId} ${file.volume?.planId ?? ''} ${file.volume?.index ?? ''} ${file.path}`
      }
      visibleRows={10}
      empty=""
    />
  )
}

/** Sets that a button is shown for; a search rarely meets more. */
const MOST_SETS = 3

/** Chooses the found files to be restored, of each set whose folder is known. */
function RestoreFound({ found }: { found: readonly FoundFile[] }) {
  const restore = useSession(RestoreSession)
  const plans = knownSets(useStateOf(CatalogSession, (catalog) => catalog.plans))
  const sets = plans.flatMap((plan) => {
    const own = found.filter(({ volume }) => volume?.planId === plan.id)
    return own.length === 0 ? [] : [{ plan, paths: [...new Set(own.map(({ path }) => path))] }]
  })
  if (sets.length === 0) return null
  return (
    <div className="row-actions found-actions">
      {sets.slice(0, MOST_SETS).map(({ plan, paths }) => (
        <Button key={plan.id} className="plain" onPress={() => restore.open([plan.directory], paths)}>
          {sets.length === 1
            ? t('restore.these')
            : t('restore.theseOf', {
                count: paths.length,
                title: titleOfRoots(plan.roots),
                moment: formatMoment(plan.createdWallMs),
              })}
        </Button>
      ))}
    </div>
  )
}

/** The files that were found, and the state of the volume of each. */
const FOUND = {
  ...FOUND_TABLE,
  state: {
    heading: 'discState',
    kind: 'words',
    of: ({ volume }) => (volume ? stateText(volume.state) : ''),
  },
} satisfies WindowTable<FoundFile>

function columnsFor(units: Units): Column<FoundFile>[] {
  return columnsOf<FoundFile, keyof typeof FOUND>(FOUND, units, {
    volume: {
      track: 'minmax(96px, 170px)',
      cell: (file) =>
        file.volume === null ? (
          <span className="muted">{t('catalog.onNoDisc')}</span>
        ) : (
          <strong>
            <VolumeLabel label={file.volume.label} />
          </strong>
        ),
      sortBy: (file) => file.volume?.label ?? '\uffff',
    },
    state: {
      track: '27ch',
      cell: (file) =>
        file.volume && (
          <span
            className={file.volume.state.failedWallMs === null && !file.volume.leftOut ? 'muted' : 'warn'}
            title={checkText(file.volume.state)}
          >
            {file.volume.leftOut
              ? t('catalog.leftOut', { cause: file.volume.leftOut })
              : stateText(file.volume.state)}
          </span>
        ),
      sortBy: (file) => (file.volume ? lastStep(file.volume.state).wallMs : 0),
    },
    path: 'minmax(240px, 3fr)',
    bytes: '84px',
  })
}

/** The step that a disc has reached, or that its verification failed. */
function lastStep({ plannedWallMs, builtWallMs, writtenWallMs, verifiedWallMs, failedWallMs }: VolumeState) {
  if (failedWallMs !== null) return { step: 'failed', wallMs: failedWallMs } as const
  if (writtenWallMs !== null && writtenWallMs >= (verifiedWallMs ?? 0))
    return { step: 'written', wallMs: writtenWallMs } as const
  if (verifiedWallMs !== null) return { step: 'verified', wallMs: verifiedWallMs } as const
  if (builtWallMs !== null) return { step: 'built', wallMs: builtWallMs } as const
  return { step: 'planned', wallMs: plannedWallMs } as const
}

function stateText(state: VolumeState): string {
  const { step, wallMs } = lastStep(state)
  return t(`catalog.disc.${step}`, { day: formatDay(wallMs) })
}

function checkText({ checkByWallMs }: VolumeState): string | undefined {
  return checkByWallMs === null ? undefined : t('check.again', { day: formatDay(checkByWallMs) })
}
