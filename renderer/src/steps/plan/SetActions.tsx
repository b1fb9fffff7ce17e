import { useEffect } from 'react'
import { Button } from 'react-aria-components'
import type { PlanDocument } from '../../../../src/contract/dto/plan'
import { isBelow } from '../../../../src/primitives/isBelow'
import { formatSize } from '../../../../src/primitives/quantity'
import { MenuButton } from '../../components/MenuButton'
import { PathText } from '../../components/PathText'
import { t } from '../../copy'
import { useIsRunning, useSession, useStateOf, useUnits } from '../../state/sessionContext'
import { PrintMenu } from '../building/printing/PrintMenu'
import { RunSession } from '../building/runSession'
import { PlanSession } from './planSession'

const MORE = ['export'] as const

/**
 * From a plan to a verified set in one step; only its lists and scripts are the other way, and the
 * only one where another system must build.
 */
export function SetActions({
  document,
  isCurrent,
  isOff,
}: {
  document: PlanDocument
  /** The plan is of the settings that are shown. */
  isCurrent: boolean
  isOff: boolean
}) {
  const session = useSession(PlanSession)
  const runs = useSession(RunSession)
  const isBusy = useIsRunning('build', 'verify', 'write')
  const { exportedTo, place } = useStateOf(PlanSession)
  const isKnown = exportedTo !== null || place?.planId === document.id
  const build = async (): Promise<void> => {
    const directory = await session.exportToBuild()
    if (directory !== null) await runs.buildAndVerify(directory)
  }
  if (isBuiltElsewhere(document))
    return (
      <Button
        className={isCurrent && exportedTo === null ? 'primary' : 'plain'}
        isDisabled={isOff}
        onPress={() => void session.export()}
      >
        {t('set.export')}
      </Button>
    )
  return (
    <>
      {!isOff && (
        <MenuButton
          name={t('set.more')}
          all={MORE}
          words={() => t('set.export')}
          onPick={() => void session.export()}
        />
      )}
      <Button
        className={isCurrent ? 'primary' : 'plain'}
        isDisabled={isOff || isBusy || !isKnown}
        onPress={() => void build()}
      >
        {t('set.make')}
      </Button>
    </>
  )
}

/** Only macOS writes the file system of such a disk image. */
function isBuiltElsewhere({ packing }: PlanDocument): boolean {
  return packing?.image !== undefined
}

/** The line of the place while there is no plan yet, so that nothing moves when there is one. */
export function AwaitedPlace() {
  return (
    <div className="result-line line" inert>
      <span className="muted">{t('set.place')}</span>
      <Button className="quiet" isDisabled>
        {t('set.elsewhere')}
      </Button>
    </div>
  )
}

/** Where the set goes, where it is, or why it cannot go there. */
export function SetPlace({ document, isCurrent }: { document: PlanDocument; isCurrent: boolean }) {
  const session = useSession()
  const planSession = useSession(PlanSession)
  const runs = useSession(RunSession)
  const units = useUnits()
  const isBusy = useIsRunning('export')
  const { exportedTo, refusedDirectory, setAside, place } = useStateOf(PlanSession)
  const { id, roots } = document
  const isWanted = isCurrent && exportedTo === null && !isBuiltElsewhere(document)
  useEffect(() => {
    if (isWanted) void planSession.findPlace(id)
  }, [planSession, isWanted, id])
  if (refusedDirectory !== null && isCurrent)
    return (
      <div className="result-line line" role="status">
        <span>{t('plan.refused')}</span>
        <PathText path={refusedDirectory} />
        <Button className="plain" onPress={() => void planSession.replace()}>
          {t('plan.replace')}
        </Button>
        <Button className="quiet" onPress={() => void planSession.choosePlace()}>
          {t('plan.elsewhere')}
        </Button>
        <span className="muted">{t('plan.replaceKeeps')}</span>
      </div>
    )
  if (exportedTo === null) {
    if (!isWanted) return null
    return (
      <div className="result-line line">
        <span className="muted">{t('set.place')}</span>
        {place?.planId === id && <PathText path={place.directory} />}
        <Button className="quiet" isDisabled={isBusy} onPress={() => void planSession.choosePlace()}>
          {t('set.elsewhere')}
        </Button>
      </div>
    )
  }
  return (
    <div className="result-line line exported" role="status">
      <span>{t('plan.exported')}</span>
      <PathText path={exportedTo} />
      {roots.some((root) => isBelow(exportedTo, root)) && <span>{t('plan.inside')}</span>}
      {setAside !== null && (
        <>
          <span>{t('plan.setAside', { size: formatSize(setAside.bytes, units) })}</span>
          <PathText path={setAside.path} />
        </>
      )}
      <Button className="quiet" onPress={() => void session.showFolder(exportedTo, 'plan')}>
        {t('folder.show')}
      </Button>
      <PrintMenu key={exportedTo} plan={document} directory={exportedTo} step="plan" />
      <Button className="quiet" onPress={() => void runs.open(exportedTo)}>
        {t('plan.toBuild')}
      </Button>
    </div>
  )
}
