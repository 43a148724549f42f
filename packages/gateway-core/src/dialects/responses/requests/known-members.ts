import type { JsonObject } from '../../dialect.ts'
import { textOf } from '../../json-values.ts'
import { type KnownMembers, type KnownOf, knownByType, knownMembers } from '../../requests/known-members.ts'
import { isDirectOnly } from '../../requests/tool-callers.ts'
import { isSearchType } from './read-tools.ts'

const MARK = 'prompt_cache_breakpoint'

const citation = knownMembers('type url title start_index end_index cited_text encrypted_index')

/** `parsed` and `parsed_arguments` are what OpenAI's SDK made of an answer. */
const text = knownMembers(`type text logprobs id parsed ${MARK}`, {
  annotations: knownByType({ url_citation: citation }),
})

const isDefaultDetail = (name: string, value: unknown): boolean => name === 'detail' && value === 'auto'

const content = knownByType({
  text,
  input_text: text,
  output_text: text,
  refusal: knownMembers('type refusal'),
  input_image: knownMembers(`type image_url file_id detail ${MARK}`),
  input_file: knownMembers(`type file_data file_url file_id filename ${MARK}`, {}, isDefaultDetail),
  input_audio: knownMembers('type data format', { input_audio: knownMembers('data format') }),
})

/** Members of items that only describe them. */
const ITEM = 'type id status created_by'

const isDirectCaller = (name: string, value: unknown): boolean =>
  name === 'caller' && typeof value === 'object' && value !== null && 'type' in value && value.type === 'direct'

const message = knownMembers(`${ITEM} role phase`, { content })

const thought = knownMembers('type text')

const search = knownMembers(ITEM, {
  action: knownMembers('type query queries', {
    sources: knownMembers('type url title encrypted_content page_age'),
  }),
})

const result = knownMembers(`${ITEM} call_id name`, { output: content }, isDirectCaller)

/** `external_web_access: false` asks for pages of an index instead of live ones. */
const isIdleOfTool = (name: string, value: unknown): boolean =>
  value === (name === 'external_web_access') || isDirectOnly(name, value)

const fn = knownMembers('type name description parameters strict', {}, isIdleOfTool)

const custom = knownMembers('type name description', { format: knownMembers('type syntax definition') }, isIdleOfTool)

const webSearch = knownMembers(
  'type search_context_size',
  {
    filters: knownMembers('allowed_domains blocked_domains'),
    user_location: knownMembers('type city region country timezone approximate'),
  },
  isIdleOfTool,
)

/** A tool of a namespace, or one that is in none. */
function plainTool({ type }: JsonObject): KnownMembers | undefined {
  if (type === 'function') return fn
  if (type === 'custom') return custom
  return isSearchType(textOf(type) ?? '') ? webSearch : undefined
}

const namespace = knownMembers('type name description', { tools: plainTool })

const tools: KnownOf = (tool) => (tool.type === 'namespace' ? namespace : plainTool(tool))

const typedItems = knownByType({
  message,
  reasoning: knownMembers(`${ITEM} encrypted_content`, { summary: thought, content: thought }),
  function_call: knownMembers(`${ITEM} call_id name arguments parsed_arguments namespace`, {}, isDirectCaller),
  custom_tool_call: knownMembers(`${ITEM} call_id name input namespace`, {}, isDirectCaller),
  function_call_output: result,
  custom_tool_call_output: result,
  web_search_call: search,
  additional_tools: knownMembers(`${ITEM} role`, { tools }),
})

const items: KnownOf = (item) => (item.type == null ? message : typedItems(item))

const named = knownMembers('type name')

/** The members of requests below the top level that the reader knows, or that do nothing. */
export const known: KnownMembers = knownMembers('model', {
  input: items,
  instructions: items,
  tools,
  tool_choice: knownByType({
    function: named,
    custom: named,
    allowed_tools: knownMembers('type mode', { tools: knownByType({ function: named, custom: named }) }),
  }),
  text: knownMembers('verbosity', { format: knownMembers('type name description schema strict') }),
  reasoning: knownMembers('effort summary generate_summary mode'),
  stream_options: knownMembers('include_obfuscation'),
})
