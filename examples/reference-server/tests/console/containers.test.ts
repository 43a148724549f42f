import { expectOk } from '@trivium/http-client'
import { afterAll, describe, expect, it } from 'vitest'
import { enginePrograms, openTestEngine } from '../../../../packages/process-emulators/tests/container-engine.ts'
import { requireNamespaces } from '../emulation/outside-network.ts'
import { requireProgram } from '../require-program.ts'
import { describeConsole, expectAccessible } from './console-fixture.ts'
import { emulationOf } from './lab-fixture.ts'
import { consoleRegionOf, drawCable, selectInstance } from './lab-page.ts'

const IMAGE = 'localhost/labs/busybox:1'

let installed = requireNamespaces()
for (const program of enginePrograms)
  installed = (await requireProgram(program, 'podman crun conmon busybox-static socat iproute2')) && installed

const engine = installed ? await openTestEngine() : undefined

describe.skipIf(engine === undefined)('With Podman installed', () => {
  afterAll(() => engine?.close(), 60_000)

  describeConsole(
    'containers in a browser',
    ({ server, open, expectError }) => {
      it('creates and changes a container by a form, starts and suspends it, and opens its console', async () => {
        await engine?.importBusybox(IMAGE)
        const emulation = emulationOf(server())
        const { project_id } = await expectOk(emulation.createProject({ body: { temporary: true } }))
        await expectOk(emulation.createEmu3({ params: { project_id }, body: { name: 'PC1' } }))
        const page = await open({ view: `/emulation/${project_id}`, viewport: { width: 1280, height: 1000 } })
        await page.getByRole('button', { name: 'New instance' }).click()
        const dialog = page.getByRole('dialog', { name: 'New instance' })
        await dialog.getByRole('radio', { name: /Container/ }).check()
        await dialog.getByLabel('Image', { exact: true }).fill('docker.io/library/alpine')
        await dialog.getByLabel('Start command').fill('sleep 100000')
        await dialog.getByLabel('Network adapters').fill('2')
        await dialog.getByLabel('Memory in MiB').fill('32')
        await dialog.getByLabel('Processor cores').fill('0.5')
        await dialog.getByLabel('Startup configuration', { exact: true }).fill('hostname %h')
        await dialog.getByLabel('File of the startup configuration').fill('/etc/router.conf')
        await dialog.locator('summary').filter({ hasText: 'Further settings' }).click()
        await dialog.getByLabel('Variables').fill('GREETING=hello\nEMPTY=')
        await dialog.getByLabel('Volumes').fill('/data')
        await expectAccessible(page)
        expectError(/409/)
        await dialog.getByRole('button', { name: 'Create', exact: true }).click()
        await dialog.getByRole('alert').getByText('is not one that labs on this server can use').waitFor()
        await dialog.getByLabel('Image', { exact: true }).fill(IMAGE)
        await dialog.getByRole('button', { name: 'Create', exact: true }).click()
        await dialog.waitFor({ state: 'detached' })
        const containerOf = async () => (await expectOk(emulation.listContainer({ params: { project_id } })))[0]
        expect(await containerOf()).toMatchObject({
          adapters: 2,
          cpus: 0.5,
          environment: ['GREETING=hello', 'EMPTY='],
          image: IMAGE,
          memory: 32,
          name: 'Container1',
          start_command: 'sleep 100000',
          startup_config: 'hostname Container1',
          startup_config_path: '/etc/router.conf',
          volumes: ['/data'],
        })
        await page.getByRole('button', { name: 'Fit View' }).click()
        await drawCable(page, ['PC1', 'e0'], ['Container1', 'e1'])

        await selectInstance(page, 'Container1')
        const panel = page.getByRole('region', { name: 'Container1', exact: true })
        await panel.getByText(IMAGE).waitFor()
        for (const [command, state] of [
          ['Start', 'started'],
          ['Suspend', 'suspended'],
          ['Resume', 'started'],
        ] as const) {
          await panel.getByRole('button', { name: command, exact: true }).click()
          await page.getByRole('group', { name: `Container Container1, ${state}` }).waitFor()
        }
        await panel.locator('.instance-facts > div').filter({ hasText: 'Resident' }).waitFor()
        await panel.getByRole('button', { name: 'Console', exact: true }).click()
        const terminal = consoleRegionOf(page, 'Container1')
        await terminal.getByText('#').first().waitFor()
        await terminal.getByRole('textbox').focus()
        await page.keyboard.type("cat /etc/router.conf; echo $GREETING-th''ere\n")
        await terminal.getByText('hello-there').first().waitFor()

        await panel.getByRole('button', { name: 'Stop', exact: true }).click()
        await page.getByRole('group', { name: 'Container Container1, stopped' }).waitFor()
        await panel.getByRole('button', { name: 'Settings' }).click()
        const settings = page.getByRole('dialog', { name: 'Settings of Container1' })
        await settings.getByLabel('Network adapters').fill('3')
        await settings.locator('summary').filter({ hasText: 'Further settings' }).click()
        await settings.getByLabel('Console', { exact: true }).selectOption('none')
        await settings.getByLabel('Volumes').fill('')
        await settings.getByRole('button', { name: 'Save' }).click()
        await settings.waitFor({ state: 'detached' })
        expect(await containerOf()).toMatchObject({ adapters: 3, console_type: 'none', volumes: [], memory: 32 })
      })
    },
    {
      environment: { TRIVIUM_CONTAINER_SOCKET: engine?.socketPath ?? '/none', TRIVIUM_CONTAINER_IMAGES: 'localhost/*' },
    },
  )
})
