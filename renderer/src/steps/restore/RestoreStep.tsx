/**
 * The room `restore` is the step Restore: getting files back out of a set.
 * How: a set is opened from volumes or the catalog, files are marked in its tree, and a queue says
 * which volumes are needed.
 * Not here: reading volumes (`src/engine/sets`).
 */

import { useEffect, useEffectEvent, useRef } from 'react'
import { Button } from 'react-aria-components'
import { StepPage } from '../../components/StepPage'
import { t } from '../../copy'
import { CatalogSession } from '../../state/catalog/catalogSession'
import { useIsRunning, useSession, useStateOf, useUnits } from '../../state/sessionContext'
import { AskedRestores } from './AskedRestores'
import { DiscQueue } from './DiscQueue'
import { DrillAction } from './drill/DrillAction'
import { DrillPanel } from './drill/DrillPanel'
import { DrillSession } from './drill/drillSession'
import { GivenSet } from './GivenSet'
import { KnownSets } from './KnownSets'
import { nextDisc } from './queueState'
import { RestoreResult } from './RestoreResult'
import { RestoreSession } from './restoreSession'
import { canRestore } from './restoreState'
import { knownSets, sayTakes, titleOf } from './restoreWords'
import { SetFiles } from './SetFiles'
import { Target } from './Target'
import { useUnitWord } from './useUnitWord'
import './restore.css'

/** Get files back: which set, which of its files; then one button. */
export function RestoreStep() {
  const session = useSession(RestoreSession)
  const state = useStateOf(RestoreSession)
  const units = useUnits()
  const running = useIsRunning('restore')
  const drilling = useIsRunning('drill')
  const isDrill = useStateOf(DrillSession, ({ isOpen }) => isOpen)
  const sets = knownSets(useStateOf(CatalogSession, ({ plans }) => plans))
  const unit = useUnitWord()
  const isChosen = state.status !== 'none'
  const sole = sets.length === 1 && !isChosen && !state.hasLeft ? sets[0]?.directory : undefined
  const choose = useEffectEvent((directory: string) => session.open([directory]))
  useEffect(() => {
    if (sole !== undefined) choose(sole)
  }, [sole])
  const result = useRef<HTMLDivElement>(null)
  const { document, asked } = state
  const isAllRead = asked !== null && nextDisc(asked) === null
  // Whoever looks at the files further down is led to what became of them.
  useEffect(() => {
    if (document) result.current?.scrollIntoView({ block: 'nearest' })
  }, [document])
  return (
    <StepPage
      step="restore"
      says={
        <span role="status">
          {isDrill && state.status === 'open' ? t('drill.step') : sayTakes(state, units, unit)}
        </span>
      }
      action={
        isDrill ? (
          <DrillAction />
        ) : isChosen ? (
          <Button
            className="primary"
            isDisabled={running || !canRestore(state)}
            onPress={() => void session.restore()}
          >
            {t(state.to === null ? 'restore.startAsking' : 'restore.start')}
          </Button>
        ) : null
      }
    >
      {isChosen ? (
        <div className="stack near">
          {asked && !isDrill && <DiscQueue asked={asked} running={running} />}
          {!state.asked && !isDrill && <AskedRestores />}
          <div role="status">
            {!running && !isDrill && document && (
              <RestoreResult document={document} isAsking={asked !== null && !isAllRead} />
            )}
          </div>
          <GivenSet state={state} sets={sets} running={running || drilling} />
          {state.set && isDrill && <DrillPanel running={drilling} />}
          {state.set && !isDrill && <SetFiles state={state} set={state.set} title={titleOf(state, sets)} />}
          {state.set && !isDrill && !isAllRead && <Target state={state} running={running} />}
        </div>
      ) : (
        <div className="stack">
          <AskedRestores />
          <KnownSets sets={sets} />
        </div>
      )}
    </StepPage>
  )
}
