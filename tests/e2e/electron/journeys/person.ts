import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { temporaryFolder } from '../../../support/temporaryFolder'
import { type AppWindow, answerFolderDialogs, answerSaveDialog, openApp, temporaryHome } from '../appWindow'

/** From the first start to a verified set, with the answers that are not the usual ones. */
export const MOST_TO_VERIFIED = 8
/** From any page to the files of a folder, nothing typed. */
export const MOST_TO_RESTORED = 4

/** The parts of a page that a person acts on. */
type Control = 'button' | 'checkbox' | 'radio' | 'row'

/** The folders of a person: their documents, and Stowage's own data. */
export interface Desk {
  readonly place: string
  readonly documents: string
  readonly home: string
}

export async function emptyDesk(): Promise<Desk> {
  const place = await temporaryFolder()
  const documents = join(place, 'Documents')
  await mkdir(documents)
  return { place, documents, home: await temporaryHome() }
}

/**
 * Someone at the window, who finds things by the words on them. A click, a drop, a chord of keys, a text as a whole and what is
 * chosen in a dialog of the system count as one interaction each.
 */
export class Person {
  readonly #page: Page
  readonly #window: AppWindow
  #interactions = 0

  private constructor(window: AppWindow) {
    this.#page = window.page
    this.#window = window
  }

  /** Starts Stowage. */
  static async at({ documents, home }: Desk): Promise<Person> {
    const window = await openApp({ home })
    await window.app.evaluate(({ app, BrowserWindow }, folder) => {
      app.setPath('documents', folder)
      BrowserWindow.getAllWindows()[0]?.setContentSize(1440, 900)
    }, documents)
    await window.page.getByRole('heading', { level: 1 }).waitFor()
    return new Person(window)
  }

  async drops(path: string): Promise<void> {
    await this.#window.drop(path)
    this.#interactions += 1
  }

  async clicks(role: Control, name: string | RegExp): Promise<void> {
    // A row is clicked on its first words: a figure in the middle of it says where it comes from.
    await control(this.#page, role, name).click(role === 'row' ? { position: { x: 80, y: 12 } } : {})
    this.#interactions += 1
  }

  /** Scrolls to a table further down, which is no interaction. */
  async looksAt(table: string): Promise<void> {
    await this.#page.getByRole('grid', { name: table }).scrollIntoViewIfNeeded()
  }

  /** Unfolds a line of a page. */
  async unfolds(words: string): Promise<void> {
    await this.#page.locator('summary').getByText(words, { exact: true }).click()
    this.#interactions += 1
  }

  async types(text: string, label: string): Promise<void> {
    await this.#page.getByLabel(label, { exact: true }).fill(text)
    this.#interactions += 1
  }

  /** The text in a field, which is no interaction. */
  async value(label: string): Promise<string> {
    return this.#page.getByLabel(label, { exact: true }).inputValue()
  }

  async presses(keys: string): Promise<void> {
    await this.#page.keyboard.press(keys)
    this.#interactions += 1
  }

  /** Clicks what asks for a folder or for images, and chooses in the dialog. */
  async chooses(path: string, role: Control, name: string | RegExp): Promise<void> {
    await this.choosesAll([path], role, name)
  }

  /** The same with several of them in one dialog. */
  async choosesAll(paths: readonly string[], role: Control, name: string | RegExp): Promise<void> {
    await answerFolderDialogs(this.#window.app, ...paths)
    await this.clicks(role, name)
    this.#interactions += 1
  }

  /** Clicks what asks where a file is saved, and chooses in the dialog. */
  async saves(file: string, name: string | RegExp): Promise<void> {
    await answerSaveDialog(this.#window.app, file)
    await this.clicks('button', name)
    this.#interactions += 1
  }

  /** Waits until these words are on the page. */
  async reads(words: string | RegExp): Promise<void> {
    await this.#page.getByRole('main').getByText(words).first().waitFor()
  }

  /** Counted since this was asked last. */
  interactions(): number {
    const count = this.#interactions
    this.#interactions = 0
    return count
  }

  /** Keeps a picture of the window, where pictures are asked for. */
  async shows(name: string): Promise<void> {
    await this.#window.screenshot(name)
  }

  /** Closes the window, which has reported no error up to here, neither in its console nor in its log. */
  async leaves(): Promise<void> {
    const log = await this.#window.log()
    await this.#window.close()
    expect(this.#window.complaints).toEqual([])
    expect(log).not.toMatch(/internal|uncaught/)
  }
}

/** A part of a page by the words on it. */
export function control(page: Page, role: Control, name: string | RegExp): Locator {
  const found = page.getByRole(role, { name, exact: true })
  // Some radio buttons lie below their labels.
  return page.locator('label').filter({ has: found }).or(found).first()
}
