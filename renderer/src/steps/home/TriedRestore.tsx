import { Button } from 'react-aria-components'
import { lastTried } from '../../../../src/contract/dto/drill'
import { t } from '../../copy'
import { useSession, useStateOf } from '../../state/sessionContext'
import { DrillSession } from '../restore/drill/drillSession'
import { sayTried, sayTriedWhole } from '../restore/drill/drillWords'
import type { HomeArchive } from './homeArchives'

/**
 * The last restore drill of an archive's media, which leads to the next one. The image in the
 * folder of the plan does not count.
 */
export function TriedRestore({ row: { sets, chain }, label }: { row: HomeArchive; label: string }) {
  const session = useSession(DrillSession)
  const drills = useStateOf(DrillSession, (state) => state.drills)
  const tried = lastTried(drills, new Set(sets.map(({ key }) => key)))
  const open = (): void =>
    session.open(
      chain.flatMap(({ plan }) => (plan?.directoryExists && plan.directory !== null ? [plan.directory] : [])),
    )
  if (tried === null)
    return (
      <Button className="home-tried never small" aria-label={t('drill.openOf', { label })} onPress={open}>
        {t('drill.open')}
      </Button>
    )
  const { tried: words, copies } = sayTried(tried)
  return (
    <Button
      className={`home-tried small ${tried.right < tried.files ? 'warn' : 'muted'}`}
      aria-label={t('drill.tried.open', { tried: `${words} ${copies}`.trim(), label })}
      onPress={open}
    >
      <span>{words}</span>{' '}
      <span className="given-name ellipsis" title={sayTriedWhole(tried)}>
        {copies}
      </span>
    </Button>
  )
}
