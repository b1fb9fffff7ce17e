import { formatDay } from '../../../../src/primitives/spokenTime'
import { MenuButton } from '../../components/MenuButton'
import { t } from '../../copy'
import { setLabel } from '../../format/setLabel'
import type { HomeSession } from './homeSession'
import type { HomeSet } from './homeSets'

/** The intervals to choose from, in months; others come from the command line. */
const CHOICES = [6, 12, 24, 60]

/**
 * When a set should be checked again; where it was checked before, with the choice of how often.
 */
export function CheckBy({ set, home, nowWallMs }: { set: HomeSet; home: HomeSession; nowWallMs: number }) {
  const { checkByWallMs, everyMonths } = set
  const isDue = isCheckDue(set, nowWallMs)
  if (!isDue && checkByWallMs === null) return null
  const words = isDue ? t('home.checkNow') : t('home.checkBy', { day: formatDay(checkByWallMs ?? 0) })
  return (
    <span className={isDue ? 'warn small' : 'muted small'}>
      {everyMonths === null ? (
        words
      ) : (
        <MenuButton
          className="words"
          placement="bottom start"
          label={t('home.every', { label: setLabel(set) })}
          name={words}
          all={[...new Set([...CHOICES, everyMonths])].sort((one, other) => one - other).map(String)}
          chosen={String(everyMonths)}
          words={everyWords}
          onPick={(months) => void home.checkEvery(set, Number(months))}
        />
      )}
    </span>
  )
}

function isCheckDue({ checkByWallMs, problem }: HomeSet, nowWallMs: number): boolean {
  return problem?.kind === 'due' || (checkByWallMs !== null && checkByWallMs <= nowWallMs)
}

function everyWords(id: string): string {
  const months = Number(id)
  return months % 12 === 0
    ? t('home.every.years', { count: months / 12 })
    : t('home.every.months', { count: months })
}
