import type { TargetDraft } from '../output/draft.ts'
import type { Ledger } from '../report/ledger.ts'
import type { Deployment } from './deployment.ts'
import type { Placed } from './group-upstreams.ts'

const MOST_WEIGHT = 1_000_000
const MOST_PRIORITY = 1000
const MOST_TARGETS = 1000

const rates = ['rpm', 'tpm'] as const

/** Returns the targets of each name of `model_list`. */
export function groupTargets(placed: readonly Placed[], ledger: Ledger): Map<string, readonly TargetDraft[]> {
  const groups = new Map<string, Placed[]>()
  for (const one of placed) {
    const { name, node } = one.deployment
    const group = groups.get(name) ?? []
    if (group.length === MOST_TARGETS) ledger.note(node, 'left out', `A name has at most ${MOST_TARGETS} targets.`)
    else groups.set(name, [...group, one])
  }
  return new Map([...groups].map(([name, group]) => [name, targetsOf(group, ledger)]))
}

function targetsOf(group: readonly Placed[], ledger: Ledger): readonly TargetDraft[] {
  const weights = weightsOf(group, ledger)
  const orders = group.flatMap(({ deployment: { priority } }) => priority ?? [])
  const last = Math.min(MOST_PRIORITY, Math.max(...orders) + 1)
  const targets = new Map<string, TargetDraft>()
  for (const [at, { deployment, id }] of group.entries()) {
    const known = targets.get(id)
    const weight = weights?.[at]
    const priority = orders.length === 0 ? undefined : (deployment.priority ?? last)
    if (known) {
      ledger.note(
        deployment.node,
        'differs',
        'The entry is the same upstream as an earlier one with its name, so it adds to the weight of that one.',
      )
    }
    const sum = known ? (known.weight ?? 1) + (weight ?? 1) : weight
    targets.set(id, {
      model: id,
      ...(sum === undefined ? {} : { weight: sum }),
      ...(priority === undefined ? {} : { priority: Math.min(priority, known?.priority ?? priority) }),
    })
  }
  return [...targets.values()]
}

/** LiteLLM draws by `weight`, else by `rpm`, else by `tpm`, which the first entry of a name decides. */
function weightsOf(group: readonly Placed[], ledger: Ledger): readonly number[] | undefined {
  const [first] = group
  if (!first) return undefined
  if (group.length === 1) {
    for (const rate of rates) noteRate(first.deployment, rate, ledger)
    return undefined
  }
  const by = first.deployment.weight === undefined ? rates.find((rate) => first.deployment.rates[rate]) : 'weight'
  for (const { deployment } of group) {
    for (const rate of rates) {
      if (rate === by && deployment.rates[rate]) {
        ledger.note(
          deployment.rates[rate].node,
          'differs',
          'The number is the weight of the target. The gateway does not count requests or tokens of an upstream for each minute: it heeds the rate headers of upstreams.',
        )
      } else noteRate(deployment, rate, ledger)
    }
  }
  if (by === undefined) return undefined
  return fitted(group.map(({ deployment }) => (by === 'weight' ? deployment.weight : deployment.rates[by]?.value) ?? 0))
}

function noteRate({ rates: all }: Deployment, rate: 'rpm' | 'tpm', ledger: Ledger): void {
  const field = all[rate]
  if (!field) return
  const text =
    'The gateway has no limit of an upstream for each minute. It heeds the rate headers of upstreams; `max_parallel_requests` limits what runs at the same time, and `rate_limit` what a key, user or team sends.'
  ledger.note(field.node, 'left out', text)
}

/** Divides weights by what all have in common, and makes them fit the file. */
function fitted(weights: readonly number[]): readonly number[] | undefined {
  const most = Math.max(...weights)
  if (most <= 0) return undefined
  const divisor = weights.every(Number.isInteger) ? weights.reduce(commonDivisor) : 1
  const scale = Math.max(1, most / divisor / MOST_WEIGHT)
  return weights.map((weight) => weight / divisor / scale)
}

const commonDivisor = (one: number, other: number): number => (other === 0 ? one : commonDivisor(other, one % other))
