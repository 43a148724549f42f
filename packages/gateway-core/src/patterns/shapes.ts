import ipaddr from 'ipaddr.js'
import { ibanLengthOf, isIban, isLuhn } from './check-digits.ts'

/**
 * What one sort of data looks like. A match depends on no more than the 4 code units before it, and `SHAPE_SPAN` after its
 * first one.
 */
export interface Shape {
  /** With the flag `g`, bounded in length. */
  readonly expression: RegExp
  /** Returns the length of the match in a candidate; `undefined` for another candidate. */
  readonly measure?: (candidate: string, following: string) => number | undefined
  /** What belongs to a match where it follows it. */
  readonly tail?: Tail
  /** Finds the beginning of what may become a match, in the last `SHAPE_SPAN` code units of a text. */
  readonly pending: readonly RegExp[]
}

/** Characters that follow a match, however many. */
export interface Tail {
  /** A run of them, with the flag `y`. */
  readonly expression: RegExp
  /** A run at the beginning of the tail, up to a number of code units after the beginning of the match. */
  readonly head?: { readonly expression: RegExp; readonly most: number }
  /** The code units after a character that decide whether it belongs to the run. */
  readonly ahead: number
}

/** The most code units of a match without its tail, with what has to follow it. */
export const SHAPE_SPAN = 256

