import { useState } from 'react'
import { pathForDisplay } from '../../../../src/primitives/pathText'
import { MenuButton } from '../../components/MenuButton'
import { PathText } from '../../components/PathText'
import { t } from '../../copy'
import type { Page } from '../../state/frame'
import { useFrame, useSession } from '../../state/sessionContext'

const PRINTED = ['labels', 'report'] as const

/** Prints an exported plan: labels of its discs, and its report as PDF. */
export function PrintMenu({
  directory,
  hasDiscs,
  step,
}: {
  directory: string
  hasDiscs: boolean
  step: Page
}) {
  const session = useSession()
  const { language } = useFrame()
  const [saved, setSaved] = useState<{ path: string; coded: readonly string[] } | null>(null)
  const saveReport = async (): Promise<void> => {
    const path = await session.ask(step, session.call.app.saveReport({ directory }))
    if (path !== null) setSaved({ path, coded: [] })
  }
  const saveLabels = async (): Promise<void> => {
    const out = await session.ask(step, session.call.app.chooseDirectory({ purpose: 'labels' }))
    if (out === null) return
    const made = await session.ask(
      step,
      session.call.plan.labels({ directory, out, language: language === 'de' ? 'de' : 'en' }),
    )
    if (made !== null) setSaved({ path: made.pdf, coded: made.substituted })
  }
  return (
    <>
      <MenuButton
        className="quiet"
        name={t('print.menu')}
        placement="bottom start"
        all={hasDiscs ? PRINTED : (['report'] as const)}
        words={(id) => t(`print.${id}`)}
        onPick={(id) => void (id === 'report' ? saveReport() : saveLabels())}
      />
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
