/** Listeners of what a guard decides. */
export interface WebGuardEvents {
  /** Called with bytes that a person or a script has sent, in order. */
  readonly pass: (bytes: Uint8Array) => void
  /** Called once, where a browser has sent the bytes. Nothing is passed on afterwards. */
  readonly refuse: () => void
}

/** Checks the first bytes of a connection before the console gets them. */
export interface WebGuard {
  push(bytes: Uint8Array): void
  /** Whether bytes are held back, or were refused. */
  readonly isClosed: boolean
  /** Drops held bytes. Must be called when the connection has ended. */
  end(): void
}

/** Half of the time for which the first bytes are held back where they may begin a request. */
const HALF_HOLD_MS = 125
/** A longer line that may begin a request is not typed by a person. */
const LONGEST_LINE_BYTES = 8192

const LINE_END = /[\r\n]/
const REQUEST = /^[A-Z][A-Z-]{0,31} [!-~\x80-\xff]+ HTTP\//
const REQUEST_BEGINNING = /^[A-Z][A-Z-]{0,31}(?: (?:[!-~\x80-\xff]+(?: (?:H(?:T(?:TP?)?)?)?)?)?)?$/
const HOST_LINE = 'host:'
// biome-ignore lint/suspicious/noControlCharactersInRegex: the head of a TLS handshake
const TLS = /^\x16\x03[\x00-\x04]/
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above
const TLS_BEGINNING = /^\x16\x03?$/
/** A message of STUN to a TURN server, or one to an ICE candidate in a frame of less than 256 bytes. */
const STUN = /^\0/
// biome-ignore lint/suspicious/noControlCharactersInRegex: the length of a frame (RFC 4571), then a binding request
const FRAMED_STUN = /^[\x01-\x03][\0-\xff]\0\x01/
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above
const FRAMED_STUN_BEGINNING = /^[\x01-\x03][\0-\xff]?\0?$/
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above
const KEY_OR_FRAME = /^[\x01-\x03]$/
// biome-ignore lint/suspicious/noControlCharactersInRegex: the SSL 2 hello of WebRTC's `ssltcp`
const FALSE_TLS = /^\x80F\x01\x03/
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above
const FALSE_TLS_BEGINNING = /^\x80(?:F\x01?)?$/

const browserPatterns = [TLS, STUN, FRAMED_STUN, FALSE_TLS]
const requestPrefixes = [REQUEST_BEGINNING, TLS_BEGINNING, FALSE_TLS_BEGINNING]

type Verdict = 'browser' | 'open' | 'person'

/**
 * Refuses a connection that begins as a browser's does: with the request line or the `Host:` line of HTTP, with the
 * handshake of TLS, or with WebRTC's messages to ICE candidates and TURN servers. A web page can make a browser send
 * those to any port, with text of the page in them.
 *
 * Bytes that may begin a request are held back for 250 ms, so that no part of a request in several pieces is passed on.
 * Then they are passed on, for a person who types slowly. The rest of that first line is still checked: where it
 * becomes a request, its end and everything after it is refused. Later lines are not checked.
 *
 * Ctrl-A, Ctrl-B and Ctrl-C are passed on immediately where they arrive alone. A long WebRTC message begins with the
 * same byte, but a browser sends more bytes with it. A NUL as the first byte is refused.
 */
export function createWebGuard({ pass, refuse }: WebGuardEvents): WebGuard {
  let state: 'holding' | 'watching' | 'passing' | 'refused' = 'holding'
  let line = ''
  let held: Uint8Array[] = []
  let timer: ReturnType<typeof setTimeout> | undefined

  const release = () => {
    const waiting = held
    held = []
    for (const bytes of waiting) pass(bytes)
  }
  const stop = () => {
    clearTimeout(timer)
    timer = undefined
  }
  const hold = (bytes: Uint8Array) => {
    held.push(bytes.slice())
    // Two timers: after a long turn of the event loop, bytes that have arrived are read before the second one fires.
    timer ??= setTimeout(() => {
      timer = setTimeout(() => {
        state = 'watching'
        release()
      }, HALF_HOLD_MS)
    }, HALF_HOLD_MS)
  }
  const decide = (bytes: Uint8Array) => {
    // One character for each byte: no decoder of the platform does that for 80 to 9f.
    line += String.fromCharCode(...bytes.subarray(0, LONGEST_LINE_BYTES + 1))
    const verdict = classify(line)
    if (KEY_OR_FRAME.test(line)) state = 'watching'
    if (verdict === 'open') return state === 'holding' ? hold(bytes) : pass(bytes)
    stop()
    line = ''
    state = verdict === 'person' ? 'passing' : 'refused'
    if (verdict === 'person') {
      release()
      return pass(bytes)
    }
    held = []
    return refuse()
  }

  return {
    push: (bytes) => {
      if (bytes.length === 0 || state === 'refused') return
      if (state === 'passing') pass(bytes)
      else decide(bytes)
    },
    get isClosed() {
      return state === 'refused' || held.length > 0
    },
    end: () => {
      stop()
      state = 'refused'
      held = []
    },
  }
}

/** @param text all bytes that have arrived, one character for each */
function classify(text: string): Verdict {
  if (browserPatterns.some((browser) => browser.test(text))) return 'browser'
  if (FRAMED_STUN_BEGINNING.test(text)) return 'open'
  const end = text.search(LINE_END)
  const line = end < 0 ? text : text.slice(0, end)
  if (REQUEST.test(line) || line.slice(0, HOST_LINE.length).toLowerCase() === HOST_LINE) return 'browser'
  if (end >= 0) return 'person'
  const isPrefix = requestPrefixes.some((beginning) => beginning.test(line)) || HOST_LINE.startsWith(line.toLowerCase())
  if (!isPrefix) return 'person'
  return line.length > LONGEST_LINE_BYTES ? 'browser' : 'open'
}