/** A run of characters without those that end an address, a token or a word. */
const RUN = /[^\s"'`<>()[\]{},;|\\]+$/
/** A run of digits with separators, also in brackets. */
const DIGITS = /[+(]?\(?[\d][\d ().\-/]*$|[+(]+$/

/** The beginning of the first or the last line of a block. */
const BLOCK_LINE = /-----[A-Z0-9 ]{0,60}-{0,4}$|-{1,4}$/

const DIGIT = /\d/
const WORD = /[A-Za-z0-9]/

const hasDigit = (candidate: string): number | undefined => (DIGIT.test(candidate) ? candidate.length : undefined)

/** Returns the length of the longest beginning that ends with a group of digits and has a valid check digit. */
function cardLength(candidate: string): number | undefined {
  for (let end = candidate.length; end >= 13; end -= 1) {
    const next = candidate[end]
    if (next !== undefined && DIGIT.test(next)) continue
    const digits = candidate.slice(0, end).replaceAll(/\D/g, '')
    if (digits.length >= 13 && DIGIT.test(candidate[end - 1] ?? '') && isLuhn(digits)) return end
  }
  return undefined
}

/** Returns the length of the account number that the country of a candidate has. */
function ibanLength(candidate: string, following: string): number | undefined {
  const most = ibanLengthOf(candidate.slice(0, 2).toUpperCase())
  if (most === undefined) return undefined
  let letters = 0
  let end = 0
  while (end < candidate.length && letters < most) {
    if (WORD.test(candidate[end] ?? '')) letters += 1
    end += 1
  }
  const next = candidate[end] ?? following
  if (letters < most || WORD.test(next)) return undefined
  return isIban(candidate.slice(0, end).replaceAll(/[ -]/g, '').toUpperCase()) ? end : undefined
}

const HEX = /[0-9a-f]/i
const isIpv4 = (candidate: string) => candidate.includes('.') && ipaddr.IPv4.isValidFourPartDecimal(candidate)

const ipLength = (candidate: string): number | undefined =>
  (candidate.includes(':') ? HEX.test(candidate) && ipaddr.IPv6.isValid(candidate) : isIpv4(candidate))
    ? candidate.length
    : undefined

const tokenTail: Tail = { expression: /(?:[\w=-]|\.(?=[\w-]))+/y, ahead: 1 }
/** What is in a block between its first line and its last one. */
const blockTail: Tail = { expression: /(?:[A-Za-z0-9+/=\s:,.()\\]|-(?!----))+/y, ahead: 4 }
/** Headers of a block of PGP may have any text. A bound keeps what follows a mere mention of a block. */
const pgpTail: Tail = {
  // With the second half of a character that the bound divides.
  expression: /(?:[A-Za-z0-9+/=\s:,.()\\\udc00-\udfff]|-(?!----))+/y,
  head: { expression: /(?:[^-]|-(?!----))+/y, most: 1_024 },
  ahead: 4,
}

/** Beginnings of secrets that need no further check, with the characters that follow. */
const vendorKeys = [
  String.raw`sk-ant-[\w-]{16,200}`,
  String.raw`tvm_[\w-]{16,200}`,
  String.raw`gh[opsur]_\w{30,200}`,
  String.raw`github_pat_\w{22,200}`,
  String.raw`glpat-[\w-]{20,200}`,
  String.raw`(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}(?!\w)`,
  String.raw`xox[abeoprs]-[\w-]{10,200}`,
  String.raw`xapp-[\w-]{10,200}`,
  String.raw`AIza[\w-]{35}`,
  String.raw`[rs]k_(?:live|test)_\w{16,200}`,
  String.raw`whsec_\w{16,200}`,
  String.raw`npm_\w{36}`,
  String.raw`pypi-AgE[\w-]{20,200}`,
  'hf_[A-Za-z0-9]{30,200}',
  String.raw`gsk_\w{20,200}`,
  String.raw`xai-\w{20,200}`,
  'dop_v1_[a-f0-9]{60,200}',
  String.raw`SG\.[\w-]{16,100}\.[\w-]{16,100}`,
  String.raw`eyJ[\w-]{8,180}\.[\w-]{8,40}`,
]

/** The sorts of data that have a name. */
export const shapes = {
  email: [
    {
      expression:
        /(?<![\w.%+-])[\w.%+-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,160}[A-Za-z0-9])?\.[A-Za-z]{2,18}(?![A-Za-z0-9])/g,
      pending: [RUN],
    },
  ],
  card: [{ expression: /(?<!\d[.,]?)[2-6](?:[ -]?\d){12,18}(?!\d)/g, measure: cardLength, pending: [DIGITS] }],
  iban: [
    {
      expression: /(?<![A-Za-z0-9])[A-Z]{2}\d{2}(?:[ -]?[A-Z0-9]){11,30}/gi,
      measure: ibanLength,
      pending: [/(?<![A-Z0-9])[A-Z](?:[A-Z](?:\d(?:\d(?:[ -]?[A-Z0-9]){0,30}[ -]?)?)?)?$/i],
    },
  ],
  phone: [
    {
      expression:
        /(?<![\w+])\+[1-9](?:[ ().\-/]{0,2}\d){6,14}(?!\d)|(?<![\w.+-])(?:\([2-9]\d{2}\) ?|[2-9]\d{2}[-. ])[2-9]\d{2}[-. ]\d{4}(?![\w-])/g,
      pending: [DIGITS],
    },
  ],
  ip_address: [
    {
      expression: /(?<![\w.:])(?:\d{1,3}(?:\.\d{1,3}){3}(?![\w:]|\.\d)|[0-9a-f:]{2,39}(?:\.\d{1,3}){0,3}(?![\w:]))/gi,
      measure: ipLength,
      pending: [RUN],
    },
  ],
  us_ssn: [
    {
      expression: /(?<![\w-])(?!000|666|9)\d{3}([- ])(?!00)\d{2}\1(?!0000)\d{4}(?![\w-])/g,
      pending: [DIGITS],
    },
  ],
  secret: [
    {
      expression: new RegExp(`(?<![A-Za-z0-9])(?:${vendorKeys.join('|')})`, 'g'),
      tail: tokenTail,
      pending: [RUN],
    },
    {
      expression: /(?<![A-Za-z0-9])sk-[\w-]{20,200}/g,
      measure: hasDigit,
      tail: tokenTail,
      pending: [RUN],
    },
    {
      expression: /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY-----/g,
      tail: blockTail,
      pending: [BLOCK_LINE],
    },
    {
      expression: /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY BLOCK-----/g,
      tail: pgpTail,
      pending: [BLOCK_LINE],
    },
    { expression: /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g, pending: [BLOCK_LINE] },
  ],
} as const satisfies Readonly<Record<string, readonly Shape[]>>

/** The name of a sort of data that the gateway finds. */
export type PatternName = keyof typeof shapes

/** All names, in the order of the documents. */
export const patternNames: readonly PatternName[] = ['email', 'card', 'iban', 'phone', 'ip_address', 'us_ssn', 'secret']
