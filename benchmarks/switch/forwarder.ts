import { dataPlane, portProbe } from '@trivium/embedded-emulators'
import { createPortAllocator, type InstanceId, type ProjectId } from '@trivium/emulation-core'
import { type EmulatedInstance, noImpairment, noImpairments, type UdpNio } from '@trivium/emulation-core/ports'
import { loadNativeDatagrams } from '@trivium/native-datagrams'

/**
 * Runs a switch with two ports on UDP in a process of its own: `forwarder.ts FROM TO DELAY worker|native|plain|dgram`. `native`
 * uses `@trivium/native-datagrams`, `worker` does so in a worker, `plain` does not, and `dgram` is the way of systems other
 * than Linux.
 */
const [from = 0, to = 0, delayMs = 0] = process.argv.slice(2, 5).map(Number)

const absent = (reason: Error) => {
  throw reason
}
const way = process.argv[5]
// The relay reads the platform when it opens a socket.
if (way === 'dgram') Object.defineProperty(process, 'platform', { value: 'other' })
const batches = way === 'native' || way === 'worker' ? loadNativeDatagrams({ onAbsent: absent }) : undefined
const { relay, ethernetSwitch } = dataPlane({
  ports: createPortAllocator({ isFree: portProbe() }),
  batches,
  thread: way === 'worker' ? 'worker' : 'main',
  onFault: absent,
})
// Any string is valid as an id here, since no code parses it.
const instanceId = 'switch' as InstanceId
const nics = [1, 2].map((port) => ({ adapter: 0, port }))

const instance: EmulatedInstance<'ethernet-switch'> = {
  id: instanceId,
  // As above.
  projectId: 'benchmark' as ProjectId,
  kind: 'ethernet-switch',
  name: 'switch',
  settings: { ports: [] },
  directory: '/',
}

await ethernetSwitch.start(
  instance,
  {
    nics,
    state: () => ({ connected: true, linkUp: true }),
    plug: (address, receive) => relay.plug({ instanceId, ...address }, receive),
    plugUdp: (address, options) => relay.plugUdp({ instanceId, ...address }, options),
  },
  { recorded: async () => {} },
)

const nioOn = (localPort: number): UdpNio => ({
  type: 'udp',
  localPort,
  remoteHost: '127.0.0.1',
  remotePort: localPort + 1,
})

await relay.connect({ instanceId, adapter: 0, port: 1 }, nioOn(from))
await relay.connect({ instanceId, adapter: 0, port: 2 }, nioOn(to), {
  impairments: { ...noImpairments, outgoing: { ...noImpairment, delayMilliseconds: delayMs } },
})
console.log('ready')
