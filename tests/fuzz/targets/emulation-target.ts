import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  ethernetSwitchEmulator,
  linkRelay,
  openDirectoryProjectFiles,
  portProbe,
  tcpConsoleListener,
  virtualPcEmulator,
} from '@trivium/embedded-emulators'
import { createEmulation, createPortAllocator, type Emulation } from '@trivium/emulation-core'
import { emulationContract, emulationRoutes, emulationSocketRoutes } from '@trivium/emulation-core/http'
import { memoryEmulationRepositories } from '@trivium/emulation-core/memory'
import { adminCheck } from '@trivium/http-contract'
import { iouEmulator } from '@trivium/process-emulators/iou'
import { qemuEmulator } from '@trivium/process-emulators/qemu'
import { virtualBoxEmulator } from '@trivium/process-emulators/virtualbox'
import { ownPorts } from '../../../examples/reference-server/tests/own-ports.ts'
import type { FuzzTarget } from '../fuzz-target.ts'
import { ADMIN, callRoutes, idSequence } from './call-routes.ts'
import { disturbances } from './disturbances.ts'

const id = (digit: number | string) => `${String(digit).repeat(8)}-0000-4000-8000-000000000000`

const PROJECTS = [1, 2].map(id)
const INSTANCES = {
  emu1: [3, 4].map(id),
  emu2: [5].map(id),
  emu3: [6, 7].map(id),
  emu4: [8].map(id),
  emu5: [9].map(id),
}
const DRAWINGS = ['d', 'e'].map(id)
const NODES = { nat: id('a'), cloud: id('b'), container: id('c') }

const { version: VERSION }: { version: string } = JSON.parse(
  readFileSync('packages/emulation-core/package.json', 'utf8'),
)

const KINDS = ['Emu1', 'Emu2', 'Emu3', 'Emu4', 'Emu5', 'Nat', 'Cloud', 'Container']

/** Kinds with instances, and their names in the original. */
const PRODUCTS = { emu1: 'qemu', emu2: 'iou', emu3: 'vpcs', emu4: 'virtualbox' } as const

/** Ports of this process, outside of those that the system assigns. */
const { consolePorts, udpPorts } = await ownPorts()
const PORTS = udpPorts.first

const udp = (lport: number) => ({ type: 'nio_udp', lport, rhost: '127.0.0.1', rport: lport ^ 1 })

const capture = (number: number) => ({
  capture_file_name: `capture${number}.pcap`,
  data_link_type: 'DLT_EN10MB',
})

/** The bytes of a program that are checked before it is run. It cannot run. */
const ROUTER_PROGRAM = Buffer.from('\x7fELF\x01\x01\x01')

/** A socket is refused like any other operation. */
const { 204: _, ...socketRefusals } = emulationContract.startEmu3.responses

/** Shortens the time of commands on consoles: a request that names a prompt which never comes takes all of it. */
const impatient = (emulation: Emulation): Emulation => ({
  ...emulation,
  get isClosed() {
    return emulation.isClosed
  },
  consoles: {
    ...emulation.consoles,
    run: (reference, request) =>
      emulation.consoles.run(reference, { ...request, timeoutSeconds: Math.min(request.timeoutSeconds ?? 1, 1) }),
  },
})

const CANARY = 'a file outside of every project'

