import { dataPlane, portProbe, tcpConsoleListener } from '@trivium/embedded-emulators'
import { createEmulation, createPortAllocator } from '@trivium/emulation-core'
import { emulationRoutes } from '@trivium/emulation-core/http'
import { fastifyRoutes } from '@trivium/fastify-adapter'
import { loadNativeDatagrams } from '@trivium/native-datagrams'
import fastify from 'fastify'

/**
 * Runs a lab and its API in a process: `lab-process.ts FROM TO worker|main`. A switch has two ports on UDP. Prints the
 * address of the switch in the API.
 */
const [from = 0, to = 0] = process.argv.slice(2, 4).map(Number)
const thread = process.argv[4] === 'worker' ? 'worker' : 'main'

const fail = (fault: unknown) => {
  throw fault
}
const ports = createPortAllocator({ isFree: portProbe() })
const batches = loadNativeDatagrams({ onAbsent: fail })
const { relay, ethernetSwitch } = dataPlane({ ports, batches, thread, onFault: fail })
const emulation = createEmulation({
  emulators: { 'ethernet-switch': ethernetSwitch },
  relay,
  ports,
  consoles: tcpConsoleListener(),
  onFault: fail,
})

const project = await emulation.projects.create({})
if (project.isErr()) throw new Error(project.error.type)
const projectId = project.value.id
const created = await emulation.instances.create({ projectId, kind: 'ethernet-switch', name: 'switch', settings: {} })
if (created.isErr()) throw new Error(created.error.type)
const { id } = created.value
for (const [index, localPort] of [from, to].entries()) {
  const nio = { type: 'udp', localPort, remoteHost: '127.0.0.1', remotePort: localPort + 1 } as const
  const reference = { projectId, kind: 'ethernet-switch', id } as const
  const connected = await emulation.connections.connectSwitchPort(reference, index + 1, { nio })
  if (connected.isErr()) throw new Error(connected.error.type)
}

const server = fastify()
server.register(fastifyRoutes(emulationRoutes(emulation, { authorize: { '*': 'open' } })))
const address = await server.listen({ port: 0, host: '127.0.0.1' })
console.log(`listening on ${address}/v1/projects/${projectId}/emu5/devices/${id}`)
