import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { canMount, type LoopMount, mountLoop } from '../../../../packages/linux-volumes/tests/loop-mount.ts'
import { storageClient } from '../storage/storage-client.ts'
import { hasBrowser } from './browser.ts'
import {
  describeConsole,
  expectAccessible,
  expectNoSidewaysScroll,
  tabTo,
  takePicture,
  WAIT_OPTIONS,
} from './console-fixture.ts'

const MiB = 2 ** 20

const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

describeConsole('The storage view in a browser', ({ server, open, expectError }) => {
  const client = () => storageClient(server())
  const owner = { svm: { name: 'svm1' }, volume: { name: 'vol1' } }

  it('explains empty lists', async () => {
    const page = await open({ view: '/storage' })
    await page.getByText('No limits are enforced').waitFor()
    await page.getByText('No qtrees yet').waitFor()
    await page.getByRole('link', { name: 'Quota rules' }).click()
    await page.getByText('No rules yet').waitFor()
    await page.getByRole('link', { name: 'Clones' }).click()
    await page.getByText('No tokens').waitFor()
    await page.getByText('No splits are running').waitFor()
  })

  it('shows the use of a volume over time', async () => {
    const page = await open({ view: '/storage' })
    const history = region(page, 'Use over time')
    await history.locator('figcaption').waitFor()
    await history.getByText('As a table').click()
    await history.getByRole('columnheader', { name: 'Used, MiB' }).waitFor()
    await history.getByLabel('Period').selectOption('1y')
    await history.getByText('As a table').waitFor()
    await expectAccessible(page)
  })

  it('creates a rule, changes its limits, and deletes it after a confirmation', async () => {
    const page = await open({ view: '/storage/rules' })
    await page.getByRole('button', { name: 'New rule' }).click()
    const dialog = page.getByRole('dialog', { name: 'New quota rule' })
    await dialog.getByLabel('Type').selectOption('user')
    await dialog.getByLabel('Users').fill('1201')
    await dialog.getByLabel('Space, hard limit').fill('a lot')
    await dialog.getByRole('button', { name: 'Create rule' }).click()
    expectError(/400/)
    await dialog.getByRole('alert').getByText('space.hard_limit').waitFor()
    await dialog.getByLabel('Space, hard limit').fill('10M')
    await dialog.getByRole('button', { name: 'Create rule' }).click()
    await dialog.waitFor({ state: 'detached' })
    const row = page.getByRole('row', { name: /user #1201/ })
    await row.getByText('10 MiB').waitFor()

    await row.getByRole('button', { name: /^Edit/ }).click()
    await page.getByLabel('Space, hard limit').fill('20M')
    await page.getByRole('button', { name: 'Save limits' }).click()
    await row.getByText('20 MiB').waitFor()
    expect(await client().one('/storage/quota/rules?users.id=1201&fields=*')).toMatchObject({
      space: { hard_limit: 20 * MiB },
    })

    const limit = page.getByLabel('Space, hard limit')
    for (const [value, shown] of [
      ['9223372036854775807', '8 EiB'],
      ['20M', '20 MiB'],
    ] as const) {
      await row.getByRole('button', { name: /^Edit/ }).click()
      if (value === '20M') expect(await limit.inputValue()).toBe('9223372036854775807')
      await limit.fill(value)
      await page.getByRole('button', { name: 'Save limits' }).click()
      await row.getByText(shown).waitFor()
    }

    await row.getByRole('button', { name: /^Delete/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    await row.getByText('20 MiB').waitFor()
    await row.getByRole('button', { name: /^Delete/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await row.waitFor({ state: 'detached' })
    expect((await client().list('/storage/quota/rules?users.id=1201')).num_records).toBe(0)
  })

  it('shows new rules of other clients immediately, and filters in the query language of the interface', async () => {
    const page = await open({ view: '/storage/rules' })
    await page.getByRole('button', { name: 'New rule' }).waitFor()
    for (const id of ['1301', '1302', '1303']) {
      const body = { ...owner, type: 'user', users: [{ id }], space: { hard_limit: `${id}M` } }
      await client().call('POST', '/storage/quota/rules?return_timeout=30', body)
    }
    await page.getByRole('row', { name: /user #1303/ }).waitFor()
    await page.getByRole('searchbox', { name: 'Filter' }).fill('users.id=13*&space.hard_limit=>1301M')
    await page.keyboard.press('Enter')
    await page.getByText('2 rules match').waitFor()
    await page.getByRole('row', { name: /user #1301/ }).waitFor({ state: 'detached' })
    await page.getByRole('row', { name: /user #1302/ }).waitFor()
  })

  it("shows the server's message about a mistake in a filter, and marks its place", async () => {
    const page = await open({ view: '/storage/rules' })
    expectError(/400/)
    await page.getByRole('searchbox', { name: 'Filter' }).fill('type=tree&space.hard_limit=>much')
    await page.keyboard.press('Enter')
    const alert = page.getByRole('alert')
    await alert
      .getByText(/"?much/)
      .first()
      .waitFor()
    expect(await alert.locator('mark').innerText()).toBe('space.hard_limit=>much')
    await expectAccessible(page)
    await page.getByRole('searchbox', { name: 'Filter' }).fill('colour=red')
    await page.keyboard.press('Enter')
    await alert.getByText('colour', { exact: false }).first().waitFor()
    await page.getByRole('button', { name: 'type=tree', exact: true }).click()
    await page.getByText('No rule matches').waitFor()
  })

  it('creates group and tree rules, explicit and default ones', async () => {
    const page = await open({ view: '/storage/rules' })
    for (const [type, fields, row] of [
      ['group', { Group: '1401', 'Files, hard limit': '500' }, /group #1401.*500/],
      ['tree', { 'Space, soft limit': '1G', 'Space, hard limit': '2G' }, /every qtree.*2 GiB.*1 GiB/],
    ] as const) {
      await page.getByRole('button', { name: 'New rule' }).click()
      const dialog = page.getByRole('dialog', { name: 'New quota rule' })
      await dialog.getByLabel('Type').selectOption(type)
      for (const [label, text] of Object.entries(fields)) await dialog.getByLabel(label, { exact: true }).fill(text)
      await dialog.getByRole('button', { name: 'Create rule' }).click()
      await dialog.waitFor({ state: 'detached' })
      await page.getByRole('row', { name: row }).waitFor()
    }
  })

  it('accepts all input by keyboard', async () => {
    const page = await open({ view: '/storage/rules' })
    const start = page.getByRole('button', { name: 'New rule' })
    const dialog = page.getByRole('dialog', { name: 'New quota rule' })
    await tabTo(page, start)
    await page.keyboard.press('Enter')
    await tabTo(page, dialog.getByLabel('Type'))
    await page.keyboard.type('User')
    await tabTo(page, dialog.getByLabel('Users'))
    await page.keyboard.type('1501')
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('row', { name: /user #1501/ }).waitFor()
    await tabTo(page, start)
    await page.keyboard.press('Enter')
    await dialog.waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    expect(await page.locator(':focus').innerText()).toBe('New rule')
  })

  it('shows many rules in pages', async () => {
    for (let id = 5000; id < 5060; id += 1) {
      const body = { ...owner, type: 'user', users: [{ id: String(id) }], space: { hard_limit: MiB } }
      await client().call('POST', '/storage/quota/rules?return_timeout=30', body)
    }
    const page = await open({ view: '/storage/rules' })
    await page.getByRole('searchbox', { name: 'Filter' }).fill('users.id=50*')
    await page.keyboard.press('Enter')
    await page.getByText('60 rules match').waitFor()
    const rows = page.getByRole('row', { name: /user #50/ })
    expect(await rows.count()).toBe(50)
    await page.getByRole('button', { name: 'Next page' }).click()
    await page.getByText('Page 2').waitFor()
    await expect.poll(() => rows.count(), WAIT_OPTIONS).toBe(10)
    expect(await page.getByRole('button', { name: 'Next page' }).isDisabled()).toBe(true)
    await page.getByRole('button', { name: 'Previous page' }).click()
    await expect.poll(() => rows.count(), WAIT_OPTIONS).toBe(50)
  })

  it('turns quotas on and shows the result of the job', async () => {
    const page = await open({ view: '/storage' })
    const card = region(page, 'vol1')
    await card.getByText('quotas off').waitFor()
    await card.getByRole('button', { name: 'Turn quotas on for vol1' }).click()
    await card.getByRole('status').getByText('the job has succeeded').waitFor()
    await card.getByText('quotas on').waitFor()
    await card.getByRole('button', { name: 'Turn quotas off for vol1' }).click()
    await card.getByText('quotas off').waitFor()
  })

  it('reserves split load, shows it, and releases it', async () => {
    const page = await open({ view: '/storage/clones' })
    expectError(/400/)
    const form = page.getByRole('form', { name: 'New token' })
    await form.getByLabel('Size to reserve').fill('9999999T')
    await form.getByRole('button', { name: 'Reserve' }).click()
    await form.getByRole('alert').waitFor()
    await form.getByLabel('Size to reserve').fill('100M')
    await form.getByRole('button', { name: 'Reserve' }).click()
    await region(page, 'Split load').getByText('100 MiB reserved by tokens').waitFor()
    const row = region(page, 'Clone tokens').getByRole('row', { name: /100 MiB/ })
    await row.getByRole('button', { name: /^Change expiry/ }).click()
    await page.getByLabel('Seconds from now').fill('7200')
    await page.getByRole('button', { name: 'Save expiry' }).click()
    await row.getByText('2 h', { exact: true }).last().waitFor()
    await row.getByRole('button', { name: /^Delete token/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await region(page, 'Split load').getByText('0 B reserved by tokens').waitFor()
  })

  it.each([
    ['light', 1280],
    ['dark', 380],
  ] as const)('has no serious accessibility violation in axe, and does not scroll horizontally, in %s at %i pixels', async (colorScheme, width) => {
    const page = await open({ view: '/storage', colorScheme, viewport: { width, height: 900 } })
    for (const [link, heading] of [
      ['Volumes', 'Usage against limits'],
      ['Quota rules', 'Quota rules'],
      ['Clones', 'Clone tokens'],
    ] as const) {
      await page.getByRole('navigation', { name: 'Storage' }).getByRole('link', { name: link }).click()
      await region(page, heading).waitFor()
      await expectAccessible(page)
      await expectNoSidewaysScroll(page)
    }
  })
})

describe.skipIf(!hasBrowser || !(await canMount('btrfs')))('A limit on a real file system', () => {
  let mount: LoopMount | undefined
  const environment = { TRIVIUM_VOLUMES: 'vol1=simulated' }
  beforeAll(async () => {
    mount = await mountLoop('btrfs', 320)
    environment.TRIVIUM_VOLUMES = `vol1=${mount.directory}`
  })
  afterAll(() => mount?.unmount())

  describeConsole(
    'in the storage view in a browser',
    ({ server, open }) => {
      it('stops writes, and appears as nearly used', async () => {
        const page = await open({ view: '/storage', viewport: { width: 1280, height: 900 } })
        const form = page.getByRole('form', { name: 'New qtree' })
        await form.getByLabel('Name of a new qtree').fill('projects')
        await form.getByRole('button', { name: 'Create qtree' }).click()
        await region(page, 'Qtrees')
          .getByRole('row', { name: /projects/ })
          .waitFor()

        await page.getByRole('link', { name: 'Quota rules' }).click()
        await page.getByRole('button', { name: 'New rule' }).click()
        const dialog = page.getByRole('dialog', { name: 'New quota rule' })
        await dialog.getByLabel('Qtree').fill('projects')
        await dialog.getByLabel('Space, hard limit').fill('10M')
        await dialog.getByRole('button', { name: 'Create rule' }).click()
        await page.getByRole('row', { name: /qtree projects/ }).waitFor()

        await page.getByRole('link', { name: 'Volumes' }).click()
        await page.getByRole('button', { name: 'Turn quotas on for vol1' }).click()
        await page.getByText('quotas on').waitFor()
        const usage = page.getByRole('meter', { name: 'Space of qtree projects' })
        await usage.waitFor({ state: 'attached' })
        const before = Number(await usage.getAttribute('value'))
        expect(before).toBeLessThan(0.1)

        const directory = join(mount?.directory ?? '', 'projects')
        mkdirSync(directory, { recursive: true })
        expect(() =>
          execFileSync(
            'dd',
            ['if=/dev/urandom', `of=${join(directory, 'data')}`, 'bs=64k', 'count=1024', 'conv=fsync'],
            {
              stdio: 'pipe',
            },
          ),
        ).toThrow(/quota/i)
        await expect.poll(async () => Number(await usage.getAttribute('value')), WAIT_OPTIONS).toBeGreaterThan(0.9)
        await page.getByText(/of 10 MiB/).waitFor()
        await takePicture(page, 'console-storage')
        expect(
          (await storageClient(server()).list('/storage/quota/reports?type=tree&qtree.name=projects')).num_records,
        ).toBe(1)
      })
    },
    { environment },
  )
})
