import { statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { canMount, type LoopMount, mountLoop } from '../../../../packages/linux-volumes/tests/loop-mount.ts'
import { hasBrowser } from './browser.ts'
import { describeConsole, expectAccessible } from './console-fixture.ts'

const MiB = 2 ** 20

describe.skipIf(!hasBrowser || !(await canMount('xfs')))('Clones on a real file system', () => {
  let mount: LoopMount | undefined
  const environment = { TRIVIUM_VOLUMES: 'vol1=simulated' }
  const at = (name: string) => join(mount?.directory ?? '', name)
  beforeAll(async () => {
    mount = await mountLoop('xfs', 320)
    environment.TRIVIUM_VOLUMES = `vol1=${mount.directory}`
  })
  afterAll(() => mount?.unmount())

  describeConsole(
    'The clone view in a browser',
    ({ open }) => {
      it('clones a file with a token, shows the progress of its split, and pauses, moves and cancels another', async () => {
        writeFileSync(at('image'), Buffer.alloc(64 * MiB, 1), { flush: true })
        const page = await open({ view: '/storage/clones' })
        const tokens = page.getByRole('form', { name: 'New token' })
        await tokens.getByLabel('Size to reserve').fill('100M')
        await tokens.getByRole('button', { name: 'Reserve' }).click()
        await page.getByRole('row', { name: /100 MiB/ }).waitFor()
        await clone(page, 'first', /100 MiB/)
        await page.getByRole('row', { name: /36 MiB/ }).waitFor()
        await page.getByRole('link', { name: 'Overview' }).click()
        await page.getByText('The split of first on vol1 is done').waitFor()
        await page.goBack()

        // A split without free space waits, so the page can be checked meanwhile.
        const splits = page.getByRole('region', { name: 'Splits' })
        await splits.getByText('No splits are running').waitFor()
        const { bavail, bsize } = statfsSync(at('.'))
        writeFileSync(at('ballast'), Buffer.alloc(bavail * bsize - 40 * MiB, 2), { flush: true })
        await clone(page, 'second')
        await splits.getByText('No splits are running').waitFor()
        const form = page.getByRole('form', { name: 'New split' })
        await form.getByLabel('Path of the file').fill('second')
        await form.getByRole('button', { name: 'Split' }).click()
        await splits.getByRole('progressbar', { name: /vol1: 1 unfinished/ }).waitFor()
        await splits.getByText(/MiB still shared/).waitFor()
        const row = page.getByRole('region', { name: 'Splits of files' }).getByRole('row', { name: /second on vol1/ })
        await row.getByText(/bytes available, of which splits leave/).waitFor()
        await expectAccessible(page)

        await row.getByRole('button', { name: 'Pause second' }).click()
        await row.getByText('paused', { exact: true }).waitFor()
        await row.getByRole('button', { name: 'Resume second' }).click()
        await row.getByText(/bytes available, of which splits leave/).waitFor()
        await form.getByLabel('Path of the file').fill('image')
        await form.getByRole('button', { name: 'Split' }).click()
        await page.getByRole('button', { name: 'Split image first' }).click()
        await page.getByRole('button', { name: 'Split second first' }).waitFor()
        await row.getByRole('button', { name: 'Cancel the split of second' }).click()
        await page.getByRole('dialog').getByRole('button', { name: 'Cancel the split' }).click()
        await row.waitFor({ state: 'detached' })
      })
    },
    { environment },
  )
})

/** @param token the row of the token that the clone is charged to; without it the clone uses no token */
async function clone(page: Page, destination: string, token?: RegExp): Promise<void> {
  const form = page.getByRole('region', { name: 'Clone a file' })
  await form.getByLabel('Source path').fill('image')
  await form.getByLabel('Destination path').fill(destination)
  if (token) {
    const label = await form.getByLabel('Token').locator('option').filter({ hasText: token }).innerText()
    await form.getByLabel('Token').selectOption({ label })
  }
  await form.getByRole('button', { name: 'Clone', exact: true }).click()
  await page.getByText(`${destination} is a clone of image`).waitFor()
}
