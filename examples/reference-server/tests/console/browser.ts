import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'
import { requireProgram } from '../require-program.ts'

/** The headless shell takes a third of the CPU time of the whole browser. */
const installed = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find(existsSync)

/** Whether a browser is installed. Tests that need it are skipped where it is not. */
export const hasBrowser =
  installed !== undefined || (await requireProgram('chromium-headless-shell', 'chromium-headless-shell'))

/** Starts Debian's Chromium with a profile of its own, without requests in the background. */
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
