import { useQuery } from '@tanstack/react-query'
import { expectOk } from '@trivium/http-client'
import { useGateway } from '../../hooks/use-gateway.ts'
import { topicKey } from '../../live/topic-key.ts'

/** Reads the chat models. The API lists image models with them, so they are left out here. */
export function useModels() {
  const gateway = useGateway()
  return useQuery({
    queryKey: topicKey('gateway', 'models', 'chat'),
    queryFn: async ({ signal }) => {
      const [all, drawing] = await Promise.all([
        expectOk(gateway.listModels({ signal })),
        expectOk(gateway.listImageModels({ signal })),
      ])
      const ids = new Set(drawing.data.map(({ id }) => id))
      return all.data.filter(({ id }) => !ids.has(id))
    },
  })
}

/** Reads the image models. */
export function useImageModels() {
  const gateway = useGateway()
  return useQuery({
    queryKey: topicKey('gateway', 'models', 'images'),
    queryFn: async ({ signal }) => (await expectOk(gateway.listImageModels({ signal }))).data,
  })
}
