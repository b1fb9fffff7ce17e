// Over 600 lines because it is one table of all pages.
import type { Page } from 'playwright-core'
import { DRIVES } from '../../fixtures/fakeEngine/drives'
import { longPath } from '../../fixtures/fakeEngine/longPath'
import type { Scenario } from '../../fixtures/fakeEngine/scenario'
import { VOLUMES } from './checkedVolumes'
import { button, radio } from './controls'
import { discDrill, planDrill } from './drillPanel'
import { HOME, MANY } from './keptSets'
import { check, openedImages, tree } from './restorePanel'
import { compared, openRoms, startComparing } from './romsPage'
import {
  building,
  built,
  choosing,
  growSource,
  measured,
  measuring,
  openImage,
  planned,
  search,
  startPlan,
  startSurvey,
  step,
  surveyed,
  surveyedInPart,
  sweeping,
  title,
} from './waysToStates'
import { advance, finish } from './windowUnderTest'

/** A state of a step: the window that it needs, and the way to it. */
export interface StateOfStep {
  readonly scenario?: Scenario
  readonly reach: (page: Page) => Promise<unknown>
}

type StateName = 'nothing' | 'preliminary' | 'loading' | 'partial' | 'error' | 'done' | 'stale' | 'huge'

const PHOTOS: Scenario = {
  sources: [{ path: '/media/photos/Photos 2003–2024', kind: 'folder', name: 'Photos 2003–2024' }],
}

const DISC_BYTES = 24.5e9

/** 200 discs of 100,000 files in as many folders. */
const HUGE: Scenario = {
  ...PHOTOS,
  survey: { files: 100_000, bytes: 199.6 * DISC_BYTES, skipped: 1412, longPaths: true, sketched: true },
  walk: { folders: 100_000 },
  drives: DRIVES,
}

const MANY_MEASURED: Scenario = {
  measured: Array.from({ length: 60 }, (_, at) => ({ seed: at + 1, bytesPerSecond: 2e8 + at * 1e7 })),
  measure: { stallEvery: 9 },
}

const GONE = { code: 'io', message: 'cannot read /media/photos: input/output error' } as const
const DAMAGED = { code: 'catalog-broken', message: 'cannot read catalog.db: it is damaged' } as const

