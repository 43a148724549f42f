import type * as v from 'valibot'
import { cache } from './cache.ts'
import { engines } from './engines.ts'
import { guardrails } from './guardrails.ts'
import { labs } from './labs.ts'
import { modelFacts } from './model-facts.ts'
import { models } from './models.ts'
import { prices } from './prices.ts'
import { requestLog } from './request-log.ts'
import { optional, section } from './section.ts'
import { retries, timeouts } from './upstream-rules.ts'
import { upstreams } from './upstreams.ts'
import { flag, oneOf, whole, within } from './values.ts'
import { volumes } from './volumes.ts'

/** The sections of the file beside the variables. */
export const sections = {
  upstreams: optional('The upstreams of models (those that variables name).', upstreams),
  models: optional(
    'Additional models: an alias of another one, or a route with weights and fallbacks. A * stands for any characters.',
    models,
  ),
  model_facts: optional(
    'Facts of models, by upstream/model or alias; a * at the end matches any rest (as upstreams and the bundled table have them).',
    modelFacts,
  ),
  prices: optional(
    'What models cost, by upstream/model, with * for any end. Each replaces the list price of its models.',
    prices,
  ),
  bundled_prices: optional('Whether public list prices of common models count (true).', flag),
  timeouts: optional('Timeouts of all upstreams.', timeouts),
  retries: optional('How often upstreams are called again.', retries),
  circuit: optional(
    'When an upstream or one of its models is no longer called.',
    section({
      failures: optional('Failures in a row after which it is left out (5).', whole(1, 1_000_000)),
      cool_down_seconds: optional('Seconds for which it is left out (15).', within(0.001, 2_147_483)),
    }),
  ),
  cache: optional('Stores answers for equal requests (off).', cache),
  budgets: optional(
    'How requests beyond the parallel limit of a key, team or user are treated.',
    section({
      wait_seconds: optional('Seconds for which they wait for another to end (0: refused with 429).', within(0, 600)),
    }),
  ),
  usage: optional(
    'What usage records name.',
    section({ end_users: optional("Whether they name the client's own end user (false).", flag) }),
  ),
  request_log: optional('Stores what each request was, and which route it took (off).', requestLog),
  guardrails: optional('Checks of requests and answers, in this order (none).', guardrails),
  unchecked_requests: optional(
    'refuse or admit requests that guardrails cannot read, such as uploads (refuse).',
    oneOf(['refuse', 'admit']),
  ),
  engines: optional('The search engines, the default first (those that variables name, DuckDuckGo, local).', engines),
  volumes: optional('The volumes of the storage service (one simulated volume vol1).', volumes),
  labs: optional('Settings of the emulation service.', labs),
}

const sectionsSchema = section(sections)

/** What the file has beside the variables. */
export type Sections = v.InferOutput<typeof sectionsSchema>
