import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { join, relative, resolve } from 'node:path'
import { SettingsError } from '../settings.ts'
import type { HopAddress } from './calls.ts'

/** The most bytes of the path of a socket, in all systems. */
const MOST_BYTES = 103

const NAME = 'socket'
const PREFIX = 'workers-'

/** An address at which only the processes of this user can connect, in a directory of its own with mode 0700. */
export interface PrivateAddress extends HopAddress {
  remove(): void
}

/** @throws SettingsError (rejects) where the path would be too long for a socket */
export async function privateAddress(dataDirectory: string): Promise<PrivateAddress> {
  await removeUnused(dataDirectory)
  const directory = mkdtempSync(join(resolve(dataDirectory), PREFIX))
  const remove = () => rmSync(directory, { recursive: true, force: true })
  const file = join(directory, NAME)
  const [path = file] = [file, relative(process.cwd(), file)].sort((one, other) => one.length - other.length)
  if (Buffer.byteLength(path) > MOST_BYTES) {
    remove()
    throw new SettingsError(
      `The path of "${dataDirectory}" is too long for the socket of the workers. Choose a shorter one with --data-dir, or use 1 worker.`,
    )
  }
  return { path, token: randomBytes(32).toString('base64url'), remove }
}

/** Removes the directories of servers that were killed. */
async function removeUnused(dataDirectory: string): Promise<void> {
  const found = readdirSync(dataDirectory).filter((name) => name.startsWith(PREFIX))
  await Promise.all(
    found.map(async (name) => {
      const directory = join(resolve(dataDirectory), name)
      if (!(await isUsed(join(directory, NAME)))) rmSync(directory, { recursive: true, force: true })
    }),
  )
}

async function isUsed(path: string): Promise<boolean> {
  const socket = connect(path)
  try {
    await once(socket, 'connect')
    return true
  } catch (error) {
    // Other errors do not prove that no server listens.
    return !(error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED')
  } finally {
    socket.destroy()
  }
}
