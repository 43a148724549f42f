import type { Settings } from '../settings.ts'

/** The settings that a running server takes over. All others need a restart. */
const reloadable = [
  'OPENAI_BASE_URL',
  'OPENAI_API_KEY',
  'OPENAI_MODELS',
  'OPENAI_DIALECTS',
  'ANTHROPIC_BASE_URL',
  'ANTHROPIC_API_KEY',
  'ANTHROPIC_MODELS',
  'ANTHROPIC_CACHE_BREAKPOINTS',
  'OLLAMA_HOST',
  'SEARXNG_URL',
  'BRAVE_API_KEY',
  'BRAVE_BASE_URL',
  'DUCKDUCKGO_BASE_URL',
  'TRIVIUM_FORWARD_HEADERS',
  'TRIVIUM_CHAT_BODY_MIB',
  'TRIVIUM_USAGE_DAYS',
  'TRIVIUM_RESPONSES_DAYS',
  'TRIVIUM_ENDED_KEY_DAYS',
] as const satisfies readonly (keyof Settings)[]

const reloadableNames: ReadonlySet<string> = new Set(reloadable)

/** Returns the settings with which a running server continues: the changed ones where it can take them over. */
export function runningSettings(started: Settings, changed: Settings): Settings {
  const taken = Object.entries(changed).filter(([name]) => reloadableNames.has(name))
  const kept = Object.entries(started).filter(([name]) => !reloadableNames.has(name))
  // Each has the type of its name.
  return Object.fromEntries([...kept, ...taken]) as Settings
}

/** Returns the names of changed settings that need a restart, in lower case as the file has them. */
export function restartNames(started: Settings, changed: Settings): readonly string[] {
  const before = new Map<string, unknown>(Object.entries(started))
  const after = new Map<string, unknown>(Object.entries(changed))
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((name) => !reloadableNames.has(name))
    .filter((name) => JSON.stringify(before.get(name)) !== JSON.stringify(after.get(name)))
    .map((name) => name.toLowerCase())
}
