import { asSentence, ExcessiveBody, type MalformedBody } from '@trivium/http-contract'
import { type Failure, failure } from './failure.ts'

/** The failure of a request whose body is not JSON. @param detail the parser's own message */
export const malformedFailure = (detail: string): Failure =>
  failure(400, asSentence(`We could not parse the JSON body of your request: ${detail}`))

/** The failure of a request whose body has too much to be parsed. @param detail what it has too much of */
export const excessiveFailure = (detail: string): Failure =>
  failure(400, asSentence(`We do not accept the JSON body of your request: ${detail}`))

export const bodyFailure = (error: MalformedBody): Failure =>
  error instanceof ExcessiveBody ? excessiveFailure(error.message) : malformedFailure(error.message)
