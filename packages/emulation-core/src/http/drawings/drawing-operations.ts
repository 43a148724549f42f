import { type Contract, noBody } from '@trivium/http-contract'
import * as v from 'valibot'
import { layerBounds, MAX_SVG, positionBounds, rotationBounds } from '../../drawings/drawing-bounds.ts'
import type { DrawingReference } from '../../index.ts'
import { failureResponses } from '../errors/failure.ts'
import { fields, flag, integer, nonEmptyText, whole } from '../requests/fields.ts'
import { drawingId, projectId } from '../requests/identifiers.ts'
import { inProject, PROJECT } from '../requests/places.ts'

const DRAWINGS = `${PROJECT}/drawings` as const
const DRAWING = `${DRAWINGS}/{drawing_id}` as const

/** The longest SVG with an escape for each of its characters, and the other fields. */
const BODY_LIMIT = 2 ** 21

export const drawing = v.pipe(
  v.object({
    drawing_id: v.string(),
    project_id: v.string(),
    x: whole,
    y: whole,
    z: whole,
    rotation: whole,
    locked: v.boolean(),
    svg: v.string(),
  }),
  v.title('Drawing'),
)

const place = {
  x: v.nullish(integer(...positionBounds)),
  y: v.nullish(integer(...positionBounds)),
  z: v.nullish(integer(...layerBounds)),
  rotation: v.nullish(integer(...rotationBounds)),
  locked: v.nullish(flag),
}

const svg = nonEmptyText(MAX_SVG)

const tags = ['drawings']

const inDrawing: v.GenericSchema<unknown, DrawingReference> = v.pipe(
  v.object({ project_id: projectId, drawing_id: drawingId }),
  v.transform((params) => ({ projectId: params.project_id, id: params.drawing_id })),
)

export const drawingOperations = {
  createDrawing: {
    method: 'POST',
    path: DRAWINGS,
    summary: 'Creates a drawing, or returns the one that already has the id',
    description:
      'The SVG is stored as it is sent. One that could run or load something in a browser is refused with 400.',
    tags,
    params: inProject,
    body: fields({ drawing_id: v.nullish(drawingId), ...place, svg }),
    bodyLimit: BODY_LIMIT,
    responses: { 201: drawing, ...failureResponses },
  },
  listDrawings: {
    method: 'GET',
    path: DRAWINGS,
    summary: 'Lists the drawings of the project, oldest first',
    tags,
    params: inProject,
    responses: { 200: v.array(drawing), ...failureResponses },
  },
  getDrawing: {
    method: 'GET',
    path: DRAWING,
    summary: 'Reads a drawing',
    tags,
    params: inDrawing,
    responses: { 200: drawing, ...failureResponses },
  },
  updateDrawing: {
    method: 'PUT',
    path: DRAWING,
    summary: 'Updates the fields of a drawing that are set and not null',
    tags,
    params: inDrawing,
    body: v.optional(fields({ ...place, svg: v.nullish(svg) }), {}),
    bodyLimit: BODY_LIMIT,
    responses: { 200: drawing, ...failureResponses },
  },
  deleteDrawing: {
    method: 'DELETE',
    path: DRAWING,
    summary: 'Deletes a drawing',
    tags,
    params: inDrawing,
    responses: { 204: noBody, ...failureResponses },
  },
} as const satisfies Contract
