import { useQuery } from '@tanstack/react-query'
import { RefusalError } from '@trivium/http-client'
import { topicKey } from '../live/topic-key.ts'
import { useGateway } from './use-gateway.ts'

const REFRESH_MS = 15_000

/** Reads the health of each part of the gateway, and again every 15 seconds. */
export function useGatewayHealth() {
  const gateway = useGateway()
  return useQuery({
    queryKey: topicKey('gateway', 'health'),
    queryFn: async ({ signal }) => {
      const reply = await gateway.getHealth({ signal })
      // An unhealthy gateway answers 503 with a body of the same shape.
      if ((reply.status === 200 || reply.status === 503) && 'components' in reply.body) return reply.body
      throw new RefusalError<unknown>(reply)
    },
    refetchInterval: REFRESH_MS,
  })
}
