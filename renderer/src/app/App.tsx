/**
 * The room `app` is the frame of the window: rail, top bar, strip of jobs, help, shortcuts.
 * How: it shows the step in hand; the session joins those of all steps.
 * Not here: the steps (`steps`), their shared state (`state`).
 */

import { type MouseEvent, useEffect } from 'react'
import { I18nProvider } from 'react-aria-components'
import { Notices } from '../components/Notices'
import { t } from '../copy'
import { useFrame, useSession } from '../state/sessionContext'
import { ArchivePage } from '../steps/archive/ArchivePage'
import { BuildStep } from '../steps/building/BuildStep'
import { CatalogStep } from '../steps/catalog/CatalogStep'
import { ChooseStep } from '../steps/choose/ChooseStep'
import { HomePage } from '../steps/home/HomePage'
import { ImagesStep } from '../steps/images/ImagesStep'
import { MeasureStep } from '../steps/measure/MeasureStep'
import { PlanStep } from '../steps/plan/PlanStep'
import { RestoreStep } from '../steps/restore/RestoreStep'
import { RomsStep } from '../steps/roms/RomsStep'
import { SettingsPage } from '../steps/settings/SettingsPage'
import { SourceStep } from '../steps/source/SourceStep'
import { SurveyStep } from '../steps/survey/SurveyStep'
import { DropOverlay } from './DropOverlay'
import { EngineBanner } from './EngineBanner'
import { HandQuestion } from './HandQuestion'
import { HelpDialogs } from './help/HelpDialogs'
import { useLanguage } from './language'
import { Rail } from './Rail'
import { Strip } from './Strip'
import { Session } from './session'
import { useShortcuts } from './shortcuts'
import { TopBar } from './TopBar'
import { useTheme } from './theme'
import { UndoNote } from './UndoNote'
import { useStepState } from './useStepState'

const PAGES = {
  home: HomePage,
  archive: ArchivePage,
  source: SourceStep,
  survey: SurveyStep,
  measure: MeasureStep,
  choose: ChooseStep,
  plan: PlanStep,
  build: BuildStep,
  catalog: CatalogStep,
  restore: RestoreStep,
  images: ImagesStep,
  roms: RomsStep,
  settings: SettingsPage,
} as const

/** The window: rail, the step in hand or the settings, the strip of running work. */
export function App() {
  const session = useSession(Session)
  const { step } = useFrame()
  const state = useStepState(step)
  useEffect(() => session.start(), [session])
  useEffect(() => {
    const forget = () => session.options.forget()
    addEventListener('blur', forget)
    return () => removeEventListener('blur', forget)
  }, [session])
  const language = useLanguage()
  useTheme()
  useShortcuts()
  const Page = PAGES[step]
  return (
    <I18nProvider locale={language === 'pseudo' ? 'en' : language} key={language}>
      <div className="window">
        <a className="skip-link" href="#step" onClick={skipToStep}>
          {t('skip.link')}
        </a>
        <TopBar />
        <div className="middle">
          <Rail />
          <main className="main" key={step} id="step">
            <EngineBanner />
            <Notices step={null} />
            <Page state={state} />
          </main>
        </div>
        <Strip />
        <UndoNote />
        <DropOverlay />
        <HandQuestion />
        <HelpDialogs />
      </div>
    </I18nProvider>
  )
}

/** The page stays as it is: only the focus goes on. */
function skipToStep(event: MouseEvent): void {
  event.preventDefault()
  document.querySelector<HTMLElement>('main h1')?.focus()
}
