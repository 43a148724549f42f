/** An upstream that variables name. */
export interface NamedUpstream {
  readonly id: string
  /** The variable that names it. */
  readonly variable: string
}

const variables = [
  ['OPENAI_BASE_URL', 'openai'],
  ['OPENAI_API_KEY', 'openai'],
  ['ANTHROPIC_BASE_URL', 'anthropic'],
  ['ANTHROPIC_API_KEY', 'anthropic'],
  ['OLLAMA_HOST', 'ollama'],
] as const

/** Returns the upstreams that variables name. */
export const namedUpstreams = (given: Readonly<Record<string, unknown>>): readonly NamedUpstream[] =>
  variables.flatMap(([variable, id]) => (given[variable] === undefined ? [] : [{ id, variable }]))

const engines = [
  ['SEARXNG_URL', 'searxng'],
  ['BRAVE_API_KEY', 'brave'],
  ['DUCKDUCKGO_BASE_URL', 'duckduckgo'],
] as const

/** Returns the search engines that variables name. */
export const namedEngines = (given: Readonly<Record<string, unknown>>): readonly NamedUpstream[] =>
  engines.flatMap(([variable, id]) => (given[variable] === undefined ? [] : [{ id, variable }]))
