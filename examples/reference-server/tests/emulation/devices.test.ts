import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { requireProgram } from '../require-program.ts'
import { type ServerProcess, startServer } from '../server-process.ts'
import { asRecord, createLab, type Instance, type Lab, nodePlug, openTerminal, switchPlug, vmPlug } from './lab.ts'
import { createOutsideNetwork, type OutsideNetwork, requireNamespaces } from './outside-network.ts'

const installed = (await requireProgram('socat', 'socat')) && requireNamespaces()

const ip = (...parameters: string[]) => execFileSync('ip', parameters, { stdio: 'pipe', encoding: 'utf8' })
const answered = /icmp_seq=1 ttl=\d+ time=[\d.]+ ms\r?\n/

describe.skipIf(!installed)('devices of the host', () => {
  const mark = randomBytes(3).toString('hex')
  const [tap, bridge, forbidden] = [`tvt${mark}`, `tvb${mark}`, `tvf${mark}`]
  let outside: OutsideNetwork
  let bridged: OutsideNetwork
  let server: ServerProcess
  let lab: Lab

  beforeAll(async () => {
    outside = await createOutsideNetwork()
    bridged = await createOutsideNetwork()
    ip('tuntap', 'add', tap, 'mode', 'tap')
    ip('addr', 'add', `10.213.${Number.parseInt(mark.slice(0, 2), 16)}.1/24`, 'dev', tap)
    ip('tuntap', 'add', forbidden, 'mode', 'tap')
    ip('link', 'add', bridge, 'type', 'bridge')
    ip('link', 'set', bridge, 'up')
    ip('addr', 'flush', 'dev', bridged.device)
    ip('link', 'set', bridged.device, 'master', bridge)
    const devices = [tap, bridge, outside.device, `tvx${mark}`].join()
    server = await startServer({ environment: { TRIVIUM_LAB_DEVICES: devices } })
    lab = await createLab(server)
  }, 180_000)
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]()
    for (const device of [tap, forbidden, bridge]) ip('link', 'del', device)
    await outside?.close()
    await bridged?.close()
  })

  const hostOnTap = () => `10.213.${Number.parseInt(mark.slice(0, 2), 16)}.1`
  const addPc = async (name: string, address: string): Promise<Instance> => {
    const pc = await lab.create('emu3', { name, startup_script: `ip ${address}/24\n` })
    await lab.start('emu3', pc.vm_id)
    return pc
  }
  const neighbour = (address: string) => address.replace(/\d+$/, '77')

  async function expectPing(pc: Instance, address: string) {
    const console = await openTerminal(pc.console)
    const ping = () => console.run(`ping ${address} -c 1 -w 2000`, /icmp_seq=1 [^\n]*\n|not reachable[^\n]*\n/, 20_000)
    // A bridge forwards a port only once it has learned that there is no loop.
    let shown = await ping()
    for (let tries = 0; tries < 20 && !answered.test(shown); tries += 1) shown = await ping()
    expect(shown).toMatch(answered)
    console.close()
  }

  const createCloud = async (ports: readonly { port: number; device: string }[]): Promise<string> =>
    String(asRecord(await lab.call('POST', `${lab.path}/cloud/nodes`, { name: 'out', ports })).node_id)

  const carriers = () =>
    readdirSync('/proc').filter((pid) => {
      try {
        return (
          readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('UDP4-DATAGRAM:127.0.0.1:') &&
          readFileSync(`/proc/${pid}/environ`, 'utf8').includes('TRIVIUM_SERVER=')
        )
      } catch {
        return false
      }
    })

  it('carries frames of a NIC to a TAP device, with counters, captures and impairments, until it is disconnected', async () => {
    const pc = await addPc('PC1', neighbour(hostOnTap()))
    const nio = `${lab.path}/emu3/vms/${pc.vm_id}/adapters/0/ports/0/nio`
    const body = { type: 'nio_tap', tap_device: tap }
    expect(await lab.call('POST', nio, body)).toEqual(body)
    expect(carriers()).toHaveLength(1)
    await expectPing(pc, hostOnTap())
    const { counters } = asRecord(await lab.call('GET', nio))
    const { incoming } = asRecord(counters)
    expect(asRecord(incoming).frames).toBeGreaterThan(0)

    // Again with the same device, on the same process.
    await lab.call('POST', nio, { ...body, impairments: { outgoing: { delay_ms: 30 } } })
    expect(carriers()).toHaveLength(1)
    // The console first shows what it has shown before.
    const console = await openTerminal(pc.console)
    await console.run(`ping ${hostOnTap()} -c 1 -w 2000`, /icmp_seq=1 ttl=\d+ time=[3-9]\d\.\d+ ms\r?\n/)
    console.close()
    await lab.call('DELETE', nio)
    expect(carriers()).toEqual([])
  }, 180_000)

  it('joins the ports of a cloud with a bridge and with an interface', async () => {
    const cloud = await createCloud([
      { port: 0, device: bridge },
      { port: 4, device: outside.device },
    ])
    const [first, second] = [await addPc('PC2', neighbour(bridged.open)), await addPc('PC3', neighbour(outside.open))]
    await lab.cable(vmPlug('emu3', first.vm_id), nodePlug('cloud', cloud, 0))
    await lab.cable(vmPlug('emu3', second.vm_id), nodePlug('cloud', cloud, 4))
    await lab.call('POST', `${lab.path}/cloud/nodes/${cloud}/start`)
    const members = () => ip('-o', 'link', 'show', 'master', bridge).split('\n').filter(Boolean)
    expect(members()).toHaveLength(2)
    await expectPing(first, bridged.open)
    await expectPing(second, outside.open)
    await lab.call('POST', `${lab.path}/cloud/nodes/${cloud}/stop`)
    expect(members()).toHaveLength(1)
    expect(carriers()).toEqual([])
  }, 180_000)

  it('connects a port of a switch with an interface', async () => {
    const device = await lab.createSwitch('S1')
    const pc = await addPc('PC4', outside.open.replace(/\d+$/, '78'))
    await lab.cable(vmPlug('emu3', pc.vm_id), switchPlug(device, 1, 'access', 1))
    const nio = { type: 'nio_linux_ethernet', ethernet_device: outside.device }
    await lab.call('POST', `${lab.path}/emu5/devices/${device}/ports/2/nio`, { nio })
    await expectPing(pc, outside.open)
    await lab.call('DELETE', `${lab.path}/emu5/devices/${device}`)
  }, 180_000)

  it('refuses devices that are not allowed, do not exist, are of another sort or in use', async () => {
    const pc = await addPc('PC5', '10.0.0.5')
    const other = await addPc('PC6', '10.0.0.6')
    const connect = (vm: Instance, device: string) =>
      server.ask(`${lab.path}/emu3/vms/${vm.vm_id}/adapters/0/ports/0/nio`, {
        method: 'POST',
        body: { type: 'nio_tap', tap_device: device },
      })
    const refused = async (vm: Instance, device: string) => {
      const response = await connect(vm, device)
      return [response.status, asRecord(await response.json()).message]
    }
    expect(await refused(pc, forbidden)).toEqual([
      409,
      `The device '${forbidden}' is not one that labs on this server can use.`,
    ])
    expect(await refused(pc, `tvx${mark}`)).toEqual([
      409,
      `Ethernet interface tvx${mark} does not exist on this system.`,
    ])
    expect(await refused(pc, bridge)).toEqual([409, `${bridge} is not a TAP device.`])
    expect((await connect(pc, tap)).status).toBe(201)
    expect(await refused(other, tap)).toEqual([409, `${tap} is used by another NIC.`])
    const cloud = await createCloud([{ port: 0, device: 'eth0' }])
    const start = await server.ask(`${lab.path}/cloud/nodes/${cloud}/start`, { method: 'POST' })
    expect(start.status).toBe(409)
    expect(carriers()).toHaveLength(1)
  }, 180_000)

  it('starts a carrier again that has ended, and ends those of a server that has crashed', async () => {
    const [pid] = carriers()
    process.kill(Number(pid), 'SIGKILL')
    await expect.poll(() => carriers().filter((other) => other !== pid), { timeout: 20_000 }).toHaveLength(1)
    const left = carriers()
    await server.kill()
    server = await server.restart()
    await expect.poll(() => carriers().filter((pid) => !left.includes(pid)), { timeout: 20_000 }).toHaveLength(1)
    expect(carriers()).toHaveLength(1)
  }, 90_000)
})
