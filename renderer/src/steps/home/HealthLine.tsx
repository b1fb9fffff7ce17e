import { useMemo } from 'react'
import { Button } from 'react-aria-components'
import { BUILT_COPY, type CopyHealth, HEALTH_KINDS } from '../../../../src/contract/dto/copies'
import { t } from '../../copy'
import { sayHealth, sayWho } from '../../format/healthWords'
import { CatalogSession } from '../../state/catalog/catalogSession'
import { CopiesSession } from '../../state/catalog/copiesSession'
import { keptArchive } from '../../state/catalog/keptArchive'
import { useSession, useStateOf } from '../../state/sessionContext'
import { ArchiveSession } from '../archive/archiveSession'

/**
 * How many copies an archive has at how many places, or the copy that is lost or damaged: of its
 * worst set, by what the catalog noted. The image in the folder of the plan does not count. Leads
 * to the page of these copies.
 */
export function HealthLine({ archive, label }: { archive: string; label: string }) {
  const session = useSession(ArchiveSession)
  const known = useStateOf(CatalogSession, (catalog) => catalog.archives)
  const copies = useStateOf(CopiesSession, (state) => state.copies)
  const health = useMemo(() => worstOf(keptArchive(archive, known, copies)), [archive, known, copies])
  if (health === null) return null
  const words = shortWords(health)
  const { status, says } = sayHealth(health)
  const isBad = health.kind === 'gone' || health.kind === 'damaged' || health.kind === 'lost'
  return (
    <Button
      className={isBad ? 'home-tried small warn' : 'home-tried small muted'}
      aria-label={t('home.health.open', { health: words, label })}
      onPress={() => session.open(archive)}
    >
      <span className="given-name ellipsis" title={`${words}. ${status} ${says}`}>
        {words}
      </span>
    </Button>
  )
}

function worstOf(kept: ReturnType<typeof keptArchive>): CopyHealth | null {
  const written = (kept?.sets ?? []).filter(({ copies }) => copies.some(({ copy }) => copy !== BUILT_COPY))
  const all = written.map(({ health }) => health)
  return HEALTH_KINDS.flatMap((kind) => all.find((health) => health.kind === kind) ?? [])[0] ?? null
}

function shortWords(health: CopyHealth): string {
  const { kind, copies, places, unmade, volumes } = health
  if (kind === 'gone') return t('home.health.gone', { who: sayWho(health) })
  if (kind === 'damaged' || kind === 'lost') return t(`home.health.${kind}`, { who: sayWho(health) })
  if (kind === 'unmade') return t('home.health.unmade', { count: unmade, of: volumes })
  return t('home.health.copies', { copies, places })
}
