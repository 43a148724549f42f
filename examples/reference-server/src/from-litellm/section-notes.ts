import type { Notes } from './settings/notes.ts'

/** Sections of LiteLLM without a counterpart. */
export const sectionNotes: Notes = {
  mcp_servers: ['left out', 'The gateway is not a server of MCP tools. Clients connect to these servers themselves.'],
  mcp_tools: ['left out', 'The gateway is not a server of MCP tools. Clients connect to these servers themselves.'],
  vector_store_registry: ['left out', 'The gateway has no vector stores.'],
  vector_stores: ['left out', 'The gateway has no vector stores.'],
  files_settings: ['left out', "Files and batches are those of the upstreams of `model_list` with OpenAI's interface."],
  finetune_settings: [
    'left out',
    'The gateway does not fine-tune models. A fine-tuned model is an id such as `ft:NAME`.',
  ],
  assistant_settings: ['left out', 'The gateway has responses and conversations instead of assistants.'],
  callback_settings: ['left out', 'The gateway has no callbacks. Its events and OpenTelemetry report each request.'],
  prompts: ['left out', 'The gateway stores no prompts.'],
  policies: ['left out', 'Limit keys, users and teams with `models` and `endpoints`.'],
  policy_attachments: ['left out', 'Limit keys, users and teams with `models` and `endpoints`.'],
  agent_list: ['left out', 'The gateway has no agents.'],
  cost_discount_config: ['left out', 'Set `prices` with the discount.'],
  cost_margin_config: ['left out', 'Set `prices` with the margin.'],
  general_config: ['left out', 'LiteLLM does not read this section either.'],
}
