import { useEffect, useEffectEvent, useId, useState } from 'react'
import type { OpenedSet } from '../../../../src/contract/dto/openedSet'
import { formatDay } from '../../../../src/primitives/spokenTime'
import { t } from '../../copy'
import { useSession } from '../../state/sessionContext'
import { RestoreSession } from './restoreSession'

/** Milliseconds without a move after which the state is opened: a drag passes many. */
const RESTING_MS = 200

/** Which state of an archive that grows is shown and restored: its dates as steps of a slider. */
export function AsOf({
  generations,
  shown,
}: {
  /** Two or more, oldest first. */
  generations: NonNullable<OpenedSet['generations']>
  /** The one that is open; the newest where it is not given. */
  shown: number | undefined
}) {
  const session = useSession(RestoreSession)
  const id = useId()
  const last = generations.length - 1
  const open = shown === undefined ? last : generations.findIndex(({ generation }) => generation === shown)
  const [at, setAt] = useState(open < 0 ? last : open)
  const show = useEffectEvent((place: number) => {
    const generation = place === last ? null : (generations[place]?.generation ?? null)
    if (place !== open) void session.showAsOf(generation)
  })
  useEffect(() => {
    const resting = setTimeout(() => show(at), RESTING_MS)
    return () => clearTimeout(resting)
  }, [at])
  const one = generations[at]
  const date = formatDay(one?.createdWallMs ?? 0)
  const words =
    at === last
      ? t('restore.asOf.newest', { date })
      : t('restore.asOf.one', { date, generation: one?.generation ?? at + 1 })
  return (
    <div className="line as-of">
      <label htmlFor={id}>{t('restore.asOf')}</label>
      <input
        id={id}
        type="range"
        min={0}
        max={last}
        step={1}
        value={at}
        list={`${id}-dates`}
        aria-valuetext={words}
        onChange={({ target }) => setAt(Number(target.value))}
      />
      <datalist id={`${id}-dates`}>
        {generations.map(({ generation, createdWallMs }, place) => (
          <option key={generation} value={place}>
            {formatDay(createdWallMs)}
          </option>
        ))}
      </datalist>
      <output htmlFor={id}>{words}</output>
    </div>
  )
}
