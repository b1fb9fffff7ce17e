import { useMemo } from 'react'
import { BUILT_COPY, type CopyHealth, HEALTH_KINDS } from '../../../../src/contract/dto/copies'
import { t } from '../../copy'
import { sayHealth, sayWho } from '../../format/healthWords'
import { CatalogSession } from '../../state/catalog/catalogSession'
import { CopiesSession } from '../../state/catalog/copiesSession'
import { keptArchive } from '../../state/catalog/keptArchive'
import { useStateOf } from '../../state/sessionContext'

/**
 * How many copies an archive has at how many places, or the copy that is lost or damaged: of its
 * worst set, by what the catalog noted. The image in the folder of the plan does not count.
 */
export function HealthLine({ archive }: { archive: string }) {
  const known = useStateOf(CatalogSession, (catalog) => catalog.archives)
  const copies = useStateOf(CopiesSession, (state) => state.copies)
  const health = useMemo(() => worstOf(keptArchive(archive, known, copies)), [archive, known, copies])
  const words = health && shortWords(health)
  if (health === null || words === null) return null
  const { status, says } = sayHealth(health)
  const isBad = health.kind === 'gone' || health.kind === 'damaged' || health.kind === 'lost'
  return (
    <span className={isBad ? 'small warn ellipsis' : 'small muted ellipsis'} title={`${status} ${says}`}>
      {words}
    </span>
  )
}

function worstOf(kept: ReturnType<typeof keptArchive>): CopyHealth | null {
  const written = (kept?.sets ?? []).filter(({ copies }) => copies.some(({ copy }) => copy !== BUILT_COPY))
  const all = written.map(({ health }) => health)
  return HEALTH_KINDS.flatMap((kind) => all.find((health) => health.kind === kind) ?? [])[0] ?? null
}

function shortWords(health: CopyHealth): string | null {
  const { kind, copies, places } = health
  if (kind === 'gone') return t('home.health.gone', { who: sayWho(health) })
  if (kind === 'damaged' || kind === 'lost') return t(`home.health.${kind}`, { who: sayWho(health) })
  return copies === 0 ? null : t('home.health.copies', { copies, places })
}
