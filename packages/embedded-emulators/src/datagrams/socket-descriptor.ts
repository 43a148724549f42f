import type { Socket } from 'node:dgram'
import { fstatSync } from 'node:fs'

const propertyOf = (value: unknown, key: PropertyKey): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined

/**
 * Returns the file descriptor of a bound UDP socket, which can be read and written without the cost of `node:dgram`.
 * `undefined` where this version of Node keeps it elsewhere, and on operating systems other than Linux.
 */
export function socketDescriptor(socket: Socket): number | undefined {
  if (process.platform !== 'linux') return undefined
  const state = Object.getOwnPropertySymbols(socket).find((symbol) => symbol.description === 'state symbol')
  const descriptor = state === undefined ? undefined : propertyOf(propertyOf(propertyOf(socket, state), 'handle'), 'fd')
  return typeof descriptor === 'number' && descriptor > 2 && fstatSync(descriptor).isSocket() ? descriptor : undefined
}
