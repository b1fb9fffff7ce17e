import { useState } from 'react'
import { Button } from 'react-aria-components'
import type { JobKind } from '../../../../src/contract/dto/job'
import { Check } from '../../components/fields'
import { PathText } from '../../components/PathText'
import { EmptyState, StepPage } from '../../components/StepPage'
import { t } from '../../copy'
import { titleOfRoots } from '../../format/paths'
import { runningOf } from '../../state/jobs'
import { useSession, useUnits } from '../../state/sessionContext'
import { useStore } from '../../state/store'
import { useStepState } from '../../state/useStepState'
import { BuildPassword } from './BuildPassword'
import { type BuildState, buildRows } from './buildState'
import { RunPanel } from './RunPanel'
import { RunTotals } from './RunTotals'

/** Is it really happening, and right? Forecast vs. actual, volume by volume. */
export function BuildStep() {
  const session = useSession()
  const { stores } = session
  const units = useUnits()
  const build = useStore(stores.build)
  const plan = useStore(stores.plan)
  const frame = useStore(stores.frame)
  const job = useStore(stores.jobs, (jobs) => runningOf(jobs, 'build', 'verify'))
  const able = job === null && build.directory !== null && frame.engine.state !== 'lost'
  const state = useStepState('build')
  const { built, verified, failed } = standing(build)
  const count = build.picked.length
  const packsAgain = built && build.plan?.packing !== undefined
  const [askedFor, setAskedFor] = useState<string | null>(null)
  const encryption = build.plan?.packing?.encryption ?? 'none'
  // Volumes that were packed before stay as they are: their password is given already.
  const isAsking = encryption !== 'none' && (built || build.build === null)
  const isAsked = encryption !== 'none' && askedFor !== null && askedFor === build.directory && job === null
  const start = () => {
    if (isAsking) setAskedFor(build.directory)
    else void session.build(built)
  }
  return (
    <StepPage
      step="build"
      says={sayWhat(build, job?.kind ?? null)}
      banner={
        build.directory !== null && (state === 'failed' || state === 'stale') ? t(`build.${state}`) : null
      }
      action={
        build.directory !== null && (
          <>
            <Button
              className={built && !failed ? 'plain' : 'primary last'}
              isDisabled={!able || isAsked}
              onPress={start}
            >
              {t(
                count === 0 || packsAgain
                  ? built || state === 'failed'
                    ? 'build.again'
                    : 'build.all'
                  : 'build.some',
                {
                  count,
                },
              )}
            </Button>
            <Button
              className={built && !verified && !failed ? 'primary' : 'plain'}
              isDisabled={!able}
              onPress={() => void session.verify()}
            >
              {t(count === 0 ? 'build.verifyAll' : 'build.verifySome', { count })}
            </Button>
            {verified && !failed && (
              <Button
                className="primary last"
                onPress={() => void session.showFolder(build.directory as string, 'build')}
              >
                {t(build.plan?.medium.kind === 'folder' ? 'build.showSet' : 'build.showImages')}
              </Button>
            )}
          </>
        )
      }
    >
      {build.directory === null ? (
        <EmptyState title={t('build.empty.title')} text={t('build.empty.text')}>
          {plan.exportedTo !== null && (
            <Button className="plain" onPress={() => void session.openExported(plan.exportedTo ?? undefined)}>
              {t('build.openLast')}
            </Button>
          )}
          <Button className="plain" onPress={() => void session.openExported()}>
            {t('build.open')}
          </Button>
        </EmptyState>
      ) : (
        <div className="build">
          <div className="result-line">
            <span>{build.plan ? titleOfRoots(build.plan.roots) : t('build.folder')}</span>
            <PathText path={build.directory} />
            <Button
              className="quiet"
              onPress={() => void session.showFolder(build.directory as string, 'build')}
            >
              {t('folder.show')}
            </Button>
            <Button className="quiet" isDisabled={job !== null} onPress={() => void session.openExported()}>
              {t('build.openOther')}
            </Button>
          </div>
          {build.plan?.packing?.arrangement === 'independent' && build.plan.volumes.length > 1 && !built && (
            <Check
              words={t('build.stream')}
              note={t('build.stream.note')}
              isOn={build.stream}
              isDisabled={job !== null}
              onChange={(on) => stores.build.dispatch({ type: 'stream', on })}
            />
          )}
          {isAsked && (
            <BuildPassword
              encryption={encryption}
              onStart={(password) => {
                setAskedFor(null)
                void session.build(built, password)
              }}
              onCancel={() => setAskedFor(null)}
            />
          )}
          <RunTotals build={build} units={units} />
          <RunPanel rows={buildRows(build)} job={job} units={units} />
        </div>
      )}
    </StepPage>
  )
}

/** How far the volumes in hand are: the picked ones, or all. What is built already is built again only by force. */
function standing(build: BuildState): { built: boolean; verified: boolean; failed: boolean } {
  const rows = buildRows(build).filter((row) => build.picked.length === 0 || build.picked.includes(row.index))
  return {
    built: rows.length > 0 && rows.every(({ build: made }) => made !== null && isWhole(made)),
    verified: rows.length > 0 && rows.every(({ verify }) => verify !== null && isWhole(verify)),
    failed: rows.some((row) => row.verify?.state === 'failed'),
  }
}

function isWhole({ state }: { readonly state: string }): boolean {
  return state === 'done' || state === 'kept'
}

function sayWhat(build: BuildState, running: JobKind | null): string {
  if (build.directory === null) return t('build.says.none')
  const isPacked = build.plan?.packing !== undefined
  if (running === 'verify') return t('build.says.verifying')
  if (running) return t(isPacked ? 'build.says.runningPacked' : 'build.says.running')
  const { verify, build: made } = build
  const verified = isPacked ? 'build.says.verifiedPacked' : 'build.says.verified'
  if (verify) return t(verify.outcome === 'done' ? verified : 'build.says.notVerified')
  if (made?.outcome === 'done') return t('build.says.built')
  if (made) return t(made.volumes.some(isWhole) ? 'build.says.notBuilt' : 'build.says.nothingBuilt')
  return build.plan ? t('build.says.ready', { count: build.plan.totals.volumes }) : t('build.says.unknown')
}
