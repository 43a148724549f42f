import { expectOk } from '@trivium/http-client'
import type { Page, Request } from 'playwright-core'
import { expect, it } from 'vitest'
import { describeConsole, expectAccessible, expectNoSidewaysScroll, tabTo, WAIT_OPTIONS } from './console-fixture.ts'
import { createLab, emulationOf } from './lab-fixture.ts'
import { nodeOf, selectInstance } from './lab-page.ts'

const WIDE = { viewport: { width: 1280, height: 1000 } }

describeConsole('The projects in a browser', ({ server, open }) => {
  const createProject = async (name: string, details: object = {}) => {
    const { project_id } = await expectOk(emulationOf(server()).createProject({ body: { name, ...details } }))
    return project_id
  }
  const addVirtualPc = (project_id: string, name: string) =>
    expectOk(emulationOf(server()).createEmu3({ params: { project_id }, body: { name, engine: 'embedded' } }))
  const projectOf = (project_id: string) => expectOk(emulationOf(server()).getProject({ params: { project_id } }))
  const nodesOf = (project_id: string) => expectOk(emulationOf(server()).listNodes({ params: { project_id } }))
  const placeOf = async (projectId: string, name: string) => {
    const found = (await nodesOf(projectId)).find((node) => node.name === name)
    return found?.x === undefined ? undefined : `translate(${found.x}px, ${found.y}px)`
  }
  const shownPlaceOf = (page: Page, name: string) => nodeOf(page, name).evaluate((element) => element.style.transform)
  const rowOf = (page: Page, name: string) =>
    page.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) })
  const answer = (page: Page, title: string, action: string) =>
    page.getByRole('dialog', { name: title }).getByRole('button', { name: action }).last().click()

  it('closes a project and opens it again with its instances, in the list and on its page', async () => {
    const id = await createProject('Kept lab')
    await addVirtualPc(id, 'PC1')
    const page = await open({ view: '/emulation', ...WIDE })
    const row = rowOf(page, 'Kept lab')
    await row.getByRole('cell', { name: 'open', exact: true }).waitFor()
    await expectOk(emulationOf(server()).startProject({ params: { project_id: id } }))
    await row.getByText('1, 1 running').waitFor()
    await row.getByRole('button', { name: 'Close Kept lab' }).click()
    await page.getByRole('dialog', { name: 'Close Kept lab?' }).getByText('can be opened again').waitFor()
    await answer(page, 'Close Kept lab?', 'Close')
    await row.getByRole('cell', { name: 'closed', exact: true }).waitFor()
    await row.getByRole('cell', { name: '1', exact: true }).waitFor()
    await row.getByRole('button', { name: 'Open Kept lab' }).click()
    await row.getByRole('cell', { name: 'open', exact: true }).waitFor()
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)

    await row.getByRole('link', { name: 'Kept lab' }).click()
    await page.getByRole('group', { name: 'Virtual PC PC1, stopped' }).waitFor()
    await page.getByRole('button', { name: 'Close Kept lab' }).click()
    await answer(page, 'Close Kept lab?', 'Close')
    await page.getByText('This project is closed').waitFor()
    await expectAccessible(page)
    const requests: string[] = []
    page.on('request', (request) => requests.push(new URL(request.url()).pathname))
    await page.reload()
    await page.getByText('This project is closed').waitFor()
    expect(requests.filter((path) => path.includes(`/projects/${id}/`))).toEqual([])
    await page.getByRole('button', { name: 'Open Kept lab' }).last().click()
    await page.getByRole('group', { name: 'Virtual PC PC1, stopped' }).waitFor()
  })

  it('fits into a width of 380 pixels, in dark', async () => {
    const id = await createProject('A lab with a name that is long', { description: 'Text\nin lines' })
    await addVirtualPc(id, 'PC1')
    await expectOk(emulationOf(server()).updateProject({ params: { project_id: id }, body: { locked: true } }))
    const page = await open({ view: '/emulation', colorScheme: 'dark', viewport: { width: 380, height: 800 } })
    await rowOf(page, 'A lab with a name that is long').getByText('locked').waitFor()
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    await page.goto(`${server().url}/console/#/emulation/${id}`)
    await page.getByText(/^The project is locked\. /).waitFor()
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
  })

  it('leaves the page of a temporary project when it is closed', async () => {
    const id = await createProject('Short lab', { temporary: true })
    const page = await open({ view: `/emulation/${id}`, ...WIDE })
    await page.getByRole('button', { name: 'Close Short lab' }).click()
    await answer(page, 'Close Short lab?', 'Close')
    await page.getByRole('heading', { level: 1, name: 'Emulation' }).waitFor()
    await rowOf(page, 'Short lab').waitFor({ state: 'detached' })
  })

  it('duplicates a stopped project as a closed one, and not one that runs', async () => {
    const id = await createProject('Original')
    await addVirtualPc(id, 'PC1')
    const page = await open({ view: '/emulation', ...WIDE })
    await rowOf(page, 'Original').getByRole('button', { name: 'Duplicate Original' }).click()
    const dialog = page.getByRole('dialog', { name: 'Duplicate Original' })
    await dialog.getByLabel('Name of the copy').fill('Second')
    await dialog.getByRole('button', { name: 'Duplicate' }).click()
    const copy = rowOf(page, 'Second')
    await copy.getByRole('cell', { name: 'closed', exact: true }).waitFor()
    await copy.getByRole('cell', { name: '1', exact: true }).waitFor()

    await expectOk(emulationOf(server()).startProject({ params: { project_id: id } }))
    await rowOf(page, 'Original').getByText('1, 1 running').waitFor()
    const button = rowOf(page, 'Original').getByRole('button', { name: 'Duplicate Original' })
    expect(await button.isDisabled()).toBe(true)
    expect(await button.getAttribute('title')).toContain('Stop its instances first')
  })

  it('archives a project, and restores it as a closed one', async () => {
    const id = await createProject('Old lab')
    const page = await open({ view: '/emulation', ...WIDE })
    const row = rowOf(page, 'Old lab')
    await row.getByRole('button', { name: 'Archive Old lab' }).click()
    await answer(page, 'Archive Old lab?', 'Archive')
    await row.waitFor({ state: 'detached' })
    await page.getByRole('checkbox', { name: 'Show archived projects' }).check()
    await row.getByRole('cell', { name: 'archived', exact: true }).waitFor()
    await row.getByRole('link', { name: 'Old lab' }).click()
    await page.getByText('This project is archived').waitFor()
    await page.getByRole('button', { name: 'Restore Old lab' }).last().click()
    await page.getByText('This project is closed').waitFor()
    expect(await projectOf(id)).toMatchObject({ archived: false, status: 'closed' })
    await page.getByRole('link', { name: 'All projects' }).click()
    await row.getByRole('cell', { name: 'closed', exact: true }).waitFor()
  })

  it('shows a move in the page of another user, with one request for each drop and key', async () => {
    const { projectId } = await createLab(server())
    const page = await open({ view: `/emulation/${projectId}`, ...WIDE })
    await expect.poll(() => placeOf(projectId, 'PC2'), WAIT_OPTIONS).toBeDefined()
    const other = await open({ view: `/emulation/${projectId}`, ...WIDE })
    await nodeOf(other, 'PC2').waitFor()
    expect(await shownPlaceOf(other, 'PC2')).toBe(await placeOf(projectId, 'PC2'))
    const changes: Request[] = []
    for (const one of [page, other])
      one.on('request', (request) => {
        if (request.method() === 'PUT') changes.push(request)
      })

    const before = await placeOf(projectId, 'PC2')
    await nodeOf(page, 'PC2').locator('.head').hover()
    await page.mouse.down()
    await page.mouse.move(760, 260, { steps: 4 })
    await page.mouse.up()
    await expect.poll(() => placeOf(projectId, 'PC2'), WAIT_OPTIONS).not.toBe(before)
    const dropped = await placeOf(projectId, 'PC2')
    await expect.poll(() => shownPlaceOf(other, 'PC2'), WAIT_OPTIONS).toBe(dropped)
    expect(changes.map((request) => request.postDataJSON().nodes.length)).toEqual([1])

    await tabTo(other, other.getByRole('group', { name: 'Virtual PC PC2, started' }))
    await other.keyboard.press('Enter')
    await other.keyboard.press('ArrowDown')
    await expect.poll(() => placeOf(projectId, 'PC2'), WAIT_OPTIONS).not.toBe(dropped)
    const pushed = await placeOf(projectId, 'PC2')
    await expect.poll(() => shownPlaceOf(page, 'PC2'), WAIT_OPTIONS).toBe(pushed)
    expect(await shownPlaceOf(other, 'PC2')).toBe(pushed)
    expect(changes).toHaveLength(2)
  })

  it('gives the positions that the browser has kept to a server without them, once', async () => {
    const { projectId, ids } = await createLab(server())
    const page = await open({ view: '/emulation', ...WIDE })
    const name = `trivium.positions.${projectId}`
    await page.evaluate(
      ([key = '', text = '']) => localStorage.setItem(key, text),
      [name, JSON.stringify({ [ids.PC2]: { x: 512, y: 64 } })],
    )
    await page.goto(`${server().url}/console/#/emulation/${projectId}`)
    await expect.poll(() => placeOf(projectId, 'PC2'), WAIT_OPTIONS).toBe('translate(512px, 64px)')
    await expect.poll(() => placeOf(projectId, 'PC1'), WAIT_OPTIONS).toBeDefined()
    await expect.poll(() => page.evaluate((key) => localStorage.getItem(key), name), WAIT_OPTIONS).toBeNull()
    expect(await shownPlaceOf(page, 'PC2')).toBe('translate(512px, 64px)')

    await page.evaluate(
      ([key = '', text = '']) => localStorage.setItem(key, text),
      [name, JSON.stringify({ [ids.PC2]: { x: 0, y: 900 } })],
    )
    await page.reload()
    await nodeOf(page, 'PC2').waitFor()
    await expect.poll(() => page.evaluate((key) => localStorage.getItem(key), name), WAIT_OPTIONS).toBeNull()
    expect(await shownPlaceOf(page, 'PC2')).toBe('translate(512px, 64px)')
    expect(await placeOf(projectId, 'PC2')).toBe('translate(512px, 64px)')
  })

  it('keeps the position of the end of a cable to the outside in the browser', async () => {
    const { projectId, ids } = await createLab(server())
    const params = { project_id: projectId, vm_id: ids.PC2 }
    await expectOk(emulationOf(server()).stopEmu3({ params }))
    await expectOk(emulationOf(server()).deleteEmu3({ params }))
    const page = await open({ view: `/emulation/${projectId}`, ...WIDE })
    const outside = page.getByRole('group', { name: /^Outside: / })
    await outside.hover()
    await page.mouse.down()
    await page.mouse.move(760, 260, { steps: 4 })
    await page.mouse.up()
    const dropped = await outside.evaluate((element) => element.style.transform)
    await page.reload()
    await outside.waitFor()
    expect(await outside.evaluate((element) => element.style.transform)).toBe(dropped)
    await expect.poll(() => placeOf(projectId, 'PC1'), WAIT_OPTIONS).toBeDefined()
    const kept = await page.evaluate((key) => localStorage.getItem(key), `trivium.positions.${projectId}`)
    expect(Object.keys(JSON.parse(kept ?? '{}'))).toEqual([await outside.getAttribute('data-id')])
  })

  it('leaves an instance whose place is locked where it is', async () => {
    const { projectId, ids } = await createLab(server())
    await expectOk(
      emulationOf(server()).arrangeNodes({
        params: { project_id: projectId },
        body: { nodes: [{ node_id: ids.PC1, x: 40, y: 60, locked: true }] },
      }),
    )
    const page = await open({ view: `/emulation/${projectId}`, ...WIDE })
    await tabTo(page, page.getByRole('group', { name: 'Virtual PC PC1, started' }))
    await page.keyboard.press('Enter')
    await page.getByRole('region', { name: 'PC1', exact: true }).waitFor()
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => placeOf(projectId, 'PC2'), WAIT_OPTIONS).toBeDefined()
    expect(await shownPlaceOf(page, 'PC1')).toBe('translate(40px, 60px)')
    expect(await placeOf(projectId, 'PC1')).toBe('translate(40px, 60px)')
  })

  it('disables what changes a locked project, and starts and stops it', async () => {
    const { projectId } = await createLab(server())
    const params = { project_id: projectId }
    await expectOk(emulationOf(server()).updateProject({ params, body: { name: 'Exam', locked: true } }))
    const page = await open({ view: `/emulation/${projectId}`, ...WIDE })
    await page.getByText(/^The project is locked\. /).waitFor()
    await nodeOf(page, 'PC2').waitFor()
    for (const name of ['New instance', 'From an appliance', 'New cable', 'Archive Exam', 'Delete Exam'])
      expect(await page.getByRole('button', { name }).isDisabled(), name).toBe(true)
    await page.getByRole('group', { name: 'The project is locked' }).first().waitFor()
    await expectAccessible(page)

    const before = await shownPlaceOf(page, 'PC2')
    await nodeOf(page, 'PC2').locator('.head').hover()
    await page.mouse.down()
    await page.mouse.move(760, 260, { steps: 4 })
    await page.mouse.up()
    expect(await shownPlaceOf(page, 'PC2')).toBe(before)
    await selectInstance(page, 'PC2')
    const panel = page.getByRole('region', { name: 'PC2', exact: true })
    for (const name of ['Settings', 'Delete'])
      expect(await panel.getByRole('button', { name }).isDisabled(), name).toBe(true)
    await panel.getByRole('button', { name: 'All' }).click()
    await page.getByRole('list', { name: 'Cables' }).getByRole('button').first().click()
    expect(await page.getByRole('slider', { name: 'Delay' }).isDisabled()).toBe(true)
    expect(await page.getByRole('button', { name: 'Remove cable' }).isDisabled()).toBe(true)

    await page.getByRole('button', { name: 'Stop all' }).click()
    await page.getByRole('group', { name: 'Virtual PC PC2, stopped' }).waitFor()
    await page.getByRole('button', { name: 'Start all' }).click()
    await page.getByRole('group', { name: 'Virtual PC PC2, started' }).waitFor()
    expect((await nodesOf(projectId)).map(({ x }) => x)).toEqual([undefined, undefined, undefined])

    await page.getByRole('button', { name: 'Details of Exam' }).click()
    const details = page.getByRole('dialog', { name: 'Details of Exam' })
    expect(await details.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
    await details.getByRole('checkbox', { name: /^Locked/ }).uncheck()
    await details.getByRole('button', { name: 'Save' }).click()
    await page.getByText(/^The project is locked\. /).waitFor({ state: 'detached' })
    await expect.poll(() => placeOf(projectId, 'PC2'), WAIT_OPTIONS).toBe(before)
    expect(await page.getByRole('button', { name: 'New instance' }).isDisabled()).toBe(false)
  })

  it('shows the instances that a start of the whole lab could not start', async () => {
    const id = await createProject('Broken lab')
    await addVirtualPc(id, 'PC1')
    const page = await open({ view: `/emulation/${id}`, ...WIDE })
    await page.route('**/start', (route) =>
      route.fulfill({
        json: {
          changed: 0,
          failed: [1, 2, 3, 4, 5].map((number) => ({
            kind: 'emu3',
            node_id: `${number}`,
            name: `PC${number}`,
            message: 'No memory is left.',
          })),
        },
      }),
    )
    await page.getByRole('button', { name: 'Start all' }).click()
    await page.getByRole('alert').getByText('PC1: No memory is left.').waitFor()
    await page.getByRole('alert').getByText('2 further instances failed.').waitFor()
  })
})
