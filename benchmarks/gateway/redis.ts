import { connect } from 'node:net'

const LOOPBACK = 'redis://127.0.0.1:6379'
const TIMEOUT_MS = 1_000

/** Returns the address of a Redis that accepts connections: of `TEST_REDIS_URL`, or on loopback. */
export async function findRedis(): Promise<string | undefined> {
  const url = process.env.TEST_REDIS_URL ?? LOOPBACK
  const { hostname, port } = new URL(url)
  const accepts = await new Promise<boolean>((resolve) => {
    const socket = connect({ host: hostname, port: Number(port === '' ? 6379 : port), timeout: TIMEOUT_MS })
    const settle = (isOpen: boolean) => {
      socket.destroy()
      resolve(isOpen)
    }
    socket
      .on('connect', () => settle(true))
      .on('error', () => settle(false))
      .on('timeout', () => settle(false))
  })
  return accepts ? url : undefined
}
