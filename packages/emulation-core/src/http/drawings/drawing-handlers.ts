import { encodedJson, type Handlers } from '@trivium/http-contract'
import type { Emulation } from '../../index.ts'
import { encodeInTurns, jsonList } from '../encode-in-turns.ts'
import { toFailure } from '../errors/to-failure.ts'
import { withoutNullish } from '../requests/fields.ts'
import type { drawingOperations } from './drawing-operations.ts'
import { toWireDrawing } from './to-wire-drawing.ts'

export function drawingHandlers({ drawings }: Pick<Emulation, 'drawings'>): Handlers<typeof drawingOperations> {
  return {
    createDrawing: ({ params, body: { drawing_id: id, svg, ...place } }) =>
      drawings
        .create({ ...params, ...withoutNullish({ id, ...place }), svg })
        .match((drawing) => ({ status: 201, body: toWireDrawing(drawing) }) as const, toFailure),
    listDrawings: ({ params }) =>
      drawings
        .list(params.projectId)
        .map((found) => encodeInTurns(jsonList(found, toWireDrawing)))
        .match((bytes) => ({ status: 200, body: encodedJson(bytes) }) as const, toFailure),
    getDrawing: ({ params }) =>
      drawings.find(params).match((drawing) => ({ status: 200, body: toWireDrawing(drawing) }) as const, toFailure),
    updateDrawing: ({ params, body }) =>
      drawings
        .update(params, withoutNullish(body))
        .match((drawing) => ({ status: 200, body: toWireDrawing(drawing) }) as const, toFailure),
    deleteDrawing: ({ params }) => drawings.remove(params).match(() => ({ status: 204 }) as const, toFailure),
  }
}