export const emulationTarget: FuzzTarget = {
  name: 'emulation',
  async open() {
    const faults: unknown[] = []
    const onFault = (fault: unknown) => faults.push(fault)
    // The path is constant, because requests name files in it.
    const directory = join(tmpdir(), `trivium-fuzz-${process.pid}`)
    rmSync(directory, { recursive: true, force: true })
    const [location, images] = [join(directory, 'projects'), join(directory, 'images')]
    for (const made of [location, images]) mkdirSync(made, { recursive: true })
    writeFileSync(join(directory, 'canary'), CANARY)
    writeFileSync(join(images, 'disk.img'), 'a disk')
    writeFileSync(join(images, 'router.bin'), ROUTER_PROGRAM, { mode: 0o755 })
    const ports = createPortAllocator({
      isFree: portProbe(),
      consolePorts,
      udpPorts,
    })
    const disturbed = disturbances()
    const emulation = createEmulation({
      repositories: disturbed.breakable(memoryEmulationRepositories()),
      emulators: {
        machine: qemuEmulator({ imageDirectories: [images], acceleration: 'tcg' }),
        router: iouEmulator({ imageDirectories: [images] }),
        'virtual-pc': virtualPcEmulator(),
        'desktop-vm': virtualBoxEmulator(),
        'ethernet-switch': ethernetSwitchEmulator(),
      },
      relay: linkRelay({ ports }),
      ports,
      files: await openDirectoryProjectFiles({ location }),
      consoles: tcpConsoleListener(),
      newId: idSequence(),
      onFault,
    })
    await emulation.start()
    const options = { admin: adminCheck('secret'), productNames: true, onFault }
    const routes = emulationRoutes(impatient(emulation), options)
    const ask = callRoutes(routes)

    const seed = async (make: (path: string, body?: unknown) => Promise<unknown>) => {
      for (const project_id of PROJECTS) await make('/v1/projects', { project_id })
      const project = `/v1/projects/${PROJECTS[0]}`
      for (const vm_id of INSTANCES.emu1)
        await make(`${project}/emu1/vms`, { vm_id, name: `m${vm_id}`, emu1_path: 'qemu-system-x86_64', ram: 16 })
      for (const vm_id of INSTANCES.emu2)
        await make(`${project}/emu2/vms`, { vm_id, name: 'r', path: join(images, 'router.bin') })
      for (const vm_id of INSTANCES.emu3) {
        await make(`${project}/emu3/vms`, { vm_id, name: `p${vm_id}` })
        await make(`${project}/emu3/vms/${vm_id}/start`)
      }
      for (const vm_id of INSTANCES.emu4)
        await make(`${project}/emu4/vms`, { vm_id, name: 'd', vmname: 'd', linked_clone: false, adapters: 1 })
      for (const device_id of INSTANCES.emu5) {
        await make(`${project}/emu5/devices`, { device_id, name: 's', device_type: 'ethernet_switch' })
      }
      for (const drawing_id of DRAWINGS) await make(`${project}/drawings`, { drawing_id, svg: '<svg/>' })
      await make(`${project}/nat/nodes`, { node_id: NODES.nat, name: 'n' })
      const ports = [{ port: 0, device: 'lo' }]
      await make(`${project}/cloud/nodes`, { node_id: NODES.cloud, name: 'c', ports })
      await make(`${project}/containers/nodes`, { node_id: NODES.container, name: 'k', image: 'frr' })
      const { emu5, ...vms } = INSTANCES
      const nics = Object.entries(vms).flatMap(([kind, ids]) =>
        ids.map((vm_id) => `${project}/${kind}/vms/${vm_id}/adapters/0/ports/0`),
      )
      for (const [index, nic] of nics.entries()) await make(`${nic}/nio`, udp(PORTS + index))
      for (const device_id of emu5) {
        const nic = `${project}/emu5/devices/${device_id}/ports/1`
        await make(`${nic}/nio`, { nio: udp(PORTS + 100), port_settings: { type: 'access', vlan: 1 } })
        nics.push(nic)
      }
      for (const nic of nics) await make(`${nic}/start_capture`, capture(nics.indexOf(nic)))
    }
    const make = (path: string, body?: unknown) => ask('POST', path, body)
    await seed(make)
    return {
      routes,
      sockets: emulationSocketRoutes(emulation, options),
      socketRefusals,
      authorizations: [ADMIN],
      values: {
        project_id: [PROJECTS[0], PROJECTS[0], PROJECTS[0], PROJECTS[1]],
        ...Object.fromEntries(
          Object.entries(PRODUCTS).flatMap(([kind, product]) =>
            [kind, product].map((name) => [`${name}.vms.vm_id`, INSTANCES[kind as keyof typeof PRODUCTS]]),
          ),
        ),
        vm_id: Object.values(INSTANCES).flat(),
        device_id: INSTANCES.emu5,
        node_id: Object.values(NODES),
        drawing_id: DRAWINGS,
        'createProject.body': [{}, { name: 'lab' }, { project_id: id(1) }, { temporary: true }],
        'updateProject.body': [{ name: 'other' }, { temporary: false }],
        'createDrawing.body': [
          { svg: '<svg height="1" width="1"><text>a</text></svg>' },
          { drawing_id: DRAWINGS[0], svg: '<svg/>' },
        ],
        'updateDrawing.body': [
          { x: 1, y: -1 },
          { svg: '<svg><rect fill="url(#a)"/></svg>', locked: true },
        ],
        'checkVersion.body': [{ version: VERSION }],
        'createEmu1.body': [
          { name: 'm', emu1_path: 'qemu-system-x86_64' },
          { name: 'm', qemu_path: 'qemu-system-x86_64', ram: 64 },
        ],
        'createEmu2.body': [{ name: 'r', path: join(images, 'router.bin') }],
        'createEmu3.body': [{ name: 'p' }, { name: 'p', startup_script: 'ip 10.0.0.1 10.0.0.2 24' }],
        'createEmu4.body': [{ name: 'd', vmname: 'd', linked_clone: true }],
        'createEmu5.body': [{ name: 's', device_type: 'ethernet_switch' }],
        'createNat.body': [{ name: 'n' }],
        'createCloud.body': [{ name: 'c' }, { name: 'c', ports: [{ port: 1, device: 'lo' }] }],
        'createContainer.body': [
          { name: 'k', image: 'frr' },
          { name: 'k', image: 'frr', environment: ['A=b'], volumes: ['/data'], startup_config: 'x', cpus: 0.5 },
        ],
        'updateEmu3.body': [{ name: 'q' }, { startup_script: 'echo x' }],
        'updateEmu5.body': [{ name: 't' }, { ports: [{ port: 1, type: 'access', vlan: 1 }] }],
        ...Object.fromEntries(
          ['Emu1', 'Emu2', 'Emu3', 'Emu4', 'Nat', 'Cloud', 'Container'].flatMap((kind) => [
            [`createNio${kind}.body`, [udp(PORTS + 200), udp(PORTS + 201)]],
            [`updateNio${kind}.body`, [{ ...udp(PORTS + 200), impairments: { outgoing: { delay_ms: 1 } } }]],
            [`runCommand${kind}.body`, [{ command: 'show ip' }, { command: '', prompt: '>' }]],
            [`startCapture${kind}.body`, [{ capture_file_name: 'capture.pcap', data_link_type: 'DLT_EN10MB' }]],
          ]),
        ),
        'createNioEmu5.body': [{ nio: udp(PORTS + 200), port_settings: { type: 'access', vlan: 1 } }],
        'updateNioEmu5.body': [{ nio: udp(PORTS + 200), port_settings: { type: 'dot1q', vlan: 1 } }],
        'startCaptureEmu5.body': [{ capture_file_name: 'capture.pcap', data_link_type: 'DLT_EN10MB' }],
        adapter_number: [0, 0, 1],
        port_number: [0, 0, 1, 2],
        'nio.rhost': ['127.0.0.1'],
        rhost: ['127.0.0.1'],
        lport: [PORTS + 200, PORTS + 201],
        rport: [PORTS + 200, PORTS + 201],
        console: [null],
        emu1_path: ['qemu-system-x86_64', join(images, 'disk.img')],
        path: [join(images, 'router.bin')],
        hda_disk_image: [join(images, 'disk.img'), 'disk.img'],
        name: ['a', 'capture.pcap'],
        'captures.name': ['capture0.pcap', 'capture1.pcap', 'capture2.pcap', 'capture3.pcap'],
        capture_file_name: ['capture.pcap', 'other.pcap'],
        device_type: ['ethernet_switch'],
        data_link_type: ['DLT_EN10MB'],
      },
      costly: ['startEmu1', 'reloadEmu1', 'resumeEmu1', 'getEmu1Capabilities', 'runCommandEmu3'],
      endless: ['streamNotifications', 'getCapture', ...KINDS.map((kind) => `streamCapture${kind}`)],
      faults,
      advance: () => disturbed.advance(),
      get isStoreUnavailable() {
        return disturbed.isStoreUnavailable
      },
      // Existing objects are refused, or returned as they are.
      restore: () => seed((path, body) => make(path, body).catch(() => undefined)),
      inspect: async () => {
        const stray = readdirSync(directory).filter((name) => !['canary', 'images', 'projects'].includes(name))
        const strayImages = readdirSync(images).filter((name) => !['disk.img', 'router.bin'].includes(name))
        const isWhole = readFileSync(join(directory, 'canary'), 'utf8') === CANARY
        return [...[...stray, ...strayImages].map((name) => `made ${name}`), ...(isWhole ? [] : ['changed the canary'])]
      },
      close: async () => {
        await emulation.close()
        rmSync(directory, { recursive: true, force: true })
      },
    }
  },
}
