import { startServices } from '../../../services.js'

export const dynamic = 'force-dynamic'

const services = startServices()

export async function GET(request) {
  const { answer } = await services
  return answer(request)
}
