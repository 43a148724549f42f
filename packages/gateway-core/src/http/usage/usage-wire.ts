import type { InferOutput } from 'valibot'
import { formatDollars } from '../../money/dollars.ts'
import type { UsageNames } from '../../usage/usage-names.ts'
import type { UsageGroup, UsageGrouping, UsageSummary } from '../../usage/usage-repository.ts'
import type { usageRowSchema } from './usage-schema.ts'

export type UsageRow = InferOutput<typeof usageRowSchema>

/**
 * Returns the sums of one group. Where grouped by key, `key_id` is `null` for requests without a key, and `user_id` is set
 * for those of a user of the host.
 */
export function toWire(summary: UsageSummary, groupBy: readonly UsageGrouping[], names: UsageNames): UsageRow {
  const group = summary.isOther
    ? { other: true as const }
    : { ...groupToWire(summary, groupBy), ...namesToWire(summary, names) }
  return { ...group, ...countsToWire(summary) }
}

function namesToWire({ keyId, personId = '', teamId = '' }: UsageGroup, { keys, teams, users }: UsageNames) {
  const key = keys.get(keyId ?? '')
  const username = key?.username ?? users.get(personId)
  const team = teams.get(teamId)
  return {
    ...(key?.name === undefined ? {} : { key_name: key.name }),
    ...(username === undefined ? {} : { username }),
    ...(team === undefined ? {} : { team_name: team }),
  }
}

const groupToWire = (group: UsageSummary, groupBy: readonly UsageGrouping[]) => ({
  ...(groupBy.includes('key') ? { key_id: group.keyId ?? null } : {}),
  ...(group.userId === undefined ? {} : { user_id: group.userId }),
  ...(group.personId === undefined ? {} : { person_id: group.personId }),
  ...named('team', 'team_id', groupBy, group.teamId),
  ...named('tag', 'tag', groupBy, group.tag),
  ...(group.model === undefined ? {} : { model: group.model }),
  ...named('provider', 'provider', groupBy, group.provider),
  ...named('upstreamModel', 'upstream_model', groupBy, group.upstreamModel),
  ...(group.status === undefined ? {} : { status: group.status }),
  ...(group.operation === undefined ? {} : { operation: group.operation }),
  ...named('endUser', 'end_user', groupBy, group.endUser),
  ...(group.hour === undefined ? {} : { hour: group.hour }),
  ...(group.day === undefined ? {} : { day: group.day }),
  ...(group.month === undefined ? {} : { month: group.month }),
})

/** `null` for requests without a value. */
const named = <Name extends keyof UsageRow>(
  grouping: UsageGrouping,
  name: Name,
  groupBy: readonly UsageGrouping[],
  value: string | undefined,
): { readonly [Key in Name]?: string | null } =>
  groupBy.includes(grouping) ? ({ [name]: value ?? null } as { [Key in Name]: string | null }) : {} // has this member

const countsToWire = (counts: UsageSummary) => ({
  requests: counts.requests,
  failures: counts.failures,
  partial: counts.partial,
  input_tokens: counts.inputTokens,
  output_tokens: counts.outputTokens,
  cached_tokens: counts.cachedTokens,
  cache_write_tokens: counts.cacheWriteTokens,
  reasoning_tokens: counts.reasoningTokens,
  audio_tokens: counts.audioTokens,
  searches: counts.searches,
  images: counts.images,
  cost: formatDollars(counts.cost),
})

/** The columns of each grouping. */
const columnsOf: Readonly<Record<UsageGrouping, readonly (keyof UsageRow)[]>> = {
  key: ['key_id', 'key_name', 'username', 'user_id'],
  user: ['user_id', 'person_id', 'username'],
  team: ['team_id', 'team_name'],
  tag: ['tag'],
  model: ['model'],
  provider: ['provider'],
  upstreamModel: ['upstream_model'],
  status: ['status'],
  operation: ['operation'],
  endUser: ['end_user'],
  hour: ['hour'],
  day: ['day'],
  month: ['month'],
}

const counts: readonly (keyof UsageRow)[] = [
  'requests',
  'failures',
  'partial',
  'input_tokens',
  'output_tokens',
  'cached_tokens',
  'cache_write_tokens',
  'reasoning_tokens',
  'audio_tokens',
  'searches',
  'images',
  'cost',
]

/** Writes rows as RFC 4180 has them, with a line of names. */
export function toCsv(rows: readonly UsageRow[], groupBy: readonly UsageGrouping[], hasTop: boolean): string {
  const groups = [...new Set(groupBy.flatMap((grouping) => columnsOf[grouping]))]
  const columns = [...(hasTop ? (['other'] as const) : []), ...groups, ...counts]
  const lines = rows.map((row) => columns.map((name) => cellOf(row[name])).join(','))
  return [columns.join(','), ...lines, ''].join('\r\n')
}

/** Programs for tables run texts that begin so as a formula. */
const FORMULA = /^[=+\-@\t\r]/

function cellOf(value: string | number | boolean | null | undefined): string {
  if (typeof value !== 'string') return String(value ?? '')
  const text = FORMULA.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
