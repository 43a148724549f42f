import { wholeNumber } from '../models/read-deployment.ts'
import type { Fields } from '../source/fields.ts'
import { generalNotes } from './general-notes.ts'
import { noteKeys } from './notes.ts'

export interface GeneralDraft {
  /** Variables of the server, by their names in the file. */
  readonly variables: Readonly<Record<string, string | number | { readonly variable: string }>>
  /** The most running requests of each model of an upstream. */
  readonly maxParallelRequests: number | undefined
  readonly requestLog: { readonly content: boolean; readonly days?: number } | undefined
}

const dayUnits: Readonly<Record<string, number>> = { s: 1 / 86_400, m: 1 / 1440, h: 1 / 24, d: 1, w: 7, mo: 30 }

/** Reads `general_settings`. */
export function readGeneral(fields: Fields): GeneralDraft {
  const { ledger, map } = fields
  const variables: Record<string, string | number | { readonly variable: string }> = {}

  const master = fields.node('master_key')
  const masterKey = fields.text('master_key')
  if (master && masterKey !== undefined) {
    const isVariable = typeof masterKey !== 'string'
    const name = isVariable ? masterKey.variable : 'TRIVIUM_ADMIN_PASSWORD'
    variables.trivium_admin_password = { variable: name }
    ledger.note(
      master,
      'to do',
      `The password of the admin has at least 12 characters and is hard to guess. Set the variable ${name} to one. Programs send it as \`authorization: Bearer PASSWORD\`.`,
    )
  }
  const database = fields.node('database_url')
  const url = fields.text('database_url')
  if (database && url !== undefined) {
    const name = typeof url === 'string' ? 'DATABASE_URL' : url.variable
    variables.database_url = { variable: name }
    ledger.note(
      database,
      'to do',
      `Create a database for the gateway, and set the variable ${name} to its address. The tables of LiteLLM are not read.`,
    )
  }
  const forward = fields.node('forward_client_headers_to_llm_api')
  if (fields.flag('forward_client_headers_to_llm_api') && forward) {
    ledger.note(
      forward,
      'left out',
      'Name the headers in `trivium_forward_headers`, or in `forward_headers` of an upstream. Upstreams of messages always get `anthropic-beta`.',
    )
  }
  const prompts = fields.flag('store_prompts_in_spend_logs')
  const retention = fields.node('maximum_spend_logs_retention_period')
  const days = retention && daysOf(fields.literal('maximum_spend_logs_retention_period'))
  if (days !== undefined) variables.trivium_usage_days = days
  else if (retention && !ledger.isReported(retention))
    ledger.note(retention, 'left out', 'Set TRIVIUM_USAGE_DAYS to the number of days.')

  const maxParallelRequests = wholeNumber(fields, 'max_parallel_requests', 1, 1_000_000)
  noteKeys(map, generalNotes, ledger)
  const requestLog = prompts ? { content: true, ...(days !== undefined && { days }) } : undefined
  return { variables, maxParallelRequests, requestLog }
}

/** Reads a duration such as `30d`, at least a day. */
function daysOf(duration: string | undefined): number | undefined {
  const [, amount, unit = ''] = /^(\d{1,6})(s|m|h|d|w|mo)$/.exec(duration ?? '') ?? []
  const days = Math.ceil(Number(amount) * (dayUnits[unit] ?? 0))
  return days >= 1 && days <= 1_000_000 ? days : undefined
}
