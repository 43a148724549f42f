import type { SimulatedFiles } from '@trivium/simulated-volumes'
import { isVolumeRefusal } from '@trivium/storage-core/ports'
import { Hono } from 'hono'

/** The application's own interface. An upload counts against the quota of its user, and is refused with 507 where it exceeds it. */
export function uploads(files: SimulatedFiles): Hono {
  const app = new Hono()
  app.put('/:user/:file', async (context) => {
    const { user, file } = context.req.param()
    const { byteLength: size } = await context.req.arrayBuffer()
    try {
      files.makeDirectory(user, { user })
      files.write(`${user}/${file}`, { user, size, offset: 0 })
    } catch (error) {
      if (!isVolumeRefusal(error)) throw error
      return context.json(
        { reason: error.reason, message: error.message },
        error.reason === 'quota-exceeded' ? 507 : 400,
      )
    }
    return context.json({ stored: size }, 201)
  })
  return app
}
