import type { Duplex } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { Refusal } from '@trivium/emulation-core/ports'
import { isRecord, parseRecord } from './json-record.ts'

/** The longest answer, as the output of `info` commands can be long. */
const LONGEST_LINE = 4 * 1024 * 1024

export interface QmpClient {
  /** Resolves at the greeting of the emulator, when it has read its command line and created its machine. */
  readonly ready: Promise<void>
  /** Runs a command. Rejects with a `failed` refusal for an error, a timeout, or a connection that has ended. */
  execute(command: string, parameters?: Readonly<Record<string, unknown>>): Promise<unknown>
  onEvent(listener: (event: string) => void): void
}

export interface QmpClientOptions {
  readonly socket: Duplex
  /** @default 10,000 */
  readonly timeoutMs?: number
}

interface Pending {
  readonly resolve: (value: unknown) => void
  readonly reject: (error: Error) => void
  readonly timer: NodeJS.Timeout
}

/** Creates a client of the control protocol of the emulator (QMP), which has one JSON object on each line. */
export function createQmpClient({ socket, timeoutMs = 10_000 }: QmpClientOptions): QmpClient {
  const pending = new Map<number, Pending>()
  const listeners: ((event: string) => void)[] = []
  const decoder = new StringDecoder('utf8')
  let unread = ''
  let lastId = 0
  let failure: Refusal | undefined
  let greet: () => void = () => {}
  let refuse: (error: Error) => void = () => {}
  const greeted = new Promise<void>((resolve, reject) => {
    greet = resolve
    refuse = reject
  })

  const fail = (reason: string) => {
    failure ??= new Refusal('failed', `The control connection of QEMU ${reason}.`)
    refuse(failure)
    for (const { reject, timer } of pending.values()) {
      clearTimeout(timer)
      reject(failure)
    }
    pending.clear()
    socket.destroy()
  }

  const receive = (message: Readonly<Record<string, unknown>>) => {
    if ('QMP' in message) return greet()
    if (typeof message.event === 'string') {
      const { event } = message
      for (const listener of listeners) listener(event)
      return
    }
    const waiting = typeof message.id === 'number' ? pending.get(message.id) : undefined
    if (waiting === undefined || typeof message.id !== 'number') return
    pending.delete(message.id)
    clearTimeout(waiting.timer)
    if ('return' in message) waiting.resolve(message.return)
    else waiting.reject(new Refusal('failed', `QEMU: ${describe(message.error)}`))
  }

  socket.on('data', (chunk: Buffer) => {
    unread += decoder.write(chunk)
    let end = unread.indexOf('\n')
    for (; end >= 0; end = unread.indexOf('\n')) {
      const line = unread.slice(0, end)
      unread = unread.slice(end + 1)
      const message = parseRecord(line)
      if (message === undefined) return fail('does not use QMP')
      receive(message)
    }
    if (unread.length > LONGEST_LINE) fail('has sent a line that is too long')
  })
  socket.once('close', () => fail('has ended'))
  socket.on('error', () => {})

  const execute: QmpClient['execute'] = (command, parameters) =>
    new Promise((resolve, reject) => {
      if (failure !== undefined) return reject(failure)
      lastId += 1
      const id = lastId
      const timer = setTimeout(() => {
        pending.delete(id)
        reject(new Refusal('failed', `QEMU did not answer '${command}' within ${timeoutMs / 1000} seconds.`))
      }, timeoutMs)
      pending.set(id, { resolve, reject, timer })
      socket.write(`${JSON.stringify({ execute: command, arguments: parameters, id })}\n`)
    })

  const ready = greeted.then(() => execute('qmp_capabilities')).then(() => {})
  // The caller stops waiting when the process ends first.
  ready.catch(() => {})
  return { ready, execute, onEvent: (listener) => void listeners.push(listener) }
}

const describe = (error: unknown) =>
  isRecord(error) && typeof error.desc === 'string' ? error.desc : 'an error without a description'
