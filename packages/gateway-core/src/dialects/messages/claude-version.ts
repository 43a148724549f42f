const NAME_FIRST = /claude-[a-z]+-(\d{1,2})(?:[-.](\d{1,2}))?(?!\d)/
const NUMBER_FIRST = /claude-(\d{1,2})(?:[-.](\d{1,2}))?(?!\d)/

/**
 * Returns the version of a Claude model by its id, such as 4.5 of `claude-haiku-4-5-20251001`, in any spelling of a cloud
 * (`us.anthropic.claude-…`). `undefined` for other ids.
 */
export function claudeVersion(model: string): number | undefined {
  const id = model.slice(0, 512).toLowerCase()
  const [, major, minor] = NAME_FIRST.exec(id) ?? NUMBER_FIRST.exec(id) ?? []
  if (major === undefined) return undefined
  return Number(major) + Number(minor ?? 0) / 10
}

/** Returns how a model reasons: since Claude 4.6 as it decides, earlier within a budget of tokens. */
export const reasoningOf = (model: string): 'adaptive' | 'budget' =>
  (claudeVersion(model) ?? Number.POSITIVE_INFINITY) >= 4.6 ? 'adaptive' : 'budget'

/** Returns whether `output_config.format` exists for a model. Ids that are not known count as new. */
export const hasNativeFormat = (model: string): boolean => (claudeVersion(model) ?? Number.POSITIVE_INFINITY) >= 4.1

/** Returns whether a model refuses `temperature` together with `top_p`. */
export const takesOneSampling = (model: string): boolean => (claudeVersion(model) ?? 0) >= 4.1

/** Returns whether a model refuses `temperature`, `top_p` and `top_k`. */
export const refusesSampling = (model: string): boolean => (claudeVersion(model) ?? 0) >= 4.7
