import { type Browser, chromium } from 'playwright-core'
import { requireProgram } from '../require-program.ts'

/** Whether the browser is installed; tests that need it are skipped knowingly where it is not. */
export const hasBrowser = await requireProgram('chromium', 'chromium')

/** Debian's Chromium with a profile of its own, which asks nobody for anything but the page. */
export const openBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
