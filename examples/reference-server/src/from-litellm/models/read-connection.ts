import type { Connection, Text } from '../output/draft.ts'
import type { OpenAiFacts } from '../providers/provider-facts.ts'
import type { ProviderModel } from '../providers/provider-of-model.ts'
import { Fields } from '../source/fields.ts'
import type { SourceNode } from '../source/source-node.ts'
import { isSecret, type SecretNames } from './secret-names.ts'

/** Values that clients of local servers send because a library requires a key. */
const PLACEHOLDER =
  /^(?:|none|null|empty|dummy.*|fake.*|anything|any|not-needed|no-key.*|sk-no-key-required|ollama|xxx+|sk-1234)$/i

export interface ConnectionReader {
  readonly secrets: SecretNames
  /** The map of `credential_list` that a deployment names, by its name. */
  readonly credentials: ReadonlyMap<string, Fields>
}

/**
 * Reads how LiteLLM reaches the provider of a deployment.
 *
 * @param entry the deployment, which is reported where the gateway cannot reach it
 */
export function readConnection(
  { provider, facts }: ProviderModel,
  params: Fields,
  entry: SourceNode,
  { secrets, credentials }: ConnectionReader,
): Connection | undefined {
  const { ledger } = params
  const named = params.literal('litellm_credential_name')
  const shared = named === undefined ? undefined : credentials.get(named)
  if (named !== undefined && shared === undefined) {
    ledger.note(entry, 'left out', 'The deployment names a credential that `credential_list` does not have.')
    return undefined
  }
  const from = (name: string): Fields => (params.node(name) !== undefined || shared === undefined ? params : shared)
  const prefix = provider.replaceAll('-', '_')

  const key = (name: string, wanted: string): Text | undefined => {
    const value = from(name).text(name)
    if (value === undefined || typeof value !== 'string') return value
    const node = from(name).node(name)
    if (PLACEHOLDER.test(value)) {
      if (node) ledger.note(node, 'not needed', 'The value is a placeholder, so that it is not sent.')
      return undefined
    }
    const variable = secrets.variableFor(value, wanted)
    if (node) ledger.note(node, 'to do', `The secret is not copied. Set the variable ${variable.variable} to it.`)
    return variable
  }
  const plain = (name: string): Text | undefined => from(name).text(name)
  const headers = readHeaders(params, prefix, secrets)
  const organization = plain('organization')
  const version = params.first('api_version')

  if (facts === undefined) {
    ledger.note(
      entry,
      'left out',
      `The gateway has no upstream for the provider of this model. Where the AI SDK has a package for it, add an upstream of the kind \`ai-sdk\`; where it has OpenAI's interface, one of the kind \`openai\`.`,
    )
    return undefined
  }

  if (facts.kind === 'ai-sdk') {
    if (headers) noteHeaders(params, 'The packages of the AI SDK are called without additional headers.')
    const options = readOptions(facts.package, params, { key, plain })
    return { provider, kind: 'ai-sdk', package: facts.package, ...(Object.keys(options).length > 0 && { options }) }
  }

  const base = readBase(from('api_base').node('api_base') ? from('api_base') : from('base_url'), entry)
  if (base === 'invalid') return undefined
  const apiKey = key('api_key', facts.keyVariable ?? `${prefix}_API_KEY`)

  if (facts.kind === 'anthropic') {
    const baseUrl = typeof base === 'string' ? base.replace(/\/v1(?:\/messages)?$/, '') : base
    return {
      provider,
      kind: 'anthropic',
      ...(baseUrl === undefined ? {} : { baseUrl }),
      apiKey: apiKey ?? { variable: facts.keyVariable },
      ...(headers && { headers }),
    }
  }

  const baseUrl = openAiBase(provider, facts, base, params)
  if (baseUrl === undefined) {
    ledger.note(
      entry,
      'left out',
      'The deployment has no `api_base`, and the provider has no address that is known. Add an upstream with its `base_url`.',
    )
    return undefined
  }
  if (version && provider === 'azure') {
    ledger.note(
      version,
      'not needed',
      "The upstream is called by Azure's interface `/openai/v1`, which has no version for each request.",
    )
  } else if (version) ledger.note(version, 'left out', 'Upstreams with this interface are called without a version.')
  const isOpenAi = baseUrl === 'https://api.openai.com/v1'
  const own =
    apiKey ?? (isOpenAi || (facts.isKeyOptional !== true && provider !== 'openai') ? defaultKey(facts) : undefined)
  const token = provider === 'azure' ? key('azure_ad_token', 'AZURE_AD_TOKEN') : undefined
  const sent: Record<string, Text> = {
    ...headers,
    ...(organization === undefined ? {} : { 'openai-organization': organization }),
    ...(provider === 'azure' && token === undefined && own !== undefined ? { 'api-key': own } : {}),
  }
  const bearer = provider === 'azure' ? token : own
  return {
    provider: provider === 'openai' && !isOpenAi ? 'openai-compatible' : provider,
    kind: 'openai',
    baseUrl,
    ...(bearer === undefined ? {} : { apiKey: bearer }),
    ...(Object.keys(sent).length > 0 && { headers: sent }),
  }
}

const defaultKey = ({ keyVariable }: OpenAiFacts): Text | undefined =>
  keyVariable === undefined ? undefined : { variable: keyVariable }

