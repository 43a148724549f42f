import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'
import { requireProgram } from '../require-program.ts'

/** The first draws pages and nothing else, at a third of the CPU time; the second is a whole browser. */
const installed = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find(existsSync)

/** Whether a browser is installed; tests that need it are skipped knowingly where it is not. */
export const hasBrowser =
  installed !== undefined || (await requireProgram('chromium-headless-shell', 'chromium-headless-shell'))

/** Debian's Chromium with a profile of its own, which sends requests only for the page. */
export const openBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: installed ?? '/usr/bin/chromium-headless-shell',
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
