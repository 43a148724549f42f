import { createBatchedChannel } from './batched-channel.ts'
import type { DatagramBatches } from './datagram-batches.ts'
import type { OpenDatagramChannel } from './datagram-channel.ts'
import { createDescriptorChannel } from './descriptor-channel.ts'
import { createFrameSlab } from './frame-slab.ts'
import { createPortableChannel } from './portable-channel.ts'
import { createSendStages } from './send-stage.ts'
import { socketDescriptor } from './socket-descriptor.ts'
import { createTurnBudget } from './turn-budget.ts'
import { openUdpSocket } from './udp-socket.ts'

export interface DatagramChannelsOptions {
  /** Used where the descriptor of a socket is available: on Linux. */
  readonly batches?: DatagramBatches | undefined
  /** Does not use descriptors, as on other platforms. For tests. @default false */
  readonly portable?: boolean
  /** Called with the number of open sockets when it changes. */
  readonly onSockets?: ((open: number) => void) | undefined
}

/** Frames that all channels together read through descriptors in one turn of the event loop. */
const FRAMES_PER_TURN = 1024

/** Creates channels that share the memory of received frames and the budget of a turn. */
export function createDatagramChannels({
  batches,
  portable = false,
  onSockets = () => {},
}: DatagramChannelsOptions = {}): OpenDatagramChannel {
  const slab = createFrameSlab()
  const budget = createTurnBudget(FRAMES_PER_TURN)
  const stages = batches === undefined ? undefined : createSendStages(batches)
  let open = 0
  const count = (change: number) => {
    open += change
    onSockets(open)
  }
  return async ({ local, remote, receive }) => {
    const socket = await openUdpSocket(local, remote)
    count(1)
    socket.once('close', () => count(-1))
    const descriptor = portable ? undefined : socketDescriptor(socket)
    if (descriptor === undefined) return createPortableChannel(socket, receive)
    const channelOptions = { socket, descriptor, slab, receive, budget }
    if (batches === undefined || stages === undefined) return createDescriptorChannel(channelOptions)
    return createBatchedChannel({ ...channelOptions, batches, stages })
  }
}
