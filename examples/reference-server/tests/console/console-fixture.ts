import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest'
import { ADMIN_PASSWORD, type ServerOptions, type ServerProcess, startServer } from '../server-process.ts'
import { hasBrowser, openBrowser } from './browser.ts'

/** The time limit of each wait, long enough for a busy machine. */
export const WAIT_OPTIONS = { timeout: 60_000 }

/** The time limit of a whole test. */
const TEST_TIMEOUT_MS = 240_000

const pictures = join(import.meta.dirname, '../../../../docs/pictures')

export interface OpenOptions extends Pick<BrowserContextOptions, 'colorScheme' | 'viewport' | 'extraHTTPHeaders'> {
  /** The view, as the part of its address after the `#`. @default '/', the overview */
  readonly view?: string
  /** Another page of the console, as its file, which has neither views nor a login. @default the console itself */
  readonly file?: string
  /** @default true, for the console itself */
  readonly logIn?: boolean
  /** The origin of the page. @default the server itself */
  readonly origin?: string
}

export interface ConsoleFixture {
  /** The reference server of this file's tests, with its own state. */
  readonly server: () => ServerProcess
  /** Opens a console in a browser profile of its own. It is closed and checked after the test: see {@link describeConsole}. */
  open(options?: OpenOptions): Promise<Page>
  /** Accepts the console errors and failed requests of this test that match. */
  expectError(pattern: RegExp): void
}

/**
 * Registers tests of the console in a real browser, over a reference server that is started once for all of them. After each
 * test no page may have written an error, thrown, or sent a request to another origin.
 */
export function describeConsole(
  name: string,
  define: (fixture: ConsoleFixture) => void,
  options: ServerOptions = {},
): void {
  describe.skipIf(!hasBrowser)(name, { timeout: TEST_TIMEOUT_MS }, () => {
    let started: ServerProcess | undefined
    let browser: Browser | undefined
    const problems: string[] = []
    const expected: RegExp[] = []

    const server = (): ServerProcess => {
      if (!started) throw new Error('the server is not started yet')
      return started
    }

    beforeAll(async () => {
      const [newServer, newBrowser] = await Promise.all([startServer(options), openBrowser()])
      started = newServer
      browser = newBrowser
    })

    afterAll(async () => {
      await browser?.close()
      await started?.[Symbol.asyncDispose]()
    })

    afterEach(async () => {
      await Promise.all(browser?.contexts().map((context) => context.close()) ?? [])
      const unexpected = problems.splice(0).filter((text) => !expected.some((pattern) => pattern.test(text)))
      expected.length = 0
      expect(unexpected).toEqual([])
    })

    define({
      server,
      async open({ view = '/', file, logIn = file === undefined, origin = server().url, ...contextOptions } = {}) {
        if (!browser) throw new Error('the browser is not started yet')
        const context = await browser.newContext({ reducedMotion: 'reduce', ...contextOptions })
        context.setDefaultTimeout(WAIT_OPTIONS.timeout)
        const page = await context.newPage()
        watch(page, origin, (problem) => problems.push(problem))
        await page.goto(`${origin}/console/${file ?? `#${view}`}`)
        if (logIn) await logInTo(page)
        return page
      },
      expectError: (pattern) => expected.push(pattern),
    })
  })
}

function watch(page: Page, origin: string, report: (text: string) => void): void {
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') report(`${message.type()}: ${message.text()}`)
  })
  page.on('pageerror', (error) => report(`thrown: ${error.message}`))
  const isOwn = (url: string) => /^(data|blob):/.test(url) || new URL(url).host === new URL(origin).host
  page.on('request', (request) => {
    if (!isOwn(request.url())) report(`another origin: ${request.url()}`)
  })
  page.on('websocket', (socket) => {
    if (!isOwn(socket.url())) report(`another origin: ${socket.url()}`)
  })
}

export async function logInTo(page: Page, password = ADMIN_PASSWORD): Promise<void> {
  await page.getByLabel('Admin password').fill(password)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByRole('navigation', { name: 'Views' }).waitFor()
}

const MAX_TABS = 200

/** Moves the focus to the control with the Tab key alone, which also selects the content of a text field. @throws where Tab does not reach it */
export async function tabTo(page: Page, control: Locator): Promise<void> {
  await control.waitFor({ state: 'attached' })
  for (let press = 0; press < MAX_TABS; press += 1) {
    if (await control.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not reach ${control}`)
}

/** Expects that axe finds no serious or critical violation in the page as it is shown now. */
export async function expectAccessible(page: Page): Promise<void> {
  // A page without frames needs no second page to combine results, and only violations are used.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] })
  const { violations } = await axe.analyze()
  const serious = violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, help, nodes }) => ({ id, help, places: nodes.map(({ html }) => html) }))
  expect(serious).toEqual([])
}

/** Expects that no content is wider than the page. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const [content = 0, room = 0] = await page.evaluate(() => [
    document.documentElement.scrollWidth,
    document.documentElement.clientWidth,
  ])
  expect(content).toBeLessThanOrEqual(room)
}

/**
 * Writes `docs/pictures/NAME.png` where TRIVIUM_PICTURES=1 is set.
 *
 * @param directory of the state, which the picture shows as `.trivium`
 */
export async function takePicture(page: Page, name: string, directory?: string): Promise<void> {
  if (process.env.TRIVIUM_PICTURES !== '1') return
  mkdirSync(pictures, { recursive: true })
  await page.getByRole('button', { name: 'Close the message' }).evaluateAll((buttons) => {
    for (const button of buttons) button.dispatchEvent(new MouseEvent('click', { bubbles: true }))
  })
  if (directory !== undefined) {
    await page.getByText(directory).evaluateAll((places, path) => {
      for (const place of places) place.textContent = place.textContent?.replace(path, '.trivium') ?? ''
    }, directory)
  }
  await page.screenshot({ path: join(pictures, `${name}.png`) })
}
