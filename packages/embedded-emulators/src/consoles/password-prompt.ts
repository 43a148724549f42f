import { consoleServer, createTelnetDecoder } from '@trivium/emulation-core/ports'
import type { Clock } from '../clock/clock.ts'
import type { PasswordCheck } from './password-check.ts'

export interface PasswordPromptOptions {
  readonly check: PasswordCheck
  readonly address: string
  readonly clock: Clock
  readonly send: (bytes: Uint8Array) => void
  /** Called once, with what was typed after the password. */
  readonly accepted: (rest: Uint8Array) => void
  /** Called once, after too many tries or too much time. */
  readonly refused: () => void
}

/** Asks for the password of a console before the console shows anything. */
export interface PasswordPrompt {
  push(bytes: Uint8Array): void
  end(): void
}

const MAX_TRIES = 3
const DELAY_MS = 1000
const TIMEOUT_MS = 60_000
const MAX_LENGTH = 256

const [NUL, BACKSPACE, LF, CR, DELETE] = [0x00, 0x08, 0x0a, 0x0d, 0x7f]

/** The server echoes, and goes ahead without turns: the client shows nothing that is typed, and sends each key. */
const HIDE_TYPED = Uint8Array.of(0xff, 0xfb, 0x01, 0xff, 0xfb, 0x03)

const encoder = new TextEncoder()

export function openPasswordPrompt({
  check,
  address,
  clock,
  send,
  accepted,
  refused,
}: PasswordPromptOptions): PasswordPrompt {
  let state: 'typing' | 'waiting' | 'ended' = 'typing'
  let typed: number[] = []
  let tries = 0
  let afterReturn = false
  let cancelDelay = () => {}

  const end = () => {
    state = 'ended'
    cancelTimeout()
    cancelDelay()
  }
  const refuse = () => {
    end()
    refused()
  }
  const cancelTimeout = clock.after(TIMEOUT_MS, refuse)

  const prompt = () => send(encoder.encode('Password: '))

  const enter = (rest: Uint8Array) => {
    send(encoder.encode('\r\n'))
    const password = Uint8Array.from(typed)
    typed = []
    // Prompts that were open before the address was held off end as well.
    if (check.isHeldOff(address)) return refuse()
    if (check.isRight(address, password)) {
      end()
      accepted(rest)
      return
    }
    tries += 1
    state = 'waiting'
    cancelDelay = clock.after(DELAY_MS, () => {
      if (tries >= MAX_TRIES || check.isHeldOff(address)) return refuse()
      state = 'typing'
      send(encoder.encode('Wrong password.\r\n'))
      prompt()
    })
  }

  const telnet = createTelnetDecoder(consoleServer, {
    data(bytes) {
      for (const [index, byte] of bytes.entries()) {
        // What is typed while a wrong password is answered is dropped.
        if (state !== 'typing') return
        const isRest = afterReturn && (byte === LF || byte === NUL)
        afterReturn = byte === CR
        if (isRest) continue
        if (byte === CR || byte === LF) {
          const next = bytes[index + 1]
          const skipped = byte === CR && (next === LF || next === NUL) ? 2 : 1
          enter(bytes.slice(index + skipped))
        } else if (byte === BACKSPACE || byte === DELETE) typed.pop()
        else if (typed.length < MAX_LENGTH) typed.push(byte)
        else return refuse()
      }
    },
    // The console negotiates again, once it is shown.
    reply: () => {},
  })

  send(HIDE_TYPED)
  prompt()
  return { push: telnet.push, end }
}
