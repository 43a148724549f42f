import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  enginePrograms,
  openTestEngine,
  type TestEngine,
} from '../../../../packages/process-emulators/tests/container-engine.ts'
import { requireProgram } from '../require-program.ts'
import { type ServerProcess, startServer } from '../server-process.ts'
import { frrImage } from './frr-image.ts'
import { asRecord, createLab, nodePlug, openTerminal, switchPlug, vmPlug } from './lab.ts'
import { requireNamespaces } from './outside-network.ts'

const IMAGE = 'localhost/labs/frr:8'

let installed = requireNamespaces()
for (const program of [...enginePrograms, 'gcc', 'apt-get', 'dpkg-deb'])
  installed = (await requireProgram(program, 'podman crun conmon busybox-static socat iproute2 gcc')) && installed

const archive = installed ? await frrImage().catch((error: Error) => error) : undefined
if (archive instanceof Error) {
  const message = `FRR is not available, its tests are skipped: ${archive.message}`
  if (process.env.TRIVIUM_REQUIRE_SERVICES === '1') throw new Error(message)
  console.warn(message)
}

const configuration = (id: number) => `
hostname R${id}
interface lo
 ip address 192.0.2.${id}/32
interface eth0
 ip address 10.0.12.${id}/24
 ip ospf hello-interval 1
 ip ospf dead-interval 4
interface eth1
 ip address 10.0.${id}.1/24
router ospf
 ospf router-id 192.0.2.${id}
 network 192.0.2.${id}/32 area 0
 network 10.0.12.0/24 area 0
 network 10.0.${id}.0/24 area 0
`

describe.skipIf(typeof archive !== 'string')('a lab with FRR', () => {
  let engine: TestEngine
  let server: ServerProcess

  beforeAll(async () => {
    engine = await openTestEngine()
    if (typeof archive === 'string') await engine.importImage(IMAGE, archive)
    server = await startServer({
      environment: { TRIVIUM_CONTAINER_SOCKET: engine.socketPath, TRIVIUM_CONTAINER_IMAGES: 'localhost/labs/frr:*' },
    })
  }, 180_000)
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]()
    await engine?.close()
  }, 60_000)

  it('makes routers full neighbours by OSPF through a switch, which learn routes and forward packets', async () => {
    const lab = await createLab(server)
    const device = await lab.createSwitch('S1')
    const addRouter = async (id: number) => {
      const made = asRecord(
        await lab.call('POST', `${lab.path}/containers/nodes`, {
          name: `R${id}`,
          image: IMAGE,
          adapters: 2,
          start_command: '/etc/frr/start',
          startup_config: configuration(id),
          startup_config_path: '/etc/frr/frr.conf',
        }),
      )
      const node = String(made.node_id)
      await lab.cable(nodePlug('containers', node), switchPlug(device, id, 'access', 1))
      await lab.call('POST', `${lab.path}/containers/nodes/${node}/start`)
      return { node, console: Number(made.console) }
    }
    const first = await addRouter(1)
    const second = await addRouter(2)
    const pc = await lab.create('emu3', { name: 'PC', startup_script: 'ip 10.0.1.10/24 10.0.1.1\n' })
    await lab.cable(vmPlug('emu3', pc.vm_id), nodePlug('containers', first.node, 0, 1))
    await lab.start('emu3', pc.vm_id)

    const terminal = await openTerminal(first.console)
    await terminal.until(/# /)
    let count = 0
    const run = (line: string) => {
      count += 1
      return terminal.run(`${line}; echo do''ne-${count}`, new RegExp(`done-${count}\r\n`))
    }
    await expect
      .poll(() => run('vtysh -c "show ip ospf neighbor"'), { timeout: 90_000 })
      .toMatch(/192\.0\.2\.2 +1 Full\//)
    await expect.poll(() => run('ip route'), { timeout: 60_000 }).toMatch(/192\.0\.2\.2 .*via 10\.0\.12\.2 dev eth0/)
    expect(await run('vtysh -c "show ip route ospf"')).toMatch(/O>\* 10\.0\.2\.0\/24 .*via 10\.0\.12\.2, eth0/)
    expect(await run('ping -c 2 -w 20 192.0.2.2')).toMatch(/64 bytes from 192\.0\.2\.2/)
    terminal.close()

    // The other router has a route back to the network of the PC.
    const console = await openTerminal(pc.console)
    const ping = () => console.run('ping 192.0.2.2 -c 1 -w 2000', /icmp_seq=1 [^\n]*\n|not reachable[^\n]*\n/, 20_000)
    await expect.poll(ping, { timeout: 60_000 }).toMatch(/192\.0\.2\.2 icmp_seq=1 ttl=63/)
    console.close()
    await lab.call('POST', `${lab.path}/containers/nodes/${second.node}/stop`)
  }, 240_000)
})
