import { execFileSync } from 'node:child_process'
import { chownSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { canMount, type LoopMount, mountLoop } from '../../../../packages/linux-volumes/tests/loop-mount.ts'
import type { ServerProcess } from '../server-process.ts'
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
const REFRESH_MS = 60_000
const file = 'quotas.html'
const owner = { svm: { name: 'svm1' }, volume: { name: 'vol1' } }

const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

const tokenField = (page: Page) => page.getByRole('textbox', { name: 'Token' })

async function createToken(server: ServerProcess, user: Readonly<Record<string, string>>) {
  const { records } = await storageClient(server).call('POST', '/self/tokens', { user })
  expect(records).toMatchObject([{ token: expect.stringMatching(/^tself_/), uuid: expect.any(String) }])
  const [record] = Array.isArray(records) ? records : []
  return { token: String(record.token), uuid: String(record.uuid) }
}

async function enter(page: Page, token: string): Promise<void> {
  await tokenField(page).fill(token)
  await page.getByRole('button', { name: 'Show my quotas' }).click()
}

describeConsole('The page of own quotas in a browser', ({ server, open, expectError }) => {
  const client = () => storageClient(server())
  const whole = 'vol1, whole volume: you and #1002'

  beforeAll(async () => {
    const users = [{ id: '1001' }, { id: '1002' }]
    const limits = { space: { hard_limit: '4611686018427387904' }, files: { hard_limit: 5000, soft_limit: 4000 } }
    const rule = { ...owner, type: 'user', users, ...limits, grace_period: 'P7D' }
    await client().call('POST', '/storage/quota/rules?return_timeout=30', rule)
    await client().setQuota(await client().volume('vol1'), true)
  })

  it('refuses a wrong token with a sentence, and opens with the right one', async () => {
    const { token } = await createToken(server(), { id: '1001' })
    const page = await open({ file })
    expectError(/401/)
    await tokenField(page).waitFor()
    await expectAccessible(page)
    await enter(page, 'my password')
    await page.getByRole('alert').getByText('A token begins with "tself_"').waitFor()
    await enter(page, `tself_${'A'.repeat(43)}`)
    await page.getByRole('alert').getByText('The server does not accept this token.').waitFor()
    await expectAccessible(page)
    await enter(page, ` ${token}\n`)
    await region(page, whole).getByText('0 B of 4 EiB, 0 %').waitFor()
    await region(page, whole).getByText('0 of 5,000, 0 %').waitFor()
    await region(page, whole).getByText('It can be exceeded for 7 d').waitFor()
    await region(page, whole).getByText('Shared with #1002.').waitFor()
    await page.getByText('You are #1001.').waitFor()
    expect(await page.title()).toBe('Your quotas · Trivium')
    expect(await page.locator(':focus').innerText()).toBe('Your quotas')
  })

  it('keeps a token in the tab only if the user wants that, until the user forgets it', async () => {
    const { token } = await createToken(server(), { id: '1001' })
    const page = await open({ file })
    expectError(/401/)
    await enter(page, token)
    await region(page, whole).waitFor()
    await page.reload()
    await page.getByLabel('Keep it until this tab is closed').check()
    await enter(page, token)
    await region(page, whole).waitFor()
    await page.reload()
    await region(page, whole).waitFor()
    await page.getByRole('button', { name: 'Forget the token' }).click()
    await page.getByLabel('Keep it until this tab is closed').waitFor()
    expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage }))).toBe('{}')
  })

  it('asks for another token when the admin has deleted the one in use', async () => {
    const { token, uuid } = await createToken(server(), { id: '1001' })
    const page = await open({ file })
    expectError(/401/)
    await enter(page, token)
    await region(page, whole).waitFor()
    await client().call('DELETE', `/self/tokens/${uuid}`)
    await page.getByRole('button', { name: 'Refresh' }).click()
    await page.getByRole('alert').getByText('The server no longer accepts the token.').waitFor()
  })

  it('reads the quotas again each minute, and shows what is known while the server cannot be reached', async () => {
    const { token } = await createToken(server(), { id: '1001' })
    const page = await open({ file })
    expectError(/401|ERR_/)
    await page.clock.install()
    await enter(page, token)
    await region(page, whole).waitFor()
    const [answer] = await Promise.all([page.waitForResponse('**/api/self/quotas'), page.clock.runFor(REFRESH_MS)])
    expect(answer.status()).toBe(200)
    await page.route('**/api/self/quotas', (route) => route.abort())
    await page.getByRole('button', { name: 'Refresh' }).click()
    const alert = page.getByRole('alert').getByText('The server cannot be reached.')
    await expect
      .poll(async () => {
        await page.clock.runFor(5000)
        return alert.count()
      }, WAIT_OPTIONS)
      .toBe(1)
    await region(page, whole).waitFor()
    await page.unroute('**/api/self/quotas')
    await page.getByRole('button', { name: 'Refresh' }).click()
    await alert.waitFor({ state: 'detached' })
  })

  it.each([
    [403, 'This user is not allowed to use this operation.'],
    [429, 'Too many wrong passwords came from this address.'],
    [503, 'The store is unavailable.'],
  ])('shows the message of a %i, and tries again', async (status, message) => {
    const page = await open({ file })
    expectError(/401|403|429|503/)
    await tokenField(page).waitFor()
    await page.route('**/api/self/quotas', (route) =>
      route.fulfill({ status, json: { error: { message, code: '4' } } }),
    )
    await page.reload()
    await page.getByRole('alert').getByText(message).waitFor()
    await expectAccessible(page)
    await page.unroute('**/api/self/quotas')
    await page.getByRole('button', { name: 'Try again' }).click()
    await tokenField(page).waitFor()
  })

  it('explains to an admin that only users have quotas', async () => {
    const page = await open({ file, extraHTTPHeaders: { authorization: server().admin } })
    expectError(/400/)
    await page.getByRole('alert').getByText('You are the admin here, who has no quotas.').waitFor()
  })

  it('explains an empty answer', async () => {
    const { token } = await createToken(server(), { id: '1999' })
    const page = await open({ file })
    expectError(/401/)
    await enter(page, token)
    await page.getByText('No quotas', { exact: true }).waitFor()
  })

  it('shows what the file system does not enforce, what it has begun to enforce, and what is not known yet', async () => {
    const time = '2026-01-02T03:04:05+00:00'
    const amount = { soft_limit: 100, used: { total: 200, soft_limit_percent: 200 }, soft_limit_exceeded_time: time }
    const quota = { volume: { uuid: 'v', name: 'vol1' }, index: 1, type: 'tree', qtree: { name: 'a', id: 1 } }
    const records = [
      {
        ...quota,
        svm: { uuid: 's', name: 'svm1' },
        space: { ...amount, grace: { period: 'P7D', enforced_by: 'none' } },
      },
      {
        ...{ ...quota, volume: { uuid: 'w', name: 'vol1' }, svm: { uuid: 't', name: 'svm2' } },
        space: { ...amount, grace: { period: 'P7D', enforced_by: 'watcher', end_time: time, expired: true } },
        files: { hard_limit: 50, used: {} },
        shared_with: { num_users: 0, users: [] },
      },
    ]
    const warnings = [{ message: 'The owners of the files of volume "vol3" are being counted.', code: '1' }]
    const json = { user: { id: '1001', name: 'ada' }, records, num_records: 2, warnings }
    const page = await open({ file })
    expectError(/401/)
    await tokenField(page).waitFor()
    await page.route('**/api/self/quotas', (route) => route.fulfill({ json }))
    await page.reload()
    await page.getByRole('list', { name: 'Notes' }).getByText('are being counted.').waitFor()
    const notifies = region(page, 'vol1 of svm1, qtree a: all users')
    for (const text of ['200 B, no hard limit', 'The soft limit only notifies', 'The other users are being counted.'])
      await notifies.getByText(text).waitFor()
    const enforced = region(page, 'vol1 of svm2, qtree a: all users')
    for (const text of ['Enforced as hard', 'not counted of 50', 'No one else has files in it.'])
      await enforced.getByText(text).waitFor()
    await expectAccessible(page)
  })

  it('accepts all input by keyboard', async () => {
    const { token } = await createToken(server(), { id: '1001' })
    const page = await open({ file })
    expectError(/401/)
    await tabTo(page, tokenField(page))
    await page.keyboard.type(token)
    await page.keyboard.press('Enter')
    await tabTo(page, page.getByRole('button', { name: 'Refresh' }))
    await page.keyboard.press('Enter')
    await page.getByRole('status').getByText('The quotas are up to date.').waitFor({ state: 'attached' })
  })
})

