import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expectOk } from '@trivium/http-client'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { writeRunnableImage } from '../../../../packages/process-emulators/tests/runnable-image.ts'
import { requireProgram } from '../require-program.ts'
import { describeConsole, expectAccessible } from './console-fixture.ts'
import { emulationOf } from './lab-fixture.ts'
import { drawCable, nodeOf, selectInstance } from './lab-page.ts'

const hasQemu = await requireProgram('qemu-system-x86_64', 'qemu-system-x86 qemu-utils')

describe.skipIf(!hasQemu)('With QEMU installed', () => {
  const images = mkdtempSync(join(tmpdir(), 'trivium-images-'))
  beforeAll(() => writeRunnableImage(join(images, 'router.bin')))
  afterAll(() => rmSync(images, { recursive: true, force: true }))

  describeConsole(
    'the emulation view in a browser',
    ({ server, open }) => {
      it('creates one instance of each kind, connects them by mouse, and starts, suspends and stops a machine', async () => {
        const emulation = emulationOf(server())
        const { project_id } = await expectOk(emulation.createProject({ body: { temporary: true } }))
        const page = await open({ view: `/emulation/${project_id}`, viewport: { width: 1280, height: 1000 } })
        await make(page, /Ethernet switch/)
        await make(page, /Virtual PC/)
        await make(page, /QEMU machine/, {
          choose: { Program: 'qemu-system-x86_64' },
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
    },
    { environment: { TRIVIUM_IMAGES_DIR: images } },
  )
})

interface Fields {
  readonly choose?: Readonly<Record<string, string>>
  readonly fill?: Readonly<Record<string, string>>
}

async function make(page: Page, kind: RegExp, { choose = {}, fill = {} }: Fields = {}): Promise<void> {
  await page.getByRole('button', { name: 'New instance' }).click()
  const dialog = page.getByRole('dialog', { name: 'New instance' })
  await dialog.getByRole('radio', { name: kind }).check()
  for (const [label, value] of Object.entries(choose)) {
    const field = dialog.getByLabel(label, { exact: true })
    const option = field.locator('option').filter({ hasText: value }).first()
    await option.waitFor({ state: 'attached' })
    await field.selectOption({ label: await option.innerText() })
  }
  for (const [label, value] of Object.entries(fill)) await dialog.getByLabel(label, { exact: true }).fill(value)
  await dialog.getByRole('button', { name: 'Create', exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
}
