import type { ServerLoad } from '@sveltejs/kit'
import { gateway } from '../gateway.ts'

/** The application's own pages use the services without HTTP. */
export const load: ServerLoad = async () => ({ models: (await gateway.models.list()).map(({ id }) => id) })