describe.skipIf(!hasBrowser || !(await canMount('btrfs')))('A user of a real file system', () => {
  let mount: LoopMount | undefined
  const environment = {
    TRIVIUM_VOLUMES: 'vol1=simulated',
    TRIVIUM_USER_HEADER: 'x-forwarded-user',
    TRIVIUM_TRUST_PROXY: '127.0.0.1',
  }
  beforeAll(async () => {
    mount = await mountLoop('btrfs', 320)
    environment.TRIVIUM_VOLUMES = `vol1=${mount.directory}`
  })
  afterAll(() => mount?.unmount())

  describeConsole(
    'on the page of own quotas in a browser',
    ({ server, open, expectError }) => {
      const client = () => storageClient(server())
      const thesis = 'vol1, qtree thesis: all users'
      const asDaemon = { extraHTTPHeaders: { 'x-forwarded-user': 'daemon' } }
      const write = (name: string, size: number, user: number) => {
        const path = join(mount?.directory ?? '', 'thesis', name)
        writeFileSync(path, Buffer.alloc(size, name))
        chownSync(path, user, user)
      }

      beforeAll(async () => {
        await client().call('POST', '/storage/qtrees?return_timeout=30', { ...owner, name: 'thesis' })
        mkdirSync(join(mount?.directory ?? '', 'thesis'), { recursive: true })
        write('text', 5 * MiB, 1)
        write('pictures', MiB, 2)
        for (let user = 3001; user <= 3012; user += 1) write(`notes-${user}`, 8192, user)
        execFileSync('sync', ['-f', mount?.directory ?? ''])
        const rule = {
          ...{ ...owner, type: 'tree', qtree: { name: 'thesis' } },
          space: { hard_limit: 10 * MiB, soft_limit: 4 * MiB },
          ...{ grace_period: 'P7D', thresholds: [50, 95] },
        }
        await client().call('POST', '/storage/quota/rules?return_timeout=30', rule)
        await client().setQuota(await client().volume('vol1'), true)
        const isKnown = async () =>
          /soft_limit_exceeded_time.*shared_with/.test(
            JSON.stringify(await client().call('GET', '/self/quotas?user=daemon')),
          )
        await vi.waitUntil(isKnown, WAIT_OPTIONS)
      })

      it('sees by the header of a trusted proxy what is used, since when too much, and who shares it', async () => {
        const page = await open({ file, ...asDaemon, viewport: { width: 900, height: 900 } })
        await page.getByText('You are daemon, number 1.').waitFor()
        const quota = region(page, thesis)
        await quota.getByText(/^6\.\d+ MiB of 10 MiB, 6\d %$/).waitFor()
        await quota.getByText(/^Soft limit 4 MiB, 15\d % used$/).waitFor()
        await quota.getByText('Above the soft limit').waitFor()
        await quota.getByText(/^(6 d 23 h|7 d) left: enforced as hard from/).waitFor()
        await quota.getByText('Thresholds: 50 % (reached), 95 %').waitFor()
        await quota.getByText(/^Your part: 5 MiB in 1 file\.$/).waitFor()
        const names = quota.getByRole('rowheader')
        expect((await names.allInnerTexts()).slice(0, 2)).toEqual(['bin', expect.stringMatching(/^#30\d\d$/)])
        expect(await names.count()).toBe(10)
        await quota.getByText('and 3 more').waitFor()
        await takePicture(page, 'console-quotas')
      })

      it('has to give a token when the session at the proxy has ended', async () => {
        const page = await open({ file, ...asDaemon })
        await region(page, thesis).waitFor()
        expectError(/401/)
        await page.context().setExtraHTTPHeaders({})
        await page.getByRole('button', { name: 'Refresh' }).click()
        await page.getByRole('alert').getByText('Your session has ended.').waitFor()
        await enter(page, (await createToken(server(), { name: 'bin' })).token)
        await region(page, thesis).getByRole('rowheader', { name: 'daemon' }).waitFor()
      })

      it.each([
        ['light', 1280],
        ['dark', 380],
      ] as const)('has no serious accessibility violation in axe, and does not scroll horizontally, in %s at %i pixels', async (colorScheme, width) => {
        const page = await open({ file, ...asDaemon, colorScheme, viewport: { width, height: 900 } })
        await region(page, thesis).waitFor()
        await expectAccessible(page)
        await expectNoSidewaysScroll(page)
      })
    },
    { environment },
  )
})
