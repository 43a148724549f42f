import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { requireProgram } from '../require-program.ts'
import { type ServerProcess, startServer } from '../server-process.ts'
import { DesktopClient } from './desktop-client.ts'
import { openTerminal } from './lab.ts'

const hasQemu = await requireProgram('qemu-system-x86_64', 'qemu-system-x86 qemu-utils')

const names = { TRIVIUM_GNS3_NAMES: '1', TRIVIUM_AUTH: 'off' }

/** Pings the second PC from the console of the first. */
async function expectPing(console: unknown): Promise<void> {
  const terminal = await openTerminal(Number(console))
  try {
    await terminal.run('', /PC1> $/)
    expect(await terminal.run('ping 10.0.0.2 -c 2', /icmp_seq=2[^\n]*\n/)).toMatch(/icmp_seq=2 ttl=64/)
  } finally {
    terminal.close()
  }
}

describe.each(['fastify', 'express', 'fetch'] as const)('a client of the original over %s', (transport) => {
  let server: ServerProcess
  beforeAll(async () => {
    server = await startServer({ transport, environment: names })
  }, 120_000)
  afterAll(() => server?.[Symbol.asyncDispose]())

  it('builds a lab, pings, captures, closes it, and finds everything when it opens it again', async () => {
    const client = new DesktopClient(server.url)
    const device = await client.createSwitch('SW1')
    const pcs = []
    for (const index of [1, 2]) {
      const script = `ip 10.0.0.${index}/24\n`
      const pc = await client.createPc({ name: `PC${index}`, startup_script: script })
      await client.cable('vpcs', String(pc.vm_id), device, index)
      await client.inProject('POST', `/vpcs/vms/${pc.vm_id}/start`)
      pcs.push({ id: String(pc.vm_id), name: `PC${index}`, console: pc.console, script })
    }
    const [first, second] = pcs
    if (!first || !second) throw new Error('there are two PCs')
    const capture = { capture_file_name: 'link.pcap', data_link_type: 'DLT_EN10MB' }
    const captured = await client.inProject('POST', `/dynamips/devices/${device}/ports/1/start_capture`, capture)
    await expectPing(first.console)
    await client.inProject('POST', `/dynamips/devices/${device}/ports/1/stop_capture`)
    const file = readFileSync(String(captured.body.pcap_file_path))
    expect([file.readUInt32LE(0), file.length > 500]).toEqual([0xa1b2c3d4, true])

    // A change of one port leaves the other cabled one in its VLAN.
    await client.changePort(device, 1, 20)
    expect(await client.changePort(device, 2, 20)).toEqual([
      { port: 1, type: 'access', vlan: 20 },
      { port: 2, type: 'access', vlan: 20 },
    ])
    await expectPing(first.console)
    await client.close()

    const { projectId } = client
    const again = new DesktopClient(server.url, { projectId })
    expect(await again.createSwitch('SW1', device)).toBe(device)
    for (const [index, pc] of pcs.entries()) {
      const opened = await again.createPc({ name: pc.name, vm_id: pc.id, console: pc.console })
      expect(opened).toMatchObject({ vm_id: pc.id, console: pc.console, startup_script: pc.script })
      await again.cable('vpcs', pc.id, device, index + 1, 20)
      await again.inProject('POST', `/vpcs/vms/${pc.id}/start`)
    }
    await expectPing(first.console)

    // A client that has crashed left the project open.
    const third = new DesktopClient(server.url, { projectId })
    expect(await third.createSwitch('SW1', device)).toBe(device)
    for (const [index, pc] of pcs.entries()) {
      expect(await third.createPc({ name: pc.name, vm_id: pc.id })).toMatchObject({ startup_script: pc.script })
      await third.cable('vpcs', pc.id, device, index + 1, 20)
    }
    await expectPing(first.console)
    await third.close()
  }, 120_000)
})

it.skipIf(!hasQemu)(
  'lets a client name a disk before it exists, and find it when it opens the project again',
  async () => {
    const images = mkdtempSync(join(tmpdir(), 'trivium-images-'))
    await using server = await startServer({ environment: { ...names, TRIVIUM_IMAGES_DIR: images } })
    const client = new DesktopClient(server.url)
    const machine = await client.createMachine('M1', { hda_disk_image: 'base.qcow2', ram: 64, adapters: 2 })
    expect(machine).toMatchObject({ hda_disk_image: 'base.qcow2', adapters: 2 })
    const path = `/qemu/vms/${machine.vm_id}`
    await expect(client.inProject('POST', `${path}/start`)).rejects.toThrow(
      "409 hda disk image 'base.qcow2' is not accessible.",
    )
    await expect(client.inProject('PUT', path, { hda_disk_image: '/etc/passwd' })).rejects.toThrow(/^409 .*outside/)
    execFileSync('qemu-img', ['create', '-q', '-f', 'qcow2', join(images, 'base.qcow2'), '16M'])
    const device = await client.createSwitch('SW1')
    await client.cable('qemu', String(machine.vm_id), device, 1)
    for (const action of ['start', 'suspend', 'resume', 'reload', 'stop'])
      expect((await client.inProject('POST', `${path}/${action}`)).status).toBe(204)
    const { projectId } = client
    const disk = join(
      ...[server.dataDirectory, 'projects', String(projectId)],
      ...['project-files', 'machine', String(machine.vm_id), 'hda_disk.qcow2'],
    )
    const { ino } = statSync(disk)
    await client.close()

    const again = new DesktopClient(server.url, { projectId })
    const settings = { hda_disk_image: 'base.qcow2', ram: 64, adapters: 2 }
    expect(await again.createMachine('M1', settings, String(machine.vm_id))).toMatchObject(settings)
    expect((await again.inProject('POST', `${path}/start`)).status).toBe(204)
    expect(statSync(disk).ino).toBe(ino)
    await again.close()
  },
  120_000,
)

it('refuses a client of another version, and accepts the one that the setting names', async () => {
  await using server = await startServer({ environment: { ...names, TRIVIUM_VERSION_TOLD: '1.3.13' } })
  await expect(new DesktopClient(server.url).createSwitch('SW1')).rejects.toThrow(
    'Client version 1.3.0alpha1 differs with server version 1.3.13',
  )
  const client = new DesktopClient(server.url, { version: '1.3.13' })
  await client.query('POST', '/version', { version: '1.3.13' })
  await client.createSwitch('SW1')
  await client.close()
})

it('has no access, and finds no open project, without the settings for clients of the original', async () => {
  await using server = await startServer({ environment: { TRIVIUM_GNS3_NAMES: '1' } })
  await expect(new DesktopClient(server.url).createSwitch('SW1')).rejects.toThrow('differs with server version')
  const project_id = '00010203-0405-0607-0809-0a0b0c0d0e0f'
  await using strict = await startServer()
  const create = () => strict.ask('/v1/projects', { method: 'POST', body: { project_id } })
  expect([(await create()).status, (await create()).status]).toEqual([201, 409])
})
