import { expect, it } from 'vitest'
import { createKey } from '../server-process.ts'
import {
  describeConsole,
  expectAccessible,
  expectNoSidewaysScroll,
  logInTo,
  tabTo,
  takePicture,
} from './console-fixture.ts'
import { openCuttableProxy } from './cuttable-proxy.ts'
import { createLab } from './lab-fixture.ts'

const FIRST_VIEW_BYTES = 200_000

describeConsole('The overview in a browser', ({ server, open, expectError }) => {
  it("shows the server's message for a wrong password, and opens with the right one", async () => {
    const page = await open({ logIn: false })
    expectError(/401/)
    await page.getByLabel('Admin password').fill('a guess')
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.getByRole('alert').getByText('This is not the admin password.').waitFor()
    await expectAccessible(page)
    await logInTo(page)
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  })

  it('keeps the password in the tab, and deletes it when the user logs out', async () => {
    const page = await open()
    await page.reload()
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    const other = await page.context().newPage()
    await other.goto(page.url())
    await other.getByLabel('Admin password').waitFor()
    await page.getByRole('button', { name: 'Log out' }).click()
    await page.reload()
    await page.getByLabel('Admin password').waitFor()
  })

  it('keeps the password when the server cannot be reached after a reload', async () => {
    const page = await open()
    await page.route('**/console/api/host', (route) => route.abort())
    expectError(/ERR_/)
    await page.reload()
    await page.getByRole('alert').getByText('The server cannot be reached.').waitFor()
    await page.unroute('**/console/api/host')
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  })

  it('shows the health of each service, its version, and the place of the state', async () => {
    const page = await open({ viewport: { width: 1280, height: 900 } })
    for (const [name, words] of [
      ['Gateway', ['healthy', 'Limiter', 'local']],
      ['Emulation', ['healthy', 'Projects']],
      ['Storage', ['healthy', 'NetApp Release', 'vol1']],
      ['Server', ['SQLite in', server().dataDirectory]],
    ] as const) {
      const region = page.getByRole('region', { name, exact: true })
      for (const word of words) await region.getByText(word).first().waitFor()
    }
    await createKey(server(), { username: 'ada', name: 'notebook' })
    await page.getByText('Key notebook of ada was created').waitFor()
    await takePicture(page, 'console-overview', server().dataDirectory)
  })

  it('shows changes of other clients immediately, and earlier changes to a page that opens later', async () => {
    const page = await open()
    const projects = page.getByRole('region', { name: 'Emulation', exact: true }).locator('dl')
    await projects.getByText('Projects').waitFor()
    const before = Number((await projects.innerText()).match(/Projects\s+(\d+)/)?.[1])
    await server().ask('/v1/projects', { method: 'POST', body: {} })
    await projects.getByText(String(before + 1), { exact: true }).waitFor()
    const later = await open()
    await later
      .getByRole('region', { name: 'Activity' })
      .getByText(/^Project .* was created$/)
      .first()
      .waitFor()
  })

  it('continues when the browser is offline, since the server can be on the same machine', async () => {
    const page = await open()
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    await page.evaluate(() => dispatchEvent(new Event('offline')))
    await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Storage' }).click()
    await page.getByText('vol1').first().waitFor()
  })

  it('reports that a view cannot be loaded while the server cannot be reached, and shows it once the connection is back', async () => {
    await using network = await openCuttableProxy(server().url)
    const page = await open({ origin: network.url })
    await page.getByRole('banner').getByText('Live').waitFor()
    expectError(/ERR_|Failed to load|NotLoadedError/)
    network.cut()
    await page.getByRole('banner').getByText('Reconnecting').waitFor()
    await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Storage' }).click()
    await page.getByRole('alert').getByText('The server cannot be reached.').waitFor()
    network.restore()
    await page.getByText('vol1').first().waitFor()
  })

  it('accepts all input by keyboard', async () => {
    const page = await open()
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    await page.reload()
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    await page.keyboard.press('Tab')
    expect(await page.locator(':focus').innerText()).toBe('Skip to the content')
    await page.keyboard.press('Enter')
    expect(await page.locator(':focus').getAttribute('id')).toBe('main')
    await tabTo(page, page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Gateway' }))
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Gateway' }).waitFor()
    expect(await page.locator(':focus').innerText()).toBe('Gateway')
    expect(await page.title()).toBe('Gateway · Trivium')
    await page.goBack()
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  })

  it.each(['light', 'dark'] as const)('has no serious violation for axe, in %s', async (colorScheme) => {
    const page = await open({ colorScheme })
    await page.getByRole('region', { name: 'Storage', exact: true }).getByText('vol1').first().waitFor()
    await expectAccessible(page)
  })

  it('fits into a width of 380 pixels', async () => {
    const page = await open({ viewport: { width: 380, height: 800 } })
    await page.getByRole('region', { name: 'Storage', exact: true }).getByText('vol1').first().waitFor()
    await expectNoSidewaysScroll(page)
  })

  it('loads less than 200 kB compressed for the first view, and canvas and terminals when they are shown', async () => {
    const page = await open({ logIn: false })
    const files: Promise<number>[] = []
    const names: string[] = []
    page.on('response', (response) => {
      const { pathname } = new URL(response.url())
      if (pathname.startsWith('/console/assets/')) {
        names.push(pathname)
        files.push(response.finished().then(async () => (await response.request().sizes()).responseBodySize))
      }
    })
    await page.reload()
    await logInTo(page)
    await page.getByRole('region', { name: 'Storage', exact: true }).getByText('vol1').first().waitFor()
    const sizes = await Promise.all(files)
    expect(sizes.length).toBeGreaterThan(3)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(FIRST_VIEW_BYTES)
    const loaded = (part: string) => names.filter((name) => name.includes(part)).length
    expect([loaded('lab-canvas'), loaded('terminal-screen'), loaded('chart-figure')]).toEqual([0, 0, 0])

    // Further parts are loaded when they are needed.
    const { projectId } = await createLab(server())
    await page.goto(`${server().url}/console/#/emulation/${projectId}`)
    await page.getByRole('group', { name: 'Virtual PC PC1, started' }).dblclick()
    await page.getByRole('region', { name: 'Console of PC1' }).getByText('PC1>').first().waitFor()
    expect(loaded('lab-canvas')).toBeGreaterThan(0)
    expect(loaded('terminal-screen')).toBeGreaterThan(0)
  })
})
