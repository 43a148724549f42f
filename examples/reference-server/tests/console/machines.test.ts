import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expectOk } from '@trivium/http-client'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { writeRunnableImage } from '../../../../packages/process-emulators/tests/runnable-image.ts'
import { requireProgram } from '../require-program.ts'
import { describeConsole, expectAccessible, WAIT_OPTIONS } from './console-fixture.ts'
import { emulationOf } from './lab-fixture.ts'
import { drawCable, nodeOf, selectInstance } from './lab-page.ts'

const hasQemu = await requireProgram('qemu-system-x86_64', 'qemu-system-x86 qemu-utils')

describe.skipIf(!hasQemu)('With QEMU installed', () => {
  const images = mkdtempSync(join(tmpdir(), 'trivium-images-'))
  beforeAll(() => writeRunnableImage(join(images, 'router.bin')))
  afterAll(() => rmSync(images, { recursive: true, force: true }))

  describeConsole(
    'the emulation view in a browser',
    ({ server, open, expectError }) => {
      it('creates one instance of each kind, connects them by mouse, and starts, suspends and stops a machine', async () => {
        const emulation = emulationOf(server())
        const { project_id } = await expectOk(emulation.createProject({ body: { temporary: true } }))
        const page = await open({ view: `/emulation/${project_id}`, viewport: { width: 1280, height: 1000 } })
        await make(page, /Ethernet switch/)
        await make(page, /Virtual PC/)
        await make(page, /QEMU machine/, {
          choose: { Program: 'qemu-system-x86_64' },
          unfold: ['Options and note'],
          fill: { 'Memory in MiB': '64', 'Further options': '-nodefaults' },
        })
        await make(page, /Router image/, { fill: { Image: 'router.bin', 'Ethernet adapters of 4 ports': '1' } })
        // Over the API: without VirtualBox the dialog has no machine to choose.
        const body = { name: 'VM1', vmname: 'Desktop', linked_clone: false, adapters: 1 }
        await expectOk(emulation.createEmu4({ params: { project_id }, body }))
        for (const name of [
          'Ethernet switch Switch1, started',
          'Virtual PC PC1, stopped',
          'QEMU machine Machine1, stopped',
          'Router image Router1, stopped',
          'VirtualBox VM VM1, stopped',
        ]) {
          await page.getByRole('group', { name, exact: true }).waitFor()
        }
        await page.getByRole('button', { name: 'Fit View' }).click()
        await drawCable(page, ['PC1', 'e0'], ['Switch1', '1'])
        await drawCable(page, ['Machine1', 'e0'], ['Switch1', '2'])
        await drawCable(page, ['Switch1', '3'], ['Router1', 'e0/2'])
        await drawCable(page, ['VM1', 'e0'], ['Router1', 'e0/0'])
        expect(await page.getByRole('group', { name: /^Cable / }).count()).toBe(4)
        await expectAccessible(page)

        await selectInstance(page, 'Machine1')
        const panel = page.getByRole('region', { name: 'Machine1', exact: true })
        for (const [command, state] of [
          ['Start', 'started'],
          ['Suspend', 'suspended'],
          ['Resume', 'started'],
          ['Stop', 'stopped'],
        ] as const) {
          await panel.getByRole('button', { name: command, exact: true }).click()
          await panel.getByText(state, { exact: false }).first().waitFor()
          await page.getByRole('group', { name: `QEMU machine Machine1, ${state}` }).waitFor()
        }
        expect(await nodeOf(page, 'Machine1').locator('.instance-box.stopped').count()).toBe(1)
      })

      it('shows the CPU time and memory that a machine uses while it runs', async () => {
        const emulation = emulationOf(server())
        const { project_id } = await expectOk(emulation.createProject({ body: { temporary: true } }))
        const body = { name: 'Machine1', emu1_path: 'qemu-system-x86_64', ram: 64, adapters: 0 }
        const { vm_id } = await expectOk(emulation.createEmu1({ params: { project_id }, body }))
        const page = await open({ view: `/emulation/${project_id}` })
        await selectInstance(page, 'Machine1')
        const panel = page.getByRole('region', { name: 'Machine1', exact: true })
        const fact = (name: string) => panel.locator('.instance-facts > div').filter({ hasText: name })
        await fact('Program').waitFor()
        expect(await fact('Resident').count()).toBe(0)
        await expectOk(emulation.startEmu1({ params: { project_id, vm_id } }))
        await fact('Resident')
          .getByText(/^[\d.]+ MiB$/)
          .waitFor()
        await fact('CPU')
          .getByText(/^\d+ %$/)
          .waitFor()
        await expectOk(emulation.stopEmu1({ params: { project_id, vm_id } }))
        await fact('CPU').waitFor({ state: 'detached' })
        expect(await fact('Resident').count()).toBe(0)
      })

      it('creates a machine with disks, UEFI and a screen by the form, shows what the server refuses, and changes it', async () => {
        const emulation = emulationOf(server())
        const { project_id } = await expectOk(emulation.createProject({ body: { temporary: true } }))
        await expectOk(emulation.createDiskImage({ body: { name: 'system.qcow2', size_mb: 16 } }))
        const page = await open({ view: `/emulation/${project_id}`, viewport: { width: 1280, height: 1000 } })
        await page.getByRole('button', { name: 'New instance' }).click()
        const dialog = page.getByRole('dialog', { name: 'New instance' })
        await dialog.getByRole('radio', { name: /QEMU machine/ }).check()
        await choose(dialog, 'Program', 'qemu-system-x86_64')
        const disk = dialog.getByRole('combobox', { name: 'Disk image', exact: true })
        await expect.poll(() => suggestionsOf(disk), WAIT_OPTIONS).toEqual(['router.bin', 'system.qcow2'])
        await disk.fill('system.qcow2')
        for (const group of ['Disks', 'Firmware', 'Network', 'Console', 'Options and note']) await unfold(dialog, group)
        await dialog.getByLabel('Interface of the first disk').selectOption('virtio')
        await dialog.getByLabel('Second disk image').fill('system.qcow2')
        await dialog.getByLabel('Interface of the second disk').selectOption('sata')
        await dialog.getByLabel('CD-ROM image').fill('system.qcow2')
        await dialog.getByLabel('Start by UEFI').check()
        await dialog.getByLabel('Boot order').selectOption('CD-ROM, then disk')
        await dialog.getByLabel('Model of the adapters').fill('virtio-net-pci')
        await dialog.getByLabel('MAC address').fill('ff:00:00:00:00:01')
        await dialog.getByLabel('Console type').selectOption('vnc')
        await dialog.getByLabel('When it is stopped').selectOption('shutdown_signal')
        await dialog.getByLabel('Note for users').fill('Log in as root.')
        await expectAccessible(page)
        expectError(/400/)
        await dialog.getByRole('button', { name: 'Create', exact: true }).click()
        await dialog
          .getByRole('alert')
          .getByText("is not the MAC address of one adapter in field 'mac_address'")
          .waitFor()
        await dialog.getByLabel('MAC address').fill('02:00:00:00:00:01')
        await dialog.getByRole('button', { name: 'Create', exact: true }).click()
        await dialog.waitFor({ state: 'detached' })
        const machineOf = async () => (await expectOk(emulation.listEmu1({ params: { project_id } })))[0]
        expect(await machineOf()).toMatchObject({
          adapter_type: 'virtio-net-pci',
          boot_priority: 'dc',
          cdrom_image: 'system.qcow2',
          console_type: 'vnc',
          hda_disk_image: 'system.qcow2',
          hda_disk_interface: 'virtio',
          hdb_disk_image: 'system.qcow2',
          hdb_disk_interface: 'sata',
          hdc_disk_image: '',
          mac_address: '02:00:00:00:00:01',
          on_close: 'shutdown_signal',
          uefi: true,
          usage: 'Log in as root.',
        })

        await selectInstance(page, 'Machine1')
        const panel = page.getByRole('region', { name: 'Machine1', exact: true })
        await panel.getByText('Log in as root.').waitFor()
        await panel.getByRole('button', { name: 'Settings' }).click()
        const settings = page.getByRole('dialog', { name: 'Settings of Machine1' })
        await settings.getByLabel('Processors').fill('2')
        for (const group of ['Disks', 'Firmware', 'Network', 'Console']) await unfold(settings, group)
        await settings.getByLabel('Second disk image').fill('')
        await settings.getByLabel('Start by UEFI').uncheck()
        await settings.getByLabel('Console type').selectOption('none')
        // A field that is required and folded is shown, with what is wrong.
        await settings.getByLabel('Model of the adapters').fill('')
        await unfold(settings, 'Network')
        await settings.getByRole('button', { name: 'Save' }).click()
        await settings.getByLabel('Model of the adapters').fill('e1000')
        await settings.getByRole('button', { name: 'Save' }).click()
        await settings.waitFor({ state: 'detached' })
        expect(await machineOf()).toMatchObject({
          adapter_type: 'e1000',
          boot_priority: 'dc',
          console_type: 'none',
          cpus: 2,
          hda_disk_interface: 'virtio',
          hdb_disk_image: '',
          mac_address: '02:00:00:00:00:01',
          on_close: 'shutdown_signal',
          uefi: false,
        })
      })

      it('takes the name of an image where the server refuses to list its images', async () => {
        const emulation = emulationOf(server())
        const { project_id } = await expectOk(emulation.createProject({ body: { temporary: true } }))
        await expectOk(emulation.createDiskImage({ body: { name: 'known.qcow2', size_mb: 16 } }))
        const page = await open({ view: `/emulation/${project_id}` })
        expectError(/403/)
        await page.route('**/v1/disk-images', (route) =>
          route.fulfill({ status: 403, json: { message: 'This operation is not allowed.', status: 403 } }),
        )
        const refused = page.waitForResponse('**/v1/disk-images')
        await make(page, /QEMU machine/, {
          choose: { Program: 'qemu-system-x86_64' },
          fill: { 'Disk image': 'known.qcow2' },
        })
        expect((await refused).status()).toBe(403)
        const [machine] = await expectOk(emulation.listEmu1({ params: { project_id } }))
        expect(machine).toMatchObject({ hda_disk_image: 'known.qcow2' })
      })
    },
    { environment: { TRIVIUM_IMAGES_DIR: images } },
  )
})

