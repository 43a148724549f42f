import { buildRoutes } from './models/build-routes.ts'
import { groupTargets } from './models/group-targets.ts'
import { groupUpstreams } from './models/group-upstreams.ts'
import { readDeployment } from './models/read-deployment.ts'
import { SecretNames } from './models/secret-names.ts'
import { namesOfVariables } from './models/variable-names.ts'
import { writeFile } from './output/write-file.ts'
import { Ledger } from './report/ledger.ts'
import { sectionNotes } from './section-notes.ts'
import { litellmNotes } from './settings/litellm-notes.ts'
import { noteKeys } from './settings/notes.ts'
import { readCache } from './settings/read-cache.ts'
import { readCallbacks } from './settings/read-callbacks.ts'
import { readGeneral } from './settings/read-general.ts'
import { readGuardrails } from './settings/read-guardrails.ts'
import { readRedis } from './settings/read-redis.ts'
import { readRouter } from './settings/read-router.ts'
import { readSearchTools } from './settings/read-search-tools.ts'
import { Fields } from './source/fields.ts'
import { readSource } from './source/read-source.ts'
import { itemsOf, partsOf, type SourceMap, type SourceNode } from './source/source-node.ts'
import type { Translation } from './translation.ts'

const UNKNOWN = 'The translator does not know this key. Look for a counterpart in `docs/migrating-from-litellm.md`.'

/** The sections that are read. All others may define anchors. */
const sections: ReadonlySet<string> = new Set([
  'credential_list',
  'environment_variables',
  'general_settings',
  'guardrails',
  'litellm_settings',
  'model_list',
  'router_settings',
  'search_tools',
])

/**
 * Translates a file of the LiteLLM proxy, with the files that it includes.
 *
 * @throws SourceError where a file cannot be read
 */
export function translate(file: string): Translation {
  const ledger = new Ledger()
  const source = readSource(file, ledger)
  const root = new Fields(source, ledger)
  const secrets = new SecretNames(namesOfVariables(source))
  const credentials = credentialsOf(root.node('credential_list'), ledger)
  noteVariables(root.mapOf('environment_variables'), ledger)

  const entries = entriesOf(root.node('model_list'), ledger)
  const deployments = entries.flatMap((entry) => readDeployment(entry, ledger, { secrets, credentials }) ?? [])
  const { upstreams, placed } = groupUpstreams(deployments, ledger)
  notePackages(
    placed.map(({ deployment }) => deployment),
    ledger,
  )

  const routerMap = root.mapOf('router_settings')
  const litellmMap = root.mapOf('litellm_settings')
  const generalMap = root.mapOf('general_settings')
  const router = readRouter(routerMap, litellmMap, ledger)
  const models = buildRoutes({ ...router, groups: groupTargets(placed, ledger) }, ledger)
  const litellm = litellmMap && new Fields(litellmMap, ledger)
  const cacheParams = litellm?.mapOf('cache_params')
  const redis = readRedis([
    ...(routerMap ? [{ fields: new Fields(routerMap, ledger), prefix: 'redis_' }] : []),
    ...(cacheParams ? [{ fields: new Fields(cacheParams, ledger), prefix: '' }] : []),
  ])
  const cache = litellm && readCache(litellm)
  if (litellm) readCallbacks(litellm)
  if (litellmMap) noteKeys(litellmMap, litellmNotes, ledger)
  const general = generalMap && readGeneral(new Fields(generalMap, ledger))
  const engines = readSearchTools(root.node('search_tools'), secrets, ledger)
  const guardrails = readGuardrails(root.node('guardrails'), upstreams, ledger)
  noteKeys(source, sectionNotes, ledger)
  const all = [...source.entries]
  const read = all.flatMap(([name, node]) => (sections.has(name) ? [node] : []))
  for (const node of read)
    for (const part of node.kind === 'value' ? [node] : partsOf(node)) ledger.noteRest(part, UNKNOWN)
  for (const [name, node] of all) if (!sections.has(name)) ledger.noteRestOfDefinition(node, UNKNOWN)

  const text = writeFile({
    variables: { ...general?.variables, ...(redis === undefined ? {} : { redis_url: redis }) },
    upstreams,
    models,
    maxParallelRequests: general?.maxParallelRequests,
    timeouts: router.timeouts,
    retries: router.retries,
    circuit: router.circuit,
    cache,
    requestLog: general?.requestLog,
    guardrails,
    engines,
  })
  return { text, report: ledger.lines() }
}

function entriesOf(node: SourceNode | undefined, ledger: Ledger): readonly SourceNode[] {
  if (node === undefined || node.kind === 'list') return node?.items ?? []
  ledger.note(node, 'left out', 'The value must be a list of entries with `model_name` and `litellm_params`.')
  return []
}

function credentialsOf(node: SourceNode | undefined, ledger: Ledger): ReadonlyMap<string, Fields> {
  const credentials = new Map<string, Fields>()
  for (const item of node === undefined ? [] : itemsOf(node)) {
    const fields = item.kind === 'map' ? new Fields(item, ledger) : undefined
    const name = fields?.literal('credential_name')
    const values = fields?.mapOf('credential_values')
    const info = fields?.node('credential_info')
    if (info) ledger.note(info, 'not needed', 'The values are part of each upstream that uses them.')
    if (name !== undefined && values) credentials.set(name, new Fields(values, ledger))
    else ledger.note(item, 'left out', 'A credential must have `credential_name` and `credential_values`.')
  }
  return credentials
}

function noteVariables(map: SourceMap | undefined, ledger: Ledger): void {
  for (const [name, node] of map?.entries ?? []) {
    ledger.note(
      node,
      'to do',
      `The file sets no variables of the environment. Set ${name} for the process of the server.`,
    )
  }
}

function notePackages(
  deployments: readonly { readonly node: SourceNode; readonly connection: { readonly package?: string } }[],
  ledger: Ledger,
): void {
  const noted = new Set<string>()
  for (const { node, connection } of deployments) {
    const { package: name } = connection
    if (name === undefined) continue
    const [scope = '', base = ''] = name.split('/')
    if (noted.has(base)) continue
    noted.add(base)
    ledger.noteBeside(
      node,
      'to do',
      `Install the package of the AI SDK: npm install ${scope}/${base}. It reads credentials that the file does not set from its own variables.`,
    )
  }
}
