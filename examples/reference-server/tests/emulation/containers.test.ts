import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  enginePrograms,
  openTestEngine,
  type TestEngine,
} from '../../../../packages/process-emulators/tests/container-engine.ts'
import { requireProgram } from '../require-program.ts'
import { type ServerProcess, startServer } from '../server-process.ts'
import { asRecord, createLab, type Lab, nodePlug, openTerminal, switchPlug, type Terminal, vmPlug } from './lab.ts'
import { requireNamespaces } from './outside-network.ts'

const IMAGE = 'localhost/labs/busybox:1'
const packages = 'podman crun conmon busybox-static socat iproute2'

let installed = requireNamespaces()
for (const program of enginePrograms) installed = (await requireProgram(program, packages)) && installed

describe.skipIf(!installed)('containers in a lab', () => {
  let engine: TestEngine
  let server: ServerProcess
  let lab: Lab

  beforeAll(async () => {
    engine = await openTestEngine()
    await engine.importBusybox(IMAGE)
    server = await startServer({
      environment: { TRIVIUM_CONTAINER_SOCKET: engine.socketPath, TRIVIUM_CONTAINER_IMAGES: 'localhost/labs/*' },
    })
    lab = await createLab(server)
  }, 180_000)
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]()
    await engine?.close()
  }, 60_000)

  const add = async (name: string, fields: object = {}) => {
    const body = { name, image: IMAGE, memory: 32, start_command: 'sleep 100000', ...fields }
    const made = asRecord(await lab.call('POST', `${lab.path}/containers/nodes`, body))
    return {
      id: String(made.node_id),
      console: Number(made.console),
      one: `${lab.path}/containers/nodes/${made.node_id}`,
    }
  }

  /** Starts a container, and types lines into its console. The console first shows what it has shown before. */
  async function startWith(node: { readonly one: string; readonly console: number }, ...lines: readonly string[]) {
    await lab.call('POST', `${node.one}/start`)
    const terminal = await openTerminal(node.console)
    await terminal.until(/# /)
    for (const line of lines) await run(terminal, line)
    return terminal
  }

  const run = (terminal: Terminal, line: string) => terminal.run(`${line}; echo do''ne`, /done\r\n/)

  /** The carriers among all processes. One that has ended has no arguments. */
  const carriers = () =>
    readdirSync('/proc').filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('tun-name=tvc')
      } catch {
        return false
      }
    })

  const isOfServer = (pid: string) =>
    readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`TRIVIUM_SERVER=${server.process.pid}\0`)

  it('pings between containers and a virtual PC through a switch, with captures, impairments and counters', async () => {
    const device = await lab.createSwitch('S1')
    const [left, right] = [await add('Left'), await add('Right', { adapters: 2 })]
    const pc = await lab.create('emu3', { name: 'PC', startup_script: 'ip 10.0.0.3/24\n' })
    await lab.cable(nodePlug('containers', left.id), switchPlug(device, 1, 'access', 1))
    await lab.cable(nodePlug('containers', right.id, 0, 1), switchPlug(device, 2, 'access', 1))
    await lab.cable(vmPlug('emu3', pc.vm_id), switchPlug(device, 3, 'access', 1))
    await lab.start('emu3', pc.vm_id)
    const one = await startWith(left, 'ip addr add 10.0.0.1/24 dev eth0')
    const other = await startWith(right, 'ip addr add 10.0.0.2/24 dev eth1')

    const port = `${left.one}/adapters/0/ports/0`
    await lab.call('POST', `${port}/start_capture`, { capture_file_name: 'left.pcap', data_link_type: 'DLT_EN10MB' })
    expect(await run(one, 'ping -c 2 -w 20 10.0.0.2')).toMatch(/64 bytes from 10\.0\.0\.2: seq=\d+ ttl=64/)
    expect(await run(one, 'ping -c 2 -w 20 10.0.0.3')).toMatch(/64 bytes from 10\.0\.0\.3/)
    expect(await run(other, 'ping -c 2 -w 20 10.0.0.1')).toMatch(/64 bytes from 10\.0\.0\.1/)
    const { counters, ...nio } = asRecord(await lab.call('GET', `${port}/nio`))
    expect(asRecord(asRecord(counters).outgoing).frames).toBeGreaterThan(3)
    await lab.call('POST', `${port}/stop_capture`)
    const file = await server.ask(`${lab.path}/captures/left.pcap`)
    expect((await file.arrayBuffer()).byteLength).toBeGreaterThan(500)

    const { type, lport, rhost, rport } = nio
    const body = { type, lport, rhost, rport, impairments: { outgoing: { delay_ms: 60 } } }
    await lab.call('PUT', `${port}/nio`, body)
    expect(await run(one, 'ping -c 2 -w 20 10.0.0.2')).toMatch(/seq=1 ttl=64 time=([6-9]\d|\d{3,})\./)
    const resources = asRecord(await lab.call('GET', `${left.one}/resources`))
    expect(resources.memory_bytes).toBeGreaterThan(10_000)
    for (const terminal of [one, other]) terminal.close()
  }, 180_000)

  it('shows a console to several viewers, and suspends, resumes, reloads, stops and deletes a container', async () => {
    const node = await add('Viewed')
    const first = await startWith(node)
    const second = await openTerminal(node.console)
    first.type('echo for-a""ll')
    await Promise.all([first.until(/for-all\r\n/), second.until(/for-all\r\n/)])
    await lab.call('POST', `${node.one}/suspend`)
    expect(await lab.call('GET', `${node.one}/status`)).toMatchObject({ status: 'suspended' })
    await lab.call('POST', `${node.one}/resume`)
    await run(first, 'echo x > /tmp/lost')
    await lab.call('POST', `${node.one}/reload`)
    const again = await openTerminal(node.console)
    expect(await again.run("ls /tmp/lost; echo aft''er", /after\r\n/)).toContain('No such file')
    await lab.call('POST', `${node.one}/stop`)
    expect(await engine.containers()).not.toContain(`trivium-${node.id}`)
    await lab.call('DELETE', node.one)
    for (const terminal of [first, second, again]) terminal.close()
  }, 120_000)

  it('stops a container when its program has ended', async () => {
    const node = await add('Short', { start_command: "/bin/sh -c 'until test -e /tmp/end; do sleep 0.1; done'" })
    const terminal = await startWith(node)
    terminal.type('echo > /tmp/end')
    const status = async () => asRecord(await lab.call('GET', `${node.one}/status`)).status
    await expect.poll(status, { timeout: 20_000 }).toBe('stopped')
    terminal.close()
  }, 60_000)

  it('keeps volumes and the startup configuration over a restart', async () => {
    const node = await add('Kept', {
      volumes: ['/data'],
      startup_config: 'hostname %h\n',
      startup_config_path: '/etc/router.conf',
    })
    const terminal = await startWith(node, 'cp /etc/router.conf /data/copy')
    await lab.call('POST', `${node.one}/stop`)
    terminal.close()
    const again = await startWith(node)
    expect(await run(again, 'cat /data/copy')).toContain('hostname Kept\r\n')
    again.close()
    await lab.call('DELETE', node.one)
  }, 120_000)

  it('refuses an image that the server does not allow, and one that does not exist', async () => {
    const refused = async (image: string) => {
      const response = await server.ask(`${lab.path}/containers/nodes`, { method: 'POST', body: { name: 'R', image } })
      return [response.status, asRecord(await response.json()).message]
    }
    expect(await refused('docker.io/library/alpine')).toEqual([
      409,
      "The image 'docker.io/library/alpine' is not one that labs on this server can use.",
    ])
    const { one } = await add('Absent', { image: 'localhost/labs/absent' })
    const response = await server.ask(`${one}/start`, { method: 'POST' })
    expect([response.status, asRecord(await response.json()).message]).toEqual([
      409,
      "The container engine has no image 'localhost/labs/absent'. Images are not pulled: build or load it on the host.",
    ])
  }, 60_000)

  it('removes containers and their carriers at the start after a crash of the server', async () => {
    const node = await add('Left over')
    const terminal = await startWith(node)
    terminal.close()
    const left = carriers().filter(isOfServer)
    expect(left.length).toBeGreaterThan(0)
    await server.kill()
    expect(await engine.containers()).toContain(`trivium-${node.id}`)
    server = await server.restart()
    lab = { ...lab, call: (await createLab(server)).call }
    expect(await engine.containers()).toEqual([])
    expect(carriers().filter((pid) => left.includes(pid))).toEqual([])
    expect(await lab.call('GET', `${node.one}/status`)).toMatchObject({ status: 'stopped' })
    const again = await startWith(node)
    again.close()
  }, 120_000)
})

it.skipIf(!installed)(
  'a server without a socket creates containers, and refuses their start',
  async () => {
    await using server = await startServer()
    const lab = await createLab(server)
    const made = asRecord(await lab.call('POST', `${lab.path}/containers/nodes`, { name: 'C', image: 'frr' }))
    const response = await server.ask(`${lab.path}/containers/nodes/${made.node_id}/start`, { method: 'POST' })
    expect([response.status, asRecord(await response.json()).message]).toEqual([
      409,
      'This server has no emulator for container.',
    ])
  },
  60_000,
)
