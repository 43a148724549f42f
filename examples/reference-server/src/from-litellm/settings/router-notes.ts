import type { Notes } from './notes.ts'

const OWN_RETRIES =
  'The gateway retries failures that may pass, regardless of their kind. Set `retries` of the file or of an upstream.'
const TAGS = 'The gateway does not route by tags. Give the models names of their own, and limit keys with `models`.'

/** Keys of `router_settings`, some of which LiteLLM also reads in `litellm_settings`. */
export const routerNotes: Notes = {
  allowed_fails_policy: ['left out', 'The circuit counts all failures of an upstream alike.'],
  retry_policy: ['left out', OWN_RETRIES],
  model_group_retry_policy: ['left out', OWN_RETRIES],
  routing_strategy_args: [
    'left out',
    'The choice of a target has no settings besides `pick`, `weight` and `priority`.',
  ],
  routing_groups: ['left out', 'Set `pick` of single models.'],
  enable_pre_call_checks: [
    'not needed',
    'A request that is too long is refused by its upstream, and then goes to the fallbacks for `context_length`.',
  ],
  enable_pre_call_check: [
    'not needed',
    'A request that is too long is refused by its upstream, and then goes to the fallbacks for `context_length`.',
  ],
  optional_pre_call_checks: ['left out', 'The gateway has no such checks before a call.'],
  enable_tag_filtering: ['left out', TAGS],
  tag_filtering_match_any: ['left out', TAGS],
  disable_cooldowns: [
    'left out',
    'An upstream that fails is always left out for a time. Raise `circuit.failures` to make that rare.',
  ],
  max_fallbacks: ['left out', 'All fallbacks of a model are tried, each once.'],
  default_litellm_params: ['left out', 'Set `parameters` of each upstream.'],
  default_max_parallel_requests: ['left out', 'Set `max_parallel_requests` of each upstream or model.'],
  default_priority: ['left out', 'Requests have no priorities.'],
  polling_interval: ['not needed', 'Requests do not wait in a queue that is polled.'],
  debug_level: ['not needed', 'Failures are logged, and all calls are in metrics and traces.'],
  set_verbose: ['not needed', 'Failures are logged, and all calls are in metrics and traces.'],
  client_ttl: ['not needed', 'Connections to upstreams are pooled.'],
  cache_responses: ['left out', 'Set `cache` of the file.'],
  cache_kwargs: ['left out', 'REDIS_URL has all settings of the connection.'],
  caching_groups: ['left out', 'Equal requests are those for the same model name.'],
  redis_db: ['to do', 'Append the number to REDIS_URL, as in redis://HOST:6379/1.'],
  provider_budget_config: ['left out', 'Budgets belong to keys, users and teams.'],
  assistants_config: ['left out', 'The gateway has responses and conversations instead of assistants.'],
  alerting_config: ['left out', 'Set alerts on the metrics of `/metrics`.'],
  model_group_affinity_config: ['left out', 'Requests of a session are not bound to a target.'],
  weights: ['left out', 'Set `weight` of targets.'],
}