interface Fields {
  readonly choose?: Readonly<Record<string, string>>
  /** The groups of fields to show. */
  readonly unfold?: readonly string[]
  readonly fill?: Readonly<Record<string, string>>
}

async function make(page: Page, kind: RegExp, { choose: chosen = {}, unfold: groups = [], fill = {} }: Fields = {}) {
  await page.getByRole('button', { name: 'New instance' }).click()
  const dialog = page.getByRole('dialog', { name: 'New instance' })
  await dialog.getByRole('radio', { name: kind }).check()
  for (const [label, value] of Object.entries(chosen)) await choose(dialog, label, value)
  for (const group of groups) await unfold(dialog, group)
  for (const [label, value] of Object.entries(fill)) await dialog.getByLabel(label, { exact: true }).fill(value)
  await dialog.getByRole('button', { name: 'Create', exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
}

/** Chooses the first option whose label contains the value, when it is there. */
async function choose(dialog: Locator, label: string, value: string): Promise<void> {
  const field = dialog.getByLabel(label, { exact: true })
  const option = field.locator('option').filter({ hasText: value }).first()
  await option.waitFor({ state: 'attached' })
  await field.selectOption({ label: await option.innerText() })
}

/** Shows a group of fields that is folded, or folds it. */
const unfold = (dialog: Locator, group: string): Promise<void> =>
  dialog.locator('summary').filter({ hasText: group }).click()

/** Returns the values that a text field offers. */
const suggestionsOf = (field: Locator): Promise<readonly string[]> =>
  field.evaluate((input) =>
    input instanceof HTMLInputElement ? Array.from(input.list?.options ?? [], ({ value }) => value) : [],
  )
