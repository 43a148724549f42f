import { optional, section } from './section.ts'
import { oneOf, whole, within } from './values.ts'

export const cache = section({
  ttl_seconds: optional('Seconds for which an answer is used (300).', within(1, 2_592_000)),
  max_entries: optional('The most answers (10000).', whole(1, 1_000_000)),
  max_bytes: optional(
    'The most bytes of all answers in the memory of the process (67108864).',
    whole(1, Number.MAX_SAFE_INTEGER),
  ),
  max_answer_bytes: optional('The most bytes of one answer; larger ones are not stored (1048576).', whole(1, 2 ** 22)),
  scope: optional('Whose requests an answer is for (key).', oneOf(['key', 'team', 'all'])),
})
