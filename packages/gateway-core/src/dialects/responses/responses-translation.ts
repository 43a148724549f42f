import type { DialectTranslation } from '../translation.ts'
import { readAnswer } from './answers/read-answer.ts'
import { writeAnswer } from './answers/write-answer.ts'
import { ResponseEventReader } from './events/read-events.ts'
import { ResponseEventWriter } from './events/write-events.ts'
import { readRequest } from './requests/read-request.ts'
import { writeRequest } from './requests/write-request.ts'

/** OpenAI's Responses. */
export const responsesTranslation: DialectTranslation = {
  dialect: 'responses',
  readRequest,
  writeRequest,
  readAnswer,
  writeAnswer,
  readEvents: (context) => new ResponseEventReader(context),
  writeEvents: (context) => new ResponseEventWriter(context),
}
