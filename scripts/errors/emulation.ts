import { type EmulationError, ServiceClosed, StoreFailure } from '@trivium/emulation-core'
import { emulationContract } from '@trivium/emulation-core/http'
import * as v from 'valibot'
import {
  notPermitted,
  tooManyPasswords,
  unauthorized,
} from '../../packages/emulation-core/src/http/access/admission.ts'
import { answerNotes, errorNotes } from '../../packages/emulation-core/src/http/errors/error-notes.ts'
import { failures } from '../../packages/emulation-core/src/http/errors/failures.ts'
import { toFailure } from '../../packages/emulation-core/src/http/errors/to-failure.ts'
import { type Examples, entriesOfAnswers } from './answers.ts'
import { type ErrorCatalogue, groupsOf, outcomeEntries } from './catalogue.ts'
import { inputFailureOf } from './input-failure.ts'

const operation = emulationContract.createProject

const examples: Examples<typeof answerNotes> = {
  unauthorized: unauthorized,
  tooManyPasswords: tooManyPasswords(1),
  notPermitted,
  malformed: failures.malformed("{the parser's message}", operation),
  unknownField: inputFailureOf(operation, { nonsense: 1 }, failures),
  invalidField: inputFailureOf(operation, { temporary: 'maybe' }, failures),
  missingField: inputFailureOf(emulationContract.createEmu3, {}, failures),
  methodNotAllowed: failures.methodNotAllowed('PATCH', 'GET, HEAD, OPTIONS, POST'),
  tooLarge: failures.tooLarge(2 ** 20, operation),
  storeUnavailable: failures.unexpected(new StoreFailure('unavailable'), operation),
  closed: failures.unexpected(new ServiceClosed('emulation'), operation),
  fault: failures.unexpected(new Error('a fault'), operation),
}

const failureBody = v.object({ message: v.string() })

const codeAndMessageOf = (body: unknown) => ({ code: '', message: v.parse(failureBody, body).message })

export const emulationCatalogue = async (): Promise<ErrorCatalogue> => ({
  title: 'Errors of emulation',
  codeTitle: 'type',
  introduction: `Every error has the shape \`{"message", "status"}\`. Programs use the status, and the message is for people. \`type\` is the type
of the \`EmulationError\` that a host receives when it calls the services itself. \`{…}\` in a message stands for a part that
differs, such as a number or a kind.

What reaches no route is answered by the host. The reference server answers a path that does not exist with 404, and a foreign
\`Host\` or \`Origin\` with 403 (\`foreign_origin\`). Those bodies have the gateway's \`error\` besides \`message\` and \`status\`.`,
  groups: groupsOf([
    ...(await entriesOfAnswers({ notes: answerNotes, examples, codeAndMessageOf })),
    ...outcomeEntries<EmulationError>(errorNotes, (error) => ({ code: error.type, ...toFailure(error).body })),
  ]),
})
