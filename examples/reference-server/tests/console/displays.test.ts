import { expectOk } from '@trivium/http-client'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { requireProgram } from '../require-program.ts'
import { describeConsole } from './console-fixture.ts'
import { emulationOf } from './lab-fixture.ts'
import { selectInstance } from './lab-page.ts'

const hasQemu = await requireProgram('qemu-system-x86_64', 'qemu-system-x86 qemu-utils')

/** The number of colours in the picture of a screen. */
const coloursOf = (page: Page, name: string): Promise<number> =>
  page
    .getByRole('region', { name: `Screen of ${name}` })
    .locator('canvas')
    .first()
    .evaluate((canvas) => {
      if (!(canvas instanceof HTMLCanvasElement)) return 0
      const pixels = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height)
      return new Set(new Uint32Array(pixels?.data.buffer ?? new ArrayBuffer(0))).size
    })

describe.skipIf(!hasQemu)('With QEMU installed', () => {
  describeConsole('the screens of machines in a browser', ({ server, open, expectError }) => {
    it('shows two machines by VNC, side by side, and passes on keys', async () => {
      // The pictures are read by this test alone.
      expectError(/Multiple readback operations/)
      const emulation = emulationOf(server())
      const { project_id } = await expectOk(emulation.createProject({ body: { temporary: true } }))
      for (const name of ['VM1', 'VM2']) {
        const body = { name, emu1_path: 'qemu-system-x86_64', ram: 64, adapters: 0, console_type: 'vnc' } as const
        const { vm_id } = await expectOk(emulation.createEmu1({ params: { project_id }, body }))
        await expectOk(emulation.startEmu1({ params: { project_id, vm_id } }))
      }
      const page = await open({ view: `/emulation/${project_id}`, viewport: { width: 1280, height: 1000 } })
      for (const name of ['VM1', 'VM2']) {
        await selectInstance(page, name)
        await page.getByRole('region', { name, exact: true }).getByRole('button', { name: 'Console' }).click()
      }
      await page.getByRole('button', { name: 'Side by side' }).click()
      for (const name of ['VM1', 'VM2']) {
        const screen = page.getByRole('region', { name: `Screen of ${name}` })
        await screen.getByText('Connected').waitFor()
        // The text of the firmware on its background.
        await expect.poll(() => coloursOf(page, name), { timeout: 60_000 }).toBeGreaterThan(1)
        await screen.getByRole('button', { name: 'Ctrl+Alt+Del' }).click()
      }
      await page.getByRole('button', { name: 'Serial console' }).first().click()
      await page.getByRole('region', { name: 'Console of VM1' }).waitFor()
    })
  })
})
