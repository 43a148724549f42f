import type { ModelMode, ModelRules, PriceDraft } from '../output/draft.ts'
import { providerOfModel } from '../providers/provider-of-model.ts'
import type { Ledger } from '../report/ledger.ts'
import { Fields } from '../source/fields.ts'
import type { SourceNode } from '../source/source-node.ts'
import type { Deployment, RateField } from './deployment.ts'
import { noteDeploymentFields, noteModelInfo } from './deployment-notes.ts'
import { type ConnectionReader, readConnection } from './read-connection.ts'
import { readParameters } from './read-parameters.ts'
import { readPrice } from './read-price.ts'

const MOST_NAME = 512
const MOST_SECONDS = 2_147_483

/** Reads an entry of `model_list`. `undefined`: it was reported as left out. */
export function readDeployment(entry: SourceNode, ledger: Ledger, reader: ConnectionReader): Deployment | undefined {
  const leftOut = (text: string): undefined => {
    ledger.note(entry, 'left out', text)
  }
  if (entry.kind !== 'map') return leftOut('The entry must be a map with `model_name` and `litellm_params`.')
  const fields = new Fields(entry, ledger)
  const paramsMap = fields.mapOf('litellm_params')
  if (!paramsMap) return leftOut('The entry has no `litellm_params`.')
  const params = new Fields(paramsMap, ledger)
  const named = params.literal('model')
  if (named === undefined) return leftOut('The entry has no `litellm_params.model`.')
  const name = fields.literal('model_name') ?? named
  const problem = nameProblem(name, named)
  if (problem !== undefined) return leftOut(problem)
  const given = params.literal('custom_llm_provider')
  const found = providerOfModel(named, given)
  if (!found) {
    return leftOut(
      named === '*'
        ? 'The model "*" leaves the provider to the name in the request. Write one entry for each provider, such as `openai/*`.'
        : 'The provider of the model is not known. Write it before the model, such as `openai/NAME`, and translate again.',
    )
  }
  const connection = readConnection(found, params, entry, reader)
  if (!connection) return undefined

  const { kind } = connection
  const speaksResponses = connection.baseUrl === 'https://api.openai.com/v1'
  const isOpenAi = speaksResponses || connection.provider === 'azure'
  const parameters = readParameters(params, { kind, speaksResponses, isOpenAi })
  const info = fields.mapOf('model_info')
  const price: PriceDraft = { ...readPrice(params), ...(info && readPrice(new Fields(info, ledger))) }
  const mode = connection.kind === 'ai-sdk' && info ? modeOf(new Fields(info, ledger)) : 'chat'
  const rates = { rpm: readRate(params, fields, 'rpm'), tpm: readRate(params, fields, 'tpm') }
  const weight = params.number('weight', 0, 1_000_000)
  const priority = wholeNumber(params, 'order', 0, 1000)
  const deployment: Deployment = {
    name,
    node: entry,
    connection,
    model: found.model,
    draft: { rules: { ...readTimes(params), ...(parameters && { parameters }), ...readPlaces(params) }, price, mode },
    weight,
    priority,
    rates,
  }
  noteDeploymentFields(params)
  if (info) noteModelInfo(new Fields(info, ledger), found.model)
  return deployment
}

/** What LiteLLM names the modes for which packages of the AI SDK have functions of their own. */
const modes: Readonly<Record<string, ModelMode>> = {
  embedding: 'embedding',
  image_generation: 'image',
  audio_speech: 'speech',
  audio_transcription: 'transcription',
}

function modeOf(info: Fields): ModelMode {
  const mode = info.literal('mode')
  return (mode !== undefined && Object.hasOwn(modes, mode) ? modes[mode] : undefined) ?? 'chat'
}

function nameProblem(name: string, model: string): string | undefined {
  if (name === '__proto__' || model === '__proto__') return 'The name cannot be a key of the file.'
  if (name === '' || name.length > MOST_NAME || model.length > MOST_NAME)
    return 'The names must have 1 to 512 characters.'
  if ([name, model].some((text) => text.split('*').length > 2)) return 'The gateway has names with at most one star.'
  if (model.includes('*') && !name.includes('*'))
    return 'Only a `model_name` with a star may lead to a model with a star.'
  return undefined
}

function readTimes(params: Fields): ModelRules {
  const totalSeconds =
    params.number('timeout', 0.001, MOST_SECONDS) ?? params.number('request_timeout', 0.001, MOST_SECONDS)
  const firstByteSeconds = params.number('stream_timeout', 0.001, MOST_SECONDS)
  const tries = wholeNumber(params, 'max_retries', 0, 100)
  const retries = wholeNumber(params, 'num_retries', 0, 100) ?? tries
  const timeouts = {
    ...(totalSeconds === undefined ? {} : { totalSeconds }),
    ...(firstByteSeconds === undefined ? {} : { firstByteSeconds }),
  }
  return {
    ...(Object.keys(timeouts).length > 0 && { timeouts }),
    ...(retries === undefined ? {} : { retries }),
  }
}

function readPlaces(params: Fields): ModelRules {
  const maxParallelRequests = wholeNumber(params, 'max_parallel_requests', 1, 1_000_000)
  return maxParallelRequests === undefined ? {} : { maxParallelRequests }
}

/** Reads a whole number. Another one is reported. */
export function wholeNumber(fields: Fields, name: string, least: number, most: number): number | undefined {
  const value = fields.number(name, least, most)
  if (value === undefined || Number.isInteger(value)) return value
  const node = fields.node(name)
  if (node) fields.ledger.note(node, 'left out', 'The value must be a whole number.')
  return undefined
}

/** LiteLLM reads rates in `litellm_params` and in the entry. */
function readRate(params: Fields, entry: Fields, name: string): RateField | undefined {
  const fields = params.node(name) ? params : entry
  const value = fields.number(name, 0, Number.MAX_SAFE_INTEGER)
  const node = fields.node(name)
  return value === undefined || node === undefined ? undefined : { value, node }
}
