import { describeCommand, findCommand } from '../commands/commands.ts'
import type { Pc } from '../pc.ts'
import { createKeyDecoder } from './key-decoder.ts'
import { createLineEditor } from './line-editor.ts'

export interface ShellOptions {
  readonly pc: Omit<Pc, 'runScript'>
  readonly write: (text: string) => void
}

/** The command line of a virtual PC. */
export interface Shell {
  type(bytes: Uint8Array): void
  /** Prints the lines, runs the script if there is one, then prints the prompt. */
  start(banner: readonly string[], script: string | undefined): Promise<void>
  /** Prints a line that is not the output of a command. */
  notice(text: string): void
  /** Interrupts the running command. Afterwards, no output is printed and no input is accepted. */
  stop(): void
}

/** Keys that are kept while a command runs, and applied after it. */
const MAX_TYPE_AHEAD = 1024
const MAX_HISTORY = 100
const DEEPEST_SCRIPT = 4
const MAX_SCRIPT_LINES = 10_000

export function createShell({ pc: machine, write }: ShellOptions): Shell {
  let running: AbortController | undefined
  let pressed: (() => void) | undefined
  let pendingKeys: string[] = []
  let scriptDepth = 0
  let stopped = false

  const print = (text: string) => {
    if (!stopped) write(text)
  }
  const line = (text: string) => print(`${text}\r\n`)

  const runLine = async (typed: string, signal: AbortSignal): Promise<void> => {
    const [name, ...words] = typed.trim().split(/\s+/)
    if (name === undefined || name === '') return
    const command = findCommand(name)
    if (command === undefined) return line(`Bad command "${name}": type ? for help`)
    if (words.at(-1) === '?') {
      line('')
      for (const explanation of describeCommand(command)) line(explanation)
      return
    }
    const key = () =>
      new Promise<void>((resolve) => {
        if (signal.aborted || stopped) return resolve()
        pressed = resolve
        signal.addEventListener('abort', () => resolve(), { once: true })
      })
    const text = typed.trim().slice(name.length).trim()
    await command.run({ words, text, pc, signal, terminal: { line, write: print, key } })
  }

  const pc: Pc = Object.assign(machine, {
    async runScript(script: string) {
      const signal = running?.signal
      if (signal === undefined) return
      if (scriptDepth >= DEEPEST_SCRIPT) return line('Scripts are nested too deeply')
      scriptDepth += 1
      try {
        for (const text of script.split(/\r?\n/, MAX_SCRIPT_LINES)) {
          if (signal.aborted) return
          const isComment = /^\s*([#;!]|$)/.test(text)
          if (isComment) continue
          if (pc.scriptEcho) line(`${pc.name}> ${text}`)
          await runLine(text, signal)
        }
      } finally {
        scriptDepth -= 1
      }
    },
  })

  /** Runs a task that Ctrl-C interrupts, then prints the prompt and applies the keys that were typed meanwhile. */
  const runInterruptible = async (work: (signal: AbortSignal) => Promise<void>): Promise<void> => {
    const control = new AbortController()
    running = control
    try {
      await work(control.signal)
    } catch {
      line('The command has failed')
    }
    running = undefined
    pressed = undefined
    if (stopped) return
    line('')
    editor.prompt(`${pc.name}> `)
    const keys = pendingKeys
    pendingKeys = []
    for (const key of keys) press(key)
  }

  const addToHistory = (text: string) => {
    if (text.trim() === '' || pc.history.at(-1) === text) return
    pc.history.push(text)
    if (pc.history.length > MAX_HISTORY) pc.history.shift()
  }

  const editor = createLineEditor({
    write: print,
    history: machine.history,
    interrupted: () => editor.prompt(`${pc.name}> `),
    entered(text) {
      addToHistory(text)
      if (text.trim() === '') editor.prompt(`${pc.name}> `)
      else void runInterruptible((signal) => runLine(text, signal))
    },
  })

  const press = (key: string) => {
    if (running === undefined) return editor.press(key)
    if (key === '\x03') {
      pendingKeys = []
      print('^C\r\n')
      running.abort()
    } else if (pressed !== undefined) {
      pressed()
      pressed = undefined
    } else if (pendingKeys.length < MAX_TYPE_AHEAD) pendingKeys.push(key)
  }

  const decode = createKeyDecoder(press)

  return {
    type(bytes) {
      if (!stopped) decode(bytes)
    },
    async start(banner, script) {
      line('')
      for (const text of banner) line(text)
      await runInterruptible(async () => {
        if (script === undefined) return
        line('')
        line('Executing the startup file')
        await pc.runScript(script)
      })
    },
    notice(text) {
      line('')
      line(text)
      if (running === undefined && !stopped) editor.prompt(`${pc.name}> `)
    },
    stop() {
      stopped = true
      pendingKeys = []
      running?.abort()
      pressed?.()
    },
  }
}
