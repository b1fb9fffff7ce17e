/**
 * The room `roms` is the page ROM sets: which are complete by the DATs of a person, and what each
 * file is.
 * How: a form names folders and DATs; a job of the engine makes one document, whose rows are
 * filtered here.
 * Not here: the comparison (`src/engine/roms`), DATs of a survey (`source`).
 */

import { Button } from 'react-aria-components'
import { Folded } from '../../components/Folded'
import { EmptyState, StepPage } from '../../components/StepPage'
import { t } from '../../copy'
import { titleOfRoots } from '../../format/paths'
import { useFrame, useIsRunning, useSession, useStateOf } from '../../state/sessionContext'
import { Inputs } from './Inputs'
import { RomResult } from './RomResult'
import { RomsSession } from './romsSession'
import { isOutdated, type RomsForm, romsRequestOf } from './romsState'
import { conclusion } from './romWords'

/** Which ROM sets are complete, and what is each file? */
export function RomsStep() {
  const session = useSession(RomsSession)
  const state = useStateOf(RomsSession)
  const frame = useFrame()
  const running = useIsRunning('roms')
  const { form, document } = state
  const canStart = !running && frame.engine.state !== 'lost' && romsRequestOf(form) !== null
  const isStale = !running && isOutdated(state)
  return (
    <StepPage
      step="roms"
      says={running ? t('roms.says.running') : document === null ? t('roms.says.none') : conclusion(document)}
      banner={isStale ? t('roms.stale') : null}
      action={
        <>
          {document !== null && !running && (
            <Button className="plain" onPress={() => void session.exportJson()}>
              {t('roms.exportJson')}
            </Button>
          )}
          <Button
            className={document === null || isStale ? 'primary' : 'plain'}
            isDisabled={!canStart}
            onPress={() => void session.start()}
          >
            {t(running ? 'roms.running' : document === null ? 'roms.compare' : 'roms.again')}
          </Button>
          {document !== null && !running && !isStale && (
            <Button className="primary" onPress={() => void session.archive()}>
              {t('roms.archive')}
            </Button>
          )}
        </>
      }
    >
      <div className="roms stack" aria-busy={running}>
        {document === null ? (
          <Inputs form={form} running={running} />
        ) : (
          <Folded key={document.id} className="roms-asked" summary={inputWords(form)}>
            <Inputs form={form} running={running} />
          </Folded>
        )}
        {document !== null ? (
          <RomResult document={document} />
        ) : running ? (
          <EmptyState title={t('roms.running')} text={t('roms.empty.running')} />
        ) : (
          <p className="promise muted prose">{t('roms.promise')}</p>
        )}
      </div>
    </StepPage>
  )
}

/** The folders, DATs and layout on one line. */
function inputWords({ paths, dats, layout }: RomsForm): string {
  return t('roms.inputs', {
    folders: titleOfRoots(paths) || t('roms.paths'),
    dats: dats.length,
    layout: t(`roms.inputs.${layout ?? 'dat'}`),
  })
}
