import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { guestKernel } from '../../../../packages/process-emulators/tests/guest-kernel.ts'
import { initialRamDisk } from '../../../../packages/process-emulators/tests/initial-ram-disk.ts'
import { requireProgram } from '../require-program.ts'
import { type ServerProcess, startServer } from '../server-process.ts'
import { asRecord, createLab, type Instance, type Lab, openTerminal, switchPlug, vmPlug } from './lab.ts'

const installed =
  (await requireProgram('vpcs', 'vpcs')) &&
  (await requireProgram('qemu-system-x86_64', 'qemu-system-x86 qemu-utils')) &&
  (await requireProgram('busybox', 'busybox-static'))

describe.skipIf(!installed)('a lab of real VPCS and a QEMU guest', () => {
  let server: ServerProcess
  let lab: Lab
  let guest: Instance
  const pcs: Instance[] = []

  beforeAll(async () => {
    const images = mkdtempSync(join(tmpdir(), 'trivium-images-'))
    const { kernel, modules } = await guestKernel()
    writeFileSync(join(images, 'kernel'), readFileSync(kernel))
    writeFileSync(join(images, 'initrd'), initialRamDisk({ busybox: readFileSync('/usr/bin/busybox'), modules }))
    server = await startServer({ environment: { TRIVIUM_EMU3: 'vpcs', TRIVIUM_IMAGES_DIR: images } })
    lab = await createLab(server)
    const bridge = await lab.createSwitch('bridge')
    for (const index of [1, 2]) {
      const pc = await lab.create('emu3', {
        name: `PC${index}`,
        startup_script: `set pcname %h\nip 10.0.0.${index}/24\n`,
      })
      await lab.cable(vmPlug('emu3', pc.vm_id), switchPlug(bridge, index, 'access', 1))
      await lab.start('emu3', pc.vm_id)
      pcs.push(pc)
    }
    guest = await lab.create('emu1', {
      name: 'guest',
      emu1_path: 'qemu-system-x86_64',
      ram: 128,
      adapter_type: 'virtio-net-pci',
      kernel_image: 'kernel',
      initrd: 'initrd',
      kernel_command_line: 'console=ttyS0 quiet guest_address=10.0.0.9/24',
      options: '-nodefaults',
    })
    await lab.cable(vmPlug('emu1', guest.vm_id), switchPlug(bridge, 9, 'access', 1))
    await lab.start('emu1', guest.vm_id)
  }, 120_000)
  afterAll(() => server?.[Symbol.asyncDispose]())

  it('carries pings between VPCS and to the guest through the switch, and serves the guest console to two clients at the same time', async () => {
    const pc = await openTerminal(pcs[0]?.console ?? 0)
    await pc.until(/PC1 : 10\.0\.0\.1.*PC1> /s)
    expect(await pc.run('ping 10.0.0.2 -c 2', /icmp_seq=2[^\n]*\n/)).toMatch(/icmp_seq=2 ttl=64/)

    const shell = await openTerminal(guest.console)
    const seen: string[] = []
    const address = `${server.url.replace('http', 'ws')}${lab.path}/emu1/vms/${guest.vm_id}/console/ws`
    const socket = new WebSocket(address, { headers: { authorization: server.admin } })
    socket.on('message', (data) => seen.push(String(data)))
    await new Promise<void>((resolve, reject) => socket.once('open', resolve).once('error', reject))
    await shell.until(/guest-ready/, 90_000)
    const typed = new Promise<void>((resolve) => {
      socket.on('message', () => {
        if (/\n42/.test(seen.join(''))) resolve()
      })
    })
    socket.send('echo $((6 * 7))\r')
    await shell.until(/\n42/)
    await typed
    await shell.run('echo $((50 + 1))', /\n51/)
    socket.close()

    expect(await pc.run('ping 10.0.0.9 -c 3', /icmp_seq=3[^\n]*\n/)).toMatch(/icmp_seq=3 ttl=64/)
    pc.close()
    shell.close()
  }, 120_000)

  it('runs commands on the consoles of VPCS and of the guest', async () => {
    const run = async (path: string, body: object) => {
      const response = await server.ask(`${lab.path}/${path}/run`, { method: 'POST', body })
      expect(response.status).toBe(200)
      return response.json()
    }
    const pc = `emu3/vms/${pcs[0]?.vm_id}`
    const ping = { command: 'ping 10.0.0.9 -c 2', timeout_seconds: 30 }
    expect(await run(pc, ping)).toMatchObject({
      output: expect.stringMatching(/^10\.0\.0\.9 icmp_seq=1 .*\n10\.0\.0\.9 icmp_seq=2 .*$/),
      prompt: 'PC1>',
      timed_out: false,
    })
    expect(await run(pc, { command: 'show ip' })).toMatchObject({
      output: expect.stringContaining('10.0.0.1/24'),
      timed_out: false,
    })

    const shell = `emu1/vms/${guest.vm_id}`
    const command = `echo ${'0123456789 '.repeat(15)}; printf 'no line end'`
    expect(await run(shell, { command, timeout_seconds: 60 })).toMatchObject({
      output: `${'0123456789 '.repeat(15).trimEnd()}\nno line end`,
      prompt: '/ #',
      timed_out: false,
      truncated: false,
    })
    const flood = await run(shell, { command: 'seq 100000', timeout_seconds: 120 })
    expect(flood).toMatchObject({ prompt: '/ #', truncated: true, output: expect.stringMatching(/^1\n2\n3\n/) })
    const endless = { command: 'cat', timeout_seconds: 1, prompt: '/ #', interrupt: true }
    expect(await run(shell, endless)).toMatchObject({ timed_out: true, output: '' })
    expect(await run(shell, { command: 'cd /proc', timeout_seconds: 60 })).toMatchObject({
      prompt: '/proc #',
      output: '',
    })
    expect(await run(shell, { command: 'ping -c 1 10.0.0.1 | grep -c ttl=', timeout_seconds: 60 })).toMatchObject({
      output: '1',
    })
  }, 300_000)

  it('carries pings after the lab was closed and opened, and inside of a copy with the disks of the guest', async () => {
    await lab.call('POST', `${lab.path}/stop`)
    await lab.call('POST', `${lab.path}/close`)
    const { project_id } = asRecord(await lab.call('POST', `${lab.path}/duplicate`, { name: 'copy' }))
    for (const id of [lab.projectId, project_id]) {
      const path = `/v1/projects/${id}`
      await lab.call('POST', `${path}/open`)
      expect(await lab.call('POST', `${path}/start`)).toEqual({ changed: 3, failed: [] })
      const [first, other] = asInstances(await lab.call('GET', `${path}/emu3/vms`))
      const pc = await openTerminal(first?.console ?? 0)
      await pc.until(/PC1> /)
      expect(await pc.run(`ping 10.0.0.2 -c 2`, /icmp_seq=2[^\n]*\n/)).toMatch(/icmp_seq=2 ttl=64/)
      pc.close()
      expect(other?.name).toBe('PC2')
      const [machine] = asInstances(await lab.call('GET', `${path}/emu1/vms`))
      const shell = await openTerminal(machine?.console ?? 0)
      await shell.until(/guest-ready/, 90_000)
      shell.close()
      const { path: directory } = asRecord(await lab.call('GET', path))
      expect(readdirSync(join(String(directory), 'project-files', 'machine', machine?.vm_id ?? ''))).toContain(
        'flash.qcow2',
      )
    }
    expect(await lab.call('POST', `/v1/projects/${project_id}/stop`)).toEqual({ changed: 3, failed: [] })
    await lab.call('DELETE', `/v1/projects/${project_id}`)
  }, 240_000)

  it.each([
    '-drive file=/etc/passwd',
    '-chardev file,id=x,path=/tmp/x',
    '-netdev user,id=x,hostfwd=tcp::22-:22',
  ])('refuses options that reach the host: %s', async (options) => {
    const response = await server.ask(`${lab.path}/emu1/vms`, {
      method: 'POST',
      body: { name: 'bad', emu1_path: 'qemu-system-x86_64', options },
    })
    expect([400, 403, 409]).toContain(response.status)
    expect(await response.json()).toMatchObject({ message: expect.any(String), status: response.status })
  })

  it('has no process left and the same ports after a crash', async () => {
    const machines = () =>
      [...processes()].filter(
        ({ environment }) => environment.includes(`TRIVIUM_INSTANCE=`) && environment.includes(guest.vm_id),
      )
    expect(machines().length).toBeGreaterThan(0)
    await server.kill()
    server = await server.restart()
    expect(machines()).toEqual([])
    const response = await server.ask(`${lab.path}/emu1/vms/${guest.vm_id}`)
    expect(await response.json()).toMatchObject({ console: guest.console, name: 'guest' })
  }, 60_000)
})

// The assertions of the test check the fields.
const asInstances = (body: unknown) => body as readonly Instance[]

function* processes(): Generator<{ readonly pid: string; readonly environment: string }> {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      yield { pid, environment: readFileSync(`/proc/${pid}/environ`, 'utf8') }
    } catch {
      // The process has ended meanwhile.
    }
  }
}
