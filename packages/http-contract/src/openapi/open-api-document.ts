import type { JsonSchema } from '@valibot/to-json-schema'

/** An OpenAPI 3.1 document, with the fields that contracts define. */
export interface OpenApiDocument {
  readonly openapi: '3.1.0'
  readonly info: OpenApiInfo
  readonly servers?: readonly OpenApiServer[]
  readonly tags?: readonly { readonly name: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>
  readonly components?: {
    readonly schemas?: Readonly<Record<string, JsonSchema>>
    readonly securitySchemes?: Readonly<Record<string, object>>
  }
}

export interface OpenApiInfo {
  readonly title: string
  readonly version: string
  readonly summary?: string
  readonly description?: string
}

export interface OpenApiServer {
  readonly url: string
  readonly description?: string
}

/** Names of security schemes, each with its scopes. An empty object means that no credentials are needed. */
export type SecurityRequirement = Readonly<Record<string, readonly string[]>>

/** One operation, with OpenAPI's field names. */
export interface OpenApiOperation {
  readonly operationId: string
  readonly summary?: string
  readonly description?: string
  readonly tags?: readonly string[]
  readonly security?: readonly SecurityRequirement[]
  readonly parameters?: readonly OpenApiParameter[]
  readonly requestBody?: { readonly required: boolean; readonly content: OpenApiContent }
  readonly responses: Readonly<Record<string, OpenApiResponse>>
}

/** A parameter of the path, the query or the headers, with OpenAPI's field names. */
export interface OpenApiParameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly description?: string
  readonly style?: 'form'
  readonly explode?: true
  readonly schema: JsonSchema
}

/** Schemas by content type. */
export type OpenApiContent = Readonly<Record<string, { readonly schema?: JsonSchema }>>

/** A response, with OpenAPI's field names. */
export interface OpenApiResponse {
  readonly description: string
  readonly content?: OpenApiContent
}
