import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expectOk } from '@trivium/http-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { requireProgram } from '../require-program.ts'
import { describeConsole, expectAccessible, expectNoSidewaysScroll } from './console-fixture.ts'
import { emulationOf } from './lab-fixture.ts'

const hasImages = await requireProgram('qemu-img', 'qemu-utils')

/** More than two ranges of the page. */
const LARGE_BYTES = 20 * 2 ** 20

/** An appliance file as GNS3's registry has them. */
const appliance = {
  name: 'edge.gns3a',
  mimeType: 'application/octet-stream',
  buffer: Buffer.from(
    JSON.stringify({
      name: 'Edge Router',
      category: 'router',
      registry_version: 4,
      qemu: { arch: 'x86_64', ram: 512, uefi: true, hda_disk_interface: 'virtio', kvm: 'require' },
      images: [{ filename: 'edge-1.0.qcow2', version: '1.0', md5sum: 'd41d8cd98f00b204e9800998ecf8427e', filesize: 1 }],
      versions: [
        { name: '2.0', images: { hda_disk_image: 'edge-2.0.qcow2' } },
        { name: '1.0', images: { hda_disk_image: 'edge-1.0.qcow2', hdb_disk_image: 'empty8G.qcow2' } },
      ],
    }),
  ),
}

describe.skipIf(!hasImages)('With qemu-img installed', () => {
  const work = mkdtempSync(join(tmpdir(), 'trivium-images-'))
  const [disk, large, evil] = [join(work, 'disk.qcow2'), join(work, 'large.img'), join(work, 'evil.qcow2')]
  const sha256 = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex')
  beforeAll(() => {
    execFileSync('qemu-img', ['create', '-q', '-f', 'qcow2', disk, '64M'])
    execFileSync('qemu-img', ['create', '-q', '-f', 'qcow2', '-F', 'raw', '-b', '/etc/passwd', evil])
    writeFileSync(large, Buffer.alloc(LARGE_BYTES, 'trivium'))
  })
  afterAll(() => rmSync(work, { recursive: true, force: true }))

  describeConsole('the page of disk images in a browser', ({ server, open, expectError }) => {
    it('uploads an image that is compared with its checksum, shows it, and deletes it', async () => {
      const page = await open({ view: '/emulation', viewport: { width: 1280, height: 1000 } })
      await page.getByRole('link', { name: 'Disk images' }).click()
      await page.getByText('No disk images yet').waitFor()
      const upload = page.getByRole('region', { name: 'Upload' })
      await upload.getByLabel('File').setInputFiles(disk)
      await upload.getByLabel('SHA-256').fill(sha256(disk))
      await upload.getByRole('button', { name: 'Upload' }).click()
      await upload.getByText('disk.qcow2 was uploaded and checked.').waitFor()
      const row = page.getByRole('row').filter({ hasText: 'disk.qcow2' })
      await row.getByText('64 MiB').waitFor()
      await row.getByText(sha256(disk).slice(0, 12)).waitFor()
      await expectAccessible(page)
      await expectNoSidewaysScroll(page)

      await row.getByRole('button', { name: 'Resize disk.qcow2' }).click()
      const dialog = page.getByRole('dialog', { name: 'Resize disk.qcow2' })
      await dialog.getByLabel('Size in MiB').fill('128')
      await dialog.getByRole('button', { name: 'Resize' }).click()
      await row.getByText('128 MiB').waitFor()

      await row.getByRole('button', { name: 'Delete disk.qcow2' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
      await page.getByText('No disk images yet').waitFor()
    })

    it('creates a disk, and keeps one that a machine needs', async () => {
      const emulation = emulationOf(server())
      const page = await open({ view: '/emulation/disk-images' })
      await page.getByRole('button', { name: 'New disk' }).click()
      const dialog = page.getByRole('dialog', { name: 'New disk' })
      await dialog.getByLabel('Name').fill('data.qcow2')
      await dialog.getByLabel('Size in MiB').fill('512')
      await dialog.getByRole('button', { name: 'Create' }).click()
      const row = page.getByRole('row').filter({ hasText: 'data.qcow2' })
      await row.getByText('512 MiB').waitFor()

      const { project_id } = await expectOk(emulation.createProject({ body: { temporary: true } }))
      const body = { name: 'R1', emu1_path: 'qemu-system-x86_64', hda_disk_image: 'data.qcow2' }
      await expectOk(emulation.createEmu1({ params: { project_id }, body }))
      await page.reload()
      await row.getByText('R1').waitFor()
      expectError(/409/)
      await row.getByRole('button', { name: 'Delete data.qcow2' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
      await page.getByText(/Disk image 'data\.qcow2' is used by emu1 VM 'R1'/).waitFor()
      await expectOk(emulation.deleteProject({ params: { project_id } }))
      await expectOk(emulation.deleteDiskImage({ params: { name: 'data.qcow2' } }))
    })

    it('pauses an upload, and continues it after the page was loaded again', async () => {
      const emulation = emulationOf(server())
      const page = await open({ view: '/emulation/disk-images' })
      const upload = page.getByRole('region', { name: 'Upload' })
      let held: (() => void) | undefined
      const ranges: string[] = []
      await page.route('**/v1/disk-images/large.img', async (route) => {
        const range = route.request().headers()['content-range']
        if (range !== undefined) ranges.push(range)
        // The second range never arrives.
        if (ranges.length === 2 && held === undefined) await new Promise<void>((resolve) => (held = resolve))
        else await route.continue()
      })
      await upload.getByLabel('File').setInputFiles(large)
      await upload.getByRole('button', { name: 'Upload' }).click()
      await upload.getByText('large.img: 8 MiB of 20 MiB').waitFor()
      await upload.getByRole('button', { name: 'Pause' }).click()
      await upload.getByRole('button', { name: 'Continue' }).waitFor()
      const params = { name: 'large.img' }
      expect(await expectOk(emulation.getDiskImage({ params }))).toMatchObject({ received_bytes: 8 * 2 ** 20 })

      await page.unrouteAll({ behavior: 'ignoreErrors' })
      held?.()
      await page.reload()
      await page.getByRole('row').filter({ hasText: 'large.img' }).getByText('8 MiB of 20 MiB').waitFor()
      await upload.getByLabel('File').setInputFiles(large)
      await upload.getByRole('button', { name: 'Upload' }).click()
      await upload.getByText('large.img was uploaded and checked.').waitFor()
      expect(await expectOk(emulation.getDiskImage({ params }))).toMatchObject({
        state: 'ready',
        sha256: sha256(large),
      })
    })

    it('creates the machine of an appliance file, and shows which of its images are missing', async () => {
      const emulation = emulationOf(server())
      const present = { name: 'empty8G.qcow2', size_mb: 8192 }
      await expectOk(emulation.createDiskImage({ body: present }))
      const { project_id } = await expectOk(emulation.createProject({ body: { temporary: true } }))
      const page = await open({ view: `/emulation/${project_id}` })
      await page.getByRole('button', { name: 'From an appliance' }).click()
      const dialog = page.getByRole('dialog', { name: 'Machine from an appliance' })
      const broken = { name: 'broken.gns3a', mimeType: 'application/json', buffer: Buffer.from('no JSON') }
      await dialog.getByLabel('Appliance file').setInputFiles(broken)
      await dialog.getByText('This is not an appliance file').waitFor()
      await dialog.getByLabel('Appliance file').setInputFiles(appliance)
      await dialog.getByLabel('Version').selectOption('1.0')
      await dialog.getByLabel('Name').fill('Edge')
      await expectAccessible(page)
      await dialog.getByRole('button', { name: 'Create' }).click()
      const created = page.getByRole('dialog', { name: 'Edge was created' })
      await created.getByRole('listitem').filter({ hasText: 'edge-1.0.qcow2 (missing' }).waitFor()
      await created.getByRole('listitem').filter({ hasText: 'empty8G.qcow2 (on the server)' }).waitFor()
      await expectAccessible(page)
      await created.getByRole('button', { name: 'Done' }).click()
      await page.getByRole('heading', { name: 'Edge' }).waitFor()
      expect(await expectOk(emulation.listEmu1({ params: { project_id } }))).toMatchObject([
        { name: 'Edge', ram: 512, uefi: true, hda_disk_image: 'edge-1.0.qcow2', hdb_disk_image: 'empty8G.qcow2' },
      ])
      await expectOk(emulation.deleteProject({ params: { project_id } }))
      await expectOk(emulation.deleteDiskImage({ params: { name: present.name } }))
    })

    it('shows why a hostile image is refused', async () => {
      const page = await open({ view: '/emulation/disk-images' })
      const upload = page.getByRole('region', { name: 'Upload' })
      expectError(/409/)
      await upload.getByLabel('File').setInputFiles(evil)
      await upload.getByRole('button', { name: 'Upload' }).click()
      await upload.getByText(/The disk image refers to another file \(backing file\)/).waitFor()
      await upload.getByRole('button', { name: 'Choose another file' }).click()
      await upload.getByLabel('SHA-256').fill('abc')
      await upload.getByText('A SHA-256 has 64 hexadecimal digits.').waitFor()
      expect((await server().ask('/v1/disk-images/evil.qcow2')).status).toBe(404)
    })
  })
})
