import type { ModelTarget } from '../../models/model-route.ts'
import type { RequestBound } from '../../models/most-use.ts'
import type { ModelSearch } from '../../search/model-search.ts'
import type { DialectCall, Front } from '../answering/front.ts'
import { upstreamServicesOf } from '../answering/upstream-service.ts'
import type { Dialect, JsonObject } from '../dialect.ts'
import { countIn } from '../json-values.ts'
import { jsonLength } from '../requests/json-length.ts'
import { mostOutputOf } from './output-names.ts'
import { type ReadContent, readContent } from './read-content.ts'
import { offersSearch, searchBoundOf } from './search-bound.ts'
import { unboundedField } from './unbounded-fields.ts'
import { upstreamTools } from './upstream-tools.ts'

/** A character has at most 3 bytes, and each byte at most a token. */
const TOKENS_PER_CHARACTER = 3
/** What vendors add to prompts with tools. */
const ADDED_TOKENS = 512
/** What vendors add for a tool that they describe themselves, such as a computer. */
const TOKENS_PER_DESCRIBED_TOOL = 2_000
/** The least output that some upstreams accept as a limit. */
const LEAST_OUTPUT = 16
/** What a header of Anthropic's clients opens. */
const longContext = { name: /context-1m/, tokens: 1_000_000 }

/**
 * Returns what a request of a dialect uses at most, as far as it shows it: a tokenizer makes at most one token of each
 * byte. What it does not show is at most the context of the model, for each round.
 */
export function requestBound(
  front: Pick<Front<unknown>, 'dialect' | 'outputLimit' | 'answers'>,
  request: DialectCall,
  targets: readonly ModelTarget[],
  modelSearch: ModelSearch | undefined,
): RequestBound {
  const { body } = request
  const { dialect } = front
  const services = servicesOf(targets, dialect)
  const own = ownSearch(dialect, body, services, modelSearch)
  const content = readContent(body)
  // Translations to chat completions have no tools of the upstream.
  const isTranslated = dialect !== 'chat' && services.size === 1 && services.has('chat')
  const tools = isTranslated ? undefined : upstreamTools(dialect, services, body)
  const limit = front.outputLimit(body)
  const answers = answersOf(body)
  const unbounded = unboundedField(dialect, body) ?? tools?.unbounded
  const hidden = content.hidden ?? tools?.hidden
  const described = tools?.described ?? 0
  return {
    inputTokens: textTokens(request, content) + ADDED_TOKENS + described * TOKENS_PER_DESCRIBED_TOOL + own.foundTokens,
    outputTokens: limit === undefined ? undefined : Math.max(LEAST_OUTPUT, mostOutputOf(body)) * answers,
    answers,
    rounds: Math.max(own.rounds, tools?.rounds ?? 1),
    searches: tools?.searches ?? 0,
    readImages: content.images,
    addedOutputTokens: body.prediction ? jsonLength(body.prediction) * TOKENS_PER_CHARACTER : 0,
    hasLongCache: content.hasLongCache,
    hasPriority: body.service_tier === 'priority',
    ...(hidden !== undefined && { hidden }),
    ...(unbounded !== undefined && { unbounded }),
    ...(isLongContext(request) && { leastContext: longContext.tokens }),
  }
}

/** The bytes of the body without those of images. */
function textTokens({ body, raw }: Pick<DialectCall, 'body' | 'raw'>, { imageCharacters }: ReadContent): number {
  if (raw) return Math.max(0, raw.byteLength - imageCharacters)
  return Math.max(0, jsonLength(body) - imageCharacters) * TOKENS_PER_CHARACTER
}

/** Returns the dialects in which a request may be sent to any of the models. */
function servicesOf(targets: readonly ModelTarget[], front: Dialect): ReadonlySet<Dialect> {
  return new Set(targets.flatMap((target) => (upstreamServicesOf(target, front) ?? []).map(({ dialect }) => dialect)))
}

function ownSearch(
  front: Dialect,
  body: JsonObject,
  services: ReadonlySet<Dialect>,
  modelSearch: ModelSearch | undefined,
) {
  const mayOwn = front !== 'chat' && services.has('chat') && modelSearch && offersSearch(body)
  return mayOwn ? searchBoundOf(modelSearch.bounds) : { rounds: 1, foundTokens: 0 }
}

const answersOf = ({ n, best_of: best }: JsonObject): number => Math.max(1, countIn(n) ?? 1, countIn(best) ?? 1)

function isLongContext({ headers, body }: DialectCall): boolean {
  const named = [headers?.['anthropic-beta'], body.anthropic_beta].flat()
  return named.some((value) => typeof value === 'string' && longContext.name.test(value))
}
