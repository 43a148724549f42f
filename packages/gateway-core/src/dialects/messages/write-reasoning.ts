import type { ConversationSettings, ReasoningSettings } from '../conversation/conversation-request.ts'
import type { JsonObject } from '../dialect.ts'
import type { WriteRequestOptions } from '../translation.ts'
import { claudeVersion } from './claude-version.ts'
import { given } from './fields.ts'

/** The tokens of thinking for each effort, less where `max_tokens` is less. */
const budgets: ReadonlyMap<string, number> = new Map([
  ['minimal', 1024],
  ['low', 2048],
  ['medium', 8192],
  ['high', 16_384],
  ['xhigh', 32_768],
  ['max', 65_536],
])

const SMALLEST_BUDGET = 1024

export interface WrittenReasoning {
  readonly thinking?: JsonObject
  /** For `output_config`. */
  readonly effort?: string
}

/** Returns whether the request has the model think, which excludes some other settings. */
export const isThinking = ({ thinking }: WrittenReasoning): boolean =>
  thinking !== undefined && thinking.type !== 'disabled'

/**
 * Writes how much the model thinks. A budget is always below `max_tokens`, which is the client's own limit and does not
 * grow: below 1025 tokens there is no thinking.
 */
export function writeReasoning(
  settings: ConversationSettings,
  { model, reasoning: style }: Pick<WriteRequestOptions, 'model' | 'reasoning'>,
  maxTokens: number,
): WrittenReasoning {
  const { reasoning } = settings
  if (!reasoning) return {}
  if (reasoning.mode === 'disabled' || reasoning.effort === 'none') return { thinking: { type: 'disabled' } }
  if (reasoning.effort === undefined && reasoning.budgetTokens === undefined && reasoning.mode === undefined) return {}
  return style === 'adaptive' ? adaptive(reasoning, model) : budgeted(reasoning, maxTokens)
}

function adaptive({ effort, budgetTokens, summary }: ReasoningSettings, model: string): WrittenReasoning {
  const wanted = effort ?? (budgetTokens === undefined ? undefined : effortFor(budgetTokens))
  return {
    thinking: { type: 'adaptive', ...(summary === undefined ? {} : { display: 'summarized' }) },
    ...given('effort', wanted === undefined ? undefined : knownEffort(wanted, model)),
  }
}

/** Claude 4.6 has no `xhigh`. No model has `minimal`. */
function knownEffort(effort: string, model: string): string {
  if (effort === 'minimal') return 'low'
  return effort === 'xhigh' && claudeVersion(model) === 4.6 ? 'high' : effort
}

/** Returns the effort whose budget is the next one at or above a number of tokens. */
export const effortFor = (budgetTokens: number): string =>
  [...budgets].find(([name, tokens]) => name !== 'minimal' && tokens >= budgetTokens)?.[0] ?? 'max'

function budgeted({ effort = 'high', budgetTokens }: ReasoningSettings, maxTokens: number): WrittenReasoning {
  const budget = Math.min(budgetTokens ?? budgets.get(effort) ?? SMALLEST_BUDGET, maxTokens - 1)
  return budget < SMALLEST_BUDGET ? {} : { thinking: { type: 'enabled', budget_tokens: budget } }
}
