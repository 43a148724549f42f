import { useQuery } from '@tanstack/react-query'
import { expectOk } from '@trivium/http-client'
import { useGateway } from '../../hooks/use-gateway.ts'
import { topicKey } from '../../live/topic-key.ts'

/** Reads the chat models: those whose provider speaks a protocol of conversations. The API lists all models. */
export function useModels() {
  const gateway = useGateway()
  return useQuery({
    queryKey: topicKey('gateway', 'models', 'chat'),
    queryFn: async ({ signal }) => {
      const { data } = await expectOk(gateway.listModels({ signal }))
      return data.flatMap((model) => ('dialects' in model && model.dialects ? [model] : []))
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
