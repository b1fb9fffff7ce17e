import { useMemo, useState } from 'react'
import { Button } from 'react-aria-components'
import { BUILT_COPY, FEWEST_COPIES, isLeft } from '../../../../src/contract/dto/copies'
import type { PlanDocument } from '../../../../src/contract/dto/plan'
import { TextLine } from '../../components/fields'
import { Panel } from '../../components/Panel'
import { t } from '../../copy'
import { isTroubled, sayHealth } from '../../format/healthWords'
import { CatalogSession } from '../../state/catalog/catalogSession'
import { CopiesSession } from '../../state/catalog/copiesSession'
import { keptSetOf } from '../../state/catalog/keptArchive'
import { useSession, useStateOf } from '../../state/sessionContext'
import { type BuildState, nextCopy } from './buildState'
import { LabelsButton } from './printing/PrintMenu'
import { RunSession } from './runSession'

/**
 * A copy was written: how well the copies keep the set now, where this one is kept if nobody said,
 * and what comes next.
 */
export function AfterWrite({
  build,
  plan,
  directory,
  off,
}: {
  build: BuildState
  plan: PlanDocument
  directory: string
  off: boolean
}) {
  const session = useSession(RunSession)
  const next = useNextWanted(build)
  const copy = writtenCopy(build)
  const copies = useStateOf(CopiesSession, (state) => state.copies)
  const volumes = plan.volumes.length + (plan.parity?.length ?? 0)
  const made = copies.filter((each) => each.planId === plan.id && each.copy === copy && isLeft(each)).length
  return (
    <Panel
      title={t(made < volumes ? 'after.title.some' : 'after.title', { copy, count: made, of: volumes })}
      says={<Health planId={plan.id} />}
      className="after-write"
    >
      <AskPlace plan={plan} first={copy} off={off} />
      <div className="row-actions">
        {next !== null && (
          <Button className="primary" isDisabled={off} onPress={() => void session.openWriting()}>
            {t('after.next', { copy: next })}
          </Button>
        )}
        {plan.medium.kind === 'image' && (
          <LabelsButton plan={plan} directory={directory} picked={build.picked} step="build" />
        )}
      </div>
    </Panel>
  )
}

/** The next copy that is wanted, two if nobody said how many; null where all are written. */
export function useNextWanted(build: BuildState): number | null {
  const copies = useStateOf(CopiesSession, (state) => state.copies)
  const next = nextCopy(build, copies)
  return next <= (build.plan?.copies ?? FEWEST_COPIES) ? next : null
}

function writtenCopy({ write }: BuildState): number {
  return write?.target?.copy ?? 1
}

/** The health of the set of a plan, by what the catalog noted. */
function Health({ planId }: { planId: string }) {
  const known = useStateOf(CatalogSession, (catalog) => catalog.archives)
  const copies = useStateOf(CopiesSession, (state) => state.copies)
  const set = useMemo(() => keptSetOf(planId, known, copies), [planId, known, copies])
  if (set === null) return null
  const { status, says } = sayHealth(set.health)
  return (
    <>
      <strong className={isTroubled(set.health) ? 'warn' : undefined}>{status}</strong> {says}
    </>
  )
}

/** Asks where a copy is kept of which nobody said it: the one that was written last at first. */
function AskPlace({ plan, first, off }: { plan: PlanDocument; first: number; off: boolean }) {
  const session = useSession(CopiesSession)
  const all = useStateOf(CopiesSession, (state) => state.copies)
  const [typed, setTyped] = useState('')
  const unplaced = all.filter(
    (copy) => copy.planId === plan.id && copy.copy !== BUILT_COPY && isLeft(copy) && copy.place === null,
  )
  const copy = unplaced.some((each) => each.copy === first) ? first : unplaced[0]?.copy
  if (copy === undefined) return null
  const note = async (): Promise<void> => {
    await session.notePlaceOf(
      unplaced.filter((each) => each.copy === copy),
      typed,
    )
    setTyped('')
  }
  return (
    <form
      className="line after-write-place"
      onSubmit={(event) => {
        event.preventDefault()
        void note()
      }}
    >
      <TextLine
        label={t('after.where', { copy })}
        example={t('write.place.example')}
        text={typed}
        isWrong={false}
        longest={200}
        isDisabled={off}
        onChange={setTyped}
      />
      <Button className="plain" type="submit" isDisabled={off || typed.trim() === ''}>
        {t('copies.place.note')}
      </Button>
    </form>
  )
}
