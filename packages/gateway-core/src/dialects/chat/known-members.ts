import type { JsonObject } from '../dialect.ts'
import { type KnownMembers, type KnownOf, knownByType, knownMembers } from '../requests/known-members.ts'
import { isWebSearch } from './read-tools.ts'

const MARKS = 'cache_control prompt_cache_breakpoint'

const thinking = knownMembers('type signature closed', { thinking: knownMembers('type text') })

const content = knownByType({
  text: knownMembers(`type text ${MARKS}`),
  refusal: knownMembers('type refusal'),
  image_url: knownMembers(`type ${MARKS}`, { image_url: knownMembers('url detail') }),
  input_audio: knownMembers('type', { input_audio: knownMembers('data format') }),
  file: knownMembers(`type ${MARKS}`, { file: knownMembers('filename file_id file_data') }),
  document_url: knownMembers(`type document_name ${MARKS}`, { document_url: knownMembers('url') }),
  thinking,
})

const named = knownMembers('name')

/** `parsed_arguments` and `parsed` are what OpenAI's SDK made of an answer. */
const called = knownMembers('name arguments parsed_arguments')

const assistant = knownMembers(
  `role name refusal audio reasoning_content reasoning prefix id type index parsed ${MARKS}`,
  {
    content,
    annotations: knownByType({
      url_citation: knownMembers('type', {
        url_citation: knownMembers('url title start_index end_index content'),
      }),
    }),
    thinking_blocks: knownMembers('type thinking signature data cache_control'),
    function_call: called,
    tool_calls: knownMembers(`id type index ${MARKS}`, { function: called, custom: knownMembers('name input') }),
  },
)

const byRole: ReadonlyMap<unknown, KnownMembers> = new Map([
  ['system', knownMembers(`role ${MARKS}`, { content })],
  ['developer', knownMembers(`role ${MARKS}`, { content })],
  ['user', knownMembers(`role name ${MARKS}`, { content })],
  ['assistant', assistant],
  // The name of a result is that of its call.
  ['tool', knownMembers(`role name tool_call_id is_error ${MARKS}`, { content })],
  ['function', knownMembers(`role name is_error ${MARKS}`, { content })],
])

const PLACE = 'type city region country timezone'

const SEARCH = 'max_uses allowed_domains blocked_domains excluded_domains search_context_size'

const searchMembers = {
  filters: knownMembers('allowed_domains'),
  user_location: knownMembers(PLACE, { approximate: knownMembers(PLACE) }),
}

const search = knownMembers(SEARCH, searchMembers)

const webSearch = knownMembers(`type name ${SEARCH}`, { ...searchMembers, parameters: search })

const fn = knownMembers(`type ${MARKS}`, { function: knownMembers('name description parameters strict') })

const custom = knownMembers(`type ${MARKS}`, {
  custom: knownMembers('name description', {
    format: knownMembers('type', { grammar: knownMembers('syntax definition') }),
  }),
})

function tools({ type }: JsonObject): KnownMembers | undefined {
  if (typeof type !== 'string' || type === 'function') return fn
  if (type === 'custom') return custom
  return isWebSearch(type) ? webSearch : undefined
}

const choice = knownMembers('type name disable_parallel_tool_use', { function: named, custom: named })

const choices: KnownOf = knownByType({
  ...{ none: choice, auto: choice, required: choice, any: choice, function: choice, tool: choice, custom: choice },
  allowed_tools: knownMembers('type', { allowed_tools: knownMembers('mode', { tools: choice }) }),
})

/** The members of requests below the top level that the reader knows, or that do nothing. */
export const known: KnownMembers = knownMembers('model', {
  messages: ({ role }) => byRole.get(role),
  tools,
  functions: knownMembers('name description parameters'),
  tool_choice: choices,
  function_call: named,
  response_format: knownMembers('type', { json_schema: knownMembers('name description schema strict') }),
  web_search_options: search,
  thinking: knownMembers('type budget_tokens display'),
  reasoning: knownMembers('effort max_tokens summary enabled exclude'),
  stream_options: knownMembers('include_usage include_obfuscation'),
})
