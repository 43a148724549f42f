import type { LimitState } from '../limit-states/limit-state.ts'
import type { QuotaRule } from '../quota-rules/quota-rule.ts'
import { isIdle } from './next-limit-state.ts'
import type { QuotaTaskOptions } from './quota-tasks.ts'

/** The grace periods that rules no longer have, and the states of a volume without them. */
export interface RemovedGrace {
  readonly states: readonly LimitState[]
  /** Stores the states, unless a watch has changed them. Call it after the limits are in effect. */
  store(): Promise<void>
}

/** Ends the grace periods of rules that no longer have one. A watch notices that only at its next comparison. */
export async function removeGrace(
  { repositories, volume }: Pick<QuotaTaskOptions, 'repositories' | 'volume'>,
  states: readonly LimitState[],
  rules: readonly Pick<QuotaRule, 'uuid' | 'gracePeriodSeconds'>[],
): Promise<RemovedGrace> {
  const ofVolume = (await repositories.volumes.find(volume.uuid))?.gracePeriodSeconds
  const withoutPeriod = new Set(
    rules.flatMap(({ uuid, gracePeriodSeconds = ofVolume }) => (gracePeriodSeconds === undefined ? uuid : [])),
  )
  const isRemoved = ({ subject, graceStartedAt }: LimitState): boolean =>
    subject.kind === 'limit' && graceStartedAt !== undefined && withoutPeriod.has(subject.rule)
  return {
    states: states.map((state) => (isRemoved(state) ? withoutGrace(state) : state)),
    store: async () => {
      for (const state of states.filter(isRemoved)) {
        const { sequence, subject } = state
        const next = withoutGrace(state)
        if (isIdle(next)) await repositories.limitStates.remove(volume.uuid, subject, sequence)
        else await repositories.limitStates.replace({ ...next, sequence: sequence + 1 }, sequence)
      }
    },
  }
}

function withoutGrace({ graceStartedAt: _started, graceEndedAt: _ended, ...state }: LimitState): LimitState {
  return state
}
