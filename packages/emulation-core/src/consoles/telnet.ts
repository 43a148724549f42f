const IAC = 255
const DONT = 254
const DO = 253
const WONT = 252
const WILL = 251
const SUBNEGOTIATION = 250
const SUBNEGOTIATION_END = 240

const BINARY = 0
const ECHO = 1
const SUPPRESS_GO_AHEAD = 3
const WINDOW_SIZE = 31

const CARRIAGE_RETURN = 13
const LINE_FEED = 10

/** More than the window size needs. The rest of a longer subnegotiation is ignored. */
const SUBNEGOTIATION_LIMIT = 64

/** The options of one side of a connection, as telnet option numbers. */
export interface TelnetRole {
  /** Options that this side can perform; offered in the greeting. */
  readonly performs: readonly number[]
  /** Options that the other side may perform; requested in the greeting. */
  readonly accepts: readonly number[]
  /** Whether this side sends its options before it receives anything. */
  readonly greets: boolean
}

/** The console's side. It echoes, and requests the size of the window. */
export const consoleServer: TelnetRole = {
  performs: [ECHO, SUPPRESS_GO_AHEAD, BINARY],
  accepts: [BINARY, WINDOW_SIZE, SUPPRESS_GO_AHEAD],
  greets: true,
}

/** The viewer's side, for programs whose console is a telnet server. */
export const consoleClient: TelnetRole = {
  performs: [BINARY, SUPPRESS_GO_AHEAD],
  accepts: [ECHO, SUPPRESS_GO_AHEAD, BINARY],
  greets: false,
}

/** Listeners of what a decoder reads. */
export interface TelnetEvents {
  /** Called with data, without the commands. Can be the array that was pushed. */
  readonly data: (bytes: Uint8Array) => void
  /** Called with bytes to be sent to the other side unchanged. */
  readonly reply: (bytes: Uint8Array) => void
  /** Called with the size of the other side's window in characters. 0 leaves a dimension open (RFC 1073). */
  readonly resize?: (columns: number, rows: number) => void
}

/** Reads one side of a telnet connection. */
export interface TelnetDecoder {
  /** Takes received bytes. A command may be split between two calls. */
  push(bytes: Uint8Array): void
  /** Bytes to be sent first; empty for a side that does not greet. */
  readonly greeting: Uint8Array
}

/**
 * Removes telnet commands from a stream of bytes and answers them, once for each option (RFC 854, 856, 857, 858, 1073).
 * Enter becomes one carriage return: from CR and CR NUL, and on the side that greets also from CR LF.
 */
export function createTelnetDecoder(role: TelnetRole, events: TelnetEvents): TelnetDecoder {
  const performed = new Set<number>(role.greets ? role.performs : [])
  const accepted = new Set<number>(role.greets ? role.accepts : [])
  const refused = new Set<number>()
  let state: 'data' | 'return' | 'command' | 'option' | 'subnegotiation' | 'subnegotiation-command' = 'data'
  let command = 0
  let parameters: number[] = []

  const answer = (verb: number, option: number) => events.reply(Uint8Array.of(IAC, verb, option))

  const refuse = (verb: number, option: number) => {
    const key = verb * 256 + option
    if (refused.has(key)) return
    refused.add(key)
    answer(verb, option)
  }

  const negotiate = (option: number) => {
    switch (command) {
      case DO:
        if (performed.has(option)) return
        if (!role.performs.includes(option)) return refuse(WONT, option)
        performed.add(option)
        return answer(WILL, option)
      case WILL:
        if (accepted.has(option)) return
        if (!role.accepts.includes(option)) return refuse(DONT, option)
        accepted.add(option)
        return answer(DO, option)
      case DONT:
        performed.delete(option)
        return
      case WONT:
        accepted.delete(option)
        return
    }
  }

  const endSubnegotiation = () => {
    const [option, ...size] = parameters
    const [columnsHigh, columnsLow, rowsHigh, rowsLow] = size
    if (option !== WINDOW_SIZE || columnsHigh === undefined || columnsLow === undefined) return
    if (rowsHigh === undefined || rowsLow === undefined) return
    events.resize?.(columnsHigh * 256 + columnsLow, rowsHigh * 256 + rowsLow)
  }

  return {
    greeting: role.greets
      ? Uint8Array.from([
          ...role.performs.flatMap((option) => [IAC, WILL, option]),
          ...role.accepts.flatMap((option) => [IAC, DO, option]),
        ])
      : new Uint8Array(),
    push: (bytes) => {
      if (state === 'data' && !bytes.includes(IAC) && !bytes.includes(CARRIAGE_RETURN)) {
        if (bytes.length > 0) events.data(bytes)
        return
      }
      const data = new Uint8Array(bytes.length + 1)
      let length = 0
      for (const byte of bytes) {
        if (state === 'return') {
          state = 'data'
          if (byte === 0 || (byte === LINE_FEED && role.greets)) continue
        }
        switch (state) {
          case 'data':
            if (byte === IAC) state = 'command'
            else {
              data[length++] = byte
              if (byte === CARRIAGE_RETURN) state = 'return'
            }
            continue
          case 'command':
            if (byte === IAC) {
              data[length++] = IAC
              state = 'data'
            } else if (byte === SUBNEGOTIATION) {
              parameters = []
              state = 'subnegotiation'
            } else if (byte >= WILL) {
              command = byte
              state = 'option'
            } else state = 'data'
            continue
          case 'option':
            negotiate(byte)
            state = 'data'
            continue
          case 'subnegotiation':
            if (byte === IAC) state = 'subnegotiation-command'
            else if (parameters.length < SUBNEGOTIATION_LIMIT) parameters.push(byte)
            continue
          case 'subnegotiation-command':
            if (byte === SUBNEGOTIATION_END) {
              endSubnegotiation()
              state = 'data'
            } else {
              if (byte === IAC && parameters.length < SUBNEGOTIATION_LIMIT) parameters.push(IAC)
              state = 'subnegotiation'
            }
        }
      }
      if (length > 0) events.data(data.subarray(0, length))
    },
  }
}

/** Doubles each byte 255, which would be read as a command. Returns its argument where it has no such bytes. */
export function encodeTelnet(bytes: Uint8Array): Uint8Array {
  // `includes` is native and fast, and this runs for every viewer of a console that floods.
  if (!bytes.includes(IAC)) return bytes
  let marks = 0
  for (const byte of bytes) if (byte === IAC) marks += 1
  const encoded = new Uint8Array(bytes.length + marks)
  let length = 0
  for (const byte of bytes) {
    encoded[length++] = byte
    if (byte === IAC) encoded[length++] = IAC
  }
  return encoded
}
