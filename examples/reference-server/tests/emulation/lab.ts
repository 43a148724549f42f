import { connect, type Socket } from 'node:net'
import type { ServerProcess } from '../server-process.ts'

export interface Instance {
  readonly vm_id: string
  readonly name: string
  readonly console: number
  readonly project_id: string
}

/** A lab over HTTP, as a client of the v1 server builds it. */
export interface Lab {
  readonly projectId: string
  readonly path: string
  create<Body = Instance>(kind: string, fields: Readonly<Record<string, unknown>>): Promise<Body>
  createSwitch(name: string): Promise<string>
  start(kind: string, id: string): Promise<void>
  /** Allocates two UDP ports, and connects the two plugs with NIOs. */
  cable(left: Plug, right: Plug): Promise<void>
  call(method: string, path: string, body?: unknown): Promise<unknown>
}

/** The path of a NIO under the project, and the settings of its switch port. */
export interface Plug {
  readonly path: string
  readonly port?: { readonly type: 'access' | 'dot1q' | 'qinq'; readonly vlan: number }
}

export const vmPlug = (kind: string, id: string, adapter = 0): Plug => ({
  path: `${kind}/vms/${id}/adapters/${adapter}/ports/0/nio`,
})

export const nodePlug = (kind: 'nat' | 'cloud' | 'containers', id: string, port = 0, adapter = 0): Plug => ({
  path: `${kind}/nodes/${id}/adapters/${adapter}/ports/${port}/nio`,
})

export const switchPlug = (id: string, port: number, type: 'access' | 'dot1q', vlan: number): Plug => ({
  path: `emu5/devices/${id}/ports/${port}/nio`,
  port: { type, vlan },
})

export async function createLab(server: ServerProcess, fields: Readonly<Record<string, unknown>> = {}): Promise<Lab> {
  const call = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const response = await server.ask(path, { method, ...(body === undefined ? {} : { body }) })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return text === '' ? undefined : JSON.parse(text)
  }
  const project = asRecord(await call('POST', '/v1/projects', fields))
  const path = `/v1/projects/${project.project_id}`
  const udpPort = async () => asRecord(await call('POST', '/v1/ports/udp')).udp_port
  const plug = ({ path: nioPath, port }: Plug, lport: unknown, rport: unknown) => {
    const nio = { type: 'nio_udp', lport, rhost: '127.0.0.1', rport }
    return call('POST', `${path}/${nioPath}`, port ? { nio, port_settings: port } : nio)
  }
  return {
    projectId: String(project.project_id),
    path,
    call,
    // The assertions of the test check the body.
    create: async <Body>(kind: string, body: Readonly<Record<string, unknown>>) =>
      (await call('POST', `${path}/${kind}/vms`, body)) as Body,
    createSwitch: async (name) =>
      String(asRecord(await call('POST', `${path}/emu5/devices`, { name, device_type: 'ethernet_switch' })).device_id),
    start: async (kind, id) => void (await call('POST', `${path}/${kind}/vms/${id}/start`)),
    async cable(left, right) {
      const [first, second] = [await udpPort(), await udpPort()]
      await plug(left, first, second)
      await plug(right, second, first)
    },
  }
}

export const asRecord = (value: unknown): Record<string, unknown> => {
  if (typeof value !== 'object' || value === null) throw new Error(`not an object: ${JSON.stringify(value)}`)
  return { ...value }
}

/** A telnet console: types lines, and reads the output up to a pattern. */
export interface Terminal {
  type(line: string): void
  /** Resolves with the unread output up to the end of the first match. Rejects after `timeoutMs`. @default 30 000 ms */
  until(sign: RegExp, timeoutMs?: number): Promise<string>
  run(line: string, sign: RegExp, timeoutMs?: number): Promise<string>
  close(): void
}

export async function openTerminal(port: number): Promise<Terminal> {
  const socket: Socket = connect(port, '127.0.0.1')
  let seen = ''
  let look: (() => void) | undefined
  socket.on('data', (bytes) => {
    seen += withoutTelnet(bytes)
    look?.()
  })
  socket.on('error', () => undefined)
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject))
  const until = (sign: RegExp, timeoutMs = 30_000): Promise<string> =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        look = undefined
        reject(new Error(`no ${sign} within ${timeoutMs} ms in:\n${seen}`))
      }, timeoutMs)
      look = () => {
        const match = sign.exec(seen)
        if (!match) return
        const end = match.index + match[0].length
        const text = seen.slice(0, end)
        seen = seen.slice(end)
        clearTimeout(timer)
        look = undefined
        resolve(text)
      }
      look()
    })
  const type = (line: string) => void socket.write(`${line}\r`)
  return {
    type,
    until,
    run(line, sign, timeoutMs) {
      type(line)
      return until(sign, timeoutMs)
    },
    close: () => socket.destroy(),
  }
}

/** Removes `IAC` commands: two bytes, or three for a negotiation. */
function withoutTelnet(bytes: Buffer): string {
  const kept: number[] = []
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index] ?? 0
    if (byte !== 255) kept.push(byte)
    else index += (bytes[index + 1] ?? 0) >= 251 ? 2 : 1
  }
  return Buffer.from(kept).toString('utf8')
}
