import { execFile } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { requireProgram } from '../require-program.ts'
import { type ServerProcess, startServer } from '../server-process.ts'
import { createLab, type Instance, type Lab, openTerminal, switchPlug, vmPlug } from './lab.ts'

const tshark = await requireProgram('tshark', 'tshark')

describe('a lab without installed emulators', () => {
  let server: ServerProcess
  let lab: Lab
  let switchA: string
  const pcs: Instance[] = []

  beforeAll(async () => {
    server = await startServer()
    lab = await createLab(server)
    switchA = await lab.createSwitch('A')
    const switchB = await lab.createSwitch('B')
    await lab.cable(switchPlug(switchA, 3, 'dot1q', 1), switchPlug(switchB, 3, 'dot1q', 1))
    for (const [index, place] of [
      { switch: switchA, port: 1, vlan: 10 },
      { switch: switchA, port: 2, vlan: 20 },
      { switch: switchB, port: 1, vlan: 10 },
      { switch: switchB, port: 2, vlan: 20 },
    ].entries()) {
      const pc = await lab.create('emu3', {
        name: `PC${index + 1}`,
        startup_script: `set pcname %h\nip 10.0.0.${index + 1}/24\n`,
      })
      await lab.cable(vmPlug('emu3', pc.vm_id), switchPlug(place.switch, place.port, 'access', place.vlan))
      await lab.start('emu3', pc.vm_id)
      pcs.push(pc)
    }
  }, 60_000)
  afterAll(() => server?.[Symbol.asyncDispose]())

  let marks = 0
  const ping = async (from: number, address: string) => {
    const terminal = await openTerminal(pcs[from]?.console ?? 0)
    try {
      // A new terminal first receives the earlier output. The mark is where its own begins.
      marks += 1
      await terminal.run(`echo mark-${marks}`, new RegExp(`\\nmark-${marks}\\s+PC${from + 1}>`))
      terminal.type(`ping ${address} -c 2`)
      await terminal.until(/ping [^\n]*\n/)
      return await terminal.until(new RegExp(`PC${from + 1}>`))
    } finally {
      terminal.close()
    }
  }

  it('carries pings across a trunk within a VLAN', async () => {
    expect(await ping(0, '10.0.0.3')).toMatch(/bytes from 10\.0\.0\.3/)
    expect(await ping(3, '10.0.0.2')).toMatch(/bytes from 10\.0\.0\.2/)
  }, 60_000)

  it('carries no pings between VLANs', async () => {
    expect(await ping(0, '10.0.0.4')).not.toMatch(/bytes from/)
  }, 60_000)

  it.skipIf(!tshark)(
    'captures on a switch port a file that Wireshark reads',
    async () => {
      const capture = `${lab.path}/emu5/devices/${switchA}/ports/3`
      expect(
        await lab.call('POST', `${capture}/start_capture`, {
          capture_file_name: 'trunk.pcap',
          data_link_type: 'DLT_EN10MB',
        }),
      ).toMatchObject({ pcap_file_path: expect.stringMatching(/captures\/trunk\.pcap$/) })
      expect(await ping(0, '10.0.0.3')).toMatch(/bytes from/)
      await lab.call('POST', `${capture}/stop_capture`)
      const file = join(mkdtempSync(join(tmpdir(), 'trivium-capture-')), 'trunk.pcap')
      const response = await server.ask(`${lab.path}/captures/trunk.pcap`)
      expect(response.status).toBe(200)
      writeFileSync(file, Buffer.from(await response.arrayBuffer()))
      const { stdout } = await promisify(execFile)('tshark', [
        '-r',
        file,
        '-Y',
        'icmp && vlan.id == 10',
        '-T',
        'fields',
        '-e',
        'icmp.type',
      ])
      const types = stdout.trim().split('\n')
      expect(types.filter((type) => type === '8')).toHaveLength(2)
      expect(types.filter((type) => type === '0')).toHaveLength(2)
    },
    60_000,
  )

  it('returns after a crash, stopped and with the same ports', async () => {
    await server.kill()
    server = await server.restart()
    for (const { vm_id: id, console: port, name } of pcs) {
      const response = await server.ask(`${lab.path}/emu3/vms/${id}`)
      expect(await response.json()).toMatchObject({ vm_id: id, console: port, name })
      const { status } = await server.ask(`${lab.path}/emu3/vms/${id}/start`, { method: 'POST' })
      expect(status).toBe(204)
    }
    expect(await ping(0, '10.0.0.3')).toMatch(/bytes from 10\.0\.0\.3/)
  }, 60_000)
})
