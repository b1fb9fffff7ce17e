import { Button } from 'react-aria-components'
import { pathForDisplay } from '../../../../src/primitives/pathText'
import { formatMoment } from '../../../../src/primitives/spokenTime'
import { type Column, MOMENT_TRACK } from '../../components/DataTable'
import type { Shown } from '../../components/declaredColumns'
import { t } from '../../copy'

/** The fields that the lists of earlier measurements and of earlier sweeps share. */
interface EarlierRun {
  readonly id: string
  readonly createdWallMs: number
  readonly plausible: boolean
  readonly partial: boolean
  readonly deviceName: string
  readonly directory: string
}

/**
 * When it ran, as a button that opens it; `label` is the button's name for those who do not see the
 * row.
 */
export function whenColumn<Run extends EarlierRun>(
  running: boolean,
  label: (run: Run) => string,
  open: (id: string) => void,
): Column<Run> {
  return {
    key: 'when',
    header: t('column.when'),
    track: MOMENT_TRACK,
    cell: (run) => (
      <Button className="link" isDisabled={running} aria-label={label(run)} onPress={() => open(run.id)}>
        {formatMoment(run.createdWallMs)}
      </Button>
    ),
    sortBy: (run) => run.createdWallMs,
    csv: { created: (run) => new Date(run.createdWallMs).toISOString(), id: (run) => run.id },
  }
}

/**
 * The state of a run: if it is plausible and complete; `whole` gives the words for one that is
 * both.
 */
export function stateColumn<Run extends EarlierRun>(track: string, whole: (run: Run) => string): Column<Run> {
  const words = (run: Run): string => {
    if (!run.plausible) return t('history.implausible')
    return run.partial ? t('history.partial') : whole(run)
  }
  return {
    key: 'state',
    header: t('column.state'),
    track,
    cell: (run) => (
      <span className={run.plausible && !run.partial ? 'ellipsis muted' : 'ellipsis warn'} title={words(run)}>
        {words(run)}
      </span>
    ),
    sortBy: words,
    csv: { plausible: (run) => String(run.plausible), partial: (run) => String(run.partial) },
  }
}

/** On which device, with its folder on hover. */
export const deviceColumn = (): Column<EarlierRun> => ({
  key: 'device',
  header: t('column.device'),
  track: 'minmax(23ch, 1.600fr)',
  cell: (run) => (
    <span className="ellipsis" title={pathForDisplay(run.directory)}>
      {pathForDisplay(run.deviceName)}
    </span>
  ),
  sortBy: (run) => run.deviceName,
  csv: { device: (run) => run.deviceName, folder: (run) => run.directory },
})

/** The view of such a column where its table is declared. */
export function shownAs<Run>({ track, cell, sortBy }: Column<Run>): Shown<Run> {
  return { track, cell, ...(sortBy && { sortBy }) }
}
