import { useState } from 'react'
import { Button } from 'react-aria-components'
import type { PlanDocument } from '../../../../../src/contract/dto/plan'
import { pathForDisplay } from '../../../../../src/primitives/pathText'
import { MenuButton } from '../../../components/MenuButton'
import { PathText } from '../../../components/PathText'
import { t } from '../../../copy'
import type { Page } from '../../../state/frame'
import { useSession } from '../../../state/sessionContext'
import { LabelsDialog } from './LabelsDialog'
import { initialLabels } from './labelsForm'

interface Printed {
  readonly plan: PlanDocument
  readonly directory: string
  /** Discs that are selected: their labels alone are offered first. */
  readonly picked?: readonly number[]
  readonly step: Page
}

const PRINTED = ['labels', 'report'] as const

/** Prints an exported plan: labels of its discs, and its report as PDF. */
export function PrintMenu(printed: Printed) {
  return <Printing {...printed} isMenu />
}

/** Prints the labels of the discs of an exported plan. */
export function LabelsButton(printed: Printed) {
  return <Printing {...printed} isMenu={false} />
}

function Printing({ plan, directory, picked, step, isMenu }: Printed & { isMenu: boolean }) {
  const session = useSession()
  const [form, setForm] = useState(initialLabels)
  const [isAsking, setIsAsking] = useState(false)
  const [saved, setSaved] = useState<{ path: string; coded: readonly string[] } | null>(null)
  const saveReport = async (): Promise<void> => {
    const path = await session.ask(step, session.call.app.saveReport({ directory }))
    if (path !== null) setSaved({ path, coded: [] })
  }
  const askForLabels = () => {
    if (picked !== undefined && picked.length > 0) setForm({ ...form, discs: picked.join(', ') })
    setIsAsking(true)
  }
  return (
    <>
      {isMenu ? (
        <MenuButton
          className="quiet"
          name={t('print.menu')}
          all={plan.medium.kind === 'image' ? PRINTED : (['report'] as const)}
          words={(id) => t(`print.${id}`)}
          onPick={(id) => (id === 'report' ? void saveReport() : askForLabels())}
        />
      ) : (
        <Button className="plain" onPress={askForLabels}>
          {t('print.labels')}
        </Button>
      )}
      {isAsking && (
        <LabelsDialog
          plan={plan}
          directory={directory}
          form={form}
          onChange={setForm}
          onMade={({ pdf, substituted }) => {
            setIsAsking(false)
            setSaved({ path: pdf, coded: substituted })
          }}
          onClose={() => setIsAsking(false)}
        />
      )}
      <span role="status" className="line">
        {saved !== null && (
          <>
            {t('print.saved')} <PathText path={saved.path} />
            {saved.coded[0] !== undefined && (
              <span className="warn">
                {' '}
                {t('print.coded', { count: saved.coded.length, name: pathForDisplay(saved.coded[0]) })}
              </span>
            )}
          </>
        )}
      </span>
    </>
  )
}
