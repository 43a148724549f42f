import { open } from 'node:fs/promises'
import { createConnection, type Socket } from 'node:net'
import { basename, dirname } from 'node:path'
import {
  type DisplayConnection,
  type DisplayEndpoint,
  type DisplayProtocol,
  Refusal,
} from '@trivium/emulation-core/ports'
import { pacedOutput } from '../processes/paced-output.ts'

/** The longest path of a socket that every system accepts. */
const LONGEST_PATH = 100

/** Creates the display of a machine whose server of the protocol has a socket at this absolute path. */
export const socketDisplay = (protocol: DisplayProtocol, path: string): DisplayEndpoint => ({
  protocol,
  connect: async ({ data, closed }) => {
    const socket = await connected(path)
    const { pause, resume } = pacedOutput(socket, data)
    socket.once('close', closed)
    const connection: DisplayConnection = {
      write: (bytes) => void (socket.writable && socket.write(bytes)),
      get bufferedBytes() {
        return socket.writableLength
      },
      pause,
      resume,
      close: () => socket.destroy(),
    }
    return connection
  },
})

async function connected(path: string): Promise<Socket> {
  if (Buffer.byteLength(path) <= LONGEST_PATH) return connectTo(path)
  // The path of an open directory is short.
  const directory = await open(dirname(path)).catch(() => undefined)
  if (directory === undefined) throw unavailable()
  try {
    return await connectTo(`/proc/self/fd/${directory.fd}/${basename(path)}`)
  } finally {
    await directory.close()
  }
}

function connectTo(path: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = createConnection(path)
    socket.on('error', (cause) => reject(unavailable(cause)))
    socket.once('connect', () => resolve(socket))
  })
}

const unavailable = (cause?: Error) =>
  new Refusal('unavailable', 'The display does not accept a connection.', { cause })
