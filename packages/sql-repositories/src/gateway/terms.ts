import type { ApiKey } from '@trivium/gateway-core'
import type { Group } from '@trivium/gateway-core/ports'

/** The part of a key that no statement selects by, stored as JSON. */
export type KeyTerms = Pick<ApiKey, 'policy' | 'tags' | 'metadata'> & {
  readonly budget: Pick<ApiKey['budget'], 'spend' | 'parallel'>
}

/** The part of a group that no statement selects by, stored as JSON. */
export type GroupTerms = Pick<Group, 'rateLimit' | 'budget' | 'policy' | 'owners' | 'tags' | 'metadata'>

/** Returns `null` where nothing is set, as for most keys. */
export function keyTerms({ policy, tags, metadata, budget: { spend, parallel } }: ApiKey): string | null {
  const terms: KeyTerms = {
    policy,
    budget: { ...(spend && { spend }), ...(parallel !== undefined && { parallel }) },
    ...(tags && { tags }),
    ...(metadata && { metadata }),
  }
  const text = JSON.stringify(terms)
  return text === NO_TERMS ? null : text
}

const NO_TERMS = '{"policy":{},"budget":{}}'

/** Reads what {@link keyTerms} has written. */
export const readKeyTerms = (text: string | null): KeyTerms => JSON.parse(text ?? NO_TERMS) as KeyTerms

export function groupTerms({ rateLimit, budget, policy, owners, tags, metadata }: Group): string {
  const terms: GroupTerms = {
    budget,
    policy,
    owners,
    ...(rateLimit !== undefined && { rateLimit }),
    ...(tags && { tags }),
    ...(metadata && { metadata }),
  }
  return JSON.stringify(terms)
}

/** Reads what {@link groupTerms} has written. */
export const readGroupTerms = (text: string): GroupTerms => JSON.parse(text) as GroupTerms
