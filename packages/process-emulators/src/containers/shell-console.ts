import type { Duplex } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import { type ConsoleEndpoint, isRefusal } from '@trivium/emulation-core/ports'
import { type PacedOutput, pacedOutput } from '../processes/paced-output.ts'
import { createOutputBuffer } from '../processes/stream-console.ts'
import type { ContainerEngine } from './container-engine.ts'

/** Typed bytes that wait for the shell. More are dropped. */
const LIMIT_BYTES = 64 * 1024
/** An engine refuses the size of a program that it has not started yet, although it has opened its stream. */
const RESIZE_ATTEMPTS = 50
const RESIZE_PAUSE_MS = 100

export interface ShellConsole {
  readonly endpoint: ConsoleEndpoint
  /** Starts the first shell. Resolves when it runs, or when the console shows why it does not. Never rejects. */
  open(): Promise<void>
  close(): void
}

interface OpenShell {
  readonly id: string
  readonly stream: Duplex
  readonly output: PacedOutput
}

/**
 * Creates the console of a container: a program with a terminal of its own. After the program has ended, the next input
 * starts it again.
 */
export function createShellConsole(
  engine: ContainerEngine,
  container: string,
  command: readonly string[],
): ShellConsole {
  const buffer = createOutputBuffer()
  const print = (text: string) => buffer.show(new TextEncoder().encode(`\r\n[${text}]\r\n`))
  let shell: OpenShell | undefined
  let opening: Promise<void> | undefined
  let isClosed = false
  let isHeld = false
  let size: readonly [columns: number, rows: number] | undefined

  /** What is typed while the shell opens. */
  const early: Uint8Array[] = []
  let earlyBytes = 0

  const resize = async () => {
    const [wanted, target] = [size, shell]
    if (wanted === undefined || target === undefined) return
    for (let attempt = 0; attempt < RESIZE_ATTEMPTS && size === wanted && shell === target; attempt += 1) {
      if (await engine.resizeShell(target.id, ...wanted).catch(() => false)) return
      await setTimeout(RESIZE_PAUSE_MS)
    }
  }

  const typeEarly = (stream: Duplex) => {
    for (const bytes of early.splice(0)) stream.write(bytes)
    earlyBytes = 0
  }

  const start = async () => {
    try {
      const id = await engine.createShell(container, command)
      const stream = await engine.openShell(id)
      if (isClosed) return void stream.destroy()
      const output = pacedOutput(stream, buffer.show)
      if (isHeld) output.pause()
      const opened = { id, stream, output }
      shell = opened
      stream.on('error', () => {})
      stream.once('close', () => {
        if (shell !== opened) return
        shell = undefined
        if (!isClosed) print('The console program has ended. Press Enter to start it again.')
      })
      stream.once('end', () => stream.destroy())
      typeEarly(stream)
      void resize()
    } catch (error) {
      early.splice(0)
      earlyBytes = 0
      if (!isRefusal(error)) throw error
      if (!isClosed) print(`${error.message} Press Enter to try again.`)
    }
  }

  const open = () => {
    opening ??= start().finally(() => {
      opening = undefined
    })
    return opening
  }

  return {
    open,
    close: () => {
      isClosed = true
      shell?.stream.destroy()
    },
    endpoint: {
      write: (bytes) => {
        if (isClosed) return
        if (shell === undefined && opening !== undefined) {
          if (earlyBytes + bytes.length > LIMIT_BYTES) return
          early.push(bytes)
          earlyBytes += bytes.length
          return
        }
        if (shell === undefined) {
          // Only a whole line: what a viewer negotiates or pastes must not start programs.
          if (bytes.includes(0x0d) || bytes.includes(0x0a)) open().catch(() => {})
          return
        }
        const { stream } = shell
        if (stream.writable && stream.writableLength + bytes.length <= LIMIT_BYTES) stream.write(bytes)
      },
      onOutput: buffer.onOutput,
      pause: () => {
        isHeld = true
        shell?.output.pause()
      },
      resume: () => {
        isHeld = false
        shell?.output.resume()
      },
      resize: (columns, rows) => {
        size = [columns, rows]
        void resize()
      },
    },
  }
}
