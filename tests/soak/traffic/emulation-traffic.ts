import { once } from 'node:events'
import { connect } from 'node:net'
import { WebSocket } from 'ws'
import type { Client } from './client.ts'
import type { Traffic } from './traffic.ts'

interface Pc {
  readonly path: string
  readonly console: number
}

/** The path of a NIO, and the settings of its switch port. */
interface Plug {
  readonly path: string
  readonly settings?: object
}

const inProject = async (client: Client, use: (path: string) => Promise<void>): Promise<void> => {
  const { project_id: id } = await client.call('POST', '/v1/projects', { body: {} })
  const path = `/v1/projects/${id}`
  await use(path)
  await client.call('DELETE', path)
}

const createPc = async (client: Client, project: string, name: string, script: string): Promise<Pc> => {
  const body = { name, startup_script: script }
  const made = await client.call('POST', `${project}/emu3/vms`, { body })
  return { path: `${project}/emu3/vms/${made.vm_id}`, console: Number(made.console) }
}

const pcPlug = ({ path }: Pc): Plug => ({ path: `${path}/adapters/0/ports/0` })

const switchPlug = (device: string, port: number): Plug => ({
  path: `${device}/ports/${port}`,
  settings: { type: 'access', vlan: 1 },
})

async function cable(client: Client, left: Plug, right: Plug): Promise<void> {
  const port = async () => (await client.call('POST', '/v1/ports/udp')).udp_port
  const [first, second] = [await port(), await port()]
  for (const [{ path, settings }, lport, rport] of [
    [left, first, second],
    [right, second, first],
  ] as const) {
    const nio = { type: 'nio_udp', lport, rhost: '127.0.0.1', rport }
    await client.call('POST', `${path}/nio`, { body: settings ? { nio, port_settings: settings } : nio })
  }
}

/** Types a line into a console over WebSocket, and waits until its output contains `sign`. */
async function type(client: Client, pc: Pc, line: string, sign: string, byTicket: boolean): Promise<void> {
  const query = byTicket ? `?ticket=${(await client.call('POST', `${pc.path}/console/ticket`)).ticket}` : ''
  const socket = new WebSocket(`${client.url.replace(/^http/, 'ws')}${pc.path}/console/ws${query}`, {
    headers: byTicket ? {} : { authorization: client.admin },
  })
  const closed = once(socket, 'close')
  let seen = ''
  await new Promise<void>((resolve, reject) => {
    socket.once('open', () => socket.send(`${line}\r`))
    socket.once('error', reject)
    socket.once('close', () => reject(new Error(`the console closed before ${sign}:\n${seen}`)))
    socket.on('message', (bytes) => {
      seen += bytes.toString()
      if (seen.includes(sign)) resolve()
    })
  })
  socket.close()
  await closed
}

/** Opens a console over TCP and reads its first output. */
async function readConsole({ console: port }: Pc): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'data')
  socket.destroy()
  await once(socket, 'close')
}

/** Runs two PCs at a switch that ping each other, with notifications, a capture and impairments. */
const lab = (client: Client, turn: number) =>
  inProject(client, async (project) => {
    const events = client.readPart('GET', `${project}/notifications`, 3)
    const device = { name: 'S', device_type: 'ethernet_switch' }
    const { device_id: id } = await client.call('POST', `${project}/emu5/devices`, { body: device })
    const ethernetSwitch = `${project}/emu5/devices/${id}`
    const [one, other] = [
      await createPc(client, project, 'PC1', 'ip 10.0.0.1/24\n'),
      await createPc(client, project, 'PC2', 'ip 10.0.0.2/24\n'),
    ]
    await cable(client, pcPlug(one), switchPlug(ethernetSwitch, 1))
    await cable(client, pcPlug(other), switchPlug(ethernetSwitch, 2))
    const nic = pcPlug(one).path
    await client.call('POST', `${nic}/start_capture`, { body: { capture_file_name: 'lab.pcap' } })
    for (const { path } of [one, other]) await client.call('POST', `${path}/start`)
    const live = client.readPart('GET', `${nic}/capture/stream`, 2)
    await readConsole(one)
    await type(client, one, 'ping 10.0.0.2 -c 3 -i 10', 'icmp_seq=3', turn % 2 === 0)
    const impairments = { outgoing: { delay_ms: 5, jitter_ms: 1 }, incoming: { loss_percent: 10 } }
    await client.call('PUT', `${nic}/nio`, { body: { impairments } })
    await type(client, other, 'ping 10.0.0.1 -c 3 -i 10 -w 50', 'icmp_seq=3', turn % 2 === 1)
    await Promise.all([events, live])
    await client.call('GET', `${project}/links`)
    await client.call('GET', `${ethernetSwitch}/mac_table`)
    await client.call('GET', `${one.path}/resources`)
    await client.call('POST', `${nic}/stop_capture`)
    await client.call('GET', `${project}/captures/lab.pcap`)
    await client.call('DELETE', `${project}/captures/lab.pcap`)
    await client.call('POST', `${one.path}/reload`)
    await client.call('POST', `${one.path}/stop`)
    // The deletion of the project stops the other one.
    await client.call('DELETE', `${nic}/nio`)
  })

/** Creates, changes, reads and deletes instances without starting them. */
const drawing = (client: Client) =>
  inProject(client, async (project) => {
    const { path } = await createPc(client, project, 'PC', 'echo hello\n')
    await client.call('PUT', path, { body: { name: 'renamed' } })
    await client.call('GET', `${path}/status`)
    const machine = { name: 'M', emu1_path: '/bin/qemu-system-nothing', ram: 64 }
    await client.call('POST', `${project}/emu1/vms`, { body: machine, statuses: [201, 400, 403, 409] })
    await client.call('GET', `${project}/emu3/vms`)
    await client.call('DELETE', path)
    await client.call('GET', path, { statuses: [404] })
    await client.call('POST', `${project}/commit`)
  })

export const emulationTraffic: readonly Traffic[] = [
  { name: 'lab', users: 2, isSlow: true, turn: lab },
  { name: 'drawing', users: 1, turn: drawing },
]
