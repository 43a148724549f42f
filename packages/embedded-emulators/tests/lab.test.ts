import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { InstanceId, ProjectId } from '@trivium/emulation-core'
import {
  type Emulator,
  type EthernetSwitchSettings,
  type LinkRelay,
  type Nic,
  noImpairment,
  type PortAllocator,
  type ProjectFiles,
  type RunningInstance,
} from '@trivium/emulation-core/ports'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { dataPlane, openDirectoryProjectFiles, virtualPcEmulator } from '../src/index.ts'
import { createMemorySink, readPcap } from './memory-sink.ts'
import { hasProgram } from './program.ts'
import { takePort, testPorts } from './test-ports.ts'
import { testWiring } from './test-wiring.ts'

const accepted = { recorded: async () => {} }

let directory: string
let ports: PortAllocator
let relay: LinkRelay
let ethernetSwitch: Emulator<'ethernet-switch'>
let faults: Error[]
let files: ProjectFiles
let running: RunningInstance[]
let slot: number

function useLab(thread: 'main' | 'worker'): void {
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'lab-'))
    ports = testPorts()
    ;({ relay, ethernetSwitch } = dataPlane({ ports, thread, onFault: (fault) => faults.push(fault) }))
    faults = []
    files = await openDirectoryProjectFiles({ location: directory })
    await files.openProject(project())
    running = []
    slot = 0
  })

  afterEach(async () => {
    for (const instance of running) await instance.stop()
    await relay.close()
    expect(faults).toEqual([])
    await rm(directory, { recursive: true, force: true })
  })
}

// Any string is valid as an id here: it is not parsed.
const idOf = (name: string) => ({ id: name as InstanceId, projectId: 'project' as ProjectId })
const project = () => ({ id: 'project' as ProjectId, path: join(directory, 'project'), temporary: false })

const udpPort = () => takePort(ports, 'udp')

const startSwitch = async (name: string, settings: EthernetSwitchSettings): Promise<(port: number) => Nic> => {
  const nics = settings.ports.map(({ port }) => ({ adapter: 0, port }))
  const wiring = testWiring(relay, name, nics)
  const instance = { ...idOf(name), kind: 'ethernet-switch', name, settings, directory } as const
  running.push(await ethernetSwitch.start(instance, wiring, accepted))
  return (port) => wiring.nic({ adapter: 0, port })
}

interface Terminal {
  readonly nic: Nic
  readonly instance: RunningInstance<'virtual-pc'>
  readonly text: string
  type(line: string): void
  /** Resolves with the whole output once it matches. */
  until(pattern: RegExp): Promise<string>
}

const startPc = async (name: string, script: string): Promise<Terminal> => {
  const ownSlot = slot
  slot += 1
  const instanceDirectory = { project: project(), kind: 'virtual-pc', id: idOf(name).id } as const
  await files.writeText(instanceDirectory, 'startup.vpc', script)
  const address = { adapter: 0, port: 0 }
  const wiring = testWiring(relay, name, [address])
  const instance = {
    ...idOf(name),
    kind: 'virtual-pc',
    name,
    slot: ownSlot,
    settings: { console: 1, macAddress: `00:50:79:66:68:0${ownSlot}` },
    directory: files.instancePath(instanceDirectory),
  } as const
  const started = await virtualPcEmulator().start(instance, wiring, accepted)
  running.push(started)
  let text = ''
  let check = () => {}
  started.console?.onOutput((bytes) => {
    text += Buffer.from(bytes).toString().replaceAll('\r', '')
    check()
  })
  return {
    nic: wiring.nic(address),
    instance: started,
    get text() {
      return text
    },
    type: (line) => started.console?.write(Buffer.from(`${line}\r`)),
    until: (pattern) =>
      new Promise((resolve) => {
        check = () => {
          if (pattern.test(text)) resolve(text)
        }
        check()
      }),
  }
}

/** Cables two NICs as a client does: by two UDP NIOs that point at each other. */
const cable = async (one: Nic, other: Nic) => {
  const [near, far] = [await udpPort(), await udpPort()]
  await relay.connect(one, { type: 'udp', localPort: near, remoteHost: '127.0.0.1', remotePort: far })
  await relay.connect(other, { type: 'udp', localPort: far, remoteHost: '127.0.0.1', remotePort: near })
}

const tshark = (...options: readonly string[]): string => spawnSync('tshark', options, { encoding: 'utf8' }).stdout

