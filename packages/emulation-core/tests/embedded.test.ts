import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { connect } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createEmbeddedLab, createEmbeddedStores, type EmbeddedLab, type EmbeddedStores } from './embedded-lab.ts'
import { openTelnet, type TelnetClient } from './telnet-client.ts'

const project = '11111111-1111-4111-8111-111111111111'
const base = `/v1/projects/${project}`
const prompt = /> $/

let stores: EmbeddedStores
let lab: EmbeddedLab
let viewers: TelnetClient[] = []
beforeEach(async () => {
  stores = await createEmbeddedStores()
  lab = await createEmbeddedLab(stores)
  await lab.call('POST', '/v1/projects', { project_id: project })
})
afterEach(async () => {
  for (const viewer of viewers) viewer.close()
  viewers = []
  await lab.emulation.close()
  await stores.remove()
})

const createSwitch = async (name: string): Promise<string> => {
  const { device_id } = await lab.call('POST', `${base}/emu5/devices`, { name, device_type: 'ethernet_switch' })
  return device_id
}

const createPc = async (name: string, address: string) => {
  const script = `set pcname %h\nip ${address}\n`
  const mac_address = `02:00:00:00:00:0${name.toLowerCase().charAt(0)}`
  const { vm_id, console: port } = await lab.call('POST', `${base}/emu3/vms`, {
    name,
    startup_script: script,
    ...(/^[A-F]$/.test(name) ? { mac_address } : {}),
  })
  return { name, path: `${base}/emu3/vms/${vm_id}`, nic: `${base}/emu3/vms/${vm_id}/adapters/0/ports/0`, port }
}

const udpPort = async (): Promise<number> => (await lab.call('POST', '/v1/ports/udp')).udp_port

/** @param one,other create the NIO of their end */
async function cable(one: (nio: object) => Promise<unknown>, other: (nio: object) => Promise<unknown>) {
  const [lport, rport] = [await udpPort(), await udpPort()]
  await one({ type: 'nio_udp', lport, rhost: '127.0.0.1', rport })
  await other({ type: 'nio_udp', lport: rport, rhost: '127.0.0.1', rport: lport })
}

const toPc =
  ({ nic }: { readonly nic: string }) =>
  (nio: object) =>
    lab.call('POST', `${nic}/nio`, nio)

const toPort = (device: string, port: number, type: string, vlan: number) => (nio: object) =>
  lab.call('POST', `${base}/emu5/devices/${device}/ports/${port}/nio`, { nio, port_settings: { type, vlan } })

async function start({ path, port }: { readonly path: string; readonly port: number }) {
  await lab.call('POST', `${path}/start`)
  const viewer = await openTelnet(port, prompt)
  viewers.push(viewer)
  await viewer.until(prompt)
  return viewer
}