/** The states that a person can meet in each step. */
export const STATES: Readonly<Record<string, Readonly<Partial<Record<StateName, StateOfStep>>>>> = {
  home: {
    nothing: { reach: (page) => page.getByText('Drop a folder here').waitFor() },
    error: {
      scenario: { history: true, fails: { 'plan.list': DAMAGED } },
      reach: (page) => page.getByText('cannot read catalog.db', { exact: false }).first().waitFor(),
    },
    done: { scenario: HOME, reach: (page) => page.getByText('7 archives. 4 need attention.').waitFor() },
    huge: { scenario: MANY, reach: (page) => page.getByText('300 archives. 1 needs attention.').waitFor() },
  },
  source: {
    nothing: { reach: (page) => step(page, 'Control+1', 'Source') },
    loading: {
      scenario: { ...PHOTOS, walk: { held: true } },
      reach: (page) => title(page, 'Source'),
    },
    partial: {
      scenario: PHOTOS,
      reach: async (page) => {
        await page.getByRole('checkbox', { name: 'Keep Exports', exact: true }).click()
        await page.getByText('left out', { exact: false }).first().waitFor()
      },
    },
    error: {
      scenario: { ...PHOTOS, fails: { 'survey.start': GONE, 'survey.walk': GONE } },
      reach: async (page) => {
        await button(page, 'Start survey').click()
        await page.getByRole('alert').getByText('Cannot read', { exact: false }).first().waitFor()
      },
    },
    done: { scenario: PHOTOS, reach: (page) => page.getByText('1 source, ready').waitFor() },
    stale: {
      scenario: PHOTOS,
      reach: async (page) => {
        await surveyed(page)
        await growSource(page)
      },
    },
    huge: { scenario: HUGE, reach: (page) => page.getByText('1 source, ready').waitFor() },
  },
  survey: {
    nothing: { reach: (page) => step(page, 'Control+2', 'Survey') },
    loading: { scenario: PHOTOS, reach: startSurvey },
    partial: { scenario: PHOTOS, reach: surveyedInPart },
    error: {
      scenario: { ...PHOTOS, jobFails: { survey: GONE } },
      reach: async (page) => {
        await startSurvey(page)
        await finish(page)
        await page.getByRole('heading', { name: 'The survey failed' }).waitFor()
      },
    },
    done: { scenario: PHOTOS, reach: surveyed },
    stale: {
      scenario: PHOTOS,
      reach: async (page) => {
        await surveyed(page)
        await growSource(page)
        await step(page, 'Control+2', 'Survey')
      },
    },
    huge: { scenario: HUGE, reach: surveyed },
  },
  measure: {
    nothing: { reach: (page) => step(page, 'Control+8', 'Measure') },
    loading: { reach: measuring },
    partial: {
      reach: async (page) => {
        await measuring(page)
        await advance(page, 0.5)
        await button(page, 'Cancel').click()
        await page.getByText('Stopped early', { exact: false }).first().waitFor()
      },
    },
    error: {
      scenario: {
        jobFails: { measure: { code: 'io', message: 'cannot write /mnt/fast: the disk went away' } },
      },
      reach: async (page) => {
        await measuring(page)
        await finish(page)
        await page.getByText('the disk went away', { exact: false }).first().waitFor()
      },
    },
    done: {
      reach: async (page) => {
        await measuring(page)
        await finish(page)
        await page.getByRole('button', { name: /^Measure, done/ }).waitFor()
      },
    },
    huge: { scenario: MANY_MEASURED, reach: measured },
  },
  bands: {
    nothing: {
      reach: async (page) => {
        await step(page, 'Control+8', 'Measure')
        await page.getByRole('radio', { name: 'Band sizes' }).click()
      },
    },
    loading: {
      reach: async (page) => {
        await sweeping(page)
        await button(page, 'Sweep band sizes').click()
        await advance(page, 0)
      },
    },
    partial: {
      reach: async (page) => {
        await sweeping(page)
        await button(page, 'Sweep band sizes').click()
        await advance(page, 0.7)
        await button(page, 'Cancel').click()
        await page.getByText('Stopped early', { exact: false }).first().waitFor()
      },
    },
    error: {
      scenario: {
        sweep: {
          refusal: {
            code: 'no-space',
            message: 'cannot sweep band sizes in /mnt/fast: only 1.00 GB are free',
          },
        },
      },
      reach: async (page) => {
        await step(page, 'Control+8', 'Measure')
        await page.getByRole('radio', { name: 'Band sizes' }).click()
        await button(page, 'Choose a folder…').click()
        await page.getByText('Cannot start:').waitFor()
      },
    },
    done: {
      reach: async (page) => {
        await sweeping(page)
        await button(page, 'Sweep band sizes').click()
        await finish(page)
        await page.getByText('The device counted', { exact: false }).first().waitFor({ state: 'attached' })
      },
    },
  },
  candidates: {
    nothing: { reach: (page) => step(page, 'Control+3', 'Choose') },
    loading: {
      scenario: PHOTOS,
      reach: async (page) => {
        await startSurvey(page)
        await advance(page, 0.4)
        await step(page, 'Control+3', 'Choose')
      },
    },
    partial: {
      scenario: PHOTOS,
      reach: async (page) => {
        await surveyedInPart(page)
        await step(page, 'Control+3', 'Choose')
        await page.getByRole('article', { name: 'Encrypted vault' }).waitFor()
      },
    },
    error: {
      scenario: {
        ...PHOTOS,
        fails: { 'options.candidates': { code: 'not-found', message: 'no survey s1 in the catalog' } },
      },
      reach: async (page) => {
        await surveyed(page)
        await step(page, 'Control+3', 'Choose')
        await page.getByText('no survey s1', { exact: false }).first().waitFor()
      },
    },
    done: {
      scenario: PHOTOS,
      reach: async (page) => {
        await surveyed(page)
        await step(page, 'Control+3', 'Choose')
        await page.getByRole('article', { name: 'Encrypted vault' }).waitFor()
      },
    },
    stale: {
      scenario: PHOTOS,
      reach: async (page) => {
        await surveyed(page)
        await step(page, 'Control+3', 'Choose')
        await page.getByRole('article', { name: 'Encrypted vault' }).waitFor()
        await growSource(page)
        await step(page, 'Control+3', 'Choose')
      },
    },
    huge: {
      scenario: HUGE,
      reach: async (page) => {
        await surveyed(page)
        await step(page, 'Control+3', 'Choose')
        await page.getByRole('article', { name: 'Encrypted vault' }).waitFor()
      },
    },
  },
  choose: {
    nothing: {
      reach: async (page) => {
        await step(page, 'Control+3', 'Choose')
        await radio(page, 'All options').click()
      },
    },
    loading: {
      scenario: { ...PHOTOS, options: { held: [0] } },
      reach: async (page) => {
        await surveyed(page)
        await step(page, 'Control+3', 'Choose')
        await radio(page, 'All options').click()
      },
    },
    preliminary: {
      scenario: PHOTOS,
      reach: async (page) => {
        await page.getByText('1 source, ready').waitFor()
        await step(page, 'Control+3', 'Choose')
        await page.getByText('A preliminary estimate', { exact: false }).first().waitFor()
      },
    },
    error: {
      scenario: {
        ...PHOTOS,
        fails: { 'options.list': { code: 'not-found', message: 'no survey s1 in the catalog' } },
      },
      reach: async (page) => {
        await surveyed(page)
        await step(page, 'Control+3', 'Choose')
        await radio(page, 'All options').click()
        await page.getByText('no survey s1', { exact: false }).first().waitFor()
      },
    },
    done: { scenario: PHOTOS, reach: choosing },
    stale: {
      scenario: PHOTOS,
      reach: async (page) => {
        await choosing(page)
        await growSource(page)
        await step(page, 'Control+3', 'Choose')
      },
    },
    huge: { scenario: { ...HUGE, options: { built: 40 } }, reach: choosing },
  },
  accuracy: {
    done: {
      scenario: { ...PHOTOS, options: { built: 4 } },
      reach: async (page) => {
        await choosing(page)
        await radio(page, 'Forecast vs. actual').click()
        await page.getByRole('table', { name: 'Builds' }).waitFor()
      },
    },
    huge: {
      scenario: { ...HUGE, options: { built: 200 } },
      reach: async (page) => {
        await choosing(page)
        await radio(page, 'Forecast vs. actual').click()
        await page.getByRole('table', { name: 'Builds' }).waitFor()
      },
    },
  },
  plan: {
    nothing: { reach: (page) => step(page, 'Control+4', 'Plan') },
    preliminary: {
      scenario: PHOTOS,
      reach: async (page) => {
        await page.getByText('1 source, ready').waitFor()
        await step(page, 'Control+4', 'Plan')
        await page.getByRole('region', { name: 'Draft of the discs' }).getByRole('option').first().waitFor()
      },
    },
    loading: {
      scenario: HUGE,
      reach: async (page) => {
        await startPlan(page)
        await advance(page, 0.4)
        await page.getByText(/^Planning \d+ discs, \d+ of \d+$/).waitFor()
      },
    },
    partial: {
      scenario: {
        ...PHOTOS,
        problems: [
          { code: 'name-unsupported', message: 'a name is too long', path: longPath(3), blocking: true },
        ],
      },
      reach: planned,
    },
    error: {
      scenario: {
        ...PHOTOS,
        jobFails: { plan: { code: 'tool-missing', message: 'xorriso is not installed' } },
      },
      reach: async (page) => {
        await startPlan(page)
        await finish(page)
        await page.getByText('xorriso is not installed', { exact: false }).first().waitFor()
      },
    },
    done: { scenario: PHOTOS, reach: planned },
    stale: {
      scenario: PHOTOS,
      reach: async (page) => {
        await planned(page)
        await growSource(page)
        await step(page, 'Control+4', 'Plan')
      },
    },
    huge: { scenario: HUGE, reach: planned },
  },
  build: {
    nothing: { reach: (page) => step(page, 'Control+5', 'Build') },
    loading: { scenario: PHOTOS, reach: building },
    partial: {
      scenario: PHOTOS,
      reach: async (page) => {
        await building(page)
        await button(page, 'Cancel').click()
        await page.getByText('Nothing is running', { exact: true }).first().waitFor()
      },
    },
    error: {
      scenario: {
        ...PHOTOS,
        jobFails: { build: { code: 'no-space', message: 'cannot write /media/backup: no space left' } },
      },
      reach: async (page) => {
        await building(page)
        await finish(page)
        await page.getByRole('button', { name: /^Build, failed/ }).waitFor()
      },
    },
    done: {
      scenario: PHOTOS,
      reach: async (page) => {
        await built(page)
        await page.getByText('Built and verified', { exact: false }).first().waitFor()
      },
    },
    stale: {
      scenario: PHOTOS,
      reach: async (page) => {
        await built(page)
        await page.getByText('Built and verified', { exact: false }).first().waitFor()
        await growSource(page)
        await step(page, 'Control+5', 'Build')
      },
    },
    huge: { scenario: { ...HUGE, failingVolumes: [2, 150] }, reach: built },
  },
  catalog: {
    nothing: { reach: (page) => step(page, 'Control+6', 'Catalog') },
    error: {
      scenario: { history: true, fails: { 'plan.list': DAMAGED, 'catalog.find': DAMAGED } },
      reach: async (page) => {
        await search(page)
        await page.getByText('cannot read catalog.db', { exact: false }).first().waitFor()
      },
    },
    partial: {
      scenario: { history: true, found: 0 },
      reach: async (page) => {
        await search(page)
        await page.getByText('Nothing', { exact: false }).first().waitFor()
      },
    },
    done: {
      scenario: { history: true, checksDue: VOLUMES },
      reach: (page) => step(page, 'Control+6', 'Catalog'),
    },
    huge: {
      scenario: { ...MANY, history: true, found: 500 },
      reach: async (page) => {
        await search(page)
        await page.getByRole('heading', { name: '500 files found' }).waitFor()
      },
    },
  },
  restore: {
    nothing: { reach: (page) => step(page, 'Control+7', 'Restore') },
    loading: {
      scenario: { history: true },
      reach: async (page) => {
        await step(page, 'Control+7', 'Restore')
        await check(page, '2003').click()
        await button(page, 'Restore…').click()
        await page.waitForFunction(() => window.fake.callsOf('restore.start').length === 1)
        await advance(page, 0.4)
      },
    },
    partial: {
      reach: async (page) => {
        await openedImages(page)
        await check(page, '2003').click()
        await check(page, '2015').click()
        await button(page, 'Restore…').click()
        await finish(page)
        await page.getByText('is needed for', { exact: false }).first().waitFor()
      },
    },
    error: {
      scenario: { history: true, jobFails: { restore: GONE } },
      reach: async (page) => {
        await step(page, 'Control+7', 'Restore')
        await check(page, '2003').click()
        await button(page, 'Restore…').click()
        await page.waitForFunction(() => window.fake.callsOf('restore.start').length === 1)
        await finish(page)
        await page.getByText('input/output error', { exact: false }).first().waitFor()
      },
    },
    done: {
      scenario: { history: true },
      reach: async (page) => {
        await step(page, 'Control+7', 'Restore')
        await check(page, '2003').click()
        await button(page, 'Restore…').click()
        await page.waitForFunction(() => window.fake.callsOf('restore.start').length === 1)
        await finish(page)
        await button(page, 'Show in folder').waitFor()
      },
    },
    huge: {
      scenario: { history: true, setLargest: 100_000 },
      reach: async (page) => {
        await step(page, 'Control+7', 'Restore')
        await button(page, 'Open 2003').click()
        await button(page, 'Open Alps').click()
        await tree(page).getByText('IMG_00000.CR2', { exact: true }).waitFor()
      },
    },
  },
  drill: {
    loading: {
      scenario: { history: true },
      reach: async (page) => {
        await planDrill(page)
        await button(page, 'Start the drill').click()
        await advance(page, 0.4)
      },
    },
    partial: {
      scenario: {
        history: true,
        drillTakes: { unpacked: { archives: 2, bytes: 3e9 }, spaceBytes: 3.001e9, freeBytes: 1e9 },
      },
      reach: planDrill,
    },
    error: {
      scenario: {
        history: true,
        jobFails: { drill: { code: 'verification-failed', message: 'files did not come back' } },
      },
      reach: async (page) => {
        await planDrill(page)
        await button(page, 'Start the drill').click()
        await finish(page)
        await page.getByRole('list', { name: 'Files that did not come back' }).waitFor()
      },
    },
    done: {
      scenario: { history: true },
      reach: async (page) => {
        await discDrill(page)
        await button(page, 'Start the drill').click()
        await finish(page)
        await page.getByText('20 of 20 files came back', { exact: false }).waitFor()
      },
    },
  },
  images: {
    nothing: {
      reach: async (page) => {
        await step(page, 'Control+9', 'Images')
        await page.getByRole('region', { name: 'Preview' }).waitFor()
      },
    },
    loading: {
      reach: async (page) => {
        await openImage(page)
        await button(page, 'Verify').click()
        await advance(page, 0.5)
      },
    },
    error: {
      scenario: { jobFails: { image: { code: 'io', message: 'cannot read band 3f: input/output error' } } },
      reach: async (page) => {
        await openImage(page)
        await button(page, 'Verify').click()
        await finish(page)
        await page.getByText('input/output error', { exact: false }).first().waitFor()
      },
    },
    done: {
      scenario: { image: { problems: Array.from({ length: 40 }, (_, at) => `band ${at} cannot be read`) } },
      reach: async (page) => {
        await openImage(page)
        await button(page, 'Verify').click()
        await finish(page)
        await page.getByText('40 problems found.').waitFor()
      },
    },
  },
  roms: {
    nothing: { reach: openRoms },
    loading: {
      reach: async (page) => {
        await openRoms(page)
        await startComparing(page)
        await advance(page, 0.4)
      },
    },
    partial: {
      scenario: { roms: { skipped: 900 } },
      reach: async (page) => {
        await openRoms(page)
        await compared(page)
        await page.getByText('900 paths were not read', { exact: true }).click()
        await page.getByRole('region', { name: /900 paths were not read/ }).waitFor()
      },
    },
    error: {
      scenario: {
        jobFails: { roms: { code: 'bad-input', message: 'cannot read NES.dat: line 7: no size' } },
      },
      reach: async (page) => {
        await openRoms(page)
        await startComparing(page)
        await finish(page)
        await page.getByText('Cannot read NES.dat', { exact: false }).first().waitFor()
      },
    },
    done: {
      reach: async (page) => {
        await openRoms(page)
        await compared(page)
      },
    },
    huge: {
      scenario: { roms: { games: 20_000 } },
      reach: async (page) => {
        await openRoms(page)
        await compared(page)
      },
    },
  },
}
