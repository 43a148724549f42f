import type { JsonObject } from '../dialect.ts'
import { type KnownMembers, type KnownOf, knownByType, knownMembers } from '../requests/known-members.ts'
import { isDirectOnly } from '../requests/tool-callers.ts'
import { isSearchUse } from './searches.ts'

const citations: KnownOf = ({ url }) =>
  typeof url === 'string' ? knownMembers('type url title cited_text encrypted_index') : undefined

/** `parsed_output` is what Anthropic's SDK made of an answer. */
const text = knownMembers('type text cache_control parsed_output', { citations })

const image = knownMembers('type cache_control', { source: knownMembers('type media_type data url file_id') })

const enabled = knownMembers('enabled')

const content = knownByType({ text, image })

const inputBlocks = {
  text,
  image,
  document: knownMembers('type title context cache_control', {
    source: knownMembers('type media_type data url file_id', { content }),
    citations: enabled,
  }),
  search_result: knownMembers('type source title cache_control', { content, citations: enabled }),
  tool_reference: knownMembers('type tool_name'),
}

const search = knownMembers('type id name caller', { input: knownMembers('query') })

const blocks = knownByType({
  ...inputBlocks,
  tool_result: knownMembers('type tool_use_id is_error cache_control', { content: knownByType(inputBlocks) }),
  thinking: knownMembers('type thinking signature'),
  redacted_thinking: knownMembers('type data'),
  // Only calls by hosted tools have another caller than the model.
  tool_use: knownMembers('type id name input cache_control caller'),
  server_tool_use: (block) => (isSearchUse(block) ? search : undefined),
  web_search_tool_result: knownMembers('type tool_use_id caller', {
    content: knownMembers('type url title encrypted_content page_age error_code'),
  }),
})

const isIdleOfTool = (name: string, value: unknown): boolean => value === false || isDirectOnly(name, value)

const fn = knownMembers('type name description input_schema strict cache_control', {}, isIdleOfTool)

const webSearch = knownMembers(
  'type name max_uses allowed_domains blocked_domains',
  { user_location: knownMembers('type city region country timezone') },
  isIdleOfTool,
)

function tools({ type }: JsonObject): KnownMembers | undefined {
  if (typeof type !== 'string' || type === '' || type === 'custom') return fn
  return type.startsWith('web_search_') ? webSearch : undefined
}

const format = knownMembers('type schema')

/** The members of requests below the top level that the reader knows, or that do nothing. */
export const known: KnownMembers = knownMembers('model', {
  messages: knownMembers('role id type', { content: blocks }),
  system: text,
  tools,
  tool_choice: knownMembers('type name disable_parallel_tool_use'),
  thinking: knownMembers('type budget_tokens display'),
  // Its further members are refused.
  output_config: (config) => ({
    members: new Map([...Object.keys(config).map((name) => [name, undefined] as const), ['format', () => format]]),
  }),
  output_format: format,
  metadata: knownMembers('user_id'),
})