/** Starts two switches with two access VLANs and a trunk between them, and a machine on every access port. */
const buildLab = async () => {
  const access = [
    { port: 1, type: 'access', vlan: 10 },
    { port: 2, type: 'access', vlan: 20 },
    { port: 8, type: 'dot1q', vlan: 1 },
  ] as const
  const left = await startSwitch('left', { ports: access })
  const right = await startSwitch('right', { ports: access })
  const pcs = await Promise.all([1, 2, 3, 4].map((number) => startPc(`PC${number}`, `ip 10.0.0.${number}/24\n`)))
  const [a10, a20, b10, b20] = pcs
  if (a10 === undefined || a20 === undefined || b10 === undefined || b20 === undefined)
    throw new Error('a machine is missing')
  await cable(left(8), right(8))
  await cable(a10.nic, left(1))
  await cable(a20.nic, left(2))
  await cable(b10.nic, right(1))
  await cable(b20.nic, right(2))
  await Promise.all(pcs.map((pc, index) => pc.until(new RegExp(`PC${index + 1}> $`))))
  return { left, right, a10, a20, b10, b20 }
}

describe.each([
  ['on the main thread', 'main'],
  ['in a worker', 'worker'],
] as const)('a lab of embedded emulators whose frames move %s', { timeout: 30_000 }, (_where, thread) => {
  useLab(thread)

  it('passes pings over the trunk inside a VLAN, but not between VLANs', async () => {
    const { a10, a20, b20 } = await buildLab()
    a10.type('ping 10.0.0.3 -c 3 -i 10')
    a20.type('ping 10.0.0.4 -c 3 -i 10')
    expect(await a10.until(/icmp_seq=3.*\n\nPC1> $/)).toMatch(
      /(84 bytes from 10\.0\.0\.3 icmp_seq=\d ttl=64 time=.* ms\n){3}/,
    )
    expect(await a20.until(/icmp_seq=3.*\n\nPC2> $/)).toMatch(
      /(84 bytes from 10\.0\.0\.4 icmp_seq=\d ttl=64 time=.* ms\n){3}/,
    )
    a10.type('ping 10.0.0.2 -c 1')
    b20.type('ping 10.0.0.3 -c 1')
    expect(await a10.until(/not reachable/)).toContain('host (10.0.0.2) not reachable')
    expect(await b20.until(/not reachable/)).toContain('host (10.0.0.3) not reachable')
    a10.type('ping fe80::250:79ff:fe66:6802 -c 1')
    await a10.until(/104 bytes from fe80::250:79ff:fe66:6802/)
  })

  it('passes frames of 9,014 bytes through switches, links and captures', async () => {
    const { left, a10, b10 } = await buildLab()
    const sink = createMemorySink()
    await relay.startCapture(left(8), { linkType: 1, direction: 'both', sink, limitBytes: 1_000_000 })
    for (const pc of [a10, b10]) pc.type('ip mtu 9000')
    a10.type('ping 10.0.0.3 -c 2 -i 10 -l 8972 -D')
    await a10.until(/9000 bytes from 10\.0\.0\.3 icmp_seq=2/)
    await relay.stopCapture(left(8))
    // The trunk carries them with a tag.
    expect(readPcap(sink.content).frames.filter((frame) => frame.length === 9018)).toHaveLength(4)
  })

  it('captures and streams the frames that a filter accepts, and refuses a filter that reads anything else', async () => {
    const { left, a10 } = await buildLab()
    const sink = createMemorySink()
    const loadType = (k: number) => ({ code: 0x28, jt: 0, jf: 0, k })
    const returns = (k: number) => ({ code: 0x06, jt: 0, jf: 0, k })
    const options = { linkType: 1, direction: 'both', sink, limitBytes: 1_000_000 } as const
    const outside = relay.startCapture(left(1), {
      ...options,
      sink: createMemorySink(),
      filter: [loadType(0xfffff000), returns(1)],
    })
    await expect(outside).rejects.toMatchObject({ reason: 'unsupported' })
    const arp = [loadType(12), { code: 0x15, jt: 0, jf: 1, k: 0x0806 }, returns(1), returns(0)]
    await relay.startCapture(left(1), { ...options, filter: arp })
    const end = new AbortController()
    const stream = relay.streamCapture(left(1), { linkType: 1, direction: 'both', filter: arp, signal: end.signal })
    const streamed = (async () => {
      const pieces: Uint8Array[] = []
      for await (const piece of stream) pieces.push(piece)
      return readPcap(Buffer.concat(pieces)).frames
    })()
    a10.type('clear arp')
    a10.type('ping 10.0.0.3 -c 2 -i 10')
    await a10.until(/icmp_seq=2/)
    await relay.stopCapture(left(1))
    end.abort()
    for (const frames of [readPcap(sink.content).frames, await streamed]) {
      expect(frames.length).toBeGreaterThan(0)
      expect(frames.map((frame) => frame.readUInt16BE(12)).filter((type) => type !== 0x0806)).toEqual([])
    }
  })

  it('applies delays, link states and new cables while it runs', async () => {
    const { left, right, a10, b10 } = await buildLab()
    relay.setImpairments(left(8), { outgoing: { ...noImpairment, delayMilliseconds: 60 }, incoming: noImpairment })
    a10.type('ping 10.0.0.3 -c 1')
    const slow = await a10.until(/icmp_seq=1.*\n\nPC1> $/)
    expect(Number(/time=([\d.]+)/.exec(slow)?.[1])).toBeGreaterThanOrEqual(60)
    relay.setLinkUp(left(8), false)
    a10.type('ping 10.0.0.3 -c 1 -w 100 -l 1')
    await a10.until(/icmp_seq=1 timeout/)
    relay.setLinkUp(left(8), true)
    await relay.disconnect(left(8))
    await relay.disconnect(right(8))
    await cable(b10.nic, left(1))
    await relay.disconnect(a10.nic)
    await cable(a10.nic, left(2))
    a10.type('ping 10.0.0.3 -c 1')
    await a10.until(/host \(10\.0\.0\.3\) not reachable|timeout\n\nPC1> $/)
    await relay.disconnect(b10.nic)
    await cable(a10.nic, b10.nic)
    a10.type('ping 10.0.0.3 -c 1 -l 99')
    await a10.until(/127 bytes from 10\.0\.0\.3/)
  })

  it.runIf(hasProgram('tshark', 'tshark'))('captures the trunk in a file that tshark reads', async () => {
    const { left, a10, a20 } = await buildLab()
    const sink = await files.createCapture(project(), 'trunk.pcap')
    await relay.startCapture(left(8), { linkType: 1, direction: 'both', sink, limitBytes: 1_000_000 })
    a10.type('ping 10.0.0.3 -c 2 -i 10')
    a20.type('ping 10.0.0.4 -c 2 -i 10')
    await a10.until(/icmp_seq=2.*\n\nPC1> $/)
    await a20.until(/icmp_seq=2.*\n\nPC2> $/)
    await relay.stopCapture(left(8))
    const fields = tshark(
      '-r',
      sink.path,
      '-Y',
      'icmp',
      '-T',
      'fields',
      '-e',
      'vlan.id',
      '-e',
      'ip.src',
      '-e',
      'ip.dst',
      '-e',
      'icmp.type',
    )
    const rows = fields.trim().split('\n')
    expect(rows).toHaveLength(8)
    expect(rows).toContain('10\t10.0.0.1\t10.0.0.3\t8')
    expect(rows).toContain('20\t10.0.0.4\t10.0.0.2\t0')
    expect(
      tshark(
        '-r',
        sink.path,
        '-Y',
        'icmp.checksum.status == "Bad" || ip.checksum.status == "Bad"',
        '-o',
        'ip.check_checksum:TRUE',
      ),
    ).toBe('')
    expect(tshark('-r', sink.path, '-Y', '_ws.malformed')).toBe('')
  })

  it('restores what was saved after a restart, and refuses other paths for scripts', async () => {
    const first = await startPc('PC1', 'ip 10.0.0.1/24\n')
    await first.until(/PC1> $/)
    first.type('ip 10.0.0.9/24')
    await first.until(/10\.0\.0\.9 255/)
    first.type('save')
    await first.until(/Saved/)
    const instanceDirectory = { project: project(), kind: 'virtual-pc', id: idOf('PC1').id } as const
    const saved = await files.readText(instanceDirectory, 'startup.vpc')
    expect(saved).toBe('set pcname PC1\nip 10.0.0.9/24\n')
    for (const name of ['../escape', '/etc/passwd', 'a/b']) {
      first.type(`save ${name}`)
      await first.until(/not a plain file name\.\n\nPC1> $/)
    }
    first.type('quit')
    expect(await first.instance.exited).toEqual({ exitCode: 0, log: '' })
    const second = await startPc('PC1', saved ?? '')
    expect(await second.until(/PC1> $/)).toContain('10.0.0.9 255.255.255.0')
  })
})

