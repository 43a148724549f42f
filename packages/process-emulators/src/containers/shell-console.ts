import type { Duplex } from 'node:stream'
import { type ConsoleEndpoint, isRefusal } from '@trivium/emulation-core/ports'
import { type PacedOutput, pacedOutput } from '../processes/paced-output.ts'
import { createOutputBuffer } from '../processes/stream-console.ts'
import type { ContainerEngine } from './container-engine.ts'

/** Typed bytes that wait for the shell. More are dropped. */
const LIMIT_BYTES = 64 * 1024

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

  const resize = () => {
    if (shell !== undefined && size !== undefined) engine.resizeShell(shell.id, ...size).catch(() => {})
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
      resize()
    } catch (error) {
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
        resize()
      },
    },
  }
}
