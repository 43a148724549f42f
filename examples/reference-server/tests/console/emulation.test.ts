import { expectOk } from '@trivium/http-client'
import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { requireProgram } from '../require-program.ts'
import {
  describeConsole,
  expectAccessible,
  expectNoSidewaysScroll,
  tabTo,
  takePicture,
  WAIT_OPTIONS,
} from './console-fixture.ts'
import { openCuttableProxy } from './cuttable-proxy.ts'
import { createLab, delaysOf, emulationOf, switchPortsOf } from './lab-fixture.ts'
import { consoleRegionOf, drawCable, nodeOf, selectInstance, typeInto } from './lab-page.ts'

/** On a busy machine a reply can arrive after the second for which `ping` waits. */
const PING_WAIT = ' -w 30000'

const hasTcpdump = await requireProgram('tcpdump', 'tcpdump')

const WIDE = { viewport: { width: 1280, height: 1000 } }

describeConsole('The emulation view in a browser', ({ server, open, expectError }) => {
  const openLab = async (page: Page, projectId: string) => {
    await page.goto(`${server().url}/console/#/emulation/${projectId}`)
    await page.getByRole('heading', { level: 1, name: /^Project/ }).waitFor()
  }

  const placeOf = async (projectId: string, name: string) => {
    const nodes = await expectOk(emulationOf(server()).listNodes({ params: { project_id: projectId } }))
    const found = nodes.find((node) => node.name === name)
    return `translate(${found?.x}px, ${found?.y}px)`
  }

  it('leads a new user from an empty page to two virtual PCs that ping each other through a switch', async () => {
    const page = await open({ view: '/emulation', ...WIDE })
    await page.getByText('No projects yet').waitFor()
    await page.getByRole('button', { name: 'New project' }).click()
    await page.getByRole('dialog', { name: 'New project' }).getByRole('button', { name: 'Create' }).click()
    await page.getByText('The project is empty').waitFor()

    await page.getByRole('button', { name: 'New instance' }).click()
    const dialog = page.getByRole('dialog', { name: 'New instance' })
    await dialog.getByLabel('Startup script').fill('ip 10.0.0.1/24')
    await dialog.getByRole('button', { name: 'Create, and another' }).click()
    await expectValue(dialog.getByLabel('Name'), 'PC2')
    await dialog.getByLabel('Startup script').fill('ip 10.0.0.2/24')
    await dialog.getByRole('button', { name: 'Create, and another' }).click()
    await expectValue(dialog.getByLabel('Name'), 'PC3')
    await dialog.getByRole('radio', { name: /Ethernet switch/ }).check()
    await dialog.getByRole('button', { name: 'Create', exact: true }).click()
    await dialog.waitFor({ state: 'detached' })

    await drawCable(page, ['PC1', 'e0'], ['Switch1', '1'])
    await drawCable(page, ['PC2', 'e0'], ['Switch1', '2'])
    await page.getByRole('button', { name: 'Start all' }).click()
    await page.getByRole('group', { name: 'Virtual PC PC1, started' }).waitFor()
    await page.getByRole('group', { name: 'Virtual PC PC2, started' }).waitFor()

    for (const name of ['PC1', 'PC2']) {
      await selectInstance(page, name)
      await page.getByRole('region', { name, exact: true }).getByRole('button', { name: 'Console' }).click()
      // The first console moves the page, and with it the buttons.
      await consoleRegionOf(page, name).waitFor()
    }
    await page.getByRole('button', { name: 'Side by side' }).click()
    await typeInto(page, 'PC1', `ping 10.0.0.2 -c 2${PING_WAIT}`)
    await consoleRegionOf(page, 'PC1')
      .getByText(/84 bytes from 10\.0\.0\.2 icmp_seq=2/)
      .first()
      .waitFor()
    await typeInto(page, 'PC2', `ping 10.0.0.1 -c 2${PING_WAIT}`)
    await consoleRegionOf(page, 'PC2')
      .getByText(/84 bytes from 10\.0\.0\.1 icmp_seq=2/)
      .first()
      .waitFor()

    await selectInstance(page, 'Switch1')
    const table = page.getByRole('region', { name: 'MAC table' }).last()
    await table.getByRole('row').nth(2).waitFor()
    await expectAccessible(page)
  })

  it('names a project at its creation, shows the name and the start of its id, and changes its details', async () => {
    const page = await open({ view: '/emulation', ...WIDE })
    await page.getByRole('button', { name: 'New project' }).click()
    const dialog = page.getByRole('dialog', { name: 'New project' })
    await dialog.getByLabel('Name').fill('../lab')
    expectError(/400/)
    await dialog.getByRole('button', { name: 'Create' }).click()
    await dialog.getByRole('alert').getByText("'../lab' is not a plain name in field 'name'").waitFor()
    await dialog.getByLabel('Name').fill('Routing lab')
    await dialog.getByLabel('Delete the project when it is closed').check()
    await dialog.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('heading', { level: 1, name: 'Routing lab' }).waitFor()

    await page.getByRole('button', { name: 'Details of Routing lab' }).click()
    const details = page.getByRole('dialog', { name: 'Details of Routing lab' })
    await expectValue(details.getByLabel('Name'), 'Routing lab')
    await details.getByLabel('Name').fill('Switching lab')
    await details.getByLabel('Description').fill('Two switches and a loop')
    await details.getByLabel('Author').fill('Ada')
    await details.getByLabel('Start the instances when the project is opened').check()
    await details.getByLabel('Stop the instances after minutes').fill('90')
    await expectAccessible(page)
    await details.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { level: 1, name: 'Switching lab' }).waitFor()
    await page.getByText('Two switches and a loop').waitFor()
    const projects = await expectOk(emulationOf(server()).listProjects({}))
    const project = projects.find(({ name }) => name === 'Switching lab')
    expect(project).toMatchObject({
      temporary: true,
      description: 'Two switches and a loop',
      author: 'Ada',
      auto_start: true,
      auto_stop_minutes: 90,
    })

    await page.getByRole('link', { name: 'All projects' }).click()
    const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: 'Switching lab' }) })
    await row.getByText(project?.project_id.slice(0, 8) ?? 'no id', { exact: true }).waitFor()
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
  })

  it('scrolls the first console that is opened fully into view', async () => {
    const { projectId } = await createLab(server())
    const page = await open({ view: '/emulation', viewport: { width: 1280, height: 800 } })
    await openLab(page, projectId)
    await page.getByRole('group', { name: 'Virtual PC PC1, started' }).dblclick()
    await consoleRegionOf(page, 'PC1').getByText('PC1>').first().waitFor()
    // The console has the focus.
    await page.keyboard.type('show version\n')
    await consoleRegionOf(page, 'PC1').getByText('show version').first().waitFor()
    const { y = 0, height = 0 } = (await consoleRegionOf(page, 'PC1').boundingBox()) ?? {}
    expect(y).toBeGreaterThan(0)
    expect(y + height).toBeLessThanOrEqual(800)
  })

  it('captures a link, shows its packets as they arrive, and offers the file as a download', async () => {
    const { projectId } = await createLab(server())
    const page = await open({ view: '/emulation', ...WIDE })
    await openLab(page, projectId)
    await page.getByRole('list', { name: 'Cables' }).getByRole('button').first().click()
    await page.getByRole('button', { name: 'Capture at PC1 0/0' }).click()
    const captures = page.getByRole('region', { name: 'Captures', exact: true })
    await captures.getByRole('button', { name: /^Packets of PC1/ }).click()
    await page.getByRole('button', { name: 'All', exact: true }).click()
    await selectInstance(page, 'PC1')
    await page.getByRole('region', { name: 'PC1', exact: true }).getByRole('button', { name: 'Console' }).click()
    await typeInto(page, 'PC1', 'ping 10.0.0.2 -c 2')
    const request = captures.getByRole('row').filter({ hasText: 'Echo request' }).first()
    await request.waitFor()
    expect((await request.innerText()).split('\t').slice(2, 5)).toEqual(['10.0.0.1', '10.0.0.2', 'ICMP'])
    await captures.getByText('Request for 10.0.0.2 from 10.0.0.1').waitFor()
    await consoleRegionOf(page, 'PC1')
      .getByText(/icmp_seq=2/)
      .first()
      .waitFor()
    await page.getByRole('button', { name: 'All', exact: true }).click()
    await page.getByRole('list', { name: 'Cables' }).getByRole('button').first().click()
    await page.setViewportSize({ width: 1280, height: 1200 })
    await page.getByRole('heading', { level: 1 }).scrollIntoViewIfNeeded()
    await takePicture(page, 'console-emulation')

    await captures.getByRole('button', { name: /^Stop PC1/ }).click()
    await captures.getByText('complete').waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      captures.getByRole('button', { name: /^Download PC1/ }).click(),
    ])
    const file: Buffer[] = []
    for await (const chunk of await download.createReadStream()) file.push(Buffer.from(chunk))
    expect(Buffer.concat(file).readUInt32LE(0)).toBe(0xa1b2c3d4)
    await captures.getByRole('button', { name: /^Delete PC1/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await captures.getByText('No captures yet').waitFor()
  })

  it.skipIf(!hasTcpdump)('captures only the packets of a filter, and shows it', async () => {
    const { projectId } = await createLab(server())
    const page = await open({ view: '/emulation', ...WIDE })
    await openLab(page, projectId)
    await page.getByRole('list', { name: 'Cables' }).getByRole('button').first().click()
    const captures = page.getByRole('region', { name: 'Captures of the link' })
    expectError(/409/)
    await captures.getByLabel('Filter').fill('no filter')
    await captures.getByRole('button', { name: 'Capture at PC1 0/0' }).click()
    await page
      .getByRole('alert')
      .getByText(/filter/)
      .waitFor()
    await captures.getByLabel('Filter').fill('icmp')
    await captures.getByRole('button', { name: 'Capture at PC1 0/0' }).click()
    await captures.getByRole('button', { name: 'Stop the capture at PC1 0/0' }).waitFor()
    await captures.getByText('icmp', { exact: true }).waitFor()
    const [link] = await expectOk(emulationOf(server()).listLinks({ params: { project_id: projectId } }))
    expect(link?.ends.map(({ capture }) => capture?.filter)).toContain('icmp')
  })

  it('impairs a link when its slider moves, in both directions or in one', async () => {
    const { projectId } = await createLab(server())
    const page = await open({ view: '/emulation', ...WIDE })
    await openLab(page, projectId)
    await page.getByRole('list', { name: 'Cables' }).getByRole('button').first().click()
    const delay = page.getByRole('slider', { name: 'Delay' })
    const saved = page.waitForResponse(
      (response) => response.request().method() === 'PUT' && /"delay_ms":150/.test(response.request().postData() ?? ''),
    )
    await delay.fill('150')
    expect((await saved).status()).toBe(200)
    await page.locator('.cable-label').getByText('150 ms').waitFor()
    await expect.poll(() => delaysOf(server(), projectId), WAIT_OPTIONS).toEqual([150, 150])
    await page.getByRole('checkbox', { name: 'The same in both directions' }).uncheck()
    await page.getByRole('slider', { name: 'Delay, Switch1 → PC1' }).focus()
    await page.keyboard.press('Home')
    await expect.poll(() => delaysOf(server(), projectId), WAIT_OPTIONS).toEqual([0, 150])

    await selectInstance(page, 'PC1')
    await page.getByRole('region', { name: 'PC1', exact: true }).getByRole('button', { name: 'Console' }).click()
    await typeInto(page, 'PC1', `ping 10.0.0.2 -c 3${PING_WAIT}`)
    const last = consoleRegionOf(page, 'PC1')
      .getByText(/icmp_seq=3 ttl=64 time=/)
      .first()
    expect(Number(/time=([\d.]+)/.exec(await last.innerText())?.[1])).toBeGreaterThan(149)
  })

  it('keeps the sliders of both directions together while the server changes one end after the other', async () => {
    const { projectId } = await createLab(server())
    const page = await open({ view: '/emulation', ...WIDE })
    await openLab(page, projectId)
    await page.getByRole('list', { name: 'Cables' }).getByRole('button').first().click()
    const released = Promise.withResolvers<void>()
    let changes = 0
    await page.route(/\/nio$/, async (route) => {
      if (route.request().method() === 'PUT' && ++changes === 2) await released.promise
      await route.continue()
    })
    await page.getByRole('slider', { name: 'Delay' }).fill('150')
    await expect.poll(() => delaysOf(server(), projectId), WAIT_OPTIONS).toContain(0)
    await expect.poll(() => delaysOf(server(), projectId), WAIT_OPTIONS).toContain(150)
    // The page has rendered the first of two readings when the second arrives.
    for (let readings = 0; readings < 2; readings++) {
      await page.waitForResponse((response) => response.url().endsWith('/links'))
    }
    expect(await page.getByRole('checkbox', { name: 'The same in both directions' }).isChecked()).toBe(true)
    expect(await page.getByRole('slider', { name: 'Delay' }).inputValue()).toBe('150')
    released.resolve()
    await expect.poll(() => delaysOf(server(), projectId), WAIT_OPTIONS).toEqual([150, 150])
  })

  it('sets the ports of a switch, so that VLANs separate its instances', async () => {
    const { projectId } = await createLab(server())
    const page = await open({ view: '/emulation', ...WIDE })
    await openLab(page, projectId)
    await selectInstance(page, 'Switch1')
    const ports = page.getByRole('region', { name: 'Switch ports' })
    await ports.getByLabel('VLAN of port 2').fill('20')
    await page.keyboard.press('Enter')
    await ports.getByLabel('Type of port 3').selectOption('trunk (802.1Q)')
    await expect
      .poll(() => switchPortsOf(server(), projectId), WAIT_OPTIONS)
      .toEqual([
        { port: 1, type: 'access', vlan: 1 },
        { port: 2, type: 'access', vlan: 20 },
        { port: 3, type: 'dot1q', vlan: 1 },
      ])
    await selectInstance(page, 'PC1')
    await page.getByRole('region', { name: 'PC1', exact: true }).getByRole('button', { name: 'Console' }).click()
    await typeInto(page, 'PC1', 'ping 10.0.0.2 -c 1')
    await consoleRegionOf(page, 'PC1').getByText('host (10.0.0.2) not reachable').first().waitFor()
  })

  it('sets how long a switch remembers addresses, when it is created and afterwards', async () => {
    const emulation = emulationOf(server())
    const { project_id } = await expectOk(emulation.createProject({ body: { temporary: true } }))
    const page = await open({ view: `/emulation/${project_id}`, ...WIDE })
    const ageing = async () => (await expectOk(emulation.listEmu5({ params: { project_id } })))[0]?.mac_ageing_seconds
    await page.getByRole('button', { name: 'New instance' }).click()
    const dialog = page.getByRole('dialog', { name: 'New instance' })
    await dialog.getByRole('radio', { name: /Ethernet hub/ }).check()
    expect(await dialog.getByLabel('MAC ageing in seconds').count()).toBe(0)
    await dialog.getByRole('radio', { name: /Ethernet switch/ }).check()
    await dialog.getByLabel('MAC ageing in seconds').fill('60')
    await dialog.getByRole('button', { name: 'Create', exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await ageing()).toBe(60)

    await selectInstance(page, 'Switch1')
    await page.getByRole('region', { name: 'Switch1', exact: true }).getByRole('button', { name: 'Settings' }).click()
    const settings = page.getByRole('dialog', { name: 'Settings of Switch1' })
    await settings.getByLabel('MAC ageing in seconds').fill('5')
    expectError(/400/)
    await settings.getByRole('button', { name: 'Save' }).click()
    await settings.getByRole('alert').getByText('5 is neither 0 nor at least 10').waitFor()
    await settings.getByLabel('MAC ageing in seconds').fill('0')
    await settings.getByRole('button', { name: 'Save' }).click()
    await settings.waitFor({ state: 'detached' })
    expect(await ageing()).toBe(0)
  })

  it('creates a virtual PC with an engine and an address, and changes the address', async () => {
    const emulation = emulationOf(server())
    const { project_id } = await expectOk(emulation.createProject({ body: { temporary: true } }))
    const page = await open({ view: `/emulation/${project_id}`, ...WIDE })
    const virtualPc = async () => (await expectOk(emulation.listEmu3({ params: { project_id } })))[0]
    await page.getByRole('button', { name: 'New instance' }).click()
    const dialog = page.getByRole('dialog', { name: 'New instance' })
    await dialog.getByText('Further settings', { exact: true }).click()
    await dialog.getByLabel('Engine', { exact: true }).selectOption('embedded')
    await dialog.getByLabel('MAC address').fill('02:00:00:00:00:0A')
    await dialog.getByRole('button', { name: 'Create', exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await virtualPc()).toMatchObject({ engine: 'embedded', mac_address: '02:00:00:00:00:0a' })

    await selectInstance(page, 'PC1')
    const panel = page.getByRole('region', { name: 'PC1', exact: true })
    await panel.getByText('02:00:00:00:00:0a').waitFor()
    await panel.getByRole('button', { name: 'Settings' }).click()
    const settings = page.getByRole('dialog', { name: 'Settings of PC1' })
    await settings.getByText('Further settings', { exact: true }).click()
    expect(await settings.getByLabel('Engine', { exact: true }).count()).toBe(0)
    await settings.getByLabel('MAC address').fill('02:00:00:00:00:0b')
    await settings.getByRole('button', { name: 'Save' }).click()
    await settings.waitFor({ state: 'detached' })
    expect(await virtualPc()).toMatchObject({ engine: 'embedded', mac_address: '02:00:00:00:00:0b' })
  })

  it('shows changes of other clients immediately', async () => {
    const page = await open({ view: '/emulation', ...WIDE })
    await page.getByRole('heading', { level: 1, name: 'Emulation' }).waitFor()
    const { projectId, ids } = await createLab(server())
    await page.getByRole('link', { name: `Project ${projectId.slice(0, 8)}` }).click()
    await page.getByRole('group', { name: 'Virtual PC PC2, started' }).waitFor()
    const emulation = emulationOf(server())
    const params = { project_id: projectId, vm_id: ids.PC2 }
    await expectOk(emulation.stopEmu3({ params }))
    await page.getByRole('group', { name: 'Virtual PC PC2, stopped' }).waitFor()
    await expectOk(emulation.deleteEmu3({ params }))
    await nodeOf(page, 'PC2').waitFor({ state: 'detached' })
    // Its cable is still in the switch, without a peer in this project.
    await page.getByRole('group', { name: /^Outside: 127\.0\.0\.1:/ }).waitFor()
    // The page can request a deleted object shortly before it learns of the deletion.
    expectError(/404/)
    await expectOk(emulation.deleteProject({ params: { project_id: projectId } }))
    await page.getByText('This project does not exist').waitFor()
  })

  it('reconnects by itself after a loss of the network, and shows the changes meanwhile and the content of each terminal', async () => {
    const { projectId } = await createLab(server())
    await using network = await openCuttableProxy(server().url)
    const page = await open({ view: `/emulation/${projectId}`, origin: network.url, ...WIDE })
    for (const name of ['PC1', 'PC2']) {
      await selectInstance(page, name)
      await page.getByRole('region', { name, exact: true }).getByRole('button', { name: 'Console' }).click()
    }
    await page.getByRole('button', { name: 'Side by side' }).click()
    await typeInto(page, 'PC1', 'ping 10.0.0.2 -c 1')
    await consoleRegionOf(page, 'PC1')
      .getByText(/icmp_seq=1/)
      .first()
      .waitFor()

    expectError(/ERR_|WebSocket|Failed to load/)
    network.cut()
    await page.getByRole('banner').getByText('Reconnecting').waitFor()
    for (const name of ['PC1', 'PC2']) await consoleRegionOf(page, name).getByText('Reconnecting…').waitFor()
    await expectOk(emulationOf(server()).createEmu3({ params: { project_id: projectId }, body: { name: 'Late' } }))
    network.restore()
    await page.getByRole('banner').getByText('Live').waitFor()
    await page.getByRole('group', { name: 'Virtual PC Late, stopped' }).waitFor()
    for (const name of ['PC1', 'PC2']) await consoleRegionOf(page, name).getByText('Connected').waitFor()
    // The earlier output is shown again, once.
    await consoleRegionOf(page, 'PC1')
      .getByText(/icmp_seq=1/)
      .first()
      .waitFor()
    await typeInto(page, 'PC2', `ping 10.0.0.1 -c 1${PING_WAIT}`)
    await consoleRegionOf(page, 'PC2')
      .getByText(/84 bytes from 10\.0\.0\.1 icmp_seq=1/)
      .first()
      .waitFor()
  })

  it('keeps the positions of instances, and asks before it deletes', async () => {
    const { projectId } = await createLab(server())
    const page = await open({ view: '/emulation', ...WIDE })
    await openLab(page, projectId)
    const node = nodeOf(page, 'PC2')
    await node.locator('.head').hover()
    await page.mouse.down()
    await page.mouse.move(760, 260, { steps: 4 })
    await page.mouse.up()
    const place = () => node.evaluate((element) => element.style.transform)
    const moved = await place()
    await expect.poll(() => placeOf(projectId, 'PC2'), WAIT_OPTIONS).toBe(moved)
    await page.reload()
    await node.waitFor()
    expect(await place()).toBe(moved)

    await selectInstance(page, 'PC2')
    await page.getByRole('region', { name: 'PC2', exact: true }).getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog', { name: 'Delete PC2?' }).getByRole('button', { name: 'Cancel' }).click()
    expect(await node.count()).toBe(1)
    await page.getByRole('region', { name: 'PC2', exact: true }).getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog', { name: 'Delete PC2?' }).getByRole('button', { name: 'Delete' }).click()
    await node.waitFor({ state: 'detached' })
    await expect
      .poll(() => page.getByRole('list', { name: 'Cables' }).getByRole('listitem').count(), WAIT_OPTIONS)
      .toBe(1)
    // The page can request a deleted object shortly before it learns of the deletion.
    expectError(/404/)
    await page.getByRole('button', { name: /^Delete Project/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('heading', { level: 1, name: 'Emulation' }).waitFor()
    expect((await server().ask(`/v1/projects/${projectId}`)).status).toBe(404)
  })

  it("shows the server's message when it refuses a request", async () => {
    const { projectId } = await createLab(server())
    const page = await open({ view: '/emulation', ...WIDE })
    expectError(/400/)
    await page.getByRole('button', { name: `Details of Project ${projectId.slice(0, 8)}` }).click()
    const details = page.getByRole('dialog', { name: /^Details of/ })
    await details.getByLabel('Name').fill('../lab')
    await details.getByRole('button', { name: 'Save' }).click()
    await details.getByRole('alert').getByText("'../lab' is not a plain name in field 'name'").waitFor()
  })

  it('shows what the server lacks for a kind of instance', async () => {
    const { projectId } = await createLab(server())
    const page = await open({ view: `/emulation/${projectId}`, ...WIDE })
    await page.getByRole('button', { name: 'New instance' }).click()
    const dialog = page.getByRole('dialog', { name: 'New instance' })
    expectError(/409/)
    await dialog.getByRole('radio', { name: /VirtualBox VM/ }).check()
    await dialog.getByText(/VBoxManage\) was not found|VirtualBox has no machine/).waitFor()
    expect(await dialog.getByRole('button', { name: 'Create', exact: true }).isDisabled()).toBe(true)
    await dialog.getByRole('radio', { name: /Virtual PC/ }).check()
    expect(await dialog.getByRole('button', { name: 'Create', exact: true }).isDisabled()).toBe(false)
  })

  it.each([
    ['light', 1280],
    ['dark', 380],
  ] as const)('accepts all input by keyboard, in %s at a width of %i', async (colorScheme, width) => {
    const { projectId } = await createLab(server())
    const page = await open({ view: '/emulation', colorScheme, viewport: { width, height: 800 } })
    await openLab(page, projectId)
    const press = async (control: Locator) => {
      await tabTo(page, control)
      await page.keyboard.press('Enter')
    }
    await press(page.getByRole('button', { name: 'New instance' }))
    const dialog = page.getByRole('dialog', { name: 'New instance' })
    await expectAccessible(page)
    const chosen = dialog.getByRole('radio', { checked: true })
    expect(await chosen.evaluate((choice) => choice === document.activeElement)).toBe(true)
    await tabTo(page, dialog.getByLabel('Name'))
    await page.keyboard.type('Third')
    await page.keyboard.press('Enter')
    await page.getByRole('group', { name: 'Virtual PC Third, stopped' }).waitFor()

    await press(page.getByRole('button', { name: 'New cable' }))
    const cabling = page.getByRole('dialog', { name: 'New cable' })
    await tabTo(page, cabling.getByLabel('From'))
    await page.keyboard.type('Third')
    await tabTo(page, cabling.getByLabel('To'))
    await page.keyboard.type('Switch1, port 5')
    await press(cabling.getByRole('button', { name: 'Connect' }))
    const cable = page.getByRole('group', { name: /^Cable .*Third 0\/0/ })
    await cable.waitFor({ state: 'attached' })
    await press(page.getByRole('group', { name: 'Virtual PC Third, stopped' }))
    await press(page.getByRole('region', { name: 'Third', exact: true }).getByRole('button', { name: 'Start' }))
    await press(page.getByRole('group', { name: 'Virtual PC Third, started' }))
    await press(page.getByRole('region', { name: 'Third', exact: true }).getByRole('button', { name: 'Console' }))
    await typeInto(page, 'Third', 'ip 10.0.0.3/24')
    await typeInto(page, 'Third', `ping 10.0.0.1 -c 1${PING_WAIT}`)
    await consoleRegionOf(page, 'Third')
      .getByText(/84 bytes from 10\.0\.0\.1/)
      .first()
      .waitFor()
    await page.keyboard.press('Control+Shift+Escape')
    expect(await page.locator(':focus').count()).toBe(0)

    await press(cable)
    await page.getByRole('slider', { name: 'Delay' }).waitFor()
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
  })
})

const expectValue = (field: Locator, value: string): Promise<void> =>
  expect.poll(() => field.inputValue(), WAIT_OPTIONS).toBe(value)
