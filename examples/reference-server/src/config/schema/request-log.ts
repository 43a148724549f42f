import { patternNames } from '@trivium/gateway-core'
import type * as v from 'valibot'
import { patternOr } from './pattern.ts'
import { optional, section } from './section.ts'
import { flag, listOf, whole, within } from './values.ts'

const pattern = patternOr('A text that is meant literally needs brackets: (text).')

export const requestLog = section({
  content: optional('Whether prompts and answers are stored (false).', flag),
  days: optional('Days for which requests are kept (30).', whole(1, 1_000_000)),
  sample: optional('The share of requests that is stored, from 0 to 1 (1).', within(0, 1)),
  redact: optional(
    `What is masked in stored texts: ${patternNames.join(', ')}, or regular expressions in the syntax of RE2 (nothing).`,
    listOf(pattern, 100),
  ),
  max_content_bytes: optional(
    'The most bytes of a prompt and of an answer that are stored (16384).',
    whole(1, 262_144),
  ),
})

export type RequestLogSection = v.InferOutput<typeof requestLog>
