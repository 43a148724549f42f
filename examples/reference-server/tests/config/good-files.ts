/** The file of the documentation of all names. */
export const namedFile = `
upstreams:
  - id: openai                    # model ids are id/model
    kind: openai                  # openai | anthropic | ai-sdk | local
    base_url: https://api.example/v1
    api_key: $OPENAI_API_KEY      # a variable of the environment
    models: [gpt-5, 'ft:*']       # globs; absent: asked from the upstream
    dialects: [chat, responses]   # absent: by kind
models:
  fast: openai/gpt-5-mini         # an alias
  smart:
    targets: [{ model: openai/gpt-5, weight: 3 }, { model: anthropic/claude-opus, weight: 1 }]
    fallbacks: [{ model: fast, on: [error, rate_limit, context_length, refusal] }]
prices:                           # US dollars for a million tokens, decimal
  openai/gpt-5: { input: 1.25, cached_input: 0.125, output: 10 }
cache: { ttl_seconds: 300, max_entries: 10000, scope: key }      # absent: off; scope key | team | all
request_log: { content: false, days: 30, sample: 1 }             # absent: off
guardrails: [{ kind: patterns, on: [input, output], action: mask, patterns: [email, card, 'sk-[a-z0-9]+'] }]
`
