import type { Finding } from '../report/ledger.ts'
import type { Fields } from '../source/fields.ts'

type Notes = Readonly<Record<string, readonly [Finding, string]>>

const params: Notes = {
  drop_params: [
    'not needed',
    'The gateway translates requests between interfaces and lists in `x-trivium-omitted` what it left out.',
  ],
  tags: [
    'left out',
    'The gateway does not route by tags. Give the models names of their own, and limit keys with `models`.',
  ],
  tag_regex: ['left out', 'The gateway does not route by headers.'],
  mock_response: ['left out', 'Use an upstream of the kind `local` for tests.'],
  max_budget: ['left out', 'Budgets belong to keys, users and teams: `max_budget` of each.'],
  budget_duration: ['left out', 'Budgets belong to keys, users and teams: `budget_period` of each.'],
  cooldown_time: ['left out', 'All upstreams have the `circuit` of the file.'],
  cache_control_injection_points: [
    'left out',
    'An upstream of the kind `anthropic` marks the prompt cache with `cache_breakpoints: true`.',
  ],
  configurable_clientside_auth_params: ['left out', 'Clients cannot send credentials or addresses of upstreams.'],
  use_in_pass_through: ['left out', 'The gateway does not pass requests on to interfaces that it does not know.'],
  keepalive_seconds: ['not needed', 'The gateway keeps silent streams alive.'],
  merge_reasoning_content_in_choices: ['left out', 'Answers keep reasoning in its own field.'],
  aws_profile_name: ['to do', 'Set the variable AWS_PROFILE, or the credentials of that profile.'],
  aws_role_name: ['left out', 'The package takes no role. Let the environment of the server have its credentials.'],
  aws_session_name: ['left out', 'The package takes no role. Let the environment of the server have its credentials.'],
  aws_web_identity_token: [
    'left out',
    'The package takes no role. Let the environment of the server have its credentials.',
  ],
  aws_sts_endpoint: ['left out', 'The package takes no role. Let the environment of the server have its credentials.'],
  aws_external_id: ['left out', 'The package takes no role. Let the environment of the server have its credentials.'],
  tenant_id: ['left out', 'An upstream sends a fixed key or token. Use an API key of Azure.'],
  client_id: ['left out', 'An upstream sends a fixed key or token. Use an API key of Azure.'],
  client_secret: ['left out', 'An upstream sends a fixed key or token. Use an API key of Azure.'],
  azure_username: ['left out', 'An upstream sends a fixed key or token. Use an API key of Azure.'],
  azure_password: ['left out', 'An upstream sends a fixed key or token. Use an API key of Azure.'],
  azure_ad_token: ['left out', 'Only upstreams of Azure OpenAI get this token.'],
  allowed_openai_params: ['not needed', 'Fields that the gateway does not know pass through.'],
  additional_drop_params: ['left out', 'The gateway removes no fields that an upstream might accept.'],
  guardrails: ['left out', 'Guardrails apply to all models: `guardrails` of the file.'],
  itpm: ['left out', 'The gateway heeds the rate headers of upstreams. Limit keys with `rate_limit`.'],
  otpm: ['left out', 'The gateway heeds the rate headers of upstreams. Limit keys with `rate_limit`.'],
  default_api_key_tpm_limit: ['left out', 'Keys have limits of their own.'],
  default_api_key_rpm_limit: ['left out', 'Keys have `rate_limit`.'],
}

/** Reports fields of `litellm_params` without a counterpart. */
export const noteDeploymentFields = (fields: Fields): void => note(fields, params)

const info: Notes = {
  id: ['not needed', 'Models are named `upstream/model`.'],
  mode: ['not needed', 'Every model is available at each endpoint that its upstream has.'],
  db_model: ['not needed', 'Models are in the file only.'],
  max_tokens: ['left out', 'The file has no facts of models. The gateway knows the limits of common ones.'],
  max_input_tokens: ['left out', 'The file has no facts of models. The gateway knows the limits of common ones.'],
  max_output_tokens: ['left out', 'The file has no facts of models. The gateway knows the limits of common ones.'],
  access_groups: ['left out', 'Limit keys, users and teams with `models`, which are patterns of names.'],
  team_id: ['left out', 'Limit the team with `models`.'],
  team_public_model_name: ['left out', 'A name is the same for all teams.'],
  tier: ['left out', 'The gateway does not route by tiers.'],
  health_check_model: ['not needed', 'Upstreams are watched by their answers, without requests of the gateway.'],
  health_check_timeout: ['not needed', 'Upstreams are watched by their answers, without requests of the gateway.'],
  disable_background_health_check: [
    'not needed',
    'Upstreams are watched by their answers, without requests of the gateway.',
  ],
}

/** Reports fields of `model_info` without a counterpart. */
export function noteModelInfo(fields: Fields, model: string): void {
  note(fields, info)
  const base = fields.node('base_model')
  if (base) {
    const isSame = base.kind === 'value' && String(base.value).split('/').at(-1) === model
    if (isSame) fields.ledger.note(base, 'not needed', 'The model has the price of its own name.')
    else
      fields.ledger.note(
        base,
        'left out',
        'A price is found by the name of the model at its upstream. Add `prices` for it.',
      )
  }
  for (const [name, node] of fields.map.entries) {
    if (name.startsWith('supports_'))
      fields.ledger.note(node, 'not needed', 'The upstream decides what its model can do.')
  }
}

function note(fields: Fields, notes: Notes): void {
  for (const [name, [finding, text]] of Object.entries(notes)) {
    const node = fields.map.entries.get(name)
    if (node && !fields.ledger.isHandled(node)) fields.ledger.note(node, finding, text)
  }
}
