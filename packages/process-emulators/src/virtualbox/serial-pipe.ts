import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { Refusal } from '@trivium/emulation-core/ports'

const RETRY_MS = 50

/** Connects to the local socket of a VM's serial port, which VirtualBox creates when the VM starts. */
export async function connectSerialPipe(path: string, timeoutMs: number): Promise<Socket> {
  for (let waited = 0; ; waited += RETRY_MS) {
    try {
      return await connection(path)
    } catch (cause) {
      if (waited >= timeoutMs) {
        throw new Refusal('failed', `The serial port of the VirtualBox VM can't be reached at ${path}.`, { cause })
      }
      await wait(RETRY_MS)
    }
  }
}

const connection = (path: string): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect(path)
    socket.once('error', reject)
    socket.once('connect', () => {
      socket.off('error', reject)
      resolve(socket)
    })
  })
