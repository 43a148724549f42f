export type {
  OpenApiContent,
  OpenApiDocument,
  OpenApiOperation,
  OpenApiParameter,
  OpenApiResponse,
} from './open-api-document.ts'
export type { OpenApiOptions, OpenApiPart } from './to-open-api.ts'
export { toOpenApi, toOpenApiInTurns } from './to-open-api.ts'
