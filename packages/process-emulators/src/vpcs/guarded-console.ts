import type { ConsoleEndpoint } from '@trivium/emulation-core/ports'
import { isHarmlessCommand, LONGEST_COMMAND } from './command-policy.ts'

const MAX_HISTORY = 100

const INTERRUPT = '\x03'
const ERASE_LINE = '\x15'
const BELL = '\x07'

/** Keys that a terminal sends as several bytes. All but the two of the history are ignored. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: sequences begin with one
const SEQUENCE = /^\x1b(?:\[[0-9;]*|O)?/
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above
const WHOLE_SEQUENCE = /^\x1b(?:\[[0-9;]*[A-Za-z~]|O[A-Za-z])/

/**
 * Wraps the console of a program. The line is edited here, and only a whole command that is allowed is sent: with the
 * line editor of the program, a forbidden command could be composed undetected. Ctrl-C is sent immediately.
 */
export function guardConsole(program: ConsoleEndpoint): ConsoleEndpoint {
  const [encoder, decoder] = [new TextEncoder(), new TextDecoder('latin1')]
  const history: string[] = []
  let recalled = 0
  let line = ''
  let sequence = ''
  let typed = ''
  let show: (bytes: Uint8Array) => void = () => {}

  /** Collects the echo of one input. */
  const print = (text: string) => {
    typed += text
  }
  const flush = () => {
    if (typed !== '') show(encoder.encode(typed))
    typed = ''
  }
  const send = (text: string) => {
    flush()
    program.write(encoder.encode(text))
  }

  const replace = (next: string) => {
    print(`${'\b \b'.repeat(line.length)}${next}`)
    line = next
  }

  const recall = (step: number) => {
    const next = recalled + step
    if (next < 0 || next > history.length) return print(BELL)
    recalled = next
    replace(next === 0 ? '' : (history.at(-next) ?? ''))
  }

  const enter = () => {
    const command = line
    recalled = 0
    if (command.trim() !== '' && history.at(-1) !== command) history.push(command)
    if (history.length > MAX_HISTORY) history.shift()
    if (isHarmlessCommand(command)) {
      // The program echoes the command.
      replace('')
      send(`${command}\r`)
      return
    }
    line = ''
    print(`\r\nThis server does not allow this command: ${command}\r\n`)
    send('\r')
  }

  const eraseLast = () => {
    if (line === '') return
    line = line.slice(0, -1)
    print('\b \b')
  }

  const press = (key: string) => {
    if (key === '\r' || key === '\n') enter()
    else if (key === INTERRUPT) {
      line = ''
      send(key)
    } else if (key === '\b' || key === '\x7f') eraseLast()
    else if (key === ERASE_LINE) replace('')
    else if (key === '\x10') recall(1)
    else if (key === '\x0e') recall(-1)
    else if (key >= ' ' && key <= '~') {
      if (line.length >= LONGEST_COMMAND) return typed.endsWith(BELL) ? undefined : print(BELL)
      line += key
      print(key)
    }
  }

  const type = (key: string) => {
    if (sequence === '' && key !== '\x1b') return press(key)
    sequence += key
    if (WHOLE_SEQUENCE.test(sequence)) {
      if (sequence.endsWith('A')) recall(1)
      else if (sequence.endsWith('B')) recall(-1)
      sequence = ''
    } else if (SEQUENCE.exec(sequence)?.[0] !== sequence || sequence.length > 16) sequence = ''
  }

  return {
    write: (bytes) => {
      for (const key of decoder.decode(bytes)) type(key)
      flush()
    },
    onOutput: (listener) => {
      show = listener
      program.onOutput(listener)
    },
    pause: () => program.pause?.(),
    resume: () => program.resume?.(),
  }
}
