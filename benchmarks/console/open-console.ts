import type { Browser, Page } from 'playwright-core'
import { PASSWORD } from '../reference-server.ts'

/** Opens a console in a browser profile of its own, logs in and waits until the view is live. */
export async function openConsole(browser: Browser, url: string, view: string): Promise<Page> {
  const page = await (await browser.newContext()).newPage()
  await page.goto(`${url}/console/#${view}`)
  await page.getByLabel('Admin password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByRole('banner').getByText('Live').waitFor()
  return page
}
