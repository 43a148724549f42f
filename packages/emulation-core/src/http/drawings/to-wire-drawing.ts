import type { Drawing } from '../../index.ts'

export const toWireDrawing = ({ id, projectId, x, y, z, rotation, locked, svg }: Drawing) => ({
  drawing_id: id,
  project_id: projectId,
  x,
  y,
  z,
  rotation,
  locked,
  svg,
})