const vpcs = hasProgram('vpcs', 'vpcs')

/** Milliseconds to wait for an output. */
const HUNG_MS = 20_000

describe.runIf(vpcs).each([
  ['on the main thread', 'main'],
  ['in a worker', 'worker'],
] as const)('the program VPCS with frames %s', { timeout: 90_000 }, (_where, thread) => {
  useLab(thread)

  let processes: ReturnType<typeof spawn>[] = []
  let sockets: Socket[] = []

  afterEach(async () => {
    for (const socket of sockets) socket.destroy()
    for (const child of processes) {
      const exited = once(child, 'exit')
      child.kill('SIGTERM')
      await exited
    }
    processes = []
    sockets = []
  })

  /** Connects to the console as soon as its port accepts connections. */
  const dial = async (port: number): Promise<Socket> => {
    for (;;) {
      const socket = connect(port, '127.0.0.1')
      const opened = await once(socket, 'connect').then(
        () => true,
        () => false,
      )
      if (opened) return socket
      socket.destroy()
      await new Promise<void>((resolve) => setTimeout(resolve, 20))
    }
  }

  const startVpcs = async (name: string, macId: number) => {
    const nic: Nic = { ...idOf(name), instanceId: idOf(name).id, adapter: 0, port: 0 }
    const plug = await relay.plugUdp(nic)
    const console = await takePort(ports, 'console')
    // Without -F it runs in the background, where this test cannot end it.
    const options = `-F -p ${console} -s ${plug.devicePort} -c ${plug.relayPort} -t 127.0.0.1 -m ${macId} -i 1`
    processes.push(spawn('vpcs', options.split(' '), { cwd: directory, stdio: 'ignore' }))
    const socket = await dial(console)
    sockets.push(socket)
    let text = ''
    let check = () => {}
    socket.on('data', (bytes) => {
      text += bytes.toString('latin1').replaceAll('\r', '')
      check()
    })
    const until = (pattern: RegExp) =>
      new Promise<string>((resolve, reject) => {
        const hung = setTimeout(() => reject(new Error(`${name} has not printed ${pattern}, but:\n${text}`)), HUNG_MS)
        check = () => {
          if (!pattern.test(text)) return
          clearTimeout(hung)
          resolve(text)
        }
        check()
      })
    await until(/VPCS> $/)
    return { nic, until, type: (line: string) => socket.write(`${line}\r`) }
  }

  it('exchanges pings with an embedded machine through the switch', async () => {
    const port = await startSwitch('switch', {
      ports: [
        { port: 1, type: 'access', vlan: 10 },
        { port: 2, type: 'access', vlan: 10 },
      ],
    })
    const real = await startVpcs('real', 9)
    const embedded = await startPc('PC1', 'ip 10.0.0.1/24\n')
    await cable(real.nic, port(1))
    await cable(embedded.nic, port(2))
    await embedded.until(/PC1> $/)
    real.type('ip 10.0.0.2/24')
    await real.until(/PC1 : 10\.0\.0\.2[^>]*VPCS> $/)
    real.type('ping 10.0.0.1 -c 3 -i 50')
    expect(await real.until(/icmp_seq=3 .*\n\nVPCS> $/)).toMatch(/(10\.0\.0\.1 icmp_seq=\d ttl=64 time=.* ms\n){3}/)
    real.type('ping 10.0.0.1 -c 2 -i 50 -P 17')
    await real.until(/10\.0\.0\.1 udp_seq=2 ttl=64/)
    real.type('trace 10.0.0.1')
    await real.until(/ICMP type:3, code:3, Destination port unreachable/)
    embedded.type('ping 10.0.0.2 -c 3 -i 50')
    expect(await embedded.until(/icmp_seq=3 .*\n\nPC1> $/)).toMatch(
      /(84 bytes from 10\.0\.0\.2 icmp_seq=\d ttl=64 time=.* ms\n){3}/,
    )
    embedded.type('ping 10.0.0.2 -c 2 -i 50 -2')
    await embedded.until(/udp_seq=2 ttl=64/)
    embedded.type('ping fe80::250:79ff:fe66:6809 -c 2 -i 50')
    await embedded.until(/bytes from fe80::250:79ff:fe66:6809 icmp_seq=2/)
    embedded.type('trace 10.0.0.2')
    await embedded.until(/\*10\.0\.0\.2 .*Destination port unreachable/)
    embedded.type('ip 10.0.0.2/24')
    await embedded.until(/10\.0\.0\.2 is used by 00:50:79:66:68:09/)
  })

  it('pings another VPCS through the switch', async () => {
    const port = await startSwitch('switch', {
      ports: [
        { port: 1, type: 'access', vlan: 1 },
        { port: 2, type: 'access', vlan: 1 },
      ],
    })
    const one = await startVpcs('one', 1)
    const other = await startVpcs('other', 2)
    await cable(one.nic, port(1))
    await cable(other.nic, port(2))
    one.type('ip 10.0.0.1/24')
    other.type('ip 10.0.0.2/24')
    await Promise.all([one.until(/PC1 : 10\.0\.0\.1[^>]*VPCS> $/), other.until(/PC1 : 10\.0\.0\.2[^>]*VPCS> $/)])
    one.type('ping 10.0.0.2 -c 3 -i 50')
    expect(await one.until(/icmp_seq=3 .*\n\nVPCS> $/)).toMatch(/(10\.0\.0\.2 icmp_seq=\d ttl=64 time=.* ms\n){3}/)
  })
})
