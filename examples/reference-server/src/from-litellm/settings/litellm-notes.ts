import type { Notes } from './notes.ts'

const PER_KEY = 'Limits are fields of keys, users and teams. Set them when you create these.'
const OWN_LOGS = 'The gateway has logs of its own.'

/** Keys of `litellm_settings`. */
export const litellmNotes: Notes = {
  drop_params: [
    'not needed',
    'The gateway translates requests between interfaces and lists in `x-trivium-omitted` what it left out.',
  ],
  modify_params: [
    'not needed',
    'The gateway translates requests between interfaces and lists in `x-trivium-omitted` what it left out.',
  ],
  set_verbose: ['not needed', OWN_LOGS],
  json_logs: ['left out', OWN_LOGS],
  turn_off_message_logging: ['not needed', 'Prompts and answers are not logged unless `request_log.content` is true.'],
  redact_messages_in_exceptions: ['not needed', 'Errors of the gateway contain no prompts.'],
  redact_user_api_key_info: ['not needed', 'Secrets of keys are never logged. Spans have no names of users.'],
  langfuse_default_tags: ['left out', 'The gateway has no client of this service.'],
  telemetry: ['not needed', 'The gateway reports to no one.'],
  force_ipv4: ['left out', 'Start Node with --dns-result-order=ipv4first.'],
  ssl_verify: ['left out', 'Certificates are always checked. Set NODE_EXTRA_CA_CERTS for an authority of your own.'],
  max_budget: ['left out', 'A budget of the whole gateway does not exist. Give teams a `max_budget`.'],
  budget_duration: ['left out', 'Set `budget_period` of teams, users and keys to `day`, `month` or `total`.'],
  max_user_budget: ['left out', PER_KEY],
  max_internal_user_budget: ['left out', PER_KEY],
  internal_user_budget_duration: ['left out', PER_KEY],
  max_end_user_budget: ['left out', 'End users have no budgets. Create a user, or a key, for each.'],
  default_internal_user_params: ['left out', PER_KEY],
  default_team_params: ['left out', PER_KEY],
  default_team_settings: ['left out', PER_KEY],
  default_key_generate_params: ['left out', PER_KEY],
  upperbound_key_generate_params: ['left out', 'What a team may do bounds all keys that its owners issue.'],
  key_generation_settings: ['left out', 'The admin issues keys, and `owners` of a team those of the team.'],
  custom_provider_map: ['left out', 'Write a provider: `docs/providers.md`.'],
  public_model_groups: ['left out', 'Models are listed for callers with a key.'],
  guardrails: [
    'left out',
    'Use the section `guardrails` of LiteLLM and translate again, or set `guardrails` of the file.',
  ],
  disable_end_user_cost_tracking: ['not needed', 'Usage has end users only where `usage.end_users` is true.'],
  disable_end_user_cost_tracking_prometheus_only: ['not needed', 'Metrics have no end users.'],
  enable_json_schema_validation: ['left out', 'The upstream checks answers with a schema.'],
  enable_preview_features: ['not needed', 'The gateway has no such switch.'],
  mcp_aliases: ['left out', 'The gateway is not a server of MCP tools.'],
  model_alias_map: ['left out', 'Write the names to `router_settings.model_group_alias` and translate again.'],
  tag_budget_config: ['left out', 'Tags have no budgets. Give teams a `max_budget`.'],
  priority_reservation: ['left out', 'Requests have no priorities.'],
  add_function_to_prompt: ['left out', 'A model without tools refuses them.'],
  api_base: ['left out', 'Set `base_url` of each upstream.'],
  api_key: ['left out', 'Set `api_key` of each upstream.'],
  organization: ['left out', 'Set the header `openai-organization` of each upstream.'],
  disable_hf_tokenizer_download: ['not needed', 'The gateway downloads no tokenizers.'],
  enable_key_alias_format_validation: ['not needed', 'Names of keys are always checked.'],
  use_chat_completions_url_for_anthropic_messages: [
    'left out',
    'The gateway translates messages to the interface that an upstream speaks: `dialects`.',
  ],
}
