export type {
  OpenApiContent,
  OpenApiDocument,
  OpenApiInfo,
  OpenApiOperation,
  OpenApiParameter,
  OpenApiResponse,
  OpenApiServer,
  SecurityRequirement,
} from './open-api-document.ts'
export type { OpenApiOptions, OpenApiPart } from './to-open-api.ts'
export { toOpenApi } from './to-open-api.ts'