// Virtual PCs probe for their addresses and wait for answers, which takes time.
describe('a lab without installed programs', { timeout: 30_000 }, () => {
  it('carries frames after it was closed and opened, and in a copy at the same time', async () => {
    const hub = await createSwitch('SW1')
    const one = await createPc('one', '10.0.0.1/24')
    const two = await createPc('two', '10.0.0.2/24')
    await cable(toPc(one), toPort(hub, 1, 'access', 10))
    await cable(toPc(two), toPort(hub, 2, 'access', 10))
    const pingInside = async (id: string) => {
      await lab.call('POST', `/v1/projects/${id}/start`)
      const [first] = await lab.call('GET', `/v1/projects/${id}/emu3/vms`)
      const viewer = await openTelnet(first.console, prompt)
      viewers.push(viewer)
      await viewer.until(prompt)
      expect(await viewer.run('ping 10.0.0.2 -c 1')).toMatch(/bytes from 10\.0\.0\.2/)
    }
    await pingInside(project)
    await lab.call('POST', `${base}/close`)
    const copy = await lab.call('POST', `${base}/duplicate`, { name: 'Copy' })
    for (const id of [project, copy.project_id]) await lab.call('POST', `/v1/projects/${id}/open`)
    await pingInside(project)
    await pingInside(copy.project_id)
    const links = await lab.call('GET', `/v1/projects/${copy.project_id}/links`)
    expect(links.map(({ ends }: { ends: unknown[] }) => ends.length)).toEqual([2, 2])
  })

  it('separates VLANs across a trunk, and captures its frames', async () => {
    const [left, right] = [await createSwitch('SW1'), await createSwitch('SW2')]
    await cable(toPort(left, 9, 'dot1q', 1), toPort(right, 9, 'dot1q', 1))
    const a = await createPc('A', '10.0.0.1/24')
    const b = await createPc('B', '10.0.0.2/24')
    const c = await createPc('C', '10.0.0.3/24')
    await cable(toPc(a), toPort(left, 1, 'access', 10))
    await cable(toPc(b), toPort(right, 1, 'access', 10))
    await cable(toPc(c), toPort(right, 2, 'access', 20))
    const [consoleA] = await Promise.all([a, b, c].map(start))
    const trunk = `${base}/emu5/devices/${left}/ports/9`
    const { pcap_file_path: file } = await lab.call('POST', `${trunk}/start_capture`, {
      capture_file_name: 'trunk.pcap',
      data_link_type: 'DLT_EN10MB',
    })
    expect(await consoleA?.run('ping 10.0.0.2 -c 2 -i 10')).toMatch(/(bytes from 10\.0\.0\.2 .*[\r\n]+.*){2}/)
    expect(await consoleA?.run('ping 10.0.0.3 -c 1 -i 10 -w 200')).toMatch(/not reachable|timeout/)
    await lab.call('POST', `${trunk}/stop_capture`)

    const table = await lab.call('GET', `${base}/emu5/devices/${left}/mac_table`)
    expect(table).toEqual(
      expect.arrayContaining([
        { mac: '02:00:00:00:00:0a', vlan: 10, port: 1 },
        { mac: '02:00:00:00:00:0b', vlan: 10, port: 9 },
      ]),
    )
    const links = await lab.call('GET', `${base}/links`)
    expect(links).toHaveLength(4)
    expect(links.every(({ ends }: { ends: unknown[] }) => ends.length === 2)).toBe(true)

    const response = await lab.request('GET', `${base}/captures/trunk.pcap`)
    const bytes = new Uint8Array(await response.arrayBuffer())
    expect([...bytes.subarray(0, 4)]).toEqual([0xd4, 0xc3, 0xb2, 0xa1])
    if (existsSync('/usr/bin/tshark')) {
      const fields = ['-T', 'fields', '-e', 'vlan.id', '-e', 'icmp.type', '-e', 'ip.src']
      const rows = execFileSync('tshark', ['-r', file, '-Y', 'icmp', ...fields], { encoding: 'utf8' })
        .trim()
        .split('\n')
      expect(rows).toEqual(['10\t8\t10.0.0.1', '10\t0\t10.0.0.2', '10\t8\t10.0.0.1', '10\t0\t10.0.0.2'])
    } else if (process.env.TRIVIUM_REQUIRE_SERVICES === '1') throw new Error('tshark is not installed')
    else console.log('tshark is not installed: only the first bytes of the capture are checked')
  })

  it('replaces, disconnects and impairs links while instances run', async () => {
    const [a, b] = [await createPc('A', '10.0.0.1/24'), await createPc('B', '10.0.0.2/24')]
    await cable(toPc(a), toPc(b))
    const [consoleA] = await Promise.all([a, b].map(start))
    const ping = 'ping 10.0.0.2 -c 1 -w 300'
    expect(await consoleA?.run(ping)).toContain('bytes from 10.0.0.2')
    await lab.call('PUT', `${a.nic}/nio`, { link_up: false })
    expect(await consoleA?.run(ping)).not.toContain('bytes from')
    await lab.call('PUT', `${a.nic}/nio`, { link_up: true, impairments: { outgoing: { delay_ms: 40 } } })
    const slow = /time=([\d.]+) ms/.exec((await consoleA?.run(ping)) ?? '')?.[1]
    expect(Number(slow)).toBeGreaterThanOrEqual(39)
    await lab.call('PUT', `${a.nic}/nio`, { impairments: { outgoing: { loss_percent: 100 } } })
    expect(await consoleA?.run(ping)).not.toContain('bytes from')
    const { counters, impairments } = await lab.call('GET', `${a.nic}/nio`)
    expect(counters.outgoing.dropped).toBeGreaterThan(0)
    expect(impairments.outgoing).toMatchObject({ loss_percent: 100, delay_ms: 0 })

    const c = await createPc('C', '10.0.0.2/24')
    await start(c)
    await lab.call('DELETE', `${b.nic}/nio`)
    await cable(toPc(a), toPc(c))
    await consoleA?.run('clear arp')
    expect(await consoleA?.run(ping)).toContain('bytes from 10.0.0.2')
  })

  it('ends a capture at its limit', async () => {
    await lab.emulation.close()
    lab = await createEmbeddedLab(stores, { limits: { captureBytes: 300 } })
    const [a, b] = [await createPc('A', '10.0.0.1/24'), await createPc('B', '10.0.0.2/24')]
    await cable(toPc(a), toPc(b))
    const [consoleA] = await Promise.all([a, b].map(start))
    await lab.call('POST', `${a.nic}/start_capture`, { capture_file_name: 'short.pcap' })
    await consoleA?.run('ping 10.0.0.2 -c 3 -i 10')
    const list = () => lab.call('GET', `${base}/captures`)
    await expect.poll(list).toMatchObject([{ capture_file_name: 'short.pcap', active: false }])
    const file = await (await lab.request('GET', `${base}/captures/short.pcap`)).arrayBuffer()
    expect(file.byteLength).toBeGreaterThan(24)
    expect(file.byteLength).toBeLessThanOrEqual(300)
    await lab.call('DELETE', `${base}/captures/short.pcap`)
    expect(await list()).toEqual([])
  })

  it('ends captures at the limit of their project', async () => {
    await lab.emulation.close()
    lab = await createEmbeddedLab(stores, { limits: { projectCaptureBytes: 600 } })
    const [a, b] = [await createPc('A', '10.0.0.1/24'), await createPc('B', '10.0.0.2/24')]
    await cable(toPc(a), toPc(b))
    const [consoleA] = await Promise.all([a, b].map(start))
    const limits: unknown[] = []
    lab.emulation.events.on('capture.stopped', (_instance, { limit }) => limits.push(limit))
    await lab.call('POST', `${a.nic}/start_capture`, { capture_file_name: 'a.pcap' })
    await lab.call('POST', `${b.nic}/start_capture`, { capture_file_name: 'b.pcap' })
    await consoleA?.run('ping 10.0.0.2 -c 5 -i 10')
    const list = () => lab.call('GET', `${base}/captures`)
    await expect.poll(list).toMatchObject([{ active: false }, { active: false }])
    expect(limits).toEqual(['project', 'project'])
    const sizes = (await list()).map(({ bytes }: { readonly bytes: number }) => bytes)
    expect(sizes[0] + sizes[1]).toBeGreaterThan(300)
    expect(sizes[0] + sizes[1]).toBeLessThanOrEqual(600)
  })

  it('restores instances with the same ports at the next start', async () => {
    const [a, b] = [await createPc('A', '10.0.0.1/24'), await createPc('B', '10.0.0.2/24')]
    await cable(toPc(a), toPc(b))
    await start(a)
    await lab.emulation.close()
    const before = await stores.repositories.instances.list()
    lab = await createEmbeddedLab(stores)
    expect(await lab.call('GET', `${base}/emu3/vms`)).toMatchObject([
      { name: 'A', console: a.port, startup_script: 'set pcname A\nip 10.0.0.1/24\n' },
      { name: 'B', console: b.port },
    ])
    expect(before).toHaveLength(2)
    expect(await lab.call('GET', `${a.path}/status`)).toEqual({ status: 'stopped' })
    const [consoleA] = await Promise.all([a, b].map(start))
    expect(await consoleA?.run('ping 10.0.0.2 -c 1')).toContain('bytes from 10.0.0.2')
  })

  it('shares a console between viewers, and sends earlier output to new ones', async () => {
    const a = await createPc('A', '10.0.0.1/24')
    const first = await start(a)
    const second = await openTelnet(a.port, prompt)
    viewers.push(second)
    await second.until(prompt)
    await first.run('show version')
    expect(await second.until(/show version[\s\S]*> $/)).toContain('show version')
    await lab.call('POST', `${a.path}/stop`)
    await new Promise((resolve) => connect({ port: a.port, host: '127.0.0.1' }).once('error', resolve))
  })

  it('runs commands on consoles, one after the other on each', async () => {
    const [a, b] = [await createPc('A', '10.0.0.1/24'), await createPc('B', '10.0.0.2/24')]
    await cable(toPc(a), toPc(b))
    const [viewer] = await Promise.all([a, b].map(start))
    const run = (pc: typeof a, command: string, more: object = {}) =>
      lab.call('POST', `${pc.path}/run`, { command, timeout_seconds: 20, ...more })

    const complete = { timed_out: false, truncated: false, closed: false, prompt: 'A>' }
    const shown = await run(a, 'show ip')
    expect(shown).toMatchObject(complete)
    expect(shown.output).toMatch(/^NAME +: A.*\nIP\/MASK +: 10\.0\.0\.1\/24\n/s)
    expect(await viewer?.until('10.0.0.1/24')).toContain('show ip')

    const [there, back] = await Promise.all([
      run(a, 'ping 10.0.0.2 -c 2 -i 10'),
      run(b, 'ping 10.0.0.1 -c 1', { prompt: 'B>' }),
    ])
    expect(there.output).toMatch(/^84 bytes from 10\.0\.0\.2 icmp_seq=1 .*\n84 bytes from 10\.0\.0\.2 icmp_seq=2 .*$/)
    expect(back.output).toMatch(/^84 bytes from 10\.0\.0\.1 icmp_seq=1 .*$/)

    const endless = await run(a, 'ping 10.0.0.2 -t', { timeout_seconds: 2.5, interrupt: true })
    expect(endless).toMatchObject({ timed_out: true, prompt: null, output: expect.stringContaining('icmp_seq=1') })
    expect(await run(a, 'set pcname Z', { prompt: '>' })).toMatchObject({ output: '', prompt: 'Z>' })
    expect(await run(a, '')).toMatchObject({ ...complete, output: '', prompt: 'Z>' })
  })

  it('closes all ports and deletes all files when the project is deleted', async () => {
    const a = await createPc('A', '10.0.0.1/24')
    const device = await createSwitch('SW1')
    await cable(toPc(a), toPort(device, 1, 'access', 1))
    await start(a)
    await lab.call('DELETE', base)
    await new Promise((resolve) => connect({ port: a.port, host: '127.0.0.1' }).once('error', resolve))
    expect(existsSync(`${stores.directory}/${project}`)).toBe(false)
    expect(await udpPort()).toBe(65_400)
  })
})
