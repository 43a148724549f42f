import { err, ok, type Result } from 'neverthrow'
import { parseBoolean } from '../../query/parse-value.ts'
import { codes } from '../errors/error-codes.ts'
import type { Failure } from '../errors/failure.ts'

/** The parameters of every collection, and the filters by field. */
export interface Parameters {
  readonly fields: string
  readonly returnRecords: boolean | undefined
  /** In seconds. */
  readonly returnTimeout: number
  readonly maxRecords: number
  readonly orderBy: string
  readonly continueOnFailure: boolean
  readonly ignoreUnknownFields: boolean
  readonly showDefaultRecords: boolean | undefined
  readonly action: string | undefined
  /** The period of a list of metrics, such as `1h`. */
  readonly interval: string | undefined
  readonly pretty: boolean
  readonly queryFields: string
  readonly query: string | undefined
  /** The first position of the page, by the names of its fields without `start.`. */
  readonly start: ReadonlyMap<string, string>
  readonly filters: readonly (readonly [string, string])[]
}

/** The maximum number of records in one answer. */
const MAXIMUM_RECORDS = 10_000
const MAXIMUM_RETURN_TIMEOUT = 120

const globals = [
  'fields',
  'return_records',
  'return_timeout',
  'max_records',
  'order_by',
  'pretty',
  'continue_on_failure',
  'serial_records',
  'ignore_unknown_fields',
  'show_default_records',
  'query_fields',
  'query',
  'scope',
] as const

type Global = (typeof globals)[number]

const isGlobal = (name: string): name is Global => globals.some((global) => global === name)

export interface ParametersOptions {
  /** @default false */
  readonly hasAction?: boolean
  /** @default false */
  readonly hasInterval?: boolean
  readonly defaultReturnTimeout?: number
}

export function parseParameters(
  rawQuery: string,
  { hasAction = false, hasInterval = false, defaultReturnTimeout = 0 }: ParametersOptions = {},
): Result<Parameters, Failure> {
  const given = new Map<Global | 'action' | 'interval', string>()
  const start = new Map<string, string>()
  const filters: [string, string][] = []
  for (const [sent, value] of new URLSearchParams(rawQuery)) {
    const name = sent === '$orderBy' ? 'order_by' : sent
    if (isGlobal(name) || (hasAction && name === 'action') || (hasInterval && name === 'interval')) {
      if (given.has(name)) return repeated(sent)
      given.set(name, value)
    } else if (name.startsWith('start.')) start.set(name.slice('start.'.length), value)
    else filters.push([name, value])
  }
  const invalidNames: string[] = []
  const flag = (name: Global): boolean | undefined => {
    const text = given.get(name)
    if (text === undefined) return undefined
    const value = text === '' ? true : parseBoolean(text)
    if (value === undefined) invalidNames.push(name)
    return value
  }
  const integer = (name: Global, minimum: number, maximum: number, absent: number, cap = false): number => {
    const text = given.get(name)
    if (text === undefined) return absent
    const value = /^\d{1,15}$/.test(text) ? Number(text) : -1
    if (value < minimum || (value > maximum && !cap)) invalidNames.push(name)
    return Math.min(value, maximum)
  }
  const parameters: Parameters = {
    fields: given.get('fields') ?? '',
    returnRecords: flag('return_records'),
    returnTimeout: integer('return_timeout', 0, MAXIMUM_RETURN_TIMEOUT, defaultReturnTimeout),
    maxRecords: integer('max_records', 1, MAXIMUM_RECORDS, MAXIMUM_RECORDS, true),
    orderBy: given.get('order_by') ?? '',
    continueOnFailure: flag('continue_on_failure') ?? false,
    ignoreUnknownFields: flag('ignore_unknown_fields') ?? false,
    showDefaultRecords: flag('show_default_records'),
    action: given.get('action'),
    interval: given.get('interval'),
    pretty: flag('pretty') ?? false,
    queryFields: given.get('query_fields') ?? '',
    query: given.get('query'),
    start,
    filters,
  }
  const [wrong] = invalidNames
  if (wrong === undefined) return ok(parameters)
  const value = given.get(wrong as Global) // only names of globals are put there
  return err(invalidParameter(wrong, value ?? ''))
}

export const invalidParameter = (name: string, value: string): Failure => ({
  status: 400,
  code: codes.invalidValue,
  message: `"${value}" is an invalid value for field "${name}".`,
  target: name,
})

export const unexpectedArgument = (name: string): Failure => ({
  status: 400,
  code: codes.unexpectedArgument,
  message: `Unexpected argument "${name}".`,
  target: name,
})

const repeated = (name: string) =>
  err({
    status: 400,
    code: codes.repeatedField,
    message: `Field "${name}" was specified twice.`,
    target: name,
  } as const)