/** Reads the address. `invalid`: the deployment was reported as left out. */
function readBase(params: Fields, entry: SourceNode): Text | 'invalid' | undefined {
  const value = params.text(params.node('api_base') ? 'api_base' : 'base_url')
  if (value === undefined || typeof value !== 'string') return value
  const url = URL.canParse(value) ? new URL(value) : undefined
  if (!url || !/^https?:$/.test(url.protocol)) {
    params.ledger.note(entry, 'left out', 'The `api_base` is not an http or https URL.')
    return 'invalid'
  }
  if (url.username !== '' || url.password !== '' || url.search !== '') {
    params.ledger.note(
      entry,
      'left out',
      'The `api_base` has credentials or a query. Add an upstream with a plain `base_url` and `headers`.',
    )
    return 'invalid'
  }
  return value.replace(/\/+$/, '')
}

function openAiBase(provider: string, facts: OpenAiFacts, base: Text | undefined, params: Fields): Text | undefined {
  if (base === undefined) return facts.baseUrl
  const suffix = provider === 'azure' ? '/openai/v1' : (facts.suffix ?? '')
  if (typeof base !== 'string') {
    const node = params.first('api_base', 'base_url')
    if (suffix !== '' && node) {
      params.ledger.note(
        node,
        'to do',
        `Append "${suffix}" to the value of the variable ${base.variable}, because the gateway calls that interface.`,
      )
    }
    return base
  }
  if (provider === 'azure') return `${base.replace(/\/openai(?:\/.*)?$/, '')}${suffix}`
  if (provider === 'azure-ai') return azureAiBase(base)
  return suffix === '' || base.endsWith(suffix) ? base : `${base}${suffix}`
}

function azureAiBase(base: string): string {
  const { hostname, origin } = new URL(base)
  if (hostname.endsWith('.services.ai.azure.com')) return `${origin}/openai/v1`
  return hostname.endsWith('.models.ai.azure.com') && !base.endsWith('/v1') ? `${base}/v1` : base
}

function readHeaders(params: Fields, prefix: string, secrets: SecretNames): Record<string, Text> | undefined {
  const headers: Record<string, Text> = {}
  for (const field of ['extra_headers', 'headers']) {
    const map = params.mapOf(field)
    if (!map) continue
    const fields = new Fields(map, params.ledger)
    if (map.entries.size === 0) params.ledger.use(map)
    for (const [name, node] of map.entries) {
      const value = fields.text(name)
      if (value === undefined || value === '') continue
      if (typeof value !== 'string' || !isSecret(name, value)) {
        headers[name.toLowerCase()] = value
        continue
      }
      const variable = secrets.variableFor(value, `${prefix}_${name}`)
      params.ledger.note(node, 'to do', `The secret is not copied. Set the variable ${variable.variable} to it.`)
      headers[name.toLowerCase()] = variable
    }
  }
  return Object.keys(headers).length > 0 ? headers : undefined
}

function noteHeaders(params: Fields, text: string): void {
  for (const field of ['extra_headers', 'headers']) {
    const node = params.node(field)
    if (node) params.ledger.note(node, 'left out', text)
  }
}

interface Readers {
  readonly key: (name: string, wanted: string) => Text | undefined
  readonly plain: (name: string) => Text | undefined
}

/** Reads what the function of a package gets. */
function readOptions(
  name: string,
  params: Fields,
  { key, plain }: Readers,
): Record<string, Text | Record<string, Text>> {
  const base = plain('api_base') ?? plain('base_url')
  const common = base === undefined ? {} : { baseURL: base }
  if (name === '@ai-sdk/google') {
    return { apiKey: key('api_key', 'GEMINI_API_KEY') ?? { variable: 'GEMINI_API_KEY' }, ...common }
  }
  if (name === '@ai-sdk/amazon-bedrock') {
    return defined({
      region: plain('aws_region_name') ?? plain('region_name'),
      accessKeyId: key('aws_access_key_id', 'AWS_ACCESS_KEY_ID'),
      secretAccessKey: key('aws_secret_access_key', 'AWS_SECRET_ACCESS_KEY'),
      sessionToken: key('aws_session_token', 'AWS_SESSION_TOKEN'),
      apiKey: key('api_key', 'AWS_BEARER_TOKEN_BEDROCK'),
      baseURL: plain('aws_bedrock_runtime_endpoint') ?? base,
    })
  }
  const credentials = params.node('vertex_credentials')
  const file = plain('vertex_credentials')
  const isFile = typeof file !== 'string' || /^[\w./~-]+\.json$/.test(file)
  if (credentials && file !== undefined && !isFile) {
    params.ledger.note(
      credentials,
      'to do',
      'The secret is not copied. Store it in a private file, and set the variable GOOGLE_APPLICATION_CREDENTIALS to the path of that file.',
    )
  } else if (credentials && typeof file === 'object') {
    params.ledger.note(
      credentials,
      'to do',
      `The variable ${file.variable} must hold the path of the file with the credentials.`,
    )
  }
  return {
    ...defined({
      project: plain('vertex_project') ?? plain('vertex_ai_project'),
      location: plain('vertex_location') ?? plain('vertex_ai_location') ?? plain('region_name'),
    }),
    ...common,
    ...(file !== undefined && isFile ? { googleAuthOptions: { keyFilename: file } } : {}),
  }
}

const defined = (options: Readonly<Record<string, Text | undefined>>): Record<string, Text> =>
  Object.fromEntries(Object.entries(options).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
