import type { PatternName } from '@trivium/gateway-core'
import type { UpstreamDraft } from '../output/draft.ts'
import type { Ledger } from '../report/ledger.ts'
import { Fields } from '../source/fields.ts'
import { itemsOf, type SourceNode } from '../source/source-node.ts'

export type GuardrailDraft = PatternsDraft | ModerationDraft

interface PatternsDraft {
  readonly kind: 'patterns'
  readonly on: readonly Side[]
  readonly action: 'mask' | 'block'
  readonly patterns: readonly PatternName[]
}

interface ModerationDraft {
  readonly kind: 'moderation'
  readonly on: readonly Side[]
  readonly action: 'block'
  readonly model: string
}

type Side = 'input' | 'output'

/** Patterns of what Presidio names. */
const entityPatterns: Readonly<Record<string, PatternName>> = {
  CREDIT_CARD: 'card',
  EMAIL_ADDRESS: 'email',
  IBAN_CODE: 'iban',
  IP_ADDRESS: 'ip_address',
  PHONE_NUMBER: 'phone',
  US_SSN: 'us_ssn',
}

const MODERATION = 'omni-moderation-latest'

/** Reads the section `guardrails`. */
export function readGuardrails(
  node: SourceNode | undefined,
  upstreams: readonly UpstreamDraft[],
  ledger: Ledger,
): readonly GuardrailDraft[] {
  if (node === undefined) return []
  return itemsOf(node).flatMap((item) => readGuardrail(item, upstreams, ledger))
}

function readGuardrail(
  item: SourceNode,
  upstreams: readonly UpstreamDraft[],
  ledger: Ledger,
): readonly GuardrailDraft[] {
  if (item.kind !== 'map') {
    ledger.note(item, 'left out', 'A guardrail must be a map.')
    return []
  }
  const fields = new Fields(item, ledger)
  const map = fields.mapOf('litellm_params')
  const params = map && new Fields(map, ledger)
  const kind = params?.literal('guardrail')
  const on = params && sidesOf(params)
  if (!params || !on || kind === undefined) {
    ledger.note(
      item,
      'left out',
      'The guardrail needs `litellm_params` with `guardrail` and a `mode` of requests or answers.',
    )
    return []
  }
  const drafts = draftsOf(kind, on, params, upstreams)
  if (drafts.length === 0) {
    ledger.note(
      item,
      'left out',
      'The gateway has guardrails of the kinds `patterns` and `moderation`. A host adds others by code.',
    )
    return []
  }
  const name = fields.node('guardrail_name')
  const isAlways = params.flag('default_on') === true
  if (!isAlways)
    ledger.note(
      name ?? item,
      'differs',
      'The guardrail checks every request. LiteLLM runs it only for requests and keys that name it.',
    )
  for (const ours of [
    'api_key',
    'api_base',
    'presidio_language',
    'presidio_analyzer_api_base',
    'presidio_anonymizer_api_base',
    'output_parse_pii',
  ]) {
    const unused = params.node(ours)
    if (unused && !ledger.isHandled(unused))
      ledger.note(unused, 'not needed', 'The guardrail needs no service besides the upstreams.')
  }
  if (name && isAlways) ledger.note(name, 'not needed', 'Guardrails have no names.')
  const info = fields.node('guardrail_info')
  if (info) ledger.note(info, 'left out', 'Guardrails have no descriptions.')
  return drafts
}

function draftsOf(
  kind: string,
  on: readonly Side[],
  params: Fields,
  upstreams: readonly UpstreamDraft[],
): readonly GuardrailDraft[] {
  if (kind === 'presidio') return personalData(on, params)
  const node = params.node('guardrail')
  if (kind === 'hide-secrets' || kind === 'hide_secrets') {
    if (node)
      params.ledger.note(
        node,
        'differs',
        'The pattern `secret` matches common secrets. LiteLLM has more of them: add your own.',
      )
    return [{ kind: 'patterns', on, action: 'mask', patterns: ['secret'] }]
  }
  if (kind === 'openai_moderation') {
    const upstream = upstreams.find(({ connection }) => connection.baseUrl === 'https://api.openai.com/v1')
    if (!upstream) return []
    const model = params.literal('model') ?? MODERATION
    if (![...upstream.models.keys()].includes(model))
      upstream.models.set(model, { rules: {}, price: { input: '0' }, mode: 'chat' })
    if (node) params.ledger.note(node, 'differs', `The upstream ${upstream.id} is asked, with its own key.`)
    return [{ kind: 'moderation', on, action: 'block', model: `${upstream.id}/${model}` }]
  }
  return []
}

function personalData(on: readonly Side[], params: Fields): readonly GuardrailDraft[] {
  const entities = params.mapOf('pii_entities_config')
  const node = params.node('guardrail')
  if (node)
    params.ledger.note(
      node,
      'differs',
      'Patterns find mail addresses, cards, phones and numbers of a fixed form. Names and places are not found.',
    )
  if (!entities) return [{ kind: 'patterns', on, action: 'mask', patterns: ['email', 'card'] }]
  const found: Record<'mask' | 'block', PatternName[]> = { mask: [], block: [] }
  for (const [name, part] of entities.entries) {
    const pattern = Object.hasOwn(entityPatterns, name) ? entityPatterns[name] : undefined
    const action = part.kind === 'value' ? String(part.value).toLowerCase() : ''
    if (action !== 'mask' && action !== 'block')
      params.ledger.note(part, 'left out', 'The action must be MASK or BLOCK.')
    else if (pattern === undefined) {
      params.ledger.note(
        part,
        'left out',
        'The gateway has no pattern for this. Add a regular expression to `patterns`.',
      )
    } else {
      params.ledger.use(part)
      found[action].push(pattern)
    }
  }
  return (['mask', 'block'] as const).flatMap((action): readonly GuardrailDraft[] =>
    found[action].length === 0 ? [] : [{ kind: 'patterns', on, action, patterns: found[action] }],
  )
}

const sides: Readonly<Record<string, Side>> = { pre_call: 'input', during_call: 'input', post_call: 'output' }

function sidesOf(params: Fields): readonly Side[] | undefined {
  const node = params.node('mode')
  if (node === undefined) return undefined
  const found = new Set<Side>()
  for (const item of itemsOf(node)) {
    const side =
      item.kind === 'value' && typeof item.value === 'string' && Object.hasOwn(sides, item.value)
        ? sides[item.value]
        : undefined
    if (side) {
      params.ledger.use(item)
      found.add(side)
    } else params.ledger.note(item, 'left out', 'The gateway checks requests and answers, of all callers.')
  }
  return found.size === 0 ? undefined : [...found]
}
