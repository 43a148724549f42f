import { type IncomingHttpHeaders, request } from 'node:http'

/** An answer as the client reads it. */
export interface ClientAnswer {
  readonly status: number
  /** Empty where the content type is not exactly that of JSON. */
  readonly body: Readonly<Record<string, unknown>>
}

/**
 * A client that behaves as the desktop client of the original at 1.3: it compares the version before its first request,
 * reads bodies only under exactly `application/json`, has no credentials, uses product names under `/v1`, creates its
 * project before the first node, and allocates the UDP ports of links again each time that it opens a topology.
 */
export class DesktopClient {
  readonly #url: string
  readonly #version: string
  #isConnected = false
  #projectId: string | null
  #isCreated = false

  /** @param projectId the id in the topology file; `null` for a new project */
  constructor(url: string, { version = '1.3.0alpha1', projectId = null }: ClientOptions = {}) {
    this.#url = url
    this.#version = version
    this.#projectId = projectId
  }

  get projectId(): string | null {
    return this.#projectId
  }

  /** Sends a request after the version was compared. @throws Error as the client shows one */
  async query(method: string, path: string, body: Readonly<Record<string, unknown>> = {}): Promise<ClientAnswer> {
    if (!this.#isConnected) {
      const { body: found } = await this.#send('GET', '/version')
      if (found.version !== this.#version)
        throw new Error(`Client version ${this.#version} differs with server version ${found.version}`)
      this.#isConnected = true
    }
    const answer = await this.#send(method, path, body)
    if (answer.status >= 400) throw new Error(`${answer.status} ${answer.body.message ?? 'without a message'}`)
    return answer
  }

  /** Sends a request about the project, which is created or opened first. */
  async inProject(method: string, path: string, body: Readonly<Record<string, unknown>> = {}): Promise<ClientAnswer> {
    if (!this.#isCreated) {
      const made = await this.query('POST', '/projects', { temporary: false, project_id: this.#projectId })
      this.#projectId ??= String(made.body.project_id)
      this.#isCreated = true
    }
    return this.query(method, `/projects/${this.#projectId}${path}`, body)
  }

  async createPc(fields: Readonly<Record<string, unknown>>): Promise<Readonly<Record<string, unknown>>> {
    return (await this.inProject('POST', '/vpcs/vms', fields)).body
  }

  async createMachine(name: string, settings: Readonly<Record<string, unknown>>, id?: string) {
    const fields = { name, qemu_path: 'qemu-system-x86_64', ...(id !== undefined && { vm_id: id }) }
    const { vm_id } = (await this.inProject('POST', '/qemu/vms', fields)).body
    // The settings follow the creation.
    return (await this.inProject('PUT', `/qemu/vms/${vm_id}`, settings)).body
  }

  async createSwitch(name: string, id?: string): Promise<string> {
    const fields = { name, device_type: 'ethernet_switch', ...(id !== undefined && { device_id: id }) }
    return String((await this.inProject('POST', '/dynamips/devices', fields)).body.device_id)
  }

  /** Connects a VM with a port of a switch, by two new UDP ports. */
  async cable(product: 'vpcs' | 'qemu', vm: string, device: string, port: number, vlan = 1): Promise<void> {
    const allocate = async () => (await this.query('POST', '/ports/udp')).body.udp_port
    const [lport, rport] = [await allocate(), await allocate()]
    const end = { type: 'nio_udp', rhost: '127.0.0.1' }
    await this.inProject('POST', `/${product}/vms/${vm}/adapters/0/ports/0/nio`, { ...end, lport, rport })
    await this.inProject('POST', `/dynamips/devices/${device}/ports/${port}/nio`, {
      nio: { ...end, lport: rport, rport: lport },
      port_settings: { vlan, type: 'access' },
    })
  }

  /** Sends only the ports that have changed, as the client's dialog does. */
  async changePort(device: string, port: number, vlan: number) {
    const ports = [{ port, type: 'access', vlan }]
    return (await this.inProject('PUT', `/dynamips/devices/${device}`, { ports })).body.ports
  }

  /** Saves and closes the project. A client that opens it again is another one. */
  async close(): Promise<void> {
    await this.inProject('POST', '/commit')
    await this.inProject('POST', '/close')
    this.#isCreated = false
  }

  #send(method: string, path: string, body: Readonly<Record<string, unknown>> = {}): Promise<ClientAnswer> {
    const hasBody = method === 'POST' || method === 'PUT'
    const text = JSON.stringify(body)
    const headers = {
      'content-type': 'application/json',
      'content-length': String(hasBody ? Buffer.byteLength(text) : 0),
      'user-agent': `GNS3 QT Client v${this.#version}`,
    }
    return new Promise((resolve, reject) => {
      const sent = request(`${this.#url}/v1${path}`, { method, headers }, (response) => {
        let received = ''
        response.setEncoding('utf8').on('data', (chunk: string) => {
          received += chunk
        })
        response.on('error', reject)
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body: read(response.headers, received) }))
      })
      sent.on('error', reject)
      sent.end(hasBody ? text : undefined)
    })
  }
}

export interface ClientOptions {
  readonly version?: string
  readonly projectId?: string | null
}

const read = ({ 'content-type': type }: IncomingHttpHeaders, text: string): Readonly<Record<string, unknown>> =>
  text !== '' && type === 'application/json' ? JSON.parse(text) : {}
